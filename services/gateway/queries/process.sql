-- What a gateway process asks for itself: time, pulses, queues, keys of requests, audit.

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

-- name: audit_head
SELECT chain FROM audit_head FOR UPDATE;

-- name: audited
INSERT INTO audit (who, what, "on", reason, before, after, chain)
    VALUES (%(who)s, %(what)s, %(on)s, %(reason)s, %(before)s, %(after)s, %(chain)s);

-- name: audit_head_moved
UPDATE audit_head SET chain = %(chain)s;

-- name: backlog_noted: PL-670
SELECT note_backlog(%(game)s, %(since)s, %(until)s)::text AS noted;

-- name: paces: CH-453 how often a minute a player may send a command, where a field of it says so in the newest version of its game
SELECT game, verb, min(most)::integer AS most FROM (
    SELECT DISTINCT ON (g.game) g.game, g.schemas FROM games g ORDER BY g.game, g.version DESC) newest,
    LATERAL jsonb_path_query(schemas, '$.commands."$defs".*') command,
    LATERAL (SELECT jsonb_path_query_first(command, '$.properties.do.enum[0]') #>> '{}' AS verb) named,
    LATERAL (SELECT (jsonb_path_query(command, '$.properties.*.a_minute') #>> '{}')::numeric AS most) paced
    GROUP BY game, verb;

-- name: talk_fields: PL-557 where players say something to each other inside a command, in any version of a game
SELECT DISTINCT jsonb_path_query_first(command, '$.properties.do.enum[0]') #>> '{}' AS verb, field.key AS field
    FROM games g, LATERAL jsonb_path_query(g.schemas, '$.commands."$defs".*') command, LATERAL jsonb_each(command -> 'properties') field
    WHERE field.value -> 'talk' = 'true';
