-- Talk at a match (PL-556 to PL-559): no part of its state, log or record, kept 90 days.

ALTER TABLE matches ADD CONSTRAINT matches_talk CHECK (talk IN ('off', 'phrases', 'free'));

CREATE TABLE talk (
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    text_id    text NOT NULL UNIQUE,
    match_id   text NOT NULL REFERENCES matches,
    room       text NOT NULL CHECK (room IN ('seats', 'onlookers')),
    account_id text NOT NULL REFERENCES accounts,
    seat       integer,                          -- from which it was said, where one seat is meant
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    step       integer NOT NULL,                 -- what had happened by then: onlookers behind a delay hear it no earlier (PL-419)
    phrase     text,
    words      text,
    hidden_at  timestamptz,                      -- by a moderator
    CHECK ((phrase IS NULL) <> (words IS NULL))
);
CREATE INDEX talk_of_room ON talk (match_id, room, number);
CREATE INDEX talk_of_account ON talk (account_id);
CREATE INDEX talk_by_age ON talk (at);

CREATE TABLE talk_reports (
    text_id    text NOT NULL REFERENCES talk (text_id) ON DELETE CASCADE,
    account_id text NOT NULL REFERENCES accounts,
    reason     text NOT NULL,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    settled_at timestamptz,
    PRIMARY KEY (text_id, account_id)
);
CREATE INDEX talk_reports_waiting ON talk_reports (at) WHERE settled_at IS NULL;

CREATE TABLE mutes (                             -- whose texts an account does not want to read
    account_id text NOT NULL REFERENCES accounts,
    muted_id   text NOT NULL REFERENCES accounts,
    PRIMARY KEY (account_id, muted_id)
);

CREATE TABLE silences (                          -- by a moderator: the account says nothing until then
    account_id text PRIMARY KEY REFERENCES accounts,
    until      timestamptz NOT NULL
);

-- What is said in a match by its seats or by onlookers, as far as somebody behind the onlooker delay may hear it by now (PL-419).
CREATE FUNCTION may_be_heard(t talk, m matches, p_late_step integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT t.step <= p_late_step AND t.at <= clock_timestamp() - m.delay_s * interval '1 second'
$$;

GRANT SELECT, INSERT, DELETE, UPDATE (hidden_at) ON talk TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE (settled_at) ON talk_reports TO cupboard_gateway;
GRANT SELECT, INSERT, DELETE ON mutes TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE ON silences TO cupboard_gateway;
-- The stream tells that something was said, and can read neither what nor by whom.
GRANT SELECT (number, match_id, room, at, step, hidden_at) ON talk TO cupboard_stream;

-- PL-556 The league says what talk its matches have.
CREATE OR REPLACE FUNCTION make_matches(p_competition text, p_most integer)
RETURNS TABLE (made text, made_game text, made_version integer) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    one record;
    next_seed bigint;
    began acceptance;
BEGIN
    FOR one IN SELECT o.match_id, o.pairing, o.wish, c.visibility FROM competition_matches o JOIN competitions c USING (competition_id)
        WHERE o.competition_id = p_competition AND o.made_at IS NULL AND o.stopped_at IS NULL AND NOT c.held
        ORDER BY o.event, o.pairing LIMIT p_most FOR UPDATE OF o SKIP LOCKED
    LOOP
        UPDATE seed_list SET used_by = one.match_id
            WHERE number = (SELECT number FROM seed_list WHERE used_by IS NULL ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING number INTO next_seed;
        EXIT WHEN NOT FOUND;
        INSERT INTO matches (match_id, game, version, pack_hash, options, clock, seats, visibility, opponents, talk, rated, seed_number, championship,
                             origin, origin_key, delay_s, expires_at)
            SELECT one.match_id, g.game, g.version, g.pack_hash, coalesce(one.wish -> 'options', '{}'), one.wish -> 'clock',
                   jsonb_array_length(one.wish -> 'accounts'), one.visibility,
                   (SELECT CASE WHEN bool_and(a.kind = 'bot') THEN 'bots' WHEN bool_or(a.kind = 'bot') THEN 'mixed' ELSE 'persons' END
                    FROM accounts a WHERE a.account_id IN (SELECT jsonb_array_elements_text(one.wish -> 'accounts'))),
                   coalesce(one.wish ->> 'talk', 'off'), coalesce((one.wish ->> 'rated')::boolean, false), next_seed, p_competition, p_competition, one.pairing,
                   coalesce((one.wish ->> 'delay')::bigint / 1000, 0), clock_timestamp() + interval '7 days'
            FROM games g WHERE g.game = one.wish ->> 'game' AND g.version = (one.wish ->> 'game_version')::integer;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the game of match % is not known', one.match_id;
        END IF;
        INSERT INTO seats (match_id, seat, kind, account_id, ready)
            SELECT one.match_id, a.number - 1, 'held', a.account_id, true
            FROM jsonb_array_elements_text(one.wish -> 'accounts') WITH ORDINALITY AS a (account_id, number);
        INSERT INTO match_states (match_id, game, version) SELECT m.match_id, m.game, m.version FROM matches m WHERE m.match_id = one.match_id;
        INSERT INTO inbox_heads (match_id) VALUES (one.match_id);
        began := accept(one.match_id, NULL, NULL, 'start', NULL, NULL, NULL, '{}', NULL, clock_timestamp(),
                        'c-' || replace(gen_random_uuid()::text, '-', ''), 60000, 1, NULL);
        IF began.code <> '' THEN
            RAISE EXCEPTION 'match % cannot start: %', one.match_id, began.code;
        END IF;
        UPDATE competition_matches SET made_at = clock_timestamp() WHERE match_id = one.match_id;
        made := one.match_id;
        made_game := one.wish ->> 'game';
        made_version := (one.wish ->> 'game_version')::integer;
        RETURN NEXT;
    END LOOP;
END $$;
