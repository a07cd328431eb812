-- Holidays of accounts (PL-504) and reminders of answers by correspondence (PL-578).

ALTER TABLE asks ADD COLUMN remind_at timestamptz;               -- until the reminder has been given
CREATE INDEX asks_reminding ON asks (remind_at) WHERE remind_at IS NOT NULL;

CREATE OR REPLACE FUNCTION write_takes(p_states json, p_outcomes json, p_steps json, p_letters json, p_views json, p_asks json, p_timers json)
RETURNS integer LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    saved integer;
BEGIN
    UPDATE match_states s SET step = t.step, match = t.match, house = t.house, chain = t.chain, done_arrival = t.done_arrival
        FROM json_to_recordset(p_states) AS t(match_id text, old_step integer, step integer, match text, house text, chain bytea,
                                              done_arrival integer)
        WHERE s.match_id = t.match_id AND s.step = t.old_step;
    GET DIAGNOSTICS saved = ROW_COUNT;

    UPDATE inbox i SET outcome = t.outcome, code = t.code, report = t.report, first_step = t.first_step, last_step = t.last_step,
            done_at = clock_timestamp()
        FROM json_to_recordset(p_outcomes) AS t(match_id text, arrival integer, outcome text, code text, report text, first_step integer,
                                                last_step integer)
        WHERE i.match_id = t.match_id AND i.arrival = t.arrival AND i.outcome IS NULL;

    INSERT INTO steps (match_id, step, arrival, part, kind, seat, ask, automatic, command, events, draws, salt, at, state_hash, chain)
        SELECT match_id, step, arrival, part, kind, seat, ask, automatic, command, events, draws, salt, to_timestamp(at / 1000.0),
               state_hash, chain
        FROM json_to_recordset(p_steps) AS t(match_id text, step integer, arrival integer, part integer, kind text, seat integer, ask integer,
            automatic boolean, command text, events text, draws text, salt bytea, at bigint, state_hash bytea, chain bytea);

    INSERT INTO letters (match_id, step, at, bodies, open)
        SELECT match_id, step, to_timestamp(at / 1000.0), bodies, open
        FROM json_to_recordset(p_letters) AS t(match_id text, step integer, at bigint, bodies text[], open text);

    INSERT INTO views (match_id, step, at, bodies, texts, hashes, changed, awaited, clocks, host, host_seat)
        SELECT match_id, step, to_timestamp(at / 1000.0), bodies, texts, hashes, changed, awaited, clocks, host, host_seat
        FROM json_to_recordset(p_views) AS t(match_id text, step integer, at bigint, bodies text[], texts text[], hashes text[],
            changed integer[], awaited integer[], clocks text, host text, host_seat integer)
        ON CONFLICT (match_id) DO UPDATE SET step = excluded.step, at = excluded.at, bodies = excluded.bodies, texts = excluded.texts,
            hashes = excluded.hashes, changed = excluded.changed, awaited = excluded.awaited, clocks = excluded.clocks,
            host = excluded.host, host_seat = excluded.host_seat;

    DELETE FROM asks a USING json_to_recordset(p_states) AS t(match_id text, asked integer[])
        WHERE a.match_id = t.match_id AND a.seat <> ALL (t.asked);
    INSERT INTO asks (match_id, seat, ask, question, needed, body, opened_at, since_at, due_at, remind_at)
        SELECT match_id, seat, ask, question, needed, body, to_timestamp(opened / 1000.0), to_timestamp(since / 1000.0),
               to_timestamp(due / 1000.0), to_timestamp(remind / 1000.0)
        FROM json_to_recordset(p_asks) AS t(match_id text, seat integer, ask integer, question text, needed boolean, body text,
            opened bigint, since bigint, due bigint, remind bigint)
        ON CONFLICT (match_id, seat) DO UPDATE SET ask = excluded.ask, question = excluded.question, needed = excluded.needed,
            body = excluded.body, opened_at = excluded.opened_at, since_at = excluded.since_at, due_at = excluded.due_at,
            remind_at = excluded.remind_at
        WHERE (asks.ask, asks.body, asks.needed) IS DISTINCT FROM (excluded.ask, excluded.body, excluded.needed)
            OR asks.due_at IS DISTINCT FROM excluded.due_at;

    DELETE FROM timers m USING json_to_recordset(p_states) AS t(match_id text, timed text[])
        WHERE m.match_id = t.match_id AND m.kind <> ALL (t.timed);
    INSERT INTO timers (match_id, kind, step, due_at)
        SELECT match_id, kind, step, to_timestamp(due / 1000.0)
        FROM json_to_recordset(p_timers) AS t(match_id text, kind text, step integer, due bigint)
        ON CONFLICT (match_id, kind) DO UPDATE SET step = excluded.step, due_at = excluded.due_at
        WHERE timers.due_at <> excluded.due_at;
    RETURN saved;
END $$;

-- PL-504 Holidays that accounts have taken; they stop the clocks of their matches by correspondence.
CREATE TABLE holidays (
    account_id text NOT NULL REFERENCES accounts,
    begins_at  timestamptz NOT NULL,
    ends_at    timestamptz NOT NULL,
    year       integer NOT NULL,                 -- in which it began, by the calendar of the account's zone
    days       integer NOT NULL,                 -- of those of that year; a day that has begun is a whole one
    PRIMARY KEY (account_id, begins_at)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON holidays TO cupboard_gateway;

CREATE FUNCTION counts_holidays(p_clock jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce((p_clock ->> 'limit_ms')::bigint >= 3600000, false) AND p_clock ->> 'holidays' IS DISTINCT FROM 'false'
$$;

-- The order that tells a match of a holiday: no time-out is given while it waits.
CREATE FUNCTION order_holiday(p_match text, p_seat integer, p_at timestamptz, p_until timestamptz) RETURNS integer LANGUAGE sql AS $$
    SELECT accept_own(p_match, 'order', NULL, NULL, json_build_object('kind', 'holiday', 'by', 'account', 'target', p_seat,
        'at', floor(extract(epoch FROM p_at) * 1000)::bigint, 'until', floor(extract(epoch FROM p_until) * 1000)::bigint)::text,
        NULL, 0, 'c-' || replace(gen_random_uuid()::text, '-', ''))
$$;

-- A holiday that begins, or ends sooner, as all matches of the account hear of it, one by one; those that start later hear of it then.
-- Nobody gives the account a seat meanwhile: its row is held.
CREATE FUNCTION tell_holiday(p_account text, p_at timestamptz, p_until timestamptz)
RETURNS TABLE (game text, version integer, match_id text, arrival integer) LANGUAGE plpgsql AS $$
DECLARE
    one record;
BEGIN
    PERFORM FROM accounts a WHERE a.account_id = p_account FOR UPDATE;
    FOR one IN SELECT m.game, m.version, m.match_id, s.seat FROM seats s JOIN matches m USING (match_id)
        WHERE s.account_id = p_account AND s.kind = 'held' AND s.how IS NULL AND m.state IN ('open', 'running', 'paused', 'stuck')
            AND counts_holidays(m.clock)
        ORDER BY m.match_id, s.seat
    LOOP
        PERFORM FROM inbox_heads h WHERE h.match_id = one.match_id FOR UPDATE;
        IF EXISTS (SELECT FROM seats s JOIN matches m USING (match_id) WHERE s.match_id = one.match_id AND s.seat = one.seat
                AND s.account_id = p_account AND s.kind = 'held' AND s.how IS NULL AND (m.state IN ('running', 'paused', 'stuck')
                    OR EXISTS (SELECT FROM inbox i WHERE i.match_id = m.match_id AND i.kind = 'start' AND i.outcome IS NULL))) THEN
            game := one.game;
            version := one.version;
            match_id := one.match_id;
            arrival := order_holiday(one.match_id, one.seat, p_at, p_until);
            RETURN NEXT;
        END IF;
    END LOOP;
END $$;

-- A match that starts hears of the holidays that last, in the row behind its start.
CREATE FUNCTION start_on_holiday() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM order_holiday(s.match_id, s.seat, h.begins_at, h.ends_at)
        FROM matches m JOIN seats s USING (match_id) JOIN holidays h USING (account_id)
        WHERE m.match_id = new.match_id AND m.state = 'open' AND s.kind = 'held' AND h.ends_at > clock_timestamp() AND counts_holidays(m.clock);
    RETURN NULL;
END $$;
CREATE TRIGGER inbox_starts_on_holiday AFTER INSERT ON inbox FOR EACH ROW WHEN (new.kind = 'start') EXECUTE FUNCTION start_on_holiday();
REVOKE EXECUTE ON FUNCTION start_on_holiday() FROM PUBLIC;

-- PL-578 One reminder, once (PL-576), in the transaction that ends its timer; a program that plays needs none, nor whoever has answered already.
CREATE FUNCTION remind(p_match text, p_seat integer, p_ask integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE asks a SET remind_at = NULL WHERE a.match_id = p_match AND a.seat = p_seat AND a.ask = p_ask AND a.remind_at <= clock_timestamp();
    IF FOUND THEN
        INSERT INTO notices (account_id, cause, kind, match_id, facts)
            SELECT s.account_id, 'answer_due ' || p_match || ' ' || p_seat || ' ' || p_ask, 'answer_due', p_match,
                jsonb_build_object('seat', p_seat, 'ask', p_ask)
            FROM seats s JOIN accounts a USING (account_id)
            WHERE s.match_id = p_match AND s.seat = p_seat AND s.kind = 'held' AND s.how IS NULL AND a.kind = 'person'
                AND NOT EXISTS (SELECT FROM inbox i WHERE i.match_id = p_match AND i.seat = p_seat AND i.ask = p_ask AND i.outcome IS NULL)
            ON CONFLICT DO NOTHING;
    END IF;
END $$;
GRANT INSERT ON notices TO cupboard_worker;
