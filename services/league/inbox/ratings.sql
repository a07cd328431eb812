-- Every statement about ratings, by name. The row of a game in rating_heads orders the entries of its record.

-- name: begin_head
INSERT INTO rating_heads (game) VALUES (%(game)s) ON CONFLICT DO NOTHING

-- name: lock_head
SELECT last, stale_from FROM rating_heads WHERE game = %(game)s FOR UPDATE

-- name: move_head
UPDATE rating_heads SET last = %(last)s, stale_from = %(stale)s WHERE game = %(game)s

-- name: stale
SELECT game FROM rating_heads WHERE stale_from IS NOT NULL ORDER BY game

-- name: recorded
SELECT number, match_id, chairs, rated FROM rating_record WHERE match_id = ANY (%(matches)s)

-- name: record
INSERT INTO rating_record (game, number, match_id, competition_id, chairs, rated)
VALUES (%(game)s, %(number)s, %(match)s, %(competition)s, %(chairs)s, true)

-- name: change_record
UPDATE rating_record SET chairs = %(chairs)s, rated = %(rated)s WHERE game = %(game)s AND number = %(number)s

-- name: record_between
SELECT game, number, chairs, rated FROM rating_record WHERE game = %(game)s AND number BETWEEN %(first)s AND %(last)s ORDER BY number

-- name: record_from
SELECT game, number, chairs, rated FROM rating_record WHERE game = %(game)s AND number >= %(first)s ORDER BY number LIMIT %(most)s

-- name: present: where these accounts stand
SELECT account_id, pool, mu, sigma, matches, last FROM ratings WHERE game = %(game)s AND account_id = ANY (%(accounts)s)

-- name: before: what each account had before an entry, by its last one that counts, and its newest entry of all
SELECT a.account_id, p.pool, e.mu_after AS mu, e.sigma_after AS sigma, n.newest
FROM unnest(%(accounts)s::text[]) AS a (account_id) CROSS JOIN (VALUES ('human'), ('open')) AS p (pool)
    CROSS JOIN LATERAL (
        SELECT max(o.number) AS newest FROM rating_entries o WHERE o.account_id = a.account_id AND o.game = %(game)s AND o.pool = p.pool) AS n
    LEFT JOIN LATERAL (
        SELECT o.mu_after, o.sigma_after FROM rating_entries o
        WHERE o.account_id = a.account_id AND o.game = %(game)s AND o.pool = p.pool AND o.number < %(first)s AND o.counted AND NOT EXISTS (SELECT FROM rating_entries r WHERE r.game = o.game AND r.number = o.number
            AND r.account_id = o.account_id AND r.pool = o.pool AND r.revision > o.revision)
        ORDER BY o.number DESC LIMIT 1) AS e ON true
WHERE n.newest IS NOT NULL

-- name: entries_between: the newest revision of each
SELECT DISTINCT ON (number, account_id, pool) number, account_id, pool, revision, mu_before, sigma_before, mu_after, sigma_after, counted
FROM rating_entries WHERE game = %(game)s AND number BETWEEN %(first)s AND %(last)s ORDER BY number, account_id, pool, revision DESC

-- name: add_entries
INSERT INTO rating_entries (game, number, account_id, pool, revision, rule_version, mu_before, sigma_before, mu_after, sigma_after, counted)
SELECT %(game)s, e.number, e.account, e.pool, e.revision, %(rule)s, e.mu_before, e.sigma_before, e.mu_after, e.sigma_after, e.counted
FROM json_to_recordset(%(rows)s) AS e (number bigint, account text, pool text, revision integer, mu_before double precision,
    sigma_before double precision, mu_after double precision, sigma_after double precision, counted boolean)

-- name: put_ratings
INSERT INTO ratings (account_id, game, pool, mu, sigma, matches, last)
SELECT r.account, %(game)s, r.pool, r.mu, r.sigma, r.matches, r.last
FROM json_to_recordset(%(rows)s) AS r (account text, pool text, mu double precision, sigma double precision, matches integer, last bigint)
ON CONFLICT (account_id, game, pool) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, matches = excluded.matches, last = excluded.last

-- name: put_again: where their entries leave these accounts
WITH latest AS (
    SELECT DISTINCT ON (e.account_id, e.pool) e.account_id, e.pool, e.mu_after, e.sigma_after, e.number,
        count(*) OVER (PARTITION BY e.account_id, e.pool) AS matches
    FROM json_to_recordset(%(rows)s) AS w (account text, pool text)
        JOIN rating_entries e ON e.account_id = w.account AND e.game = %(game)s AND e.pool = w.pool
    WHERE e.counted AND NOT EXISTS (SELECT FROM rating_entries r WHERE r.game = e.game AND r.number = e.number
            AND r.account_id = e.account_id AND r.pool = e.pool AND r.revision > e.revision)
    ORDER BY e.account_id, e.pool, e.number DESC)
INSERT INTO ratings (account_id, game, pool, mu, sigma, matches, last)
SELECT account_id, %(game)s, pool, mu_after, sigma_after, matches, number FROM latest
ON CONFLICT (account_id, game, pool) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, matches = excluded.matches, last = excluded.last

-- name: drop_unrated: whoever has no rated match left has no rating
DELETE FROM ratings s USING json_to_recordset(%(rows)s) AS w (account text, pool text)
WHERE s.game = %(game)s AND s.account_id = w.account AND s.pool = w.pool AND NOT EXISTS (
    SELECT FROM rating_entries e WHERE e.account_id = w.account AND e.game = %(game)s AND e.pool = w.pool AND e.counted
        AND NOT EXISTS (SELECT FROM rating_entries r WHERE r.game = e.game AND r.number = e.number
            AND r.account_id = e.account_id AND r.pool = e.pool AND r.revision > e.revision))
