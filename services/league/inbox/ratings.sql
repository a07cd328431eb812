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

-- name: before: what each account had before an entry: its last entry that counts, and how many there are
WITH valid AS (
    SELECT DISTINCT ON (account_id, pool, number) account_id, pool, number, mu_after, sigma_after, counted FROM rating_entries
    WHERE game = %(game)s AND account_id = ANY (%(accounts)s) AND number < %(first)s
    ORDER BY account_id, pool, number DESC, revision DESC)
SELECT DISTINCT ON (account_id, pool) account_id, pool, number, mu_after AS mu, sigma_after AS sigma,
    count(*) OVER (PARTITION BY account_id, pool) AS matches
FROM valid WHERE counted ORDER BY account_id, pool, number DESC

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

-- name: drop_ratings
DELETE FROM ratings USING json_to_recordset(%(rows)s) AS gone (account text, pool text)
WHERE ratings.game = %(game)s AND ratings.account_id = gone.account AND ratings.pool = gone.pool
