
-- The league ---------------------------------------------------------------------------------------------------------
-- Facts are only added to: a withdrawn result stays, marked. Standings are a projection and can be computed again.

CREATE TABLE championships (
    championship_id text PRIMARY KEY,
    name            text NOT NULL,
    organiser_id    text NOT NULL REFERENCES accounts,
    game            text NOT NULL,
    game_version    integer NOT NULL,            -- LG-106: all its matches are played under this version
    format          text NOT NULL CHECK (format IN ('round_robin')),
    planned_rounds  integer NOT NULL CHECK (planned_rounds BETWEEN 1 AND 64),
    table_min       integer NOT NULL,
    table_max       integer NOT NULL,
    table_preferred integer NOT NULL,
    points          jsonb NOT NULL DEFAULT '{}', -- seats -> points by place as fractions; without a list (n - p) / (n - 1)
    options         jsonb NOT NULL,              -- of its matches, as in matches
    clock           jsonb NOT NULL,
    opponents       text NOT NULL CHECK (opponents IN ('persons', 'bots', 'mixed')),
    round_break_ms  bigint NOT NULL DEFAULT 0,
    seed            bytea NOT NULL,              -- LG-254: of all its draws; the league alone reads it
    seed_hash       text NOT NULL,
    seed_shown      text,                        -- hexadecimal, after the last draw
    state           text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'running', 'finished')),
    version         integer NOT NULL DEFAULT 1,  -- LG-804: rises by one with each event
    as_of           integer NOT NULL DEFAULT 0,  -- the version from which the standings were computed
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at      timestamptz,
    ended_at        timestamptz,
    CHECK (2 <= table_min AND table_min <= table_preferred AND table_preferred <= table_max AND table_max <= 8)
);
CREATE INDEX championships_by_time ON championships (created_at, championship_id);
CREATE INDEX championships_running ON championships (championship_id) WHERE state = 'running';

CREATE TABLE entrants (
    championship_id text NOT NULL REFERENCES championships,
    account_id      text NOT NULL REFERENCES accounts,
    state           text NOT NULL DEFAULT 'entered' CHECK (state IN ('entered', 'withdrawn')),
    number          integer,                     -- LG-251: the pairing number, drawn when the championship starts
    entered_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (championship_id, account_id),
    UNIQUE (championship_id, number)
);
CREATE INDEX entrants_of_account ON entrants (account_id, championship_id);

CREATE TABLE rounds (                            -- LG-166: at most one of each number
    championship_id text NOT NULL REFERENCES championships,
    round           integer NOT NULL,
    state           text NOT NULL DEFAULT 'published' CHECK (state IN ('published', 'complete')),
    published_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    completed_at    timestamptz,
    PRIMARY KEY (championship_id, round)
);

CREATE TABLE pairings (
    championship_id text NOT NULL,
    round           integer NOT NULL,
    table_no        integer NOT NULL,
    match_id        text NOT NULL UNIQUE REFERENCES matches,
    state           text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'confirmed', 'void')),
    PRIMARY KEY (championship_id, round, table_no),
    FOREIGN KEY (championship_id, round) REFERENCES rounds
);
CREATE INDEX pairings_running ON pairings (match_id) WHERE state = 'running';

CREATE TABLE appearances (                       -- one a round for each entrant, so nobody can sit twice
    championship_id text NOT NULL,
    round           integer NOT NULL,
    number          integer NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('table', 'rest')),
    table_no        integer,
    seat            integer,
    PRIMARY KEY (championship_id, round, number),
    UNIQUE (championship_id, round, table_no, seat),
    FOREIGN KEY (championship_id, number) REFERENCES entrants (championship_id, number),
    FOREIGN KEY (championship_id, round, table_no) REFERENCES pairings,
    CHECK ((kind = 'table') = (table_no IS NOT NULL AND seat IS NOT NULL))
);

CREATE TABLE recorded_results (                  -- LG-204: a match has one
    match_id          text PRIMARY KEY REFERENCES pairings (match_id),
    championship_id   text NOT NULL REFERENCES championships,
    version           integer NOT NULL,          -- of the championship, once it was recorded
    recorded_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    withdrawn_version integer                    -- the match was voided later (PL-248)
);
CREATE INDEX recorded_results_of ON recorded_results (championship_id);
CREATE TABLE recorded_seats (
    match_id text NOT NULL REFERENCES recorded_results,
    seat     integer NOT NULL,
    number   integer NOT NULL,
    place    integer NOT NULL,
    score    integer NOT NULL,
    how      text NOT NULL,
    points_n bigint NOT NULL,                    -- LG-725: in lowest terms
    points_d bigint NOT NULL,
    PRIMARY KEY (match_id, seat),
    UNIQUE (match_id, number)
);

CREATE TABLE standings (                         -- the projection as of championships.as_of
    championship_id text NOT NULL REFERENCES championships,
    number          integer NOT NULL,
    rank            integer NOT NULL,
    points_n        bigint NOT NULL,
    points_d        bigint NOT NULL,
    played          integer NOT NULL,
    places          integer[] NOT NULL,          -- how often first, second, …
    ties            jsonb NOT NULL,              -- [[code, value as a fraction], …] of the tie-breaks that were asked
    decided         text NOT NULL,               -- what put it behind the one above
    PRIMARY KEY (championship_id, number)
);

-- PL-255, LG-167 One match of a pairing, seated and told to start; made once, however often it is asked for. The league may
-- call this and write no match itself: everything but the accounts is read from the championship.
CREATE FUNCTION seat_pairing(p_match text, p_command text, p_championship text, p_round integer, p_table integer, p_accounts text[])
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    pairing_key text := p_round || '/' || p_table;
    there text;
    next_seed bigint;
    seated bigint;
    began acceptance;
BEGIN
    SELECT m.match_id INTO there FROM matches m WHERE m.origin = p_championship AND m.origin_key = pairing_key;
    IF FOUND THEN
        RETURN there;
    END IF;
    UPDATE seed_list SET used_by = p_match
        WHERE number = (SELECT number FROM seed_list WHERE used_by IS NULL ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING number INTO next_seed;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no unused seed is left';
    END IF;
    INSERT INTO matches (match_id, game, version, pack_hash, options, clock, seats, visibility, opponents, seed_number, championship,
                         origin, origin_key, expires_at)
        SELECT p_match, c.game, c.game_version, g.pack_hash, c.options, c.clock, cardinality(p_accounts), 'public', c.opponents, next_seed,
               c.championship_id, c.championship_id, pairing_key, clock_timestamp() + interval '7 days'
        FROM championships c JOIN games g ON g.game = c.game AND g.version = c.game_version
        WHERE c.championship_id = p_championship AND c.state = 'running';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'championship % does not run, or its game is not known', p_championship;
    END IF;
    INSERT INTO seats (match_id, seat, kind, account_id, ready)
        SELECT p_match, a.number - 1, 'held', e.account_id, true
        FROM unnest(p_accounts) WITH ORDINALITY AS a (account_id, number)
        JOIN entrants e ON e.championship_id = p_championship AND e.account_id = a.account_id AND e.state = 'entered';
    GET DIAGNOSTICS seated = ROW_COUNT;
    IF seated <> cardinality(p_accounts) THEN
        RAISE EXCEPTION 'somebody at this table has not entered championship %', p_championship;
    END IF;
    INSERT INTO match_states (match_id, game, version) SELECT match_id, game, version FROM matches WHERE match_id = p_match;
    INSERT INTO inbox_heads (match_id) VALUES (p_match);
    began := accept(p_match, NULL, NULL, 'start', NULL, NULL, NULL, '{}', NULL, clock_timestamp(), p_command, 60000, 1, NULL);
    IF began.code <> '' THEN
        RAISE EXCEPTION 'match % cannot start: %', p_match, began.code;
    END IF;
    RETURN p_match;
END $$;
REVOKE EXECUTE ON FUNCTION seat_pairing(text, text, text, integer, integer, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION seat_pairing(text, text, text, integer, integer, text[]) TO cupboard_league;

GRANT SELECT, UPDATE (state, version, as_of, seed_shown, ended_at) ON championships TO cupboard_league;
GRANT SELECT, UPDATE (number) ON entrants TO cupboard_league;
GRANT SELECT, INSERT ON rounds, pairings, appearances, recorded_results, recorded_seats TO cupboard_league;
GRANT UPDATE (state, completed_at) ON rounds TO cupboard_league;
GRANT UPDATE (state) ON pairings TO cupboard_league;
GRANT UPDATE (withdrawn_version) ON recorded_results TO cupboard_league;
GRANT SELECT, INSERT, DELETE ON standings TO cupboard_league;

GRANT INSERT ON championships, entrants TO cupboard_gateway;
GRANT SELECT (championship_id, name, organiser_id, game, game_version, format, planned_rounds, table_min, table_max, table_preferred, points,
              options, clock, opponents, round_break_ms, seed_hash, seed_shown, state, version, as_of, created_at, started_at, ended_at),
      UPDATE (state, version, started_at) ON championships TO cupboard_gateway;
GRANT UPDATE (state, entered_at) ON entrants TO cupboard_gateway;
GRANT SELECT ON entrants, rounds, pairings, appearances, recorded_results, recorded_seats, standings TO cupboard_gateway;
GRANT SELECT (championship_id, name, state, version, as_of) ON championships TO cupboard_stream;
GRANT SELECT ON entrants, standings TO cupboard_stream;
