-- CH-447 A game that asks for it (an option `players`) is told at the start the names of those at the table, whoever starts it: the host,
-- the last who is ready, a planned time or a league. It is part of the options, so that the match can be carried out again.
CREATE FUNCTION name_players() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE matches m SET options = m.options || jsonb_build_object('players', (
            SELECT coalesce(jsonb_agg(a.name ORDER BY s.seat), '[]') FROM seats s JOIN accounts a USING (account_id)
            WHERE s.match_id = m.match_id AND s.kind = 'held'))
        FROM games g WHERE m.match_id = new.match_id AND m.state = 'open' AND g.game = m.game AND g.version = m.version
            AND jsonb_path_exists(g.options, '$."$defs".*.properties.players');
    RETURN NULL;
END $$;
CREATE TRIGGER inbox_names_players AFTER INSERT ON inbox FOR EACH ROW WHEN (new.kind = 'start') EXECUTE FUNCTION name_players();
