-- Every statement of the league, by name. One championship is written by one transaction at a time: whoever locks its row.

-- name: waiting: the outbox, taken with locks and marked, never paged by number (PL-345)
SELECT number, match_id, step, topic FROM outbox WHERE done_at IS NULL ORDER BY number LIMIT %(most)s FOR UPDATE SKIP LOCKED

-- name: consume: no row where this was delivered before (PL-346)
INSERT INTO consumed (consumer, match_id, step, topic) VALUES ('league', %(match_id)s, %(step)s, %(topic)s) ON CONFLICT DO NOTHING

-- name: mark_done
UPDATE outbox SET done_at = clock_timestamp() WHERE number = ANY (%(numbers)s)

-- name: unrecorded: ended matches of which the league knows nothing yet, and results voided since (PL-347)
SELECT p.match_id FROM pairings p JOIN matches m USING (match_id)
WHERE p.state = 'running' AND m.state IN ('finished', 'aborted', 'voided', 'expired')
UNION
SELECT p.match_id FROM matches m JOIN pairings p USING (match_id) WHERE m.state = 'voided' AND p.state = 'confirmed'
LIMIT %(most)s

-- name: lock_of_match: a record finds its championship by the match id alone (LG-203)
SELECT c.* FROM championships c JOIN pairings p USING (championship_id) WHERE p.match_id = %(match_id)s FOR UPDATE OF c

-- name: lock
SELECT * FROM championships WHERE championship_id = %(championship)s FOR UPDATE

-- name: championship
SELECT * FROM championships WHERE championship_id = %(championship)s

-- name: pairing
SELECT p.round, p.table_no, p.state, m.state AS match_state FROM pairings p JOIN matches m USING (match_id) WHERE p.match_id = %(match_id)s

-- name: places: what the match service says of each seat, and which entrant was seated there
SELECT a.seat, a.number, r.place, r.score, r.how
FROM pairings p
JOIN appearances a USING (championship_id, round, table_no)
LEFT JOIN result_seats r ON r.match_id = p.match_id AND r.seat = a.seat
WHERE p.match_id = %(match_id)s ORDER BY a.seat

-- name: record
INSERT INTO recorded_results (match_id, championship_id, version) VALUES (%(match_id)s, %(championship)s, %(version)s)

-- name: record_seat
INSERT INTO recorded_seats (match_id, seat, number, place, score, how, points_n, points_d)
VALUES (%(match_id)s, %(seat)s, %(number)s, %(place)s, %(score)s, %(how)s, %(points_n)s, %(points_d)s)

-- name: withdraw_record
UPDATE recorded_results SET withdrawn_version = %(version)s WHERE match_id = %(match_id)s AND withdrawn_version IS NULL

-- name: set_pairing
UPDATE pairings SET state = %(state)s WHERE match_id = %(match_id)s

-- name: complete_rounds: asked of the match rows, never of a counter (PL-260, LG-169)
UPDATE rounds r SET state = 'complete', completed_at = clock_timestamp()
WHERE r.championship_id = %(championship)s AND r.state = 'published' AND NOT EXISTS (
    SELECT FROM pairings p JOIN matches m USING (match_id)
    WHERE p.championship_id = r.championship_id AND p.round = r.round
        AND (p.state = 'running' OR m.state IN ('open', 'running', 'paused', 'stuck')))

-- name: set_version
UPDATE championships SET version = %(version)s WHERE championship_id = %(championship)s

-- name: due: where a round may start, or where the last one is over
SELECT c.championship_id FROM championships c
LEFT JOIN LATERAL (SELECT * FROM rounds r WHERE r.championship_id = c.championship_id ORDER BY r.round DESC LIMIT 1) AS latest ON true
WHERE c.state = 'running' AND (latest.round IS NULL OR latest.state = 'complete' AND (latest.round >= c.planned_rounds
    OR latest.completed_at + c.round_break_ms * interval '1 millisecond' <= clock_timestamp()))
ORDER BY c.championship_id

-- name: behind: standings that are older than what they are made of
SELECT championship_id FROM championships WHERE as_of < version AND state <> 'open' ORDER BY championship_id

-- name: latest_round
SELECT round, state FROM rounds WHERE championship_id = %(championship)s ORDER BY round DESC LIMIT 1

-- name: field
SELECT account_id, number FROM entrants WHERE championship_id = %(championship)s AND state = 'entered' ORDER BY number, account_id

-- name: past: who was where in each round; a void table counts as if it had never been (LG-213, LG-295)
SELECT a.round, a.table_no, array_agg(a.number ORDER BY a.seat, a.number) AS numbers
FROM appearances a LEFT JOIN pairings p USING (championship_id, round, table_no)
WHERE a.championship_id = %(championship)s AND p.state IS DISTINCT FROM 'void'
GROUP BY a.round, a.table_no ORDER BY a.round, a.table_no

-- name: set_number
UPDATE entrants SET number = %(number)s WHERE championship_id = %(championship)s AND account_id = %(account)s

-- name: make_round
INSERT INTO rounds (championship_id, round) VALUES (%(championship)s, %(round)s)

-- name: seat_pairing: the match with its seats, told to start
SELECT seat_pairing(%(match_id)s, %(command_id)s, %(championship)s, %(round)s, %(table_no)s, %(accounts)s) AS match_id

-- name: make_pairing
INSERT INTO pairings (championship_id, round, table_no, match_id) VALUES (%(championship)s, %(round)s, %(table_no)s, %(match_id)s)

-- name: make_appearance
INSERT INTO appearances (championship_id, round, number, kind, table_no, seat)
VALUES (%(championship)s, %(round)s, %(number)s, %(kind)s, %(table_no)s, %(seat)s)

-- name: finish: the seed is shown after the last draw (LG-254)
UPDATE championships SET state = 'finished', ended_at = clock_timestamp(), seed_shown = encode(seed, 'hex'), version = %(version)s
WHERE championship_id = %(championship)s

-- name: counted: the results that count, table by table
SELECT s.match_id, s.number, s.place, s.score, s.how
FROM recorded_results r JOIN recorded_seats s USING (match_id)
WHERE r.championship_id = %(championship)s AND r.withdrawn_version IS NULL ORDER BY s.match_id, s.seat

-- name: drop_standing
DELETE FROM standings WHERE championship_id = %(championship)s

-- name: save_lines: all of them by one statement
INSERT INTO standings (championship_id, number, rank, points_n, points_d, played, places, ties, decided)
SELECT %(championship)s, l.number, l.rank, l.points_n, l.points_d, l.played, l.places, l.ties, l.decided
FROM jsonb_to_recordset(%(lines)s) AS l (number integer, rank integer, points_n bigint, points_d bigint, played integer, places integer[],
                                         ties jsonb, decided text)

-- name: set_as_of
UPDATE championships SET as_of = version WHERE championship_id = %(championship)s
