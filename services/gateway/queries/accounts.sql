-- Accounts, sessions, tokens, bots.

-- name: session_seen: who a browser is; the time of its last use is kept to the hour
WITH seen AS (
    UPDATE sessions SET used_at = clock_timestamp() WHERE session_hash = %(hash)s AND used_at < clock_timestamp() - interval '1 hour'
        AND used_at > clock_timestamp() - interval '30 days')
SELECT s.session_id, s.form_token, a.account_id, a.name, a.kind, roles_in_force(a.account_id, a.roles, 'factor') AS roles, a.roles AS given_roles, a.suspended_at
    FROM sessions s JOIN accounts a USING (account_id)
    WHERE s.session_hash = %(hash)s AND s.used_at > clock_timestamp() - interval '30 days' AND a.deleted_at IS NULL;

-- name: token_seen: who a program is; the day of its last use is kept
WITH used AS (UPDATE tokens SET used_on = current_date WHERE token_id = %(token)s AND used_on IS DISTINCT FROM current_date)
SELECT t.token_id, t.secret_hash, t.scopes, t.bound_to, a.account_id, a.name, a.kind, roles_in_force(a.account_id, a.roles, t.made_by) AS roles,
       CASE WHEN t.made_by <> 'client' THEN a.roles END AS given_roles, coalesce(a.suspended_at, o.suspended_at) AS suspended_at,
       t.revoked_at IS NOT NULL OR t.ends_at <= clock_timestamp() OR a.deleted_at IS NOT NULL AS over
    FROM tokens t JOIN accounts a USING (account_id) LEFT JOIN accounts o ON o.account_id = a.owner_id WHERE t.token_id = %(token)s;

-- name: account_opened
INSERT INTO accounts (account_id, name, name_key, kind, owner_id, password_hash, mail, language, about)
    VALUES (%(account)s, %(name)s, %(name_key)s, %(kind)s, %(owner)s, %(hash)s, %(mail)s, %(language)s, %(about)s::jsonb)
    ON CONFLICT (name_key) DO NOTHING RETURNING *;

-- name: account_named
SELECT a.*, second_factor_of(a.account_id, a.roles) AS second_factor, o.name AS owner_name FROM accounts a LEFT JOIN accounts o ON o.account_id = a.owner_id WHERE a.name_key = %(name_key)s OR a.masked_key = %(name_key)s;

-- name: account_named_or_mailed
SELECT account_id FROM accounts WHERE (name_key = %(name_key)s OR mail = %(mail)s) AND kind = 'person' AND deleted_at IS NULL LIMIT 1;

-- name: account_by_id
SELECT *, second_factor_of(account_id, roles) AS second_factor FROM accounts WHERE account_id = %(account)s AND deleted_at IS NULL;

-- name: account_locked
SELECT * FROM accounts WHERE account_id = %(account)s AND deleted_at IS NULL FOR UPDATE;

-- name: account_changed
UPDATE accounts SET language = %(language)s, mail = %(mail)s, about = %(about)s::jsonb, version = version + 1 WHERE account_id = %(account)s;

-- name: holidays_of: what the account has taken of the days of each year, and its last holiday
SELECT a.kind, a.about, t.now, h.begins_at, h.ends_at, coalesce(h.ends_at > t.now, false) AS lasts, coalesce((
        SELECT jsonb_object_agg(y.year, y.days) FROM (SELECT year, sum(days) AS days FROM holidays WHERE account_id = a.account_id GROUP BY year) y),
        '{}') AS taken
    FROM accounts a CROSS JOIN (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) t
        LEFT JOIN LATERAL (SELECT * FROM holidays o WHERE o.account_id = a.account_id ORDER BY o.begins_at DESC LIMIT 1) h ON true
    WHERE a.account_id = %(account)s AND a.deleted_at IS NULL;

-- name: holiday_set
INSERT INTO holidays (account_id, begins_at, ends_at, year, days)
    VALUES (%(account)s, %(begins)s, to_timestamp(%(ends)s::bigint / 1000.0), %(year)s, %(days)s)
    ON CONFLICT (account_id, begins_at) DO UPDATE SET ends_at = excluded.ends_at, days = excluded.days;

-- name: holiday_told: to its matches by correspondence
SELECT * FROM tell_holiday(%(account)s, %(at)s, to_timestamp(%(ends)s::bigint / 1000.0));

-- name: account_deleted: seats that could not be left yet are left by the watches, as those of a suspended account
WITH rested AS (DELETE FROM holidays WHERE account_id = %(account)s)
UPDATE accounts SET leaves_at = CASE WHEN EXISTS (SELECT 1 FROM seats s JOIN matches m USING (match_id)
        WHERE s.account_id = %(account)s AND s.kind = 'held' AND s.how IS NULL AND m.state IN ('open', 'stuck')) THEN clock_timestamp() END,
    name = %(name)s, name_key = account_id, masked_from = NULL, masked_key = NULL, password_hash = NULL, mail = NULL, about = '{}', roles = '{}',
    deleted_at = clock_timestamp(), version = version + 1 WHERE account_id = %(account)s;

-- name: account_suspended
UPDATE accounts SET suspended_at = clock_timestamp(), leaves_at = clock_timestamp() + %(grace)s * interval '1 second'
    WHERE account_id = %(account)s RETURNING leaves_at;

-- name: suspension_lifted
UPDATE accounts SET suspended_at = NULL, leaves_at = NULL WHERE account_id = %(account)s;

-- name: accounts_listed
SELECT *, second_factor_of(account_id, roles) AS second_factor FROM accounts WHERE deleted_at IS NULL ORDER BY name_key LIMIT %(most)s;

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

-- name: grants_forgotten: what programs of others were let do
DELETE FROM client_grants WHERE account_id = %(account)s;

-- name: clients_forgotten: its own programs, but for those in the name of an organisation
DELETE FROM clients WHERE account_id = %(account)s AND organisation_id IS NULL;

-- name: recovery_codes_forgotten
DELETE FROM recovery_codes WHERE account_id = %(account)s;

-- name: second_factor_forgotten
DELETE FROM second_factors WHERE account_id = %(account)s;

-- name: audience_forgotten
UPDATE audience_members SET name = NULL, left_at = coalesce(left_at, clock_timestamp()) WHERE member = %(account)s;

-- name: running_seats_of
SELECT s.match_id, s.seat FROM seats s JOIN matches m USING (match_id)
    WHERE s.account_id = %(account)s AND s.kind = 'held' AND s.how IS NULL AND m.state IN ('running', 'paused') ORDER BY s.match_id, s.seat;

-- name: open_seats_of
SELECT DISTINCT s.match_id FROM seats s JOIN matches m USING (match_id) WHERE s.account_id = %(account)s AND m.state = 'open' ORDER BY s.match_id;

-- name: open_seats_left: under the heads of their matches, but for those that are about to start
UPDATE seats s SET kind = 'open', account_id = NULL, ready = false, contribution = NULL FROM matches m
    WHERE m.match_id = s.match_id AND m.state = 'open' AND s.account_id = %(account)s
        AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.match_id = s.match_id AND i.kind = 'start' AND i.outcome IS NULL);

-- name: token_made
INSERT INTO tokens (token_id, kind, account_id, secret_hash, label, scopes, bound_to, ends_at, made_by)
    VALUES (%(token)s, %(kind)s, %(account)s, %(hash)s, %(label)s, %(scopes)s, %(bound_to)s::jsonb, %(ends_at)s,
        CASE WHEN %(at_the_machine)s THEN 'machine' WHEN second_factor_of(%(account)s, '{}') = 'on' THEN 'factor' ELSE 'password' END) RETURNING *;

-- name: tokens_of: those of other people's programs come and go by themselves
SELECT t.* FROM tokens t JOIN accounts a USING (account_id) WHERE (a.account_id = %(account)s OR a.owner_id = %(account)s) AND t.grant_id IS NULL
    AND t.revoked_at IS NULL AND t.ends_at > clock_timestamp() ORDER BY t.created_at DESC LIMIT 100;

-- name: token_revoked
UPDATE tokens t SET revoked_at = clock_timestamp() FROM accounts a
    WHERE t.token_id = %(token)s AND t.revoked_at IS NULL AND t.grant_id IS NULL AND a.account_id = t.account_id
      AND (a.account_id = %(account)s OR a.owner_id = %(account)s);

-- name: bots_of
SELECT * FROM accounts WHERE owner_id = %(account)s AND kind = 'bot' AND deleted_at IS NULL ORDER BY created_at LIMIT 1000;

-- name: bot_changed
UPDATE accounts SET about = %(about)s::jsonb, version = version + 1 WHERE account_id = %(account)s AND version = %(version)s;

-- name: ticket_made
INSERT INTO stream_tickets (ticket_hash, account_id, path, token_id, session_id, ends_at)
    VALUES (%(hash)s, %(account)s, %(path)s, %(token)s, %(session)s, clock_timestamp() + %(life)s * interval '1 second') RETURNING ends_at;

-- name: old_rows_forgotten: what has ended is swept now and then
WITH tickets AS (DELETE FROM stream_tickets WHERE ends_at < clock_timestamp() - interval '1 hour'),
     old_talk AS (DELETE FROM talk WHERE at < clock_timestamp() - interval '90 days'),    -- PL-559
     old_keys AS (DELETE FROM idempotency WHERE ends_at < clock_timestamp()),
     old_grants AS (DELETE FROM client_grants WHERE ends_at < clock_timestamp()
        OR (code_used_at IS NULL AND code_ends_at < clock_timestamp() - interval '1 hour')),
     old_access AS (DELETE FROM tokens WHERE kind = 'oat' AND ends_at < clock_timestamp() - interval '1 day')
DELETE FROM sessions WHERE used_at < clock_timestamp() - interval '30 days';

-- name: export_sessions
SELECT jsonb_build_object('session', session_id, 'agent', agent, 'created_at', created_at, 'used_at', used_at) AS line
    FROM sessions WHERE account_id = %(account)s LIMIT 10000;

-- name: export_tokens
SELECT to_jsonb(t) - 'secret_hash' AS line FROM tokens t WHERE account_id = %(account)s ORDER BY created_at LIMIT 10000;

-- name: export_clients
SELECT to_jsonb(c) - 'name_key' AS line FROM clients c WHERE account_id = %(account)s LIMIT 10000;

-- name: export_let_in: PL-179 what programs of others may do, and no secret of it
SELECT jsonb_build_object('client', g.client_id, 'name', c.name, 'scopes', g.scopes, 'granted_at', g.granted_at, 'ends_at', g.ends_at) AS line
    FROM client_grants g JOIN clients c USING (client_id) WHERE g.account_id = %(account)s LIMIT 10000;

-- name: export_bots
SELECT jsonb_build_object('bot', account_id, 'name', name, 'about', about, 'created_at', created_at) AS line
    FROM accounts WHERE owner_id = %(account)s LIMIT 10000;

-- name: export_blocks
SELECT to_jsonb(blocked_id) AS line FROM blocks WHERE account_id = %(account)s LIMIT 10000;

-- name: export_seats
SELECT to_jsonb(s) AS line FROM seats s WHERE account_id = %(account)s LIMIT 10000;

-- name: export_results
SELECT to_jsonb(r) AS line FROM result_seats r WHERE account_id = %(account)s LIMIT 10000;

-- name: export_commands: what was sent and what became of it; the gateway cannot read what it said (PL-815)
SELECT jsonb_build_object('match', match_id, 'command', command_id, 'kind', kind, 'seat', seat, 'ask', ask, 'received_at', received_at,
        'outcome', outcome, 'code', code) AS line
    FROM inbox WHERE match_id IN (SELECT match_id FROM seats WHERE account_id = %(account)s) AND account_id = %(account)s LIMIT 10000;

-- name: export_invitations
SELECT to_jsonb(i) AS line FROM invitations i WHERE account_id = %(account)s LIMIT 10000;

-- name: export_holidays
SELECT jsonb_build_object('begins_at', begins_at, 'ends_at', ends_at, 'days', days) AS line FROM holidays WHERE account_id = %(account)s
    ORDER BY begins_at;

-- name: export_audience
SELECT to_jsonb(m) || jsonb_build_object('answers', (SELECT coalesce(jsonb_object_agg(a.question, a.answer), '{}') FROM audience_answers a
        WHERE a.match_id = m.match_id AND a.member = m.member)) AS line FROM audience_members m WHERE member = %(account)s LIMIT 10000;

-- name: export_second_factor: PL-126 that there is one, and no secret of it
SELECT jsonb_build_object('made_at', made_at, 'on_since', on_since, 'recovery_codes', (SELECT count(*) FROM recovery_codes r WHERE r.account_id = f.account_id)) AS line
    FROM second_factors f WHERE account_id = %(account)s;
