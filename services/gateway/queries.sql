-- Everything the gateway asks of Postgres, by name. Statements of several lines are one round trip each.

-- name: session_seen: who a browser is; the time of its last use is kept to the hour
WITH seen AS (
    UPDATE sessions SET used_at = clock_timestamp() WHERE session_hash = %(hash)s AND used_at < clock_timestamp() - interval '1 hour'
        AND used_at > clock_timestamp() - interval '30 days')
SELECT s.session_id, s.form_token, a.account_id, a.name, a.kind, a.roles, a.suspended_at
    FROM sessions s JOIN accounts a USING (account_id)
    WHERE s.session_hash = %(hash)s AND s.used_at > clock_timestamp() - interval '30 days' AND a.deleted_at IS NULL;

-- name: token_seen: who a program is; the day of its last use is kept
WITH used AS (UPDATE tokens SET used_on = current_date WHERE token_id = %(token)s AND used_on IS DISTINCT FROM current_date)
SELECT t.token_id, t.secret_hash, t.scopes, t.bound_to, a.account_id, a.name, a.kind, a.roles, coalesce(a.suspended_at, o.suspended_at) AS suspended_at,
       t.revoked_at IS NOT NULL OR t.ends_at <= clock_timestamp() OR a.deleted_at IS NOT NULL AS over
    FROM tokens t JOIN accounts a USING (account_id) LEFT JOIN accounts o ON o.account_id = a.owner_id WHERE t.token_id = %(token)s;

-- name: account_opened
INSERT INTO accounts (account_id, name, name_key, kind, owner_id, password_hash, mail, language, about)
    VALUES (%(account)s, %(name)s, %(name_key)s, %(kind)s, %(owner)s, %(hash)s, %(mail)s, %(language)s, %(about)s::jsonb)
    ON CONFLICT (name_key) DO NOTHING RETURNING *;

-- name: account_named
SELECT a.*, o.name AS owner_name FROM accounts a LEFT JOIN accounts o ON o.account_id = a.owner_id WHERE a.name_key = %(name_key)s;

-- name: account_named_or_mailed
SELECT account_id FROM accounts WHERE (name_key = %(name_key)s OR mail = %(mail)s) AND kind = 'person' AND deleted_at IS NULL LIMIT 1;

-- name: account_by_id
SELECT * FROM accounts WHERE account_id = %(account)s AND deleted_at IS NULL;

-- name: account_locked
SELECT * FROM accounts WHERE account_id = %(account)s AND deleted_at IS NULL FOR UPDATE;

-- name: account_changed
UPDATE accounts SET language = %(language)s, mail = %(mail)s, about = %(about)s::jsonb, version = version + 1 WHERE account_id = %(account)s;

-- name: account_deleted
UPDATE accounts SET name = %(name)s, name_key = account_id, password_hash = NULL, mail = NULL, about = '{}', roles = '{}',
    deleted_at = clock_timestamp(), version = version + 1 WHERE account_id = %(account)s;

-- name: account_suspended
UPDATE accounts SET suspended_at = CASE WHEN %(suspended)s THEN clock_timestamp() END WHERE account_id = %(account)s;

-- name: accounts_listed
SELECT * FROM accounts WHERE deleted_at IS NULL ORDER BY name_key LIMIT %(most)s;

-- name: roles_given
UPDATE accounts SET roles = %(roles)s WHERE account_id = %(account)s;

-- name: password_set
UPDATE accounts SET password_hash = %(hash)s, version = version + 1 WHERE account_id = %(account)s;

-- name: sign_in_failed
INSERT INTO sign_in_failures (name_key, address) VALUES (%(name_key)s, %(address)s) RETURNING at;

-- name: sign_in_failures_lately
SELECT count(*) AS failures, extract(epoch FROM min(at) + %(minutes)s * interval '1 minute' - clock_timestamp()) AS wait_s
    FROM sign_in_failures WHERE name_key = %(name_key)s AND address = %(address)s AND at > clock_timestamp() - %(minutes)s * interval '1 minute';

-- name: sign_in_failures_forgotten
DELETE FROM sign_in_failures WHERE (name_key = %(name_key)s AND address = %(address)s) OR at < clock_timestamp() - interval '1 day';

-- name: session_begun
INSERT INTO sessions (session_hash, session_id, account_id, form_token, agent)
    VALUES (%(hash)s, %(session)s, %(account)s, %(form_token)s, %(agent)s);

-- name: session_ended_by_cookie
DELETE FROM sessions WHERE session_hash = %(hash)s RETURNING session_id;

-- name: session_ended
DELETE FROM sessions WHERE session_id = %(session)s AND account_id = %(account)s;

-- name: other_sessions_ended
DELETE FROM sessions WHERE account_id = %(account)s AND session_id IS DISTINCT FROM %(session)s;

-- name: sessions_of
SELECT session_id, agent, created_at, used_at FROM sessions
    WHERE account_id = %(account)s AND used_at > clock_timestamp() - interval '30 days' ORDER BY used_at DESC LIMIT 100;

-- name: reset_made
INSERT INTO password_resets (code_hash, account_id, ends_at) VALUES (%(hash)s, %(account)s, clock_timestamp() + interval '30 minutes');

-- name: reset_used
UPDATE password_resets r SET used_at = clock_timestamp() FROM accounts a
    WHERE r.code_hash = %(hash)s AND r.used_at IS NULL AND r.ends_at > clock_timestamp() AND a.account_id = r.account_id AND a.deleted_at IS NULL
    RETURNING r.account_id, a.name;

-- name: blocked
INSERT INTO blocks (account_id, blocked_id) VALUES (%(account)s, %(blocked)s) ON CONFLICT DO NOTHING;

-- name: unblocked
DELETE FROM blocks WHERE account_id = %(account)s AND blocked_id = %(blocked)s;

-- name: blocks_forgotten
DELETE FROM blocks WHERE account_id = %(account)s OR blocked_id = %(account)s;

-- name: sessions_forgotten
DELETE FROM sessions WHERE account_id = %(account)s;

-- name: tokens_revoked
UPDATE tokens SET revoked_at = clock_timestamp() WHERE account_id = %(account)s AND revoked_at IS NULL;

-- name: audience_forgotten
UPDATE audience_members SET name = NULL, left_at = coalesce(left_at, clock_timestamp()) WHERE member = %(account)s;

-- name: running_seats_of
SELECT s.match_id, s.seat FROM seats s JOIN matches m USING (match_id)
    WHERE s.account_id = %(account)s AND s.kind = 'held' AND s.how IS NULL AND m.state IN ('running', 'paused', 'stuck');

-- name: open_seats_left
UPDATE seats s SET kind = 'open', account_id = NULL, ready = false, contribution = NULL FROM matches m
    WHERE m.match_id = s.match_id AND m.state = 'open' AND s.account_id = %(account)s;

-- name: token_made
INSERT INTO tokens (token_id, kind, account_id, secret_hash, label, scopes, bound_to, ends_at)
    VALUES (%(token)s, %(kind)s, %(account)s, %(hash)s, %(label)s, %(scopes)s, %(bound_to)s::jsonb, %(ends_at)s) RETURNING *;

-- name: tokens_of
SELECT t.* FROM tokens t JOIN accounts a USING (account_id) WHERE (a.account_id = %(account)s OR a.owner_id = %(account)s)
    AND t.revoked_at IS NULL AND t.ends_at > clock_timestamp() ORDER BY t.created_at DESC LIMIT 100;

-- name: token_revoked
UPDATE tokens t SET revoked_at = clock_timestamp() FROM accounts a
    WHERE t.token_id = %(token)s AND t.revoked_at IS NULL AND a.account_id = t.account_id
      AND (a.account_id = %(account)s OR a.owner_id = %(account)s);

-- name: bots_of
SELECT * FROM accounts WHERE owner_id = %(account)s AND kind = 'bot' AND deleted_at IS NULL ORDER BY created_at LIMIT 1000;

-- name: bot_changed
UPDATE accounts SET about = %(about)s::jsonb, version = version + 1 WHERE account_id = %(account)s AND version = %(version)s;

-- name: ticket_made
INSERT INTO stream_tickets (ticket_hash, account_id, path, token_id, ends_at)
    VALUES (%(hash)s, %(account)s, %(path)s, %(token)s, clock_timestamp() + %(life)s * interval '1 second') RETURNING ends_at;

-- name: old_rows_forgotten: what has ended is swept now and then
WITH tickets AS (DELETE FROM stream_tickets WHERE ends_at < clock_timestamp() - interval '1 hour'),
     old_keys AS (DELETE FROM idempotency WHERE ends_at < clock_timestamp())
DELETE FROM sessions WHERE used_at < clock_timestamp() - interval '30 days';

-- name: database_time
SELECT extract(epoch FROM clock_timestamp())::double precision AS now;

-- name: patience: PL-210 a repeat waits up to 5 seconds for the first
SELECT set_config('lock_timeout', '5s', true), set_config('statement_timeout', '6s', true);

-- name: key_taken
INSERT INTO idempotency AS i (account_id, method, path, key, body_hash, ends_at)
    VALUES (%(who)s, %(method)s, %(path)s, %(key)s, %(hash)s, clock_timestamp() + %(keep)s * interval '1 second')
    ON CONFLICT (account_id, method, path, key) DO UPDATE SET body_hash = excluded.body_hash, status = NULL, ends_at = excluded.ends_at,
        secret_of = NULL WHERE i.ends_at < clock_timestamp();

-- name: key_answered
UPDATE idempotency SET status = %(status)s, headers = %(headers)s::jsonb, body = %(body)s, secret_of = %(secret)s
    WHERE account_id = %(who)s AND method = %(method)s AND path = %(path)s AND key = %(key)s;

-- name: key_seen
SELECT body_hash, status, headers, body, secret_of FROM idempotency
    WHERE account_id = %(who)s AND method = %(method)s AND path = %(path)s AND key = %(key)s AND status IS NOT NULL;

-- name: queue_ages: how long the oldest waiting row of each game has waited; stuck matches do not count (PL-652)
SELECT i.game, extract(epoch FROM clock_timestamp() - min(i.accepted_at))::double precision AS age_s
    FROM inbox i JOIN matches m USING (match_id) WHERE i.outcome IS NULL AND m.state <> 'stuck' GROUP BY i.game;

-- name: pulse: PL-499
INSERT INTO pulses (process, kind, at) VALUES (%(process)s, 'gateway', clock_timestamp())
    ON CONFLICT (process) DO UPDATE SET at = excluded.at RETURNING at;

-- name: newest_migration
SELECT max(number) AS number FROM migrations WHERE done_at IS NOT NULL;
