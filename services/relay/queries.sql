-- Everything the relay asks: which delivery is to be sent now, and what became of it.

-- name: take: lines whose time has come, each for one relay; their time is now when they count as lost (PL-600)
UPDATE hook_lines l SET turn = l.turn + 1, tries = l.tries + 1, due_at = clock_timestamp() + %(lease)s * interval '1 second'
FROM (SELECT f.hook_id, f.competition_id FROM hook_lines f JOIN hooks h USING (hook_id)
      WHERE f.due_at <= clock_timestamp() AND h.state = 'active' ORDER BY f.due_at LIMIT %(most)s FOR UPDATE OF f SKIP LOCKED) AS found
WHERE l.hook_id = found.hook_id AND l.competition_id = found.competition_id
RETURNING l.hook_id, l.competition_id, l.turn, l.tries

-- name: first: the delivery at the head of a line, with how to send it (LG-1014); never before everybody may know of it (PL-594, LG-810)
UPDATE hook_deliveries d SET attempts = d.attempts + 1, tried_at = clock_timestamp() FROM hooks h
WHERE d.hook_id = %(hook)s AND h.hook_id = d.hook_id AND d.competition_id = %(competition)s AND d.number = (
    SELECT number FROM hook_deliveries WHERE hook_id = %(hook)s AND competition_id = %(competition)s AND state = 'waiting'
        AND number <= coalesce((SELECT c.shown_version FROM competitions c WHERE c.competition_id = %(competition)s), 2147483647)
    ORDER BY number LIMIT 1)
RETURNING d.hook_id, d.competition_id, d.number, d.delivery_id, d.body, d.attempts, h.address, h.secret,
    CASE WHEN h.old_until > clock_timestamp() THEN h.old_secret END AS old_secret

-- name: rest: nothing waits in this line, or only what may not be told yet
UPDATE hook_lines l SET tries = 0, due_at = (SELECT clock_timestamp() + interval '2 seconds' FROM hook_deliveries d
    WHERE d.hook_id = l.hook_id AND d.competition_id = l.competition_id AND d.state = 'waiting' LIMIT 1)
WHERE l.hook_id = %(hook)s AND l.competition_id = %(competition)s

-- name: held: the line, if nobody has taken it since
SELECT 1 AS mine FROM hook_lines WHERE hook_id = %(hook)s AND competition_id = %(competition)s AND turn = %(turn)s FOR UPDATE

-- name: arrived
UPDATE hook_deliveries SET state = 'done', status = %(status)s, reason = NULL, done_at = clock_timestamp()
WHERE hook_id = %(hook)s AND competition_id = %(competition)s AND number = %(number)s AND state = 'waiting'

-- name: go_on: with the next one, if there is one
UPDATE hook_lines l SET tries = 0, due_at = (SELECT clock_timestamp() FROM hook_deliveries d
    WHERE d.hook_id = l.hook_id AND d.competition_id = l.competition_id AND d.state = 'waiting' LIMIT 1)
WHERE l.hook_id = %(hook)s AND l.competition_id = %(competition)s

-- name: works_again
UPDATE hooks SET failures = 0 WHERE hook_id = %(hook)s AND failures > 0

-- name: failed
UPDATE hook_deliveries SET status = %(status)s, reason = %(reason)s WHERE hook_id = %(hook)s AND competition_id = %(competition)s AND number = %(number)s

-- name: later
UPDATE hook_lines SET due_at = clock_timestamp() + %(wait)s * interval '1 second' WHERE hook_id = %(hook)s AND competition_id = %(competition)s

-- name: count_failure
UPDATE hooks SET failures = failures + 1 WHERE hook_id = %(hook)s RETURNING organisation_id, failures, state

-- name: pause: shown to the owners (LG-1015, PL-598)
UPDATE hooks SET state = 'paused', why = %(why)s, paused_at = clock_timestamp() WHERE hook_id = %(hook)s AND state = 'active'

-- name: tell_owners: once for each time that it is paused
INSERT INTO notices (account_id, cause, kind, facts)
SELECT DISTINCT r.account_id, 'hook ' || %(hook)s || ' ' || %(delivery)s || ' ' || %(attempt)s, 'hook_paused',
    jsonb_build_object('hook', %(hook)s::text, 'organisation', %(organisation)s::text, 'why', %(why)s::text)
FROM organisation_roles r WHERE r.organisation_id = %(organisation)s AND r.role <> 'referee' ON CONFLICT DO NOTHING

-- name: forget_secrets: that sign no longer (PL-592)
UPDATE hooks SET old_secret = NULL, old_until = NULL WHERE old_until < clock_timestamp()

-- name: forget_deliveries: that arrived long ago; a replay makes them again, the same bytes
DELETE FROM hook_deliveries d USING (SELECT f.hook_id, f.competition_id, f.number FROM hook_deliveries f
    WHERE f.state <> 'waiting' AND f.done_at < clock_timestamp() - %(kept)s * interval '1 second' LIMIT %(most)s) AS old
WHERE d.hook_id = old.hook_id AND d.competition_id = old.competition_id AND d.number = old.number
