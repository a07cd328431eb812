-- Views of a running match that two people open for one of them (PL-157), and the log of what people with a role did (PL-158, PL-694).

-- name: asked: one at a time for each seat and person
INSERT INTO opened_views (match_id, number, seat, account_id, reason)
    SELECT %(match)s, (SELECT coalesce(max(o.number), 0) + 1 FROM opened_views o WHERE o.match_id = %(match)s), %(seat)s, %(account)s, %(reason)s
    WHERE NOT EXISTS (SELECT FROM opened_views o WHERE o.match_id = %(match)s AND o.seat = %(seat)s AND o.account_id = %(account)s
        AND (o.confirmed_at IS NULL OR o.closes_at > clock_timestamp()))
    RETURNING number

-- name: opened_view
SELECT o.match_id, o.number, o.seat, o.account_id, o.reason, o.confirmed_at, o.closes_at FROM opened_views o
    WHERE o.match_id = %(match)s AND o.number = %(number)s FOR UPDATE

-- name: confirmed
UPDATE opened_views SET confirmed_by = %(account)s, confirmed_at = clock_timestamp(), closes_at = clock_timestamp() + %(life)s * interval '1 second'
    WHERE match_id = %(match)s AND number = %(number)s AND confirmed_at IS NULL

-- name: looked: by whom it was opened for, while it is open and the match goes on; what is read within a minute is one look
WITH before AS (
    SELECT o.match_id, o.number, o.last_look_at IS NULL OR o.last_look_at < now() - interval '1 minute' AS anew
    FROM opened_views o JOIN matches m USING (match_id)
    WHERE o.match_id = %(match)s AND o.number = %(number)s AND o.account_id = %(account)s AND o.confirmed_at IS NOT NULL
        AND o.closes_at > clock_timestamp() AND m.ended_at IS NULL FOR UPDATE OF o)
UPDATE opened_views o SET looks = o.looks + before.anew::integer, first_look_at = coalesce(o.first_look_at, now()), last_look_at = now()
    FROM before WHERE o.match_id = before.match_id AND o.number = before.number
    RETURNING o.seat, o.reason, before.anew

-- name: opened_views
SELECT o.number, o.seat, jsonb_build_object('account', a.account_id, 'name', a.name) AS by, o.reason, o.asked_at,
        CASE WHEN c.account_id IS NOT NULL THEN jsonb_build_object('account', c.account_id, 'name', c.name) END AS confirmed_by,
        o.confirmed_at, o.closes_at, o.looks, o.first_look_at, o.last_look_at,
        o.confirmed_at IS NOT NULL AND o.closes_at > clock_timestamp() AND m.ended_at IS NULL AS open
    FROM opened_views o JOIN matches m USING (match_id) JOIN accounts a USING (account_id) LEFT JOIN accounts c ON c.account_id = o.confirmed_by
    WHERE o.match_id = %(match)s AND (NOT %(told)s OR o.confirmed_at IS NOT NULL) ORDER BY o.number

-- name: bot_sits: a bot of theirs holds a seat
SELECT 1 AS yes FROM seats s JOIN accounts b USING (account_id) WHERE s.match_id = %(match)s AND b.owner_id = %(account)s LIMIT 1

-- name: audit: newest first
SELECT l.number, l.at, l.who, a.name, l.what, l."on", l.reason, l.before, l.after, encode(l.chain, 'hex') AS chain
    FROM audit l LEFT JOIN accounts a ON a.account_id = l.who
    WHERE (%(below)s::bigint IS NULL OR l.number < %(below)s) AND (%(on)s::text IS NULL OR l."on" = %(on)s) AND (%(what)s::text IS NULL OR l.what = %(what)s)
    ORDER BY l.number DESC LIMIT %(most)s
