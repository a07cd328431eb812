-- PL-670: time in which a game was behind and took no commands is an outage of that game; of several gateways one notes it.

CREATE FUNCTION note_backlog(p_game text, p_from timestamptz, p_to timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7004);
    INSERT INTO outages (from_at, to_at, game, reason)
        SELECT p_from, p_to, p_game, 'queue_old' WHERE NOT EXISTS (
            SELECT 1 FROM outages o WHERE coalesce(o.game, p_game) = p_game AND o.from_at < p_to AND o.to_at > p_from);
END $$;
REVOKE EXECUTE ON FUNCTION note_backlog(text, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_backlog(text, timestamptz, timestamptz) TO cupboard_gateway;
