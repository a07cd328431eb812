-- Archived matches, matches that share a deal, substitutes, and the grace of a suspension.

ALTER TABLE accounts ADD COLUMN leaves_at timestamptz;          -- PL-137: when the seats of a suspended account become leavers
CREATE INDEX accounts_leaving ON accounts (leaves_at) WHERE leaves_at IS NOT NULL;

ALTER TABLE matches ADD COLUMN deal_group text;                 -- PL-392: matches that share a deal share seed and draws
ALTER TABLE matches ADD COLUMN substitutes boolean NOT NULL DEFAULT false;
ALTER TABLE matches ADD COLUMN archived_at timestamptz;
ALTER TABLE seats ADD COLUMN vacant boolean NOT NULL DEFAULT false;         -- PL-546: left, and waiting for a substitute
ALTER TABLE seats ADD COLUMN substitute_of text;                -- who held it first
ALTER TABLE result_seats ADD COLUMN substitute_of text;
ALTER TABLE result_seats ADD COLUMN counts_for text;            -- the account that the result counts for

CREATE TABLE archives (                          -- PL-257: where the rows of an ended match have gone
    match_id text PRIMARY KEY REFERENCES matches,
    location text NOT NULL,                      -- the name of a file in the archive's folder
    hash     text NOT NULL,                      -- SHA-256 of its bytes
    size     bigint NOT NULL,
    at       timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON archives TO cupboard_gateway, cupboard_stream;
GRANT SELECT, DELETE ON archives TO cupboard_worker;

-- PL-257, PL-411 The one way in which steps leave their table: into a file that has been written, of a match that ended more than a
-- day ago and has its record. What stays of it are its step and chain, and whom its readers were. False where there is nothing to move.
CREATE FUNCTION archive_rows(p_match text, p_step integer, p_location text, p_hash text, p_size bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM match_states s JOIN matches m USING (match_id) JOIN records r USING (match_id)
        WHERE s.match_id = p_match AND s.step = p_step AND s.match IS NOT NULL AND m.state IN ('finished', 'aborted', 'voided')
            AND m.ended_at < clock_timestamp() - interval '1 day' FOR UPDATE OF s;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO archives (match_id, location, hash, size) VALUES (p_match, p_location, p_hash, p_size);
    DELETE FROM letters WHERE match_id = p_match;
    DELETE FROM steps WHERE match_id = p_match;
    UPDATE views SET bodies = '{}', texts = '{}' WHERE match_id = p_match;
    UPDATE match_states SET match = NULL, house = NULL WHERE match_id = p_match;
    UPDATE matches SET archived_at = clock_timestamp() WHERE match_id = p_match;
    RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION archive_rows(text, integer, text, text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION archive_rows(text, integer, text, text, bigint) TO cupboard_worker;

-- PL-392 Whether every match that shares this one's deal has ended; nothing hidden of any of them is shown before.
CREATE FUNCTION deal_over(m matches) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT m.deal_group IS NULL OR NOT EXISTS (
        SELECT FROM matches o WHERE o.deal_group = m.deal_group AND o.state IN ('open', 'running', 'paused', 'stuck'))
$$;

-- PL-381, PL-417: letters without masks are read through this alone, and only once the match and all of its deal have ended.
CREATE OR REPLACE FUNCTION opened(p_match text, p_after integer, p_most integer) RETURNS TABLE (step integer, body text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
    SELECT l.step, l.open FROM letters l JOIN matches m USING (match_id)
    WHERE l.match_id = p_match AND l.step > p_after AND m.state IN ('finished', 'aborted', 'voided') AND deal_over(m)
    ORDER BY l.step LIMIT p_most
$$;

-- PL-419, PL-392 The step and state of a match that onlookers see: of seconds and steps the stricter counts; after the end only seconds do;
-- of matches that share a deal they see no step until the last has ended.
CREATE OR REPLACE FUNCTION shown_to_onlookers(m matches, OUT late_step integer, OUT late_state text, OUT delay_over boolean)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    by_time integer;
    newest integer;
    dealt boolean := deal_over(m);
BEGIN
    delay_over := m.ended_at IS NOT NULL AND m.ended_at <= clock_timestamp() - m.delay_s * interval '1 second' AND dealt;
    late_state := CASE WHEN m.ended_at IS NOT NULL AND m.started_at IS NOT NULL AND NOT delay_over THEN 'running' ELSE m.state END;
    IF m.started_at IS NULL OR NOT dealt THEN
        late_step := 0;
        RETURN;
    END IF;
    SELECT max(l.step) INTO newest FROM letters l WHERE l.match_id = m.match_id;
    by_time := newest;
    IF m.delay_s > 0 THEN
        SELECT max(l.step) INTO by_time FROM letters l
            WHERE l.match_id = m.match_id AND l.at <= clock_timestamp() - m.delay_s * interval '1 second';
    END IF;
    late_step := coalesce(CASE WHEN m.ended_at IS NULL THEN least(by_time, greatest(newest - m.delay_steps, 0)) ELSE by_time END, 0);
END $$;
