-- Everything the gateway asks about webhooks. Secrets go in encrypted and are read by the relay alone; what is owed, triggers write.

-- name: hooks: of an organisation, oldest first
SELECT hook_id, organisation_id, address, types, description, state, why, failures, created_at, paused_at, old_until FROM hooks
WHERE organisation_id = %(organisation)s AND state <> 'removed' ORDER BY created_at, hook_id

-- name: hook
SELECT hook_id, organisation_id, address, types, description, state, why, failures, created_at, paused_at, old_until FROM hooks
WHERE hook_id = %(hook)s AND organisation_id = %(organisation)s AND state <> 'removed'

-- name: made
INSERT INTO hooks (hook_id, organisation_id, address, types, description, secret, created_by)
VALUES (%(hook)s, %(organisation)s, %(address)s, %(types)s, %(description)s, %(secret)s, %(account)s)

-- name: changed: what is not named stays
UPDATE hooks SET address = coalesce(%(address)s, address), types = coalesce(%(types)s, types), description = coalesce(%(description)s, description)
WHERE hook_id = %(hook)s

-- name: paused
UPDATE hooks SET state = 'paused', why = 'owner', paused_at = clock_timestamp() WHERE hook_id = %(hook)s AND state = 'active'

-- name: lines_due: before the hook itself, in the order in which the relay locks them too
UPDATE hook_lines SET tries = 0, due_at = clock_timestamp() WHERE hook_id = %(hook)s AND due_at IS NOT NULL
    AND EXISTS (SELECT FROM hooks h WHERE h.hook_id = %(hook)s AND h.state = 'paused')

-- name: resumed
UPDATE hooks SET state = 'active', why = '', failures = 0, paused_at = NULL WHERE hook_id = %(hook)s AND state = 'paused'

-- name: lines_gone
DELETE FROM hook_lines WHERE hook_id = %(hook)s

-- name: deliveries_gone
DELETE FROM hook_deliveries WHERE hook_id = %(hook)s

-- name: removed
UPDATE hooks SET state = 'removed', why = '', secret = '', old_secret = NULL, old_until = NULL, paused_at = NULL WHERE hook_id = %(hook)s

-- name: secret_changed
SELECT change_hook_secret(%(hook)s, %(secret)s) AS old_until

-- name: trial: numbered by itself
WITH counted AS (UPDATE hooks SET tests = tests + 1 WHERE hook_id = %(hook)s RETURNING tests)
INSERT INTO hook_deliveries (hook_id, competition_id, number, delivery_id, body)
SELECT %(hook)s, '', counted.tests, %(delivery)s, hook_body(%(type)s, clock_timestamp(), %(facts)s) FROM counted RETURNING delivery_id

-- name: line_due
INSERT INTO hook_lines (hook_id, competition_id, due_at) VALUES (%(hook)s, '', clock_timestamp())
ON CONFLICT (hook_id, competition_id) DO UPDATE SET due_at = coalesce(hook_lines.due_at, excluded.due_at)

-- name: replay
SELECT replay_hook(%(hook)s, %(competition)s, %(event)s) AS waiting

-- name: waiting: the first undelivered number of each competition (LG-1015)
SELECT competition_id AS competition, min(number) AS event, count(*)::integer AS waiting FROM hook_deliveries
WHERE hook_id = %(hook)s AND state = 'waiting' AND competition_id <> '' GROUP BY competition_id ORDER BY min(made_at), competition_id LIMIT %(most)s

-- name: deliveries: newest first
SELECT delivery_id, competition_id, number, body, state, attempts, status, reason, made_at, tried_at, done_at FROM hook_deliveries
WHERE hook_id = %(hook)s AND (%(state)s::text IS NULL OR state = %(state)s) AND (%(competition)s::text IS NULL OR competition_id = %(competition)s)
    AND (%(before)s::timestamptz IS NULL OR (made_at, delivery_id) < (%(before)s::timestamptz, %(before_id)s)) ORDER BY made_at DESC, delivery_id DESC LIMIT %(most)s
