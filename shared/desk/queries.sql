-- Statements of the programs for people: matches that are run again, and what the doctor looks for.

-- name: opening
SELECT m.match_id AS match, m.game, m.version, m.pack_hash AS pack, m.seats, m.options, m.state, m.seed_number, l.commitment, e.seed,
       (SELECT array_agg(s.contribution ORDER BY s.seat) FROM seats s WHERE s.match_id = m.match_id) AS contributions
FROM matches m JOIN seed_list l ON l.number = m.seed_number JOIN seeds e ON e.number = m.seed_number
WHERE m.match_id = %(match)s

-- name: steps
SELECT step, kind, seat, command, events, draws, salt, state_hash, chain FROM steps WHERE match_id = %(match)s ORDER BY step

-- name: played_matches: of one version of a game
SELECT m.match_id AS match FROM matches m WHERE m.game = %(game)s AND m.version = %(version)s
    AND EXISTS (SELECT FROM steps s WHERE s.match_id = m.match_id) ORDER BY m.created_at, m.match_id

-- name: letters: what one reader was told; reader 0 means openly
SELECT l.step, CASE WHEN %(reader)s = 0 THEN l.open ELSE l.bodies[%(reader)s] END AS body
FROM letters l WHERE l.match_id = %(match)s ORDER BY l.step

-- name: match
SELECT match_id AS match, game, seats, state FROM matches WHERE match_id = %(match)s

-- name: record
SELECT record FROM records WHERE match_id = %(match)s
