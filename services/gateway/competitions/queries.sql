-- Everything the gateway asks about championships, by name. What the league counts is only read here.

-- name: made
INSERT INTO championships (championship_id, name, organiser_id, game, game_version, format, planned_rounds, table_min, table_max, table_preferred,
                           points, options, clock, opponents, round_break_ms, seed, seed_hash)
VALUES (%(championship)s, %(name)s, %(organiser)s, %(game)s, %(version)s, 'round_robin', %(rounds)s, %(least)s, %(most)s, %(preferred)s,
        %(points)s, %(options)s, %(clock)s, %(opponents)s, %(round_break_ms)s, %(seed)s, %(seed_hash)s)

-- name: locked: one write on a championship at a time (LG-147)
SELECT championship_id, organiser_id, state, version, opponents, table_min FROM championships WHERE championship_id = %(championship)s FOR UPDATE

-- name: count_entrants
SELECT count(*) AS entrants FROM entrants WHERE championship_id = %(championship)s AND state = 'entered'

-- name: entrant
SELECT state FROM entrants WHERE championship_id = %(championship)s AND account_id = %(account)s

-- name: entered
INSERT INTO entrants (championship_id, account_id) VALUES (%(championship)s, %(account)s)
ON CONFLICT (championship_id, account_id) DO UPDATE SET state = 'entered', entered_at = clock_timestamp() WHERE entrants.state = 'withdrawn'

-- name: withdrawn
UPDATE entrants SET state = 'withdrawn' WHERE championship_id = %(championship)s AND account_id = %(account)s AND state = 'entered'

-- name: raised
UPDATE championships SET version = version + 1 WHERE championship_id = %(championship)s

-- name: started
UPDATE championships SET state = 'running', started_at = clock_timestamp(), version = version + 1 WHERE championship_id = %(championship)s

-- name: listed: newest first
SELECT c.championship_id, c.name, c.organiser_id, o.name AS organiser_name, c.game, g.title, c.game_version, c.format, c.planned_rounds, c.table_min,
       c.table_max, c.table_preferred, c.points, c.options, c.clock, c.opponents, c.round_break_ms, c.seed_hash, c.seed_shown, c.state, c.version,
       c.as_of, c.created_at, c.started_at, c.ended_at,
       (SELECT count(*) FROM entrants e WHERE e.championship_id = c.championship_id AND e.state = 'entered') AS entrants,
       (SELECT coalesce(max(r.round), 0) FROM rounds r WHERE r.championship_id = c.championship_id) AS round,
       (SELECT count(*) FROM pairings p WHERE p.championship_id = c.championship_id AND p.state = 'running') AS open_pairings
FROM championships c JOIN accounts o ON o.account_id = c.organiser_id LEFT JOIN games g ON g.game = c.game AND g.version = c.game_version
WHERE (%(championship)s::text IS NULL OR c.championship_id = %(championship)s)
    AND (%(game)s::text IS NULL OR c.game = %(game)s) AND (%(state)s::text IS NULL OR c.state = %(state)s)
    AND (%(account)s::text IS NULL OR EXISTS (
        SELECT FROM entrants e WHERE e.championship_id = c.championship_id AND e.account_id = %(account)s AND e.state = 'entered'))
    AND (%(before)s::timestamptz IS NULL OR (c.created_at, c.championship_id) < (%(before)s::timestamptz, %(before_id)s::text))
ORDER BY c.created_at DESC, c.championship_id DESC LIMIT %(most)s

-- name: entrants: in the order of entry; withdrawn ones stay, marked
SELECT e.account_id AS account, a.name, a.kind, owner.name AS owner, e.state, e.number, e.entered_at
FROM entrants e JOIN accounts a USING (account_id) LEFT JOIN accounts owner ON owner.account_id = a.owner_id
WHERE e.championship_id = %(championship)s
    AND (%(after)s::timestamptz IS NULL OR (e.entered_at, e.account_id) > (%(after)s::timestamptz, %(after_id)s::text))
ORDER BY e.entered_at, e.account_id LIMIT %(most)s

-- name: rounds
SELECT r.round, r.state, r.published_at, r.completed_at,
    coalesce((SELECT jsonb_agg(jsonb_build_object('table', p.table_no, 'match', p.match_id, 'state', p.state, 'match_state', m.state, 'seats', (
            SELECT jsonb_agg(jsonb_build_object('seat', a.seat, 'number', a.number, 'account', c.account_id, 'name', c.name, 'kind', c.kind,
                                                'place', s.place, 'score', s.score, 'how', s.how, 'points_n', s.points_n, 'points_d', s.points_d)
                             ORDER BY a.seat)
            FROM appearances a JOIN entrants e USING (championship_id, number) JOIN accounts c USING (account_id)
            LEFT JOIN recorded_seats s ON p.state = 'confirmed' AND s.match_id = p.match_id AND s.number = a.number
            WHERE (a.championship_id, a.round, a.table_no) = (p.championship_id, p.round, p.table_no))) ORDER BY p.table_no)
        FROM pairings p JOIN matches m USING (match_id) WHERE p.championship_id = r.championship_id AND p.round = r.round), '[]') AS pairings,
    coalesce((SELECT jsonb_agg(jsonb_build_object('number', a.number, 'account', c.account_id, 'name', c.name, 'kind', c.kind) ORDER BY a.number)
        FROM appearances a JOIN entrants e USING (championship_id, number) JOIN accounts c USING (account_id)
        WHERE a.championship_id = r.championship_id AND a.round = r.round AND a.kind = 'rest'), '[]') AS rests
FROM rounds r WHERE r.championship_id = %(championship)s AND r.round > %(after)s ORDER BY r.round LIMIT %(most)s

-- name: standings: head and lines by one statement, so that they are of one version
SELECT c.championship_id AS championship, c.state, c.as_of,
    (SELECT count(*) FROM pairings p WHERE p.championship_id = c.championship_id AND p.state = 'running') AS open_pairings,
    coalesce((SELECT jsonb_agg(jsonb_build_object('rank', s.rank, 'number', s.number, 'account', a.account_id, 'name', a.name, 'kind', a.kind,
                    'points_n', s.points_n, 'points_d', s.points_d, 'played', s.played, 'places', s.places, 'ties', s.ties, 'decided', s.decided)
                    ORDER BY s.rank, s.number)
        FROM standings s JOIN entrants e USING (championship_id, number) JOIN accounts a USING (account_id)
        WHERE s.championship_id = c.championship_id), '[]') AS lines
FROM championships c WHERE c.championship_id = %(championship)s
