-- Webhooks and notices. What happens in a competition is owed to the endpoints of its organisation in the transaction in which it happens;
-- bodies and ids are made from the event alone, so that they are the same bytes at every attempt and every replay.

CREATE TABLE hooks (                             -- PL-591
    hook_id         text PRIMARY KEY,
    organisation_id text NOT NULL REFERENCES organisations,
    address         text NOT NULL,
    types           text[] NOT NULL DEFAULT '{}',       -- none: all there are
    description     text NOT NULL DEFAULT '',
    secret          bytea NOT NULL,              -- PL-817: encrypted
    old_secret      bytea,                       -- PL-592: signs as well, until then
    old_until       timestamptz,
    state           text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'removed')),
    why             text NOT NULL DEFAULT '',    -- it is paused: attempts, failures, gone, owner
    failures        integer NOT NULL DEFAULT 0,  -- in a row, over all its competitions
    tests           integer NOT NULL DEFAULT 0,
    created_by      text NOT NULL REFERENCES accounts,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    paused_at       timestamptz
);
CREATE INDEX hooks_of_organisation ON hooks (organisation_id, created_at) WHERE state <> 'removed';

-- No foreign key leads to hooks: a hook that is removed at this moment must not make an act of the league fail.
CREATE TABLE hook_deliveries (
    hook_id        text NOT NULL,
    competition_id text NOT NULL,                -- '' where the owner tries the endpoint
    number         integer NOT NULL,             -- LG-1011: of the event
    delivery_id    text NOT NULL UNIQUE,
    body           text NOT NULL,
    state          text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'left_out')),
    attempts       integer NOT NULL DEFAULT 0,
    status         integer,                      -- of the last attempt, where there was an answer
    reason         text,                         -- why the last attempt was none
    made_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    tried_at       timestamptz,
    done_at        timestamptz,
    PRIMARY KEY (hook_id, competition_id, number)
);
CREATE INDEX hook_deliveries_waiting ON hook_deliveries (hook_id, competition_id, number) WHERE state = 'waiting';
CREATE INDEX hook_deliveries_done ON hook_deliveries (done_at) WHERE state <> 'waiting';
CREATE TABLE hook_lines (                        -- LG-1014: one delivery at a time for each hook and competition
    hook_id        text NOT NULL,
    competition_id text NOT NULL,
    due_at         timestamptz,                  -- when to try next; while one is being sent, when it counts as lost; NULL: nothing waits
    tries          integer NOT NULL DEFAULT 0,   -- of the delivery at its head, since it was last begun or resumed
    turn           integer NOT NULL DEFAULT 0,   -- who takes it, takes the next one: whoever has another may mark nothing
    PRIMARY KEY (hook_id, competition_id)
);
CREATE INDEX hook_lines_due ON hook_lines (due_at) WHERE due_at IS NOT NULL;

-- LG-1013, PL-593, PL-594 The body of a delivery: what happened, when, and ids; nothing that is hidden from anybody who may read the competition.
CREATE FUNCTION hook_body(p_type text, p_at timestamptz, p_facts text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT '{"type":' || to_json(p_type)::text || ',"timestamp":"' || to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","data":{' || p_facts || '}}'
$$;

-- Deliveries of these events to one hook, or to all that want them. Whoever holds a line comes after or before this, never between.
CREATE FUNCTION owe_hooks(p_hook text, p_competition text, p_from integer, p_to integer) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO hook_deliveries (hook_id, competition_id, number, delivery_id, body)
        SELECT h.hook_id, e.competition_id, e.number,
            'msg_' || left(encode(sha256(convert_to(concat_ws(' ', h.hook_id, e.competition_id, e.number), 'UTF8')), 'hex'), 32),
            hook_body(c.kind || '.' || e.kind, e.at,
                '"' || c.kind || '":' || to_json(c.competition_id)::text || ',"organisation":' || to_json(c.organisation_id)::text
                || ',"event":' || e.number || coalesce(ids.words, ''))
        FROM competition_events e JOIN competitions c USING (competition_id)
            JOIN hooks h ON h.organisation_id = c.organisation_id AND h.state <> 'removed' AND (p_hook IS NULL OR h.hook_id = p_hook)
            CROSS JOIN LATERAL (SELECT string_agg(',' || to_json(f.key)::text || ':' || f.value::text, '' ORDER BY f.key) AS words
                FROM json_each(e.body::json) f WHERE f.key IN ('stage', 'round', 'pairing', 'match', 'account', 'revision', CASE WHEN c.kind <> 'tournament' THEN 'tournament' END)
                    AND json_typeof(f.value) IN ('string', 'number') AND length(f.value::text) < 200) ids
        WHERE e.competition_id = p_competition AND e.number BETWEEN p_from AND p_to AND NOT e.hidden
            AND (h.types = '{}' OR c.kind || '.' || e.kind = ANY (h.types))
        ON CONFLICT DO NOTHING;
    INSERT INTO hook_lines (hook_id, competition_id, due_at)
        SELECT w.hook_id, p_competition, clock_timestamp() FROM (
            SELECT DISTINCT d.hook_id FROM hook_deliveries d JOIN hooks h USING (hook_id) JOIN competitions c ON c.competition_id = p_competition
            WHERE d.competition_id = p_competition AND d.number BETWEEN p_from AND p_to AND d.state = 'waiting'
                AND (p_hook IS NULL OR d.hook_id = p_hook) AND h.organisation_id = c.organisation_id AND h.state <> 'removed') AS w
        ORDER BY w.hook_id
        ON CONFLICT (hook_id, competition_id) DO UPDATE SET due_at = coalesce(hook_lines.due_at, excluded.due_at);
END $$;

-- LG-145 In the transaction of the event itself.
CREATE FUNCTION owe_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM owe_hooks(NULL, f.competition_id, min(f.number), max(f.number)) FROM fresh f JOIN competitions c USING (competition_id)
        WHERE EXISTS (SELECT FROM hooks h WHERE h.organisation_id = c.organisation_id AND h.state <> 'removed') GROUP BY f.competition_id;
    RETURN NULL;
END $$;
CREATE TRIGGER events_are_owed AFTER INSERT ON competition_events REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION owe_events();

-- LG-1015 Everything from this event on once more, and nothing that is older; tells how many are to be sent. Events are kept for ever, so any
-- of them can be the first.
CREATE FUNCTION replay_hook(p_hook text, p_competition text, p_from integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    newest integer;
    waiting integer;
BEGIN
    SELECT version INTO newest FROM competitions c JOIN hooks h USING (organisation_id)
        WHERE c.competition_id = p_competition AND h.hook_id = p_hook AND h.state <> 'removed';
    IF NOT FOUND OR p_from > newest THEN
        RETURN NULL;
    END IF;
    INSERT INTO hook_lines (hook_id, competition_id) VALUES (p_hook, p_competition) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM hook_lines WHERE hook_id = p_hook AND competition_id = p_competition FOR UPDATE;
    PERFORM owe_hooks(p_hook, p_competition, p_from, newest);
    UPDATE hook_deliveries SET state = CASE WHEN number < p_from THEN 'left_out' ELSE 'waiting' END, done_at = CASE WHEN number < p_from THEN clock_timestamp() END
        WHERE hook_id = p_hook AND competition_id = p_competition AND (number >= p_from) = (state <> 'waiting');
    SELECT count(*) INTO waiting FROM hook_deliveries WHERE hook_id = p_hook AND competition_id = p_competition AND state = 'waiting';
    UPDATE hook_lines SET turn = turn + 1, tries = 0, due_at = CASE WHEN waiting > 0 THEN clock_timestamp() END
        WHERE hook_id = p_hook AND competition_id = p_competition;
    RETURN waiting;
END $$;

-- PL-592 A new secret; the old one signs beside it for a day.
CREATE FUNCTION change_hook_secret(p_hook text, p_secret bytea) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE hooks SET old_secret = secret, old_until = clock_timestamp() + interval '24 hours', secret = p_secret
    WHERE hook_id = p_hook AND state <> 'removed' RETURNING old_until
$$;

-- PL-576, LG-1016 What accounts are told, once for each account and cause.
CREATE TABLE notices (
    account_id     text NOT NULL,
    cause          text NOT NULL,
    notice         bigint GENERATED ALWAYS AS IDENTITY,
    kind           text NOT NULL,
    competition_id text,
    event          integer,                      -- of the competition
    pairing        text,
    match_id       text,                         -- LG-168: the one that counts
    facts          jsonb NOT NULL DEFAULT '{}',
    at             timestamptz NOT NULL DEFAULT clock_timestamp(),
    read_at        timestamptz,
    PRIMARY KEY (account_id, cause)
);
CREATE UNIQUE INDEX notices_in_order ON notices (account_id, notice);
CREATE INDEX notices_unread ON notices (account_id) WHERE read_at IS NULL;
ALTER TABLE competitions ADD COLUMN remind_at timestamptz;       -- LG-888: when a deadline comes near
CREATE INDEX competitions_reminding ON competitions (remind_at) WHERE remind_at IS NOT NULL;

REVOKE EXECUTE ON FUNCTION owe_hooks(text, text, integer, integer), owe_events(), replay_hook(text, text, integer), change_hook_secret(text, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION replay_hook(text, text, integer), change_hook_secret(text, bytea) TO cupboard_gateway;
GRANT SELECT (hook_id, organisation_id, address, types, description, old_until, state, why, failures, tests, created_by, created_at, paused_at),
    INSERT, UPDATE ON hooks TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE, DELETE ON hook_deliveries, hook_lines TO cupboard_gateway;
GRANT SELECT, UPDATE (read_at) ON notices TO cupboard_gateway;

GRANT SELECT, UPDATE (state, why, failures, paused_at, old_secret, old_until) ON hooks TO cupboard_relay;
GRANT SELECT, DELETE, UPDATE (state, attempts, status, reason, tried_at, done_at) ON hook_deliveries TO cupboard_relay;
GRANT SELECT, DELETE, UPDATE ON hook_lines TO cupboard_relay;
GRANT SELECT ON organisation_roles TO cupboard_relay;
GRANT INSERT ON notices TO cupboard_relay, cupboard_league;
