-- What is held back from those who only look on (LG-810), and what nobody is told at all (LG-954), by name.

-- name: begin_pages: what could be read until now goes on to be read
INSERT INTO competition_pages (competition_id, name, part, version, body)
SELECT competition_id, 'shown/' || name, part, version, body FROM competition_pages
WHERE competition_id = %(competition)s AND name NOT LIKE 'drafted/%%' AND name NOT LIKE 'appointments/%%' AND name NOT LIKE 'shown/%%'

-- name: begin
UPDATE competitions SET shown_version = pages_version WHERE competition_id = %(competition)s

-- name: end_pages
DELETE FROM competition_pages WHERE competition_id = %(competition)s AND name LIKE 'shown/%%'

-- name: end
UPDATE competitions SET shown_version = NULL, show_at = NULL WHERE competition_id = %(competition)s

-- name: look_again: when the first event that is held back may be shown
UPDATE competitions c SET show_at = (
    SELECT min(e.at) + %(late)s * interval '1 millisecond' FROM competition_events e
    WHERE e.competition_id = c.competition_id AND e.number > c.shown_version)
WHERE competition_id = %(competition)s

-- name: due: where something may be shown now
SELECT competition_id FROM competitions WHERE show_at <= clock_timestamp() AND fault IS NULL ORDER BY show_at LIMIT %(most)s

-- name: old: the last event that is older than the delay
SELECT max(number) AS number FROM competition_events
WHERE competition_id = %(competition)s AND number > %(shown)s AND at <= clock_timestamp() - %(late)s * interval '1 millisecond'

-- name: lock: only if nobody has shown more meanwhile
SELECT version FROM competitions WHERE competition_id = %(competition)s AND shown_version = %(shown)s FOR UPDATE

-- name: show
UPDATE competitions SET shown_version = %(version)s WHERE competition_id = %(competition)s

-- name: blocked: of these accounts, who has blocked whom
SELECT b.account_id, b.blocked_id FROM blocks b
WHERE b.account_id IN (SELECT unnest(%(accounts)s::text[])) AND b.blocked_id IN (SELECT unnest(%(accounts)s::text[]))

-- name: kept
SELECT couples, salt FROM competition_couples WHERE competition_id = %(competition)s AND stage = %(stage)s AND round = %(round)s

-- name: forget_kept: another draft takes its place
DELETE FROM competition_couples WHERE competition_id = %(competition)s AND stage = %(stage)s AND round = %(round)s

-- name: keep
INSERT INTO competition_couples (competition_id, stage, round, couples, salt) VALUES (%(competition)s, %(stage)s, %(round)s, %(couples)s, %(salt)s)
