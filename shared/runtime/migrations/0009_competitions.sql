-- Competitions: tournaments, championships and seasons. Acts come in, the league decides them in order, events and pages come out.
-- Events, audit entries and rating entries are only added to; pages, entrants, matches and ratings can be made again from them.

CREATE TABLE organisations (
    organisation_id text PRIMARY KEY,
    name            text NOT NULL,
    name_key        text NOT NULL UNIQUE,
    zone            text NOT NULL DEFAULT 'UTC',
    created_by      text NOT NULL REFERENCES accounts,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE organisation_roles (                -- LG-121
    organisation_id text NOT NULL REFERENCES organisations,
    account_id      text NOT NULL REFERENCES accounts,
    role            text NOT NULL CHECK (role IN ('owner', 'organiser')),
    given_by        text NOT NULL REFERENCES accounts,
    given_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organisation_id, account_id, role)
);
CREATE INDEX organisation_roles_of ON organisation_roles (account_id);

CREATE TABLE organisation_guests (               -- LG-222: who has accepted the organisation's standing invitation
    organisation_id text NOT NULL REFERENCES organisations,
    account_id      text NOT NULL REFERENCES accounts,
    invited_by      text NOT NULL REFERENCES accounts,
    accepted_at     timestamptz,
    PRIMARY KEY (organisation_id, account_id)
);

-- The audit log: a chain for each organisation (LG-941 to LG-945).

CREATE TABLE organisation_chains (
    organisation_id text PRIMARY KEY REFERENCES organisations,
    number          integer NOT NULL DEFAULT 0,
    hash            text NOT NULL DEFAULT repeat('0', 64)
);
CREATE TABLE organisation_audit (
    organisation_id text NOT NULL REFERENCES organisations,
    number          integer NOT NULL,
    at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    subject         text,                        -- a competition, or NULL for the organisation itself
    account_id      text,
    previous_hash   text NOT NULL,
    hash            text NOT NULL,
    entry           text NOT NULL,               -- canonical JSON: keys sorted, no spaces, integers and text only
    PRIMARY KEY (organisation_id, number),
    UNIQUE (organisation_id, previous_hash)
);
CREATE INDEX organisation_audit_of ON organisation_audit (subject, number) WHERE subject IS NOT NULL;

-- LG-943 One more entry: SHA-256 over the previous hash, a line feed, and the entry with its number.
CREATE FUNCTION chained(p_organisation text, p_subject text, p_account text, p_facts jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    head record;
    line text;
    sum text;
BEGIN
    SELECT number, hash INTO head FROM organisation_chains WHERE organisation_id = p_organisation FOR UPDATE;
    SELECT '{' || string_agg(to_json(f.key)::text || ':' || f.value::text, ',' ORDER BY f.key COLLATE "C") || '}' INTO line
        FROM jsonb_each(p_facts || jsonb_build_object('n', head.number + 1)) AS f;
    sum := encode(sha256(convert_to(head.hash || E'\n' || line, 'UTF8')), 'hex');
    INSERT INTO organisation_audit (organisation_id, number, subject, account_id, previous_hash, hash, entry)
        VALUES (p_organisation, head.number + 1, p_subject, p_account, head.hash, sum, line);
    UPDATE organisation_chains SET number = head.number + 1, hash = sum WHERE organisation_id = p_organisation;
    RETURN head.number + 1;
END $$;

-- Competitions and what happens in them.

CREATE TABLE competitions (
    competition_id  text PRIMARY KEY,
    kind            text NOT NULL CHECK (kind IN ('tournament', 'championship', 'season')),
    organisation_id text NOT NULL REFERENCES organisations,
    created_by      text NOT NULL REFERENCES accounts,
    name            text NOT NULL DEFAULT '',    -- from here to entrants: copies out of the first page, for lists
    game            text,
    game_version    integer,
    visibility      text NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'private')),
    state           text NOT NULL DEFAULT 'draft',
    entrants        integer NOT NULL DEFAULT 0,
    seed            bytea NOT NULL,              -- LG-254: of all its draws; the league alone reads it
    version         integer NOT NULL DEFAULT 0,  -- the number of its last event; 0: not made, seen by nobody
    pages_version   integer NOT NULL DEFAULT 0,  -- the version at which its pages are
    pages_at        timestamptz NOT NULL DEFAULT 'epoch',
    done_arrival    integer NOT NULL DEFAULT 0,  -- the last act that was decided
    due_at          timestamptz,                 -- LG-871: when the league must look again
    held            boolean NOT NULL DEFAULT false,     -- LG-130: by the host
    fault           text,                        -- why it cannot go on: an error of the league itself
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX competitions_by_time ON competitions (created_at, competition_id) WHERE version > 0;
CREATE INDEX competitions_of_organisation ON competitions (organisation_id, created_at);
CREATE INDEX competitions_due ON competitions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX competitions_behind ON competitions (pages_at) WHERE pages_version < version;

CREATE TABLE officials (                         -- LG-121: the referees of one competition
    competition_id text NOT NULL REFERENCES competitions,
    account_id     text NOT NULL REFERENCES accounts,
    role           text NOT NULL DEFAULT 'referee' CHECK (role = 'referee'),
    given_by       text NOT NULL REFERENCES accounts,
    given_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (competition_id, account_id, role)
);
CREATE INDEX officials_of ON officials (account_id);

CREATE TABLE competition_inbox (                 -- the row lock orders acceptance, as inbox_heads does for matches
    competition_id text PRIMARY KEY REFERENCES competitions,
    last_arrival   integer NOT NULL DEFAULT 0
);
CREATE TABLE competition_acts (
    competition_id text NOT NULL REFERENCES competitions,
    arrival        integer NOT NULL,
    act_id         text NOT NULL UNIQUE,
    kind           text NOT NULL,
    body           text NOT NULL,
    account_id     text,                         -- NULL: the league itself
    token_id       text,
    roles          text[] NOT NULL DEFAULT '{}',
    source         text,                         -- what an act of the league itself rests on, so that it comes once
    received_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    state          text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'refused')),
    code           text,
    sentence       text,
    named          jsonb,
    version        integer,                      -- after it
    events         integer,                      -- how many it led to
    answer         text,
    done_at        timestamptz,
    PRIMARY KEY (competition_id, arrival)
);
CREATE UNIQUE INDEX competition_acts_once ON competition_acts (competition_id, source) WHERE source IS NOT NULL;
CREATE INDEX competition_acts_waiting ON competition_acts (competition_id, arrival) WHERE state = 'waiting';

CREATE TABLE competition_events (                -- LG-1011: the competition is nothing but these
    competition_id text NOT NULL REFERENCES competitions,
    number         integer NOT NULL,
    kind           text NOT NULL,
    body           text NOT NULL,
    hidden         boolean NOT NULL DEFAULT false,      -- for officials only
    act_id         text,
    account_id     text,
    at             timestamptz NOT NULL,
    previous_hash  text NOT NULL,
    hash           text NOT NULL,
    PRIMARY KEY (competition_id, number)
);

CREATE TABLE competition_pages (
    competition_id text NOT NULL REFERENCES competitions,
    name           text NOT NULL,                -- those that begin with drafted/ are for officials only
    part           integer NOT NULL,
    version        integer NOT NULL,
    body           text NOT NULL,
    PRIMARY KEY (competition_id, name, part)
);
CREATE TABLE competition_entrants (              -- who takes part where, for "my tournaments" and private ones
    competition_id text NOT NULL REFERENCES competitions,
    account_id     text NOT NULL REFERENCES accounts,
    number         integer,
    state          text NOT NULL,
    PRIMARY KEY (competition_id, account_id)
);
CREATE INDEX competition_entrants_of ON competition_entrants (account_id, competition_id);
CREATE TABLE counted_tournaments (               -- which championships and seasons count a tournament
    championship_id text NOT NULL REFERENCES competitions,
    tournament_id   text NOT NULL REFERENCES competitions,
    PRIMARY KEY (championship_id, tournament_id)
);
CREATE INDEX counted_tournaments_in ON counted_tournaments (tournament_id);

CREATE TABLE competition_matches (               -- LG-167: one order for each pairing and number
    match_id       text PRIMARY KEY,
    competition_id text NOT NULL REFERENCES competitions,
    pairing        text NOT NULL,
    event          integer NOT NULL,
    wish           jsonb NOT NULL,               -- accounts by seat, game and version, options, clock, rated
    made_at        timestamptz,
    stopped_at     timestamptz,                  -- before it was made
    recorded_at    timestamptz,                  -- when its end came to the league
    UNIQUE (competition_id, pairing)
);
CREATE INDEX competition_matches_unmade ON competition_matches (competition_id, event) WHERE made_at IS NULL AND stopped_at IS NULL;
CREATE INDEX competition_matches_open ON competition_matches (match_id) WHERE made_at IS NOT NULL AND recorded_at IS NULL;
CREATE TABLE competition_stops (                 -- orders to matches that are there: to pause, to end
    competition_id text NOT NULL REFERENCES competitions,
    event          integer NOT NULL,
    match_id       text NOT NULL,
    what           text NOT NULL,
    done_at        timestamptz,
    PRIMARY KEY (competition_id, event, match_id, what)
);
CREATE INDEX competition_stops_undone ON competition_stops (competition_id, event) WHERE done_at IS NULL;

-- Ratings: the record in its order, what each entry changed, and where everybody stands.

CREATE TABLE rating_heads (                      -- the row lock orders the entries of a game
    game       text PRIMARY KEY,
    last       bigint NOT NULL DEFAULT 0,
    stale_from bigint                            -- LG-852: from here on everything is computed again
);
CREATE TABLE rating_record (
    game           text NOT NULL,
    number         bigint NOT NULL,
    match_id       text NOT NULL UNIQUE,
    competition_id text NOT NULL,
    chairs         jsonb NOT NULL,               -- account, place, how, bot
    rated          boolean NOT NULL,
    at             timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (game, number)
);
CREATE TABLE rating_entries (                    -- LG-851
    game         text NOT NULL,
    number       bigint NOT NULL,
    account_id   text NOT NULL,
    pool         text NOT NULL CHECK (pool IN ('human', 'open')),
    revision     integer NOT NULL DEFAULT 1,
    rule_version text NOT NULL,
    mu_before    double precision NOT NULL,
    sigma_before double precision NOT NULL,
    mu_after     double precision NOT NULL,
    sigma_after  double precision NOT NULL,
    counted      boolean NOT NULL DEFAULT true,  -- false: the match is no longer rated for this account
    PRIMARY KEY (game, number, account_id, pool, revision)
);
CREATE INDEX rating_entries_of ON rating_entries (account_id, game, pool, number);
CREATE TABLE ratings (
    account_id text NOT NULL REFERENCES accounts,
    game       text NOT NULL,
    pool       text NOT NULL CHECK (pool IN ('human', 'open')),
    mu         double precision NOT NULL,
    sigma      double precision NOT NULL,
    matches    integer NOT NULL,
    last       bigint NOT NULL,
    PRIMARY KEY (account_id, game, pool)
);
CREATE INDEX ratings_best ON ratings (game, pool, (mu - 3 * sigma) DESC, account_id);

-- Acts: one more in the inbox of a competition; NULL where its source has been taken before, -1 where too many wait.
CREATE FUNCTION place_act(p_competition text, p_act text, p_kind text, p_body text, p_account text, p_token text, p_roles text[],
                          p_source text, p_most integer)
RETURNS integer LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    head integer;
BEGIN
    SELECT last_arrival INTO head FROM competition_inbox WHERE competition_id = p_competition FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF p_source IS NOT NULL AND EXISTS (SELECT FROM competition_acts a WHERE a.competition_id = p_competition AND a.source = p_source) THEN
        RETURN NULL;
    END IF;
    IF p_most IS NOT NULL AND (SELECT count(*) FROM competition_acts a WHERE a.competition_id = p_competition AND a.state = 'waiting') >= p_most THEN
        RETURN -1;
    END IF;
    UPDATE competition_inbox SET last_arrival = head + 1 WHERE competition_id = p_competition;
    INSERT INTO competition_acts (competition_id, arrival, act_id, kind, body, account_id, token_id, roles, source)
        VALUES (p_competition, head + 1, p_act, p_kind, p_body, p_account, p_token, p_roles, p_source);
    RETURN head + 1;
END $$;

-- PL-255, LG-167 The matches of a competition that have been ordered and are not there yet, as long as there are seeds; each is made
-- once, seated, and told to start. The league may call this and write no match itself.
CREATE FUNCTION make_matches(p_competition text, p_most integer)
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
        INSERT INTO matches (match_id, game, version, pack_hash, options, clock, seats, visibility, opponents, rated, seed_number, championship,
                             origin, origin_key, expires_at)
            SELECT one.match_id, g.game, g.version, g.pack_hash, coalesce(one.wish -> 'options', '{}'), one.wish -> 'clock',
                   jsonb_array_length(one.wish -> 'accounts'), one.visibility,
                   (SELECT CASE WHEN bool_and(a.kind = 'bot') THEN 'bots' WHEN bool_or(a.kind = 'bot') THEN 'mixed' ELSE 'persons' END
                    FROM accounts a WHERE one.wish -> 'accounts' ? a.account_id),
                   coalesce((one.wish ->> 'rated')::boolean, false), next_seed, p_competition, p_competition, one.pairing,
                   clock_timestamp() + interval '7 days'
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

-- LG-179, LG-673 An order of the competition to one of its matches; a match that is not there yet is never made.
CREATE FUNCTION stop_match(p_competition text, p_event integer, p_match text, p_what text, p_body text)
RETURNS TABLE (told_game text, told_version integer, told_arrival integer) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    ordered record;
BEGIN
    UPDATE competition_stops s SET done_at = clock_timestamp()
        WHERE s.competition_id = p_competition AND s.event = p_event AND s.match_id = p_match AND s.what = p_what AND s.done_at IS NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT made_at INTO ordered FROM competition_matches WHERE match_id = p_match AND competition_id = p_competition FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF ordered.made_at IS NULL THEN
        IF p_what IN ('void', 'late') OR p_what LIKE 'forfeit:%' THEN
            UPDATE competition_matches SET stopped_at = clock_timestamp() WHERE match_id = p_match;
        END IF;
        RETURN;
    END IF;
    IF p_body IS NULL THEN
        RETURN;
    END IF;
    IF p_what = 'late' THEN                      -- LG-878: who is on turn and late forfeits
        RETURN QUERY SELECT m.game, m.version, accept_own(p_match, 'order', NULL, NULL, replace(p_body, '"late"', a.seat::text), NULL, 0,
                                                          'c-' || replace(gen_random_uuid()::text, '-', ''))
            FROM matches m JOIN asks a USING (match_id) WHERE m.match_id = p_match AND a.needed AND m.state IN ('running', 'paused') ORDER BY a.seat;
        RETURN;
    END IF;
    RETURN QUERY SELECT m.game, m.version, accept_own(p_match, 'order', NULL, NULL, p_body, NULL, 0,
                                                      'c-' || replace(gen_random_uuid()::text, '-', ''))
        FROM matches m WHERE m.match_id = p_match AND m.state IN ('open', 'running', 'paused', 'stuck');
END $$;

REVOKE EXECUTE ON FUNCTION make_matches(text, integer), stop_match(text, integer, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_matches(text, integer), stop_match(text, integer, text, text, text) TO cupboard_league;

-- Who may do what (PL-815): the gateway puts acts in and reads what came of them; what happens is the league's.

GRANT SELECT, INSERT ON organisations, organisation_audit TO cupboard_gateway;
GRANT SELECT, INSERT, DELETE ON organisation_roles, officials TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE, DELETE ON organisation_guests TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE ON organisation_chains TO cupboard_gateway;
GRANT INSERT (competition_id, kind, organisation_id, created_by, name, seed), UPDATE (held) ON competitions TO cupboard_gateway;
GRANT SELECT (competition_id, kind, organisation_id, created_by, name, game, game_version, visibility, state, entrants, version, pages_version,
              due_at, held, fault, created_at, done_arrival) ON competitions TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE ON competition_inbox TO cupboard_gateway;
GRANT SELECT, INSERT ON competition_acts TO cupboard_gateway;
GRANT SELECT ON competition_events, competition_pages, competition_entrants, competition_matches, counted_tournaments, rating_heads,
    rating_record, rating_entries, ratings TO cupboard_gateway;

GRANT SELECT ON organisations, organisation_roles, organisation_guests, officials, outages TO cupboard_league;
GRANT SELECT, INSERT ON organisation_audit, competition_events TO cupboard_league;
GRANT SELECT, UPDATE ON organisation_chains, competition_inbox, competitions TO cupboard_league;
GRANT SELECT, INSERT, UPDATE ON competition_acts, competition_entrants, competition_matches, competition_stops, rating_heads, rating_record,
    ratings TO cupboard_league;
GRANT SELECT, INSERT, UPDATE, DELETE ON competition_pages TO cupboard_league;
GRANT SELECT, INSERT, DELETE ON counted_tournaments TO cupboard_league;
GRANT SELECT, INSERT ON rating_entries TO cupboard_league;
GRANT DELETE ON ratings TO cupboard_league;

GRANT SELECT (competition_id, kind, organisation_id, visibility, state, version, pages_version) ON competitions TO cupboard_stream;
GRANT SELECT ON competition_events, competition_entrants, organisation_roles, officials TO cupboard_stream;
