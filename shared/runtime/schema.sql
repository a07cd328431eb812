-- The first schema: accounts, matches, the turn pipeline, audience. Keys of turn tables begin with match_id.

-- Who there is -------------------------------------------------------------------------------------------------

CREATE TABLE accounts (
    account_id    text PRIMARY KEY,
    name          text NOT NULL,
    name_key      text NOT NULL UNIQUE,          -- PL-122: NFKC, case folded, look-alikes mapped
    kind          text NOT NULL CHECK (kind IN ('person', 'bot', 'service')),
    owner_id      text REFERENCES accounts,      -- the person a bot belongs to
    password_hash text,
    mail          text,
    language      text NOT NULL DEFAULT 'en',
    about         jsonb NOT NULL DEFAULT '{}',   -- a bot's games and description, a person's zone and wishes
    roles         text[] NOT NULL DEFAULT '{}',  -- service-wide: operator, moderator, auditor
    version       integer NOT NULL DEFAULT 1,    -- the ETag
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    suspended_at  timestamptz,
    leaves_at     timestamptz,                   -- PL-137: when the seats of a suspended account become leavers
    deleted_at    timestamptz
);
CREATE INDEX accounts_of_owner ON accounts (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX accounts_leaving ON accounts (leaves_at) WHERE leaves_at IS NOT NULL;

CREATE TABLE blocks (
    account_id text NOT NULL REFERENCES accounts,
    blocked_id text NOT NULL REFERENCES accounts,
    PRIMARY KEY (account_id, blocked_id)
);

CREATE TABLE sign_in_failures (
    name_key text NOT NULL,
    address  text NOT NULL,
    at       timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX sign_in_failures_recent ON sign_in_failures (name_key, address, at);

CREATE TABLE sessions (
    session_hash bytea PRIMARY KEY,              -- PL-127: SHA-256 of the cookie
    session_id   text NOT NULL UNIQUE,
    account_id   text NOT NULL REFERENCES accounts,
    form_token   text NOT NULL,
    agent        text NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    used_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX sessions_of ON sessions (account_id);

CREATE TABLE tokens (
    token_id    text PRIMARY KEY,
    kind        text NOT NULL CHECK (kind IN ('pat', 'bot', 'svc', 'oat')),
    account_id  text NOT NULL REFERENCES accounts,
    secret_hash bytea NOT NULL,                  -- PL-172
    label       text NOT NULL,
    scopes      text[] NOT NULL,
    bound_to    jsonb NOT NULL DEFAULT '{}',     -- PL-175: {"match": …} or {"championship": …}
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    ends_at     timestamptz NOT NULL,
    used_on     date,
    revoked_at  timestamptz
);
CREATE INDEX tokens_of ON tokens (account_id);

CREATE TABLE password_resets (
    code_hash  bytea PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts,
    ends_at    timestamptz NOT NULL,
    used_at    timestamptz
);

CREATE TABLE stream_tickets (
    ticket_hash bytea PRIMARY KEY,               -- PL-181
    account_id  text NOT NULL REFERENCES accounts,
    path        text NOT NULL,
    token_id    text,
    ends_at     timestamptz NOT NULL,
    used_at     timestamptz,
    session_id  text
);

CREATE TABLE idempotency (                       -- PL-206 to PL-212; commands keep their keys in the inbox
    account_id text NOT NULL,                    -- or the address of somebody without an account
    method     text NOT NULL,
    path       text NOT NULL,
    key        text NOT NULL,
    body_hash  bytea NOT NULL,
    status     integer,                          -- NULL while the first request is under way
    headers    jsonb NOT NULL DEFAULT '{}',
    body       text,
    secret_of  text,                             -- PL-182: the id of what was made, where the answer showed a secret
    ends_at    timestamptz NOT NULL,
    PRIMARY KEY (account_id, method, path, key)
);
CREATE INDEX idempotency_ended ON idempotency (ends_at);

CREATE TABLE audit (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    who    text NOT NULL,
    what   text NOT NULL,
    "on"   text NOT NULL,
    reason text NOT NULL,
    before jsonb,
    after  jsonb,
    chain  bytea NOT NULL
);
CREATE TABLE audit_head (one boolean PRIMARY KEY DEFAULT true CHECK (one), chain bytea NOT NULL);
INSERT INTO audit_head (chain) VALUES ('\x00');

-- What can be played ---------------------------------------------------------------------------------------------

CREATE TABLE games (                             -- written by each game's worker when it starts
    game         text NOT NULL,
    version      integer NOT NULL,
    title        text NOT NULL,
    stage        text NOT NULL CHECK (stage IN ('draft', 'trial', 'league')),
    seats        jsonb NOT NULL,                 -- {"default": [3,…,8], "when": [{"option": …, "is": …, "seats": […]}]}
    options      jsonb NOT NULL,                 -- a JSON Schema with the defaults
    presets      jsonb NOT NULL,                 -- preset -> limit -> seconds
    bots         text[] NOT NULL,
    languages    text[] NOT NULL,
    host_chair   boolean NOT NULL,
    absent_after integer NOT NULL,
    pack_hash    text NOT NULL,
    schemas      jsonb NOT NULL,                 -- JSON Schemas of commands, events and view
    words        jsonb NOT NULL,                 -- language -> section -> key -> text, for pages
    seen_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (game, version)
);

-- Fairness -------------------------------------------------------------------------------------------------------

CREATE TABLE seed_list (
    number       bigint PRIMARY KEY,
    commitment   text NOT NULL UNIQUE,
    published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    used_by      text UNIQUE                     -- PL-613: one match or one deal group
);
CREATE INDEX seed_list_unused ON seed_list (number) WHERE used_by IS NULL;

CREATE TABLE seeds (                             -- PL-621: encrypted; readable by workers only
    number bigint PRIMARY KEY REFERENCES seed_list,
    seed   bytea NOT NULL
);

-- Matches --------------------------------------------------------------------------------------------------------

CREATE TABLE matches (
    match_id       text PRIMARY KEY,
    game           text NOT NULL,
    version        integer NOT NULL,
    pack_hash      text NOT NULL,
    options        jsonb NOT NULL,
    clock          jsonb NOT NULL,               -- {"preset": …} with limit_ms, bank_ms, increment_ms, bank_max_ms, cap_ms, policy
    state          text NOT NULL DEFAULT 'open'
                   CHECK (state IN ('open', 'running', 'paused', 'stuck', 'finished', 'aborted', 'voided', 'expired')),
    seats          integer NOT NULL,
    host_id        text REFERENCES accounts,
    visibility     text NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    opponents      text NOT NULL CHECK (opponents IN ('persons', 'bots', 'mixed')),
    talk           text NOT NULL DEFAULT 'off',
    take_back      text NOT NULL DEFAULT 'none',
    rated          boolean NOT NULL DEFAULT false,
    one_screen     boolean NOT NULL DEFAULT false,
    fill_with_bots boolean NOT NULL DEFAULT false,
    delay_s        integer NOT NULL DEFAULT 0,   -- PL-419: onlooker delay
    delay_steps    integer NOT NULL DEFAULT 0,
    seed_number    bigint NOT NULL REFERENCES seed_list,
    deal_group     text,                         -- PL-392: matches that share a deal share seed and draws
    substitutes    boolean NOT NULL DEFAULT false,
    rematch_of     text,
    championship   text,
    origin         text,                         -- PL-255: made once per origin and key
    origin_key     text,
    row_version    integer NOT NULL DEFAULT 1,   -- the ETag
    created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    planned_at     timestamptz,
    expires_at     timestamptz NOT NULL,
    started_at     timestamptz,
    ended_at       timestamptz,
    archived_at    timestamptz,
    UNIQUE (origin, origin_key)
);
CREATE INDEX matches_by_state ON matches (state, game, created_at);
CREATE INDEX matches_of_championship ON matches (championship) WHERE championship IS NOT NULL;
CREATE UNIQUE INDEX matches_one_seed ON matches (seed_number) WHERE deal_group IS NULL;     -- PL-613
CREATE INDEX matches_of_deal ON matches (deal_group) WHERE deal_group IS NOT NULL;
CREATE INDEX matches_to_archive ON matches (ended_at) WHERE archived_at IS NULL AND started_at IS NOT NULL;
CREATE INDEX matches_open ON matches (expires_at) WHERE state = 'open';

CREATE TABLE seats (
    match_id     text NOT NULL REFERENCES matches,
    seat         integer NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('open', 'invited', 'held', 'bot')),
    account_id   text REFERENCES accounts,       -- who holds it, or is invited
    bot_level    text,
    ready        boolean NOT NULL DEFAULT false,
    contribution text,                           -- PL-614: hexadecimal digits
    how          text,                           -- PL-250, once the match has ended or the seat has been left
    vacant       boolean NOT NULL DEFAULT false, -- PL-546: left, and waiting for a substitute
    substitute_of text,                          -- who held it first
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX seats_of_account ON seats (account_id, match_id);

CREATE TABLE invitations (
    code       text PRIMARY KEY,
    match_id   text NOT NULL REFERENCES matches,
    account_id text REFERENCES accounts,
    uses_left  integer NOT NULL,
    ends_at    timestamptz NOT NULL,
    withdrawn  boolean NOT NULL DEFAULT false
);
CREATE TABLE invitation_uses (
    code       text NOT NULL REFERENCES invitations,
    account_id text NOT NULL REFERENCES accounts,
    PRIMARY KEY (code, account_id)
);

CREATE TABLE match_states (                      -- the row lock is the match's lock; only workers read it
    match_id     text PRIMARY KEY REFERENCES matches,
    game         text NOT NULL,
    version      integer NOT NULL,
    step         integer NOT NULL DEFAULT 0,
    match        text,                           -- the kernel's Match as JSON; NULL before the start
    house        text,                           -- what the platform keeps beside it: banks, pause, proposals, counts
    chain        bytea NOT NULL DEFAULT '\x',
    done_arrival integer NOT NULL DEFAULT 0
);

CREATE TABLE inbox_heads (                       -- the row lock orders acceptance within a match (PL-322)
    match_id     text PRIMARY KEY REFERENCES matches,
    last_arrival integer NOT NULL DEFAULT 0
);

CREATE TABLE inbox (
    match_id    text NOT NULL,
    arrival     integer NOT NULL,
    command_id  text NOT NULL,
    game        text NOT NULL,
    version     integer NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('command', 'batch', 'start', 'timeout', 'phase', 'resign', 'proposal',
                                              'order', 'audience', 'expire', 'no_show')),
    seat        integer,
    ask         integer,
    account_id  text,
    key         text,
    body        text NOT NULL DEFAULT '{}',
    body_hash   bytea,
    received_at timestamptz NOT NULL,
    accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    sent_at     timestamptz,                     -- when the watch last sent for it
    trace       text,
    outcome     text CHECK (outcome IN ('carried_out', 'refused', 'moot', 'failed')),
    code        text,
    report      text,                            -- of a batch: what became of each of its commands
    first_step  integer,
    last_step   integer,
    done_at     timestamptz,
    PRIMARY KEY (match_id, arrival),
    UNIQUE (match_id, command_id)
);
CREATE UNIQUE INDEX inbox_keys ON inbox (match_id, account_id, key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX inbox_one_answer ON inbox (match_id, seat, ask)      -- PL-288
    WHERE ask IS NOT NULL AND (outcome IS NULL OR outcome = 'carried_out');
CREATE INDEX inbox_waiting ON inbox (game, version, accepted_at) WHERE outcome IS NULL;
CREATE INDEX inbox_waiting_of_match ON inbox (match_id, arrival) WHERE outcome IS NULL;

CREATE TABLE attempts (                          -- PL-651: written in a transaction of its own before each careful try
    match_id   text NOT NULL,
    arrival    integer NOT NULL,
    count      integer NOT NULL DEFAULT 0,
    last_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_error text NOT NULL DEFAULT '',
    PRIMARY KEY (match_id, arrival)
);

CREATE TABLE stuck_matches (
    match_id    text NOT NULL REFERENCES matches,
    arrival     integer NOT NULL,
    error       text NOT NULL,
    since       timestamptz NOT NULL DEFAULT clock_timestamp(),
    action      text,                            -- how it was released: retry, set_aside, upgrade, void
    released_at timestamptz,
    released_by text,
    PRIMARY KEY (match_id, since)
);

CREATE TABLE steps (                             -- PL-411: append-only, chained
    match_id   text NOT NULL,
    step       integer NOT NULL,
    arrival    integer NOT NULL,
    part       integer NOT NULL,
    kind       text NOT NULL,                    -- start, command, timeout, phase, leave, count
    seat       integer,
    ask        integer,
    automatic  boolean NOT NULL,
    command    text NOT NULL,
    events     text NOT NULL,
    draws      text NOT NULL,                    -- JSON: [[n, the number drawn below n], …]
    salt       bytea NOT NULL,                   -- in front of what is hashed, so that no hash can be guessed (PL-390)
    at         timestamptz NOT NULL,
    state_hash bytea NOT NULL,
    chain      bytea NOT NULL,
    PRIMARY KEY (match_id, step),
    UNIQUE (match_id, arrival, part)
);

CREATE TABLE asks (                              -- one row per seat is one open ask
    match_id  text NOT NULL,
    seat      integer NOT NULL,
    ask       integer NOT NULL,
    question  text NOT NULL,
    needed    boolean NOT NULL,
    body      text NOT NULL,                     -- the ask as its seat gets it, without due time: question, prompt, choices
    opened_at timestamptz NOT NULL,
    since_at  timestamptz NOT NULL,              -- where its clock began
    due_at    timestamptz,                       -- this row is also the ask's timer (PL-486)
    remind_at timestamptz,                       -- PL-578: and that of its reminder, until it has been given
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX asks_due ON asks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX asks_reminding ON asks (remind_at) WHERE remind_at IS NOT NULL;

CREATE TABLE timers (                            -- all timers but those of asks
    match_id text NOT NULL,
    kind     text NOT NULL CHECK (kind IN ('phase', 'no_show', 'pause', 'expiry', 'planned_start')),
    step     integer NOT NULL DEFAULT 0,
    due_at   timestamptz NOT NULL,
    PRIMARY KEY (match_id, kind)
);
CREATE INDEX timers_due ON timers (due_at);

CREATE TABLE views (                             -- what each reader sees now: readers[1] onlookers, readers[n + 2] seat n
    match_id text PRIMARY KEY,
    step     integer NOT NULL,
    at       timestamptz NOT NULL,
    bodies   text[] NOT NULL,                    -- the view as JSON
    texts    text[] NOT NULL,                    -- the view in lines
    hashes   text[] NOT NULL,                    -- SHA-256 of the body
    changed  integer[] NOT NULL,                 -- the step at which each reader's view last changed (PL-294)
    awaited  integer[] NOT NULL,
    clocks   text NOT NULL,                      -- JSON: per seat bank_ms and due_at; phase and its due_at
    host     text NOT NULL DEFAULT '[]',         -- JSON: the choices of the host's chair
    host_seat integer                            -- whose seat acts for the host now (CH-417); NULL: the host, who holds none
);

-- Who gives the host's orders now: the rights pass on while the host is absent.
CREATE FUNCTION acting_host(m matches) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT s.account_id FROM views v JOIN seats s USING (match_id)
                     WHERE v.match_id = m.match_id AND s.seat = v.host_seat AND s.kind = 'held'), m.host_id)
$$;

CREATE TABLE letters (                           -- what each reader is told of a step; readers as in views
    match_id text NOT NULL,
    step     integer NOT NULL,
    at       timestamptz NOT NULL,
    bodies   text[] NOT NULL,
    open     text NOT NULL,                      -- the letter without masks, readable after the end
    PRIMARY KEY (match_id, step)
);

CREATE TABLE outbox (
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    match_id   text NOT NULL,
    step       integer NOT NULL,
    topic      text NOT NULL,                    -- match.started, match.finished, …
    body       jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    done_at    timestamptz
);
CREATE INDEX outbox_waiting ON outbox (number) WHERE done_at IS NULL;

CREATE TABLE consumed (                          -- PL-346
    consumer text NOT NULL,
    match_id text NOT NULL,
    step     integer NOT NULL,
    topic    text NOT NULL,
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, match_id, step, topic)
);

CREATE TABLE results (
    match_id   text PRIMARY KEY REFERENCES matches,
    game       text NOT NULL,
    step       integer NOT NULL,
    rated      boolean NOT NULL,
    unfinished boolean NOT NULL DEFAULT false,
    flag       text,                             -- for a referee
    ended_at   timestamptz NOT NULL,
    voided_at  timestamptz
);
CREATE TABLE result_seats (
    match_id    text NOT NULL REFERENCES results,
    seat        integer NOT NULL,
    account_id  text,
    place       integer NOT NULL,
    table_place integer NOT NULL,
    score       integer NOT NULL,
    how         text NOT NULL,
    substitute_of text,
    counts_for  text,                            -- the account that the result counts for
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX result_seats_of_account ON result_seats (account_id);

CREATE TABLE records (                           -- PL-417, PL-622: written by a worker once the match has ended
    match_id text PRIMARY KEY,
    record   text NOT NULL,                      -- NDJSON
    proof    jsonb NOT NULL,
    hash     text NOT NULL
);

-- Clocks of the installation --------------------------------------------------------------------------------------

CREATE TABLE pulses (process text PRIMARY KEY, kind text NOT NULL, at timestamptz NOT NULL);
CREATE TABLE outages (
    number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    from_at timestamptz NOT NULL,
    to_at   timestamptz NOT NULL,
    game    text,                                -- NULL: all games
    reason  text NOT NULL
);

-- Audience ---------------------------------------------------------------------------------------------------------

CREATE TABLE polls (                             -- what the audience is or was asked; written by the worker
    match_id  text NOT NULL,
    question  text NOT NULL,
    answers   text[] NOT NULL,                   -- empty: a free text
    opened_at timestamptz NOT NULL,
    closed_at timestamptz,
    points    jsonb NOT NULL DEFAULT '{}',       -- answer -> points, once the result is known
    PRIMARY KEY (match_id, question)
);
CREATE TABLE audience_members (
    match_id  text NOT NULL REFERENCES matches,
    member    text NOT NULL,                     -- an account, or the public half of a device token
    name      text,
    joined_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    left_at   timestamptz,
    PRIMARY KEY (match_id, member)
);
CREATE TABLE audience_answers (
    match_id text NOT NULL,
    question text NOT NULL,
    member   text NOT NULL,
    answer   text NOT NULL,
    at       timestamptz NOT NULL,
    PRIMARY KEY (match_id, question, member)
);

-- Accepting a command: T1 in one call ------------------------------------------------------------------------------

CREATE TYPE acceptance AS (
    code       text,                             -- '' when accepted, else a problem code
    replayed   boolean,
    command_id text,
    arrival    integer,
    seat       integer,
    outcome    text,                             -- of the row that was accepted before, with what it was refused for and its steps
    refusal    text,
    first_step integer,
    last_step  integer,
    received_at timestamptz,
    match_state text,
    step       integer,
    ask        integer,                          -- the caller's own open ask
    due_at     timestamptz,
    game       text,
    version    integer,
    accepted_at timestamptz
);

-- PL-321: rights and seat, lock of the head, key, ask and due time, next arrival, insert. One call, one transaction.
CREATE FUNCTION accept(p_match text, p_account text, p_seat integer, p_kind text, p_ask integer, p_seen integer,
                       p_key text, p_body text, p_body_hash bytea, p_received_at timestamptz, p_command_id text,
                       p_budget_ms integer, p_most_waiting integer, p_trace text)
RETURNS acceptance LANGUAGE plpgsql AS $$
DECLARE
    answer acceptance;
    old record;
    found_match record;
    open_ask record;
    holder text;
    held integer;
    head integer;
BEGIN
    answer.code := '';
    answer.replayed := false;
    SELECT last_arrival INTO head FROM inbox_heads WHERE match_id = p_match FOR UPDATE;
    IF NOT FOUND THEN
        answer.code := 'not_found';
        RETURN answer;
    END IF;

    SELECT m.state, m.game, m.version, v.step, v.changed INTO found_match
        FROM matches m LEFT JOIN views v USING (match_id) WHERE m.match_id = p_match;
    answer.match_state := found_match.state;
    answer.game := found_match.game;
    answer.version := found_match.version;
    answer.step := coalesce(found_match.step, 0);

    SELECT i.arrival, i.command_id, i.body_hash, i.outcome, i.code, i.first_step, i.last_step, i.seat, i.received_at, i.accepted_at INTO old
        FROM inbox i WHERE i.match_id = p_match AND i.account_id = p_account AND i.key = p_key;
    IF FOUND THEN
        IF old.body_hash IS DISTINCT FROM p_body_hash THEN
            answer.code := 'key_reused';
            RETURN answer;
        END IF;
        answer.replayed := true;
        answer.arrival := old.arrival;
        answer.command_id := old.command_id;
        answer.outcome := old.outcome;
        answer.refusal := old.code;
        answer.first_step := old.first_step;
        answer.last_step := old.last_step;
        answer.received_at := old.received_at;
        answer.seat := old.seat;
        answer.accepted_at := old.accepted_at;
        RETURN answer;
    END IF;

    IF p_seat IS NULL AND p_kind IN ('command', 'batch', 'resign', 'proposal') THEN
        SELECT count(*), min(s.seat) INTO held, p_seat FROM seats s WHERE s.match_id = p_match AND s.account_id = p_account AND s.kind = 'held';
        IF held <> 1 THEN                        -- of several seats the command must name one
            answer.code := CASE held WHEN 0 THEN 'not_your_seat' ELSE 'invalid' END;
            RETURN answer;
        END IF;
    END IF;
    IF p_seat IS NOT NULL AND p_seat >= 0 THEN
        SELECT s.account_id INTO holder FROM seats s WHERE s.match_id = p_match AND s.seat = p_seat AND s.kind = 'held';
        IF holder IS DISTINCT FROM p_account THEN
            answer.code := 'not_your_seat';
            RETURN answer;
        END IF;
    END IF;
    answer.seat := p_seat;

    IF p_kind <> 'start' AND found_match.state <> 'running' AND NOT (found_match.state = 'paused' AND p_kind IN ('proposal', 'order', 'resign'))
        AND NOT (found_match.state = 'finished' AND p_kind = 'order') THEN      -- PL-248: only voiding is still judged
        answer.code := CASE found_match.state WHEN 'open' THEN 'wrong_state' WHEN 'paused' THEN 'match_paused'
                                              WHEN 'stuck' THEN 'match_stuck' ELSE 'match_over' END;
        RETURN answer;
    END IF;

    IF p_ask IS NOT NULL THEN
        SELECT a.ask, a.due_at INTO open_ask FROM asks a WHERE a.match_id = p_match AND a.seat = p_seat;
        answer.ask := open_ask.ask;
        answer.due_at := open_ask.due_at;
        IF p_ask > answer.step THEN
            answer.code := 'ask_ahead';
            RETURN answer;
        END IF;
        SELECT i.outcome INTO old FROM inbox i WHERE i.match_id = p_match AND i.seat = p_seat AND i.ask = p_ask
            AND (i.outcome IS NULL OR i.outcome = 'carried_out');
        IF FOUND THEN
            answer.code := CASE WHEN old.outcome IS NULL THEN 'ask_taken' ELSE 'stale_ask' END;
            RETURN answer;
        END IF;
        IF open_ask.ask IS DISTINCT FROM p_ask THEN
            answer.code := 'stale_ask';
            RETURN answer;
        END IF;
        IF p_received_at > open_ask.due_at THEN
            answer.code := 'too_late';
            RETURN answer;
        END IF;
        IF p_seen < found_match.changed[p_seat + 2] THEN
            answer.code := 'changed_meanwhile';
            RETURN answer;
        END IF;
    END IF;

    IF (SELECT count(*) FROM inbox i WHERE i.match_id = p_match AND i.outcome IS NULL) >= p_most_waiting THEN
        answer.code := 'match_busy';
        RETURN answer;
    END IF;
    IF clock_timestamp() - p_received_at > p_budget_ms * interval '1 millisecond' THEN
        answer.code := 'unavailable';            -- PL-325
        RETURN answer;
    END IF;

    UPDATE inbox_heads SET last_arrival = head + 1 WHERE match_id = p_match;
    answer.arrival := head + 1;
    answer.command_id := p_command_id;
    answer.received_at := p_received_at;
    answer.accepted_at := clock_timestamp();
    INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, seat, ask, account_id, key, body, body_hash,
                       received_at, accepted_at, trace)
        VALUES (p_match, head + 1, p_command_id, found_match.game, found_match.version, p_kind, p_seat, p_ask, p_account, p_key, p_body,
                p_body_hash, p_received_at, answer.accepted_at, p_trace);
    RETURN answer;
END $$;

-- PL-488, PL-523: a row of the service's own: a timer that is due, the answer of a built-in bot, an order of the service.
-- Rows of a timer name its due time; they come no earlier than the grace after it, and only while nothing else answers.
CREATE FUNCTION accept_own(p_match text, p_kind text, p_seat integer, p_ask integer, p_body text, p_due_at timestamptz, p_grace_ms integer,
                           p_command_id text)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    head integer;
    found_match record;
BEGIN
    SELECT last_arrival INTO head FROM inbox_heads WHERE match_id = p_match FOR UPDATE;
    SELECT m.state, m.game, m.version INTO found_match FROM matches m WHERE m.match_id = p_match;
    IF p_due_at + p_grace_ms * interval '1 millisecond' > clock_timestamp() THEN
        RETURN NULL;
    END IF;
    IF p_ask IS NOT NULL THEN
        PERFORM 1 FROM asks a WHERE a.match_id = p_match AND a.seat = p_seat AND a.ask = p_ask
            AND (p_kind <> 'timeout' OR a.due_at = p_due_at);
        IF NOT FOUND OR found_match.state <> 'running' THEN
            RETURN NULL;
        END IF;
        PERFORM 1 FROM inbox i WHERE i.match_id = p_match AND i.seat = p_seat AND i.ask = p_ask
            AND (i.outcome IS NULL OR i.outcome = 'carried_out');
        IF FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    IF p_kind IN ('timeout', 'phase', 'no_show', 'start') THEN     -- one is enough; and an order that waits may move the due time
        PERFORM 1 FROM inbox i WHERE i.match_id = p_match AND i.outcome IS NULL
            AND (i.kind = 'order' OR (p_ask IS NULL AND i.kind = p_kind));
        IF FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    UPDATE inbox_heads SET last_arrival = head + 1 WHERE match_id = p_match;
    INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, seat, ask, body, received_at)
        VALUES (p_match, head + 1, p_command_id, found_match.game, found_match.version, p_kind, p_seat, p_ask, p_body,
                coalesce(p_due_at, clock_timestamp()));
    RETURN head + 1;
END $$;

-- PL-567: an answer of the audience counts only if it is stored before the poll is counted. '' or a problem code.
CREATE FUNCTION store_answer(p_match text, p_question text, p_member text, p_answer text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    poll record;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtext(p_match), hashtext(p_question));    -- the count takes it alone
    SELECT answers, closed_at INTO poll FROM polls WHERE match_id = p_match AND question = p_question;
    IF NOT FOUND OR poll.closed_at IS NOT NULL THEN
        RETURN 'closed';
    END IF;
    IF cardinality(poll.answers) > 0 AND p_answer <> ALL (poll.answers) THEN
        RETURN 'not_a_choice';
    END IF;
    INSERT INTO audience_answers (match_id, question, member, answer, at)
        VALUES (p_match, p_question, p_member, p_answer, clock_timestamp())
        ON CONFLICT (match_id, question, member) DO UPDATE SET answer = excluded.answer, at = excluded.at
        WHERE audience_answers.answer <> excluded.answer;
    RETURN '';
END $$;

-- Writing what takes led to: T2's rows in one call (PL-331) ---------------------------------------------------------

-- Each argument is a JSON array of rows; the rows of several matches may come together, every one of them locked before.
-- Tells how many matches were still at the step that was read (PL-333). Joins by key alone, whatever the tables' sizes.
CREATE FUNCTION write_takes(p_states json, p_outcomes json, p_steps json, p_letters json, p_views json, p_asks json, p_timers json)
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

-- PL-392 Whether every match that shares this one's deal has ended; nothing hidden of any of them is shown before.
CREATE FUNCTION deal_over(m matches) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT m.deal_group IS NULL OR NOT EXISTS (
        SELECT FROM matches o WHERE o.deal_group = m.deal_group AND o.state IN ('open', 'running', 'paused', 'stuck'))
$$;

-- What every turn asks, planned once ------------------------------------------------------------------------------------

-- PL-330 Matches of a game with rows to carry out, the longest waiting first; old are those that were tried in vain.
CREATE FUNCTION waiting_matches(p_game text, p_version integer, p_most integer, p_careful_after double precision)
RETURNS TABLE (match_id text, old boolean) LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT i.match_id, min(i.accepted_at) < clock_timestamp() - p_careful_after * interval '1 second'
        FROM inbox i JOIN matches m USING (match_id)
        WHERE i.game = p_game AND i.version = p_version AND i.outcome IS NULL AND m.state <> 'stuck'
        GROUP BY i.match_id ORDER BY min(i.accepted_at) LIMIT p_most;
END $$;

-- PL-332 The locks of matches, one by one; those that had to be waited for are passed over where p_free says so.
CREATE FUNCTION lock_matches(p_matches text[], p_free boolean) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY p_matches LOOP
        IF p_free THEN
            PERFORM FROM match_states s WHERE s.match_id = one FOR UPDATE SKIP LOCKED;
        ELSE
            PERFORM FROM match_states s WHERE s.match_id = one FOR UPDATE;
        END IF;
        IF FOUND THEN
            RETURN NEXT one;
        END IF;
    END LOOP;
END $$;

-- Matches under their locks; asked after them, since a statement that has waited sees other tables as they were before.
CREATE FUNCTION locked_matches(p_matches text[])
RETURNS TABLE (match_id text, step integer, match text, house text, chain bytea, done_arrival integer, state text, hashes text[],
               changed integer[], now bigint) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT found.* FROM unnest(p_matches) AS t(match_id) CROSS JOIN LATERAL (
            SELECT s.match_id, s.step, s.match, s.house, s.chain, s.done_arrival, m.state, v.hashes, v.changed,
                   floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
            FROM match_states s JOIN matches m USING (match_id) LEFT JOIN views v USING (match_id)
            WHERE s.match_id = t.match_id AND m.state <> 'stuck' OFFSET 0) AS found;
END $$;

-- What waits in these matches, in order of arrival.
CREATE FUNCTION waiting_rows(p_matches text[], p_most integer)
RETURNS TABLE (match_id text, arrival integer, kind text, seat integer, ask integer, body text, received bigint)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT found.* FROM unnest(p_matches) AS t(match_id) CROSS JOIN LATERAL (
            SELECT i.match_id, i.arrival, i.kind, i.seat, i.ask, i.body, floor(extract(epoch FROM i.received_at) * 1000)::bigint
            FROM inbox i WHERE i.match_id = t.match_id AND i.outcome IS NULL ORDER BY i.arrival LIMIT p_most) AS found;
END $$;

-- PL-321 T1 and the look at the token in one call; no row where the token needs a closer look.
-- The hashes are compared under a nonce, so that the time this takes tells nothing of them (PL-172).
CREATE FUNCTION accept_by_token(p_token text, p_nonce bytea, p_proof bytea, p_scopes text[], p_match text, p_seat integer, p_kind text,
                                p_ask integer, p_seen integer, p_key text, p_body text, p_body_hash bytea, p_received_at timestamptz,
                                p_command_id text, p_budget_ms integer, p_most_waiting integer, p_trace text)
RETURNS TABLE (account_id text, name text, account_kind text, scopes text[], bound_to jsonb, answer acceptance) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    SELECT a.account_id, a.name, a.kind, t.scopes, t.bound_to
        INTO accept_by_token.account_id, accept_by_token.name, accept_by_token.account_kind, accept_by_token.scopes, accept_by_token.bound_to
        FROM tokens t JOIN accounts a USING (account_id) LEFT JOIN accounts o ON o.account_id = a.owner_id
        WHERE t.token_id = p_token AND sha256(t.secret_hash || p_nonce) = p_proof AND t.revoked_at IS NULL
            AND t.ends_at > clock_timestamp() AND t.used_on = current_date AND a.suspended_at IS NULL AND a.deleted_at IS NULL
            AND o.suspended_at IS NULL AND t.scopes && p_scopes AND (t.bound_to = '{}' OR t.bound_to = jsonb_build_object('match', p_match));
    IF FOUND THEN
        answer := accept(p_match, accept_by_token.account_id, p_seat, p_kind, p_ask, p_seen, p_key, p_body, p_body_hash, p_received_at,
                         p_command_id, p_budget_ms, p_most_waiting, p_trace);
        RETURN NEXT;
    END IF;
END $$;

-- PL-392 From when on nothing of an ended match is shown to its own seats either, since a match with the same deal goes on; else NULL.
-- Games show at the end what was hidden. A match that was voided later stays as it was shown at its first end.
CREATE FUNCTION sealed_at(m matches) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN m.deal_group IS NOT NULL AND m.ended_at IS NOT NULL AND NOT deal_over(m)
           THEN least(m.ended_at, (SELECT r.ended_at FROM results r WHERE r.match_id = m.match_id)) END
$$;

-- PL-381, PL-417: letters without masks are read through this alone, and only once the match and all of its deal have ended.
CREATE FUNCTION opened(p_match text, p_after integer, p_most integer) RETURNS TABLE (step integer, body text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
    SELECT l.step, l.open FROM letters l JOIN matches m USING (match_id)
    WHERE l.match_id = p_match AND l.step > p_after AND m.state IN ('finished', 'aborted', 'voided') AND deal_over(m)
    ORDER BY l.step LIMIT p_most
$$;

-- Who may do what (PL-815) ------------------------------------------------------------------------------------------

GRANT USAGE ON SCHEMA public TO cupboard_gateway, cupboard_stream, cupboard_worker, cupboard_league, cupboard_relay;

GRANT SELECT, INSERT, UPDATE, DELETE ON accounts, blocks, sign_in_failures, sessions, tokens, password_resets, stream_tickets, idempotency,
    invitations, invitation_uses, matches, seats, inbox_heads, timers, audience_members, audience_answers, pulses TO cupboard_gateway;
GRANT SELECT ON games, asks, views, results, result_seats, records, polls, stuck_matches, outages TO cupboard_gateway;
GRANT SELECT, INSERT ON audit TO cupboard_gateway, cupboard_worker, cupboard_league;
GRANT SELECT, UPDATE ON audit_head TO cupboard_gateway, cupboard_worker, cupboard_league;
GRANT SELECT (number, commitment, published_at, used_by), UPDATE (used_by) ON seed_list TO cupboard_gateway;
GRANT INSERT (match_id, game, version) ON match_states TO cupboard_gateway;
GRANT INSERT ON inbox TO cupboard_gateway;
GRANT SELECT (match_id, arrival, command_id, game, version, kind, seat, ask, account_id, key, body_hash, received_at, accepted_at,
              trace, outcome, code, report, first_step, last_step, done_at) ON inbox TO cupboard_gateway;

GRANT SELECT ON accounts, sessions, tokens, matches, seats, asks, views, games, results, result_seats, polls, audience_members
    TO cupboard_stream;
GRANT SELECT, UPDATE (used_at) ON stream_tickets TO cupboard_stream;
GRANT SELECT (match_id, account_id, withdrawn) ON invitations TO cupboard_stream;
GRANT SELECT (match_id, arrival, account_id, outcome, code, done_at) ON inbox TO cupboard_stream;

GRANT SELECT, UPDATE ON matches, seats, inbox_heads TO cupboard_worker;
GRANT SELECT, INSERT, UPDATE ON match_states, inbox, attempts, stuck_matches, views, games, polls, seeds, results, result_seats,
    records, outages, pulses TO cupboard_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON asks, timers TO cupboard_worker;
GRANT SELECT (match_id, step, at, bodies) ON letters TO cupboard_gateway, cupboard_stream;     -- without masks: only by opened()
GRANT SELECT, INSERT ON steps, letters, outbox, consumed TO cupboard_worker;
GRANT SELECT (number, commitment, published_at, used_by), INSERT ON seed_list TO cupboard_worker;
GRANT SELECT ON audience_members, audience_answers, accounts TO cupboard_worker;

GRANT SELECT, UPDATE ON outbox TO cupboard_league, cupboard_relay;
GRANT SELECT, INSERT ON consumed TO cupboard_league, cupboard_relay;
GRANT SELECT ON results, result_seats, matches, seats, accounts, games TO cupboard_league;

-- The stream tells how many of an audience have answered (CH-516), and can read no answer.

GRANT SELECT (match_id, question) ON audience_answers TO cupboard_stream;

-- What the gateway keeps besides: orders that need a second person, and whether guests may be in an audience.

CREATE TABLE orders_to_confirm (                 -- PL-248: voiding a finished match takes two persons
    match_id     text NOT NULL REFERENCES matches,
    number       integer NOT NULL,
    account_id   text NOT NULL REFERENCES accounts,
    kind         text NOT NULL,
    reason       text NOT NULL,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    confirmed_at timestamptz,
    confirmed_by text REFERENCES accounts,
    PRIMARY KEY (match_id, number)
);
GRANT SELECT, INSERT, UPDATE (confirmed_at, confirmed_by) ON orders_to_confirm TO cupboard_gateway;

ALTER TABLE matches ADD COLUMN guests boolean NOT NULL DEFAULT false;      -- PL-139: device tokens may join the audience

-- PL-209, PL-567 An answer of the audience with its key, in one call: '' or a problem code.
CREATE FUNCTION answer_once(p_match text, p_question text, p_member text, p_answer text, p_path text, p_key text, p_hash bytea, p_keep_s integer)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    code text;
    old_hash bytea;
BEGIN
    SELECT body_hash INTO old_hash FROM idempotency
        WHERE account_id = p_member AND method = 'PUT' AND path = p_path AND key = p_key AND ends_at > clock_timestamp();
    IF FOUND THEN
        RETURN CASE WHEN old_hash = p_hash THEN 'again' ELSE 'key_reused' END;
    END IF;
    PERFORM 1 FROM audience_members WHERE match_id = p_match AND member = p_member AND left_at IS NULL;
    IF NOT FOUND THEN
        RETURN 'not_allowed';
    END IF;
    code := store_answer(p_match, p_question, p_member, p_answer);
    IF code = '' THEN
        INSERT INTO idempotency (account_id, method, path, key, body_hash, status, body, ends_at)
            VALUES (p_member, 'PUT', p_path, p_key, p_hash, 200, '', clock_timestamp() + p_keep_s * interval '1 second')
            ON CONFLICT (account_id, method, path, key) DO NOTHING;
    END IF;
    RETURN code;
END $$;

-- PL-419, PL-392 The step and state of a match that onlookers see: of seconds and steps the stricter counts; after the end only seconds do;
-- of matches that share a deal they see no step until the last has ended.
CREATE FUNCTION shown_to_onlookers(m matches, OUT late_step integer, OUT late_state text, OUT delay_over boolean)
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

-- PL-499: a gap of all pulses of gateways is noted in the transaction of the first pulse after it, so that no time-out comes between.

CREATE FUNCTION note_gap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    least interval := interval '12 seconds';     -- pulses come every 5; the setting outage_credited says from which length a gap counts
    before timestamptz;
BEGIN
    SELECT max(at) INTO before FROM pulses WHERE kind = 'gateway';
    IF new.at - before > least THEN
        PERFORM pg_advisory_xact_lock(7003);     -- of several gateways that come back one notes it
        SELECT greatest(max(at), (SELECT max(to_at) FROM outages WHERE reason = 'pulses')) INTO before FROM pulses WHERE kind = 'gateway';
        IF new.at - before > least THEN
            INSERT INTO outages (from_at, to_at, reason) VALUES (before, new.at, 'pulses');
        END IF;
    END IF;
    RETURN new;
END $$;
CREATE TRIGGER pulses_note_gap BEFORE INSERT OR UPDATE ON pulses FOR EACH ROW WHEN (new.kind = 'gateway') EXECUTE FUNCTION note_gap();

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

-- What is archived --------------------------------------------------------------------------------------------------

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
    role            text NOT NULL CHECK (role IN ('owner', 'organiser', 'referee')),
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
    remind_at       timestamptz,                 -- LG-888: when a deadline comes near
    held            boolean NOT NULL DEFAULT false,     -- LG-130: by the host
    fault           text,                        -- why it cannot go on: an error of the league itself
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    shown_version   integer,                     -- LG-810: the version that everybody may read; NULL: the present one
    show_at         timestamptz                  -- when the next may be shown
);
CREATE INDEX competitions_to_show ON competitions (show_at) WHERE show_at IS NOT NULL;
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
CREATE INDEX competition_matches_unmade ON competition_matches (competition_id, event, pairing) WHERE made_at IS NULL AND stopped_at IS NULL;
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

-- LG-179, LG-673 An order of the competition to one of its matches; a match that is not there yet is never made.
CREATE FUNCTION stop_match(p_competition text, p_event integer, p_match text, p_what text, p_body text)
RETURNS TABLE (told_game text, told_version integer, told_arrival integer) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    ordered record;
BEGIN
    IF p_what = 'late' AND EXISTS (              -- LG-879: who is on turn is not known before all that came in time is carried out
        SELECT FROM inbox i JOIN matches m USING (match_id) JOIN competition_events e ON e.competition_id = p_competition AND e.number = p_event
        WHERE i.match_id = p_match AND i.outcome IS NULL AND i.kind IN ('command', 'batch') AND i.received_at <= e.at AND m.state IN ('running', 'paused')) THEN
        RETURN;
    END IF;
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

-- LG-810 Whether everybody may know what happened then, in a competition that has a spectator delay.
CREATE FUNCTION shown_to_all(p_competition text, p_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT c.shown_version IS NULL OR coalesce(p_at <= (
        SELECT e.at FROM competition_events e WHERE e.competition_id = c.competition_id AND e.number = c.shown_version), false)
    FROM competitions c WHERE c.competition_id = p_competition
$$;

CREATE TABLE competition_couples (               -- LG-951, LG-954: what block lists asked of a round, without whose they were
    competition_id text NOT NULL REFERENCES competitions,
    stage          integer NOT NULL,
    round          integer NOT NULL,
    couples        jsonb NOT NULL,               -- pairing numbers, the lower first
    salt           text NOT NULL,                -- so that the fingerprint of the round tells nothing of them
    PRIMARY KEY (competition_id, stage, round)
);

-- Who may do what (PL-815): the gateway puts acts in and reads what came of them; what happens is the league's.

GRANT SELECT, INSERT ON organisations, organisation_audit TO cupboard_gateway;
GRANT SELECT, INSERT, DELETE ON organisation_roles, officials TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE, DELETE ON organisation_guests TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE ON organisation_chains TO cupboard_gateway;
GRANT INSERT (competition_id, kind, organisation_id, created_by, name, seed), UPDATE (held) ON competitions TO cupboard_gateway;
GRANT SELECT (competition_id, kind, organisation_id, created_by, name, game, game_version, visibility, state, entrants, version, pages_version,
              due_at, held, fault, created_at, done_arrival, shown_version) ON competitions TO cupboard_gateway;
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
GRANT SELECT, INSERT, UPDATE, DELETE ON competition_couples TO cupboard_league;
GRANT SELECT ON blocks TO cupboard_league;
GRANT SELECT, INSERT ON rating_entries TO cupboard_league;
GRANT DELETE ON ratings TO cupboard_league;

GRANT SELECT (competition_id, kind, organisation_id, visibility, state, version, pages_version, shown_version) ON competitions TO cupboard_stream;
GRANT SELECT ON competition_events, competition_entrants, organisation_roles, officials TO cupboard_stream;

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
GRANT SELECT (competition_id, shown_version) ON competitions TO cupboard_relay;
GRANT INSERT ON notices TO cupboard_relay, cupboard_league;

-- LG-1005 Who sits at which table of a tournament and how it stands, for a player's own page; made from events, and can be made again from them.
CREATE TABLE competition_seats (
    competition_id text NOT NULL REFERENCES competitions,
    stage          integer NOT NULL,
    round          integer NOT NULL,
    place_in_round integer NOT NULL,             -- the number of the table
    account_id     text NOT NULL,
    state          text NOT NULL,
    match_id       text,                         -- the one that counts
    kind           text NOT NULL,
    seats          integer NOT NULL,
    place          integer,
    how            text,
    points         text,
    corrected      boolean NOT NULL,
    decided_at     timestamptz,
    PRIMARY KEY (competition_id, stage, round, place_in_round, account_id)
);
CREATE INDEX competition_seats_of ON competition_seats (account_id, decided_at);
CREATE INDEX competition_byes_asked ON competition_events (((body::jsonb) ->> 'account')) WHERE kind = 'bye_asked';
GRANT SELECT ON competition_seats TO cupboard_gateway;
GRANT SELECT, INSERT, DELETE ON competition_seats TO cupboard_league;

-- LG-129 Whether a reader may know of a competition: a public one everybody, a private one its entrants, their owners and its officials.
CREATE FUNCTION may_know(p_competition text, p_organisation text, p_visibility text, p_reader text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT p_visibility = 'public'
        OR EXISTS (SELECT FROM competition_entrants e LEFT JOIN accounts b ON b.account_id = e.account_id
            WHERE e.competition_id = p_competition AND p_reader IN (e.account_id, b.owner_id))
        OR EXISTS (SELECT FROM organisation_roles r WHERE r.organisation_id = p_organisation AND r.account_id = p_reader)
        OR EXISTS (SELECT FROM officials f WHERE f.competition_id = p_competition AND f.account_id = p_reader)
$$;

-- A second factor at sign-in (PL-126), views that two people open for a referee (PL-157), referees of a whole organisation (PL-151).

CREATE TABLE second_factors (
    account_id text PRIMARY KEY REFERENCES accounts,
    secret     bytea NOT NULL,                   -- PL-817: encrypted
    made_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    on_since   timestamptz,                      -- NULL until a first code has shown that the secret has arrived
    last_step  bigint NOT NULL DEFAULT 0         -- the newest half minute whose code has been used: a code works once
);
CREATE TABLE recovery_codes (
    account_id text NOT NULL REFERENCES accounts,
    code_hash  bytea NOT NULL,
    PRIMARY KEY (account_id, code_hash)
);
-- By what the roles of its account count for a token: it was made by whoever runs the machine, behind a second factor, or by a password alone.
ALTER TABLE tokens ADD COLUMN made_by text NOT NULL DEFAULT 'machine' CHECK (made_by IN ('machine', 'factor', 'password'));

-- PL-126 The roles that count; behind a factor they do while it is on.
CREATE FUNCTION roles_in_force(p_account text, p_roles text[], p_by text) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_roles = '{}' OR p_by = 'machine' THEN p_roles
        WHEN p_by = 'factor' AND EXISTS (SELECT FROM second_factors f WHERE f.account_id = p_account AND f.on_since IS NOT NULL) THEN p_roles
        ELSE '{}'::text[] END
$$;
-- How an account stands to the second factor: it is on, off, or needed for its roles to count.
CREATE FUNCTION second_factor_of(p_account text, p_roles text[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN EXISTS (SELECT FROM second_factors f WHERE f.account_id = p_account AND f.on_since IS NOT NULL) THEN 'on'
        WHEN p_roles <> '{}' AND (SELECT a.password_hash IS NOT NULL FROM accounts a WHERE a.account_id = p_account) THEN 'needed' ELSE 'off' END
$$;
GRANT SELECT, INSERT, UPDATE, DELETE ON second_factors TO cupboard_gateway;
GRANT SELECT, INSERT, DELETE ON recovery_codes TO cupboard_gateway;
GRANT SELECT (account_id, on_since) ON second_factors TO cupboard_stream;

CREATE TABLE opened_views (                      -- PL-157
    match_id      text NOT NULL REFERENCES matches,
    number        integer NOT NULL,
    seat          integer NOT NULL,
    account_id    text NOT NULL REFERENCES accounts,    -- who wants to look
    reason        text NOT NULL,
    asked_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    confirmed_by  text REFERENCES accounts,
    confirmed_at  timestamptz,
    closes_at     timestamptz,
    looks         integer NOT NULL DEFAULT 0,
    first_look_at timestamptz,
    last_look_at  timestamptz,
    PRIMARY KEY (match_id, number)
);
GRANT SELECT, INSERT, UPDATE (confirmed_by, confirmed_at, closes_at, looks, first_look_at, last_look_at) ON opened_views TO cupboard_gateway;

-- PL-157 Every seat is told at the end, in the transaction of the end, whatever ended it.
CREATE FUNCTION tell_of_opened_views() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO notices (account_id, cause, kind, match_id, facts)
        SELECT DISTINCT s.account_id, 'opened_view ' || o.match_id || ' ' || o.number, 'opened_view', o.match_id,
            jsonb_build_object('seat', o.seat, 'by', a.name, 'reason', o.reason, 'confirmed_by', c.name, 'looks', o.looks,
                'first_look_at', to_char(o.first_look_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'last_look_at', to_char(o.last_look_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        FROM opened_views o JOIN accounts a USING (account_id) JOIN accounts c ON c.account_id = o.confirmed_by JOIN seats s ON s.match_id = o.match_id
        WHERE o.match_id = NEW.match_id AND o.looks > 0 AND s.account_id IS NOT NULL
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER opened_views_are_told AFTER UPDATE OF ended_at ON matches FOR EACH ROW
    WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION tell_of_opened_views();
REVOKE EXECUTE ON FUNCTION tell_of_opened_views() FROM PUBLIC;

-- PL-154 Whether somebody is a referee of the competition that a match belongs to, or of its whole organisation.
CREATE FUNCTION officiates(p_championship text, p_account text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM officials f WHERE f.competition_id = p_championship AND f.account_id = p_account)
        OR EXISTS (SELECT FROM competitions c JOIN organisation_roles r USING (organisation_id)
            WHERE c.competition_id = p_championship AND r.account_id = p_account AND r.role = 'referee')
$$;

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

-- PL-559 A moderator masks the name of an account: others see another one, its holder goes on signing in by the old one.

ALTER TABLE accounts
    ADD COLUMN masked_from text,                 -- the name before
    ADD COLUMN masked_key  text UNIQUE;          -- under which the shown name is looked up; nobody else can choose it

-- Programs of other people, which an account lets in for some of its scopes (PL-179).

CREATE TABLE clients (
    client_id       text PRIMARY KEY,
    account_id      text NOT NULL REFERENCES accounts,      -- who registered it
    organisation_id text REFERENCES organisations,          -- in whose name, where it is not their own
    name            text NOT NULL,
    name_key        text NOT NULL UNIQUE,
    homepage        text NOT NULL,
    redirects       text[] NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX clients_of ON clients (account_id);
CREATE INDEX clients_of_organisation ON clients (organisation_id) WHERE organisation_id IS NOT NULL;

CREATE TABLE client_grants (                     -- one yes on the consent page: its code, and the chain of tokens that the code began
    grant_id     text PRIMARY KEY,
    client_id    text NOT NULL REFERENCES clients ON DELETE CASCADE,
    account_id   text NOT NULL REFERENCES accounts,
    scopes       text[] NOT NULL,
    code_hash    bytea NOT NULL UNIQUE,
    challenge    text NOT NULL,
    redirect     text NOT NULL,
    granted_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    code_ends_at timestamptz NOT NULL,
    code_used_at timestamptz,
    ends_at      timestamptz NOT NULL            -- PL-175
);
CREATE INDEX client_grants_of ON client_grants (account_id);
CREATE INDEX client_grants_to ON client_grants (client_id);

CREATE TABLE refresh_tokens (                    -- a used one is kept as long as its chain, so that its reuse is noticed
    token_id    text PRIMARY KEY,
    grant_id    text NOT NULL REFERENCES client_grants ON DELETE CASCADE,
    secret_hash bytea NOT NULL,                  -- PL-172
    made_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    used_at     timestamptz
);
CREATE INDEX refresh_tokens_of ON refresh_tokens (grant_id);

-- What is taken back is gone: a chain goes with its tokens. Roles of an account never count for a program of somebody else.
ALTER TABLE tokens ADD COLUMN grant_id text REFERENCES client_grants ON DELETE CASCADE;
ALTER TABLE tokens ADD CONSTRAINT tokens_of_clients CHECK ((kind = 'oat') = (grant_id IS NOT NULL));
ALTER TABLE tokens DROP CONSTRAINT tokens_made_by_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_made_by_check CHECK (made_by IN ('machine', 'factor', 'password', 'client'));
CREATE INDEX tokens_of_grant ON tokens (grant_id) WHERE grant_id IS NOT NULL;

GRANT SELECT, INSERT, DELETE ON clients TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE (code_used_at), DELETE ON client_grants TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE (used_at) ON refresh_tokens TO cupboard_gateway;
