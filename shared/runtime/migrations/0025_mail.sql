-- Mail (PL-576, PL-577, PL-140): where somebody wants it, which mails are owed, and of which open questions a mail has told.
-- A notice owes its mail in the transaction that writes it. The relay learns of a match no more than a mail says.

CREATE TABLE mailboxes (
    account_id    text PRIMARY KEY REFERENCES accounts,
    address       text,                          -- the one that was confirmed; it counts while it is the account's own
    kinds         text[] NOT NULL DEFAULT '{}',  -- of notices that come by mail
    quiet_from    integer,                       -- minutes of the day, by the clocks of the account's zone
    quiet_to      integer,
    code_hash     bytea,                         -- of the link that confirms code_for
    code_for      text,
    code_ends_at  timestamptz,
    stop_code     text NOT NULL UNIQUE,          -- in the links by which mail is stopped
    reading_until timestamptz                    -- PL-577: while a stream of the account is open
);
CREATE INDEX mailboxes_by_address ON mailboxes (lower(address)) WHERE address IS NOT NULL;

CREATE TABLE mails (
    mail_id    text PRIMARY KEY DEFAULT 'e-' || replace(gen_random_uuid()::text, '-', ''),
    account_id text NOT NULL REFERENCES accounts,
    kind       text NOT NULL,                    -- of the notice; or your_turn, confirm, reset
    notice     bigint,
    sealed     bytea,                            -- the code of a link, encrypted, until the mail has gone
    state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'going', 'sent', 'moot', 'given_up')),
    turn       integer NOT NULL DEFAULT 0,       -- rises with each relay that takes it
    tries      integer NOT NULL DEFAULT 0,
    reason     text,
    made_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    due_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    done_at    timestamptz
);
CREATE INDEX mails_due ON mails (due_at) WHERE state IN ('waiting', 'going');
CREATE INDEX mails_done ON mails (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX mails_of ON mails (account_id, made_at);

CREATE TABLE mailed_turns (
    match_id text NOT NULL,
    seat     integer NOT NULL,
    ask      integer NOT NULL,
    mail_id  text NOT NULL REFERENCES mails ON DELETE CASCADE,
    PRIMARY KEY (match_id, seat, ask)
);
CREATE INDEX mailed_turns_of ON mailed_turns (mail_id);

CREATE FUNCTION owe_mails() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO mails (account_id, kind, notice)
        SELECT t.account_id, t.kind, t.notice FROM told t JOIN mailboxes b USING (account_id) JOIN accounts a USING (account_id)
        WHERE t.kind = ANY (b.kinds) AND b.address = a.mail AND a.deleted_at IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER notices_by_mail AFTER INSERT ON notices REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION owe_mails();

-- PL-577 Open questions of correspondence matches (one limit of an hour at least) of which no mail has told, with whoever wants it.
CREATE VIEW untold_turns AS
    SELECT s.account_id, k.match_id, k.seat, k.ask
    FROM asks k JOIN matches m USING (match_id) JOIN seats s USING (match_id, seat) JOIN mailboxes b USING (account_id) JOIN accounts a USING (account_id)
    WHERE 'your_turn' = ANY (b.kinds) AND b.address = a.mail AND a.deleted_at IS NULL AND s.kind = 'held' AND NOT s.vacant AND k.needed
        AND k.due_at - k.opened_at >= interval '1 hour' AND m.state = 'running' AND (m.clock ->> 'limit_ms')::bigint >= 3600000
        AND NOT EXISTS (SELECT FROM mailed_turns t WHERE t.match_id = k.match_id AND t.seat = k.seat AND t.ask = k.ask);
-- A pause moves the beginning of a clock; that of a question put again lies before it was put.
CREATE INDEX asks_by_correspondence ON asks (greatest(opened_at, since_at)) WHERE due_at - opened_at >= interval '1 hour';
CREATE TABLE turns_told (single boolean PRIMARY KEY DEFAULT true CHECK (single), until timestamptz NOT NULL);   -- up to where it has been looked

-- PL-577 One mail for each account with an untold question that has waited so long; a mail that still waits takes in the new ones.
-- It is looked from where it was looked last, with room for what is committed late; 0 to 100 accounts, and at 100 there may be more.
CREATE FUNCTION owe_turns(p_bundled double precision) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    last  timestamptz := clock_timestamp() - p_bundled * interval '1 second';
    first timestamptz := coalesce((SELECT until - interval '20 minutes' FROM turns_told), last - interval '1 day');
    one   text;
    mail  text;
    owed  integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7029) THEN
        RETURN 0;                                -- another relay is at it
    END IF;
    FOR one IN
        WITH fresh AS MATERIALIZED (SELECT k.match_id, k.seat FROM asks k
            WHERE k.due_at - k.opened_at >= interval '1 hour' AND greatest(k.opened_at, k.since_at) > first AND greatest(k.opened_at, k.since_at) <= last)
        SELECT DISTINCT u.account_id FROM fresh JOIN untold_turns u USING (match_id, seat) LIMIT 100
    LOOP
        SELECT m.mail_id INTO mail FROM mails m WHERE m.account_id = one AND m.kind = 'your_turn' AND m.state = 'waiting' LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF mail IS NULL THEN
            INSERT INTO mails (account_id, kind) VALUES (one, 'your_turn') RETURNING mail_id INTO mail;
        END IF;
        INSERT INTO mailed_turns SELECT match_id, seat, ask, mail FROM untold_turns WHERE account_id = one ON CONFLICT DO NOTHING;
        owed := owed + 1;
    END LOOP;
    IF owed < 100 THEN
        INSERT INTO turns_told (until) VALUES (last) ON CONFLICT (single) DO UPDATE SET until = greatest(turns_told.until, excluded.until);
    END IF;
    RETURN owed;
END $$;

-- What a mail tells of: the questions of it that are still open, and when they are due.
CREATE FUNCTION turns_of_mail(p_mail text) RETURNS TABLE (match text, title text, due_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT m.match_id, coalesce(g.title, m.game), k.due_at
    FROM mailed_turns t JOIN mails e USING (mail_id) JOIN asks k USING (match_id, seat, ask) JOIN seats s USING (match_id, seat) JOIN matches m USING (match_id)
        LEFT JOIN games g USING (game, version)
    WHERE t.mail_id = p_mail AND s.account_id = e.account_id AND s.kind = 'held' AND NOT s.vacant AND m.state = 'running'
    ORDER BY k.due_at NULLS LAST, m.match_id
$$;

-- PL-578 A reminder is of no use once its question is closed.
CREATE FUNCTION is_asked(p_match text, p_seat integer, p_ask integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM asks k WHERE k.match_id = p_match AND k.seat = p_seat AND k.ask = p_ask)
$$;

-- Questions that are closed are told of no more.
CREATE FUNCTION forget_turns() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM mailed_turns t WHERE NOT EXISTS (SELECT FROM asks k WHERE k.match_id = t.match_id AND k.seat = t.seat AND k.ask = t.ask)
$$;

CREATE INDEX accounts_by_mail ON accounts (lower(mail)) WHERE mail IS NOT NULL;

REVOKE EXECUTE ON FUNCTION owe_mails(), owe_turns(double precision), turns_of_mail(text), is_asked(text, integer, integer), forget_turns() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION owe_turns(double precision), turns_of_mail(text), is_asked(text, integer, integer), forget_turns() TO cupboard_relay;
GRANT SELECT, INSERT, UPDATE, DELETE ON mailboxes TO cupboard_gateway;
GRANT SELECT, INSERT, DELETE ON mails TO cupboard_gateway;
GRANT SELECT, DELETE, UPDATE (state, turn, tries, reason, due_at, done_at, sealed) ON mails TO cupboard_relay;
GRANT SELECT (account_id, address, kinds, quiet_from, quiet_to, code_for, stop_code, reading_until) ON mailboxes TO cupboard_relay;
GRANT SELECT (account_id, name, mail, language, about, suspended_at, deleted_at) ON accounts TO cupboard_relay;
GRANT SELECT (account_id, notice, kind, competition_id, pairing, match_id, facts) ON notices TO cupboard_relay;
GRANT SELECT (mail_id) ON mailed_turns TO cupboard_relay;
GRANT SELECT (kind, name) ON competitions TO cupboard_relay;
GRANT SELECT (competition_id, stage, round, place_in_round, account_id, match_id) ON competition_seats TO cupboard_relay;
GRANT SELECT (account_id, address, reading_until), UPDATE (reading_until) ON mailboxes TO cupboard_stream;
