-- What concerns one player over all competitions; private ones only where the reader may know of them (LG-129, LG-1005), and before a spectator
-- delay has passed only for their table and the officials (LG-810).

-- name: open: tables that are not decided, the nearest deadline first
SELECT s.competition_id AS tournament, c.name, c.game, s.stage, s.round, s.place_in_round AS table, s.state, s.match_id AS match, s.seats,
    (SELECT (jsonb_path_query_first(p.body::jsonb, '$.pairings[*] ? (@.table == $t).deadline', jsonb_build_object('t', s.place_in_round)) #>> '{}')::bigint
     FROM competition_pages p WHERE p.competition_id = s.competition_id AND p.name = 'round/' || s.stage || '/' || s.round
        AND p.part = (s.place_in_round - 1) / 500) AS deadline,
    ARRAY(SELECT o.account_id FROM competition_seats o WHERE o.competition_id = s.competition_id AND o.stage = s.stage AND o.round = s.round
        AND o.place_in_round = s.place_in_round AND o.account_id <> s.account_id ORDER BY o.account_id) AS accounts
FROM competition_seats s JOIN competitions c USING (competition_id)
WHERE s.account_id = %(account)s AND s.decided_at IS NULL AND s.state IN ('open', 'ready', 'running', 'reported') AND c.state = 'running'
    AND (%(all)s OR may_know(c.competition_id, c.organisation_id, c.visibility, %(reader)s))
    AND (%(all)s OR shown_to_all(s.competition_id, s.decided_at) OR EXISTS (
        SELECT FROM competition_seats o LEFT JOIN accounts b USING (account_id)
        WHERE (o.competition_id, o.stage, o.round, o.place_in_round) = (s.competition_id, s.stage, s.round, s.place_in_round)
            AND %(reader)s IN (o.account_id, b.owner_id))
        OR EXISTS (SELECT FROM organisation_roles r WHERE r.organisation_id = c.organisation_id AND r.account_id = %(reader)s)
        OR EXISTS (SELECT FROM officials f WHERE f.competition_id = c.competition_id AND f.account_id = %(reader)s))
ORDER BY deadline NULLS LAST, s.competition_id, s.stage, s.round, s.place_in_round LIMIT %(most)s

-- name: byes: asked for and not taken back, in rounds that are not published
SELECT asked.* FROM (
    SELECT DISTINCT ON (e.competition_id, f.stage, f.round) e.competition_id AS tournament, c.name, c.game, f.stage, f.round, f.bye
    FROM competition_events e JOIN competitions c USING (competition_id)
        CROSS JOIN LATERAL jsonb_to_record(e.body::jsonb) AS f (stage integer, round integer, bye text)
    WHERE e.kind = 'bye_asked' AND ((e.body::jsonb) ->> 'account') = %(account)s AND c.state IN ('open', 'closed', 'running')
        AND (%(all)s OR may_know(c.competition_id, c.organisation_id, c.visibility, %(reader)s))
    ORDER BY e.competition_id, f.stage, f.round, e.number DESC) AS asked
WHERE asked.bye <> 'none' AND NOT EXISTS (SELECT FROM competition_pages p WHERE p.competition_id = asked.tournament
    AND p.name = 'round/' || asked.stage || '/' || asked.round)
LIMIT %(most)s

-- name: results: newest first
SELECT s.competition_id AS tournament, c.name, c.game, s.stage, s.round, s.place_in_round AS table, s.state, s.kind, s.match_id AS match, s.seats, s.place,
    s.how, s.points, s.corrected, s.decided_at,
    ARRAY(SELECT o.account_id FROM competition_seats o WHERE o.competition_id = s.competition_id AND o.stage = s.stage AND o.round = s.round
        AND o.place_in_round = s.place_in_round AND o.account_id <> s.account_id ORDER BY o.place, o.account_id) AS accounts
FROM competition_seats s JOIN competitions c USING (competition_id)
WHERE s.account_id = %(account)s AND s.state IN ('confirmed', 'walkover')
    AND (%(all)s OR may_know(c.competition_id, c.organisation_id, c.visibility, %(reader)s))
    AND (%(all)s OR shown_to_all(s.competition_id, s.decided_at) OR EXISTS (
        SELECT FROM competition_seats o LEFT JOIN accounts b USING (account_id)
        WHERE (o.competition_id, o.stage, o.round, o.place_in_round) = (s.competition_id, s.stage, s.round, s.place_in_round)
            AND %(reader)s IN (o.account_id, b.owner_id))
        OR EXISTS (SELECT FROM organisation_roles r WHERE r.organisation_id = c.organisation_id AND r.account_id = %(reader)s)
        OR EXISTS (SELECT FROM officials f WHERE f.competition_id = c.competition_id AND f.account_id = %(reader)s))
    AND (%(before)s::timestamptz IS NULL OR (s.decided_at, s.competition_id, s.stage, s.round, s.place_in_round)
        < (%(before)s::timestamptz, %(before_id)s, %(stage)s::integer, %(round)s::integer, %(table)s::integer))
ORDER BY s.decided_at DESC, s.competition_id DESC, s.stage DESC, s.round DESC, s.place_in_round DESC LIMIT %(most)s

-- name: notices: newest first, each with the match that counts for its pairing now (LG-168); a reminder goes with its ask (PL-578)
SELECT n.notice, n.kind, n.competition_id, c.kind AS competition_kind, c.name, coalesce(c.game, m.game) AS game, n.event, n.pairing,
    coalesce(s.match_id, n.match_id) AS match, n.facts || coalesce(jsonb_build_object('due', floor(extract(epoch FROM k.due_at) * 1000)::bigint), '{}') AS facts,
    n.at, n.read_at
FROM notices n LEFT JOIN competitions c USING (competition_id)
    LEFT JOIN competition_seats s ON s.competition_id = n.competition_id AND s.account_id = n.account_id AND n.pairing IS NOT NULL
        AND s.stage = split_part(n.pairing, '/', 1)::integer AND s.round = split_part(n.pairing, '/', 2)::integer
        AND s.place_in_round = split_part(n.pairing, '/', 3)::integer
    LEFT JOIN asks k ON n.kind = 'answer_due' AND k.match_id = n.match_id AND k.seat = (n.facts ->> 'seat')::integer AND k.ask = (n.facts ->> 'ask')::integer
    LEFT JOIN matches m ON n.kind = 'answer_due' AND m.match_id = n.match_id
WHERE n.account_id = %(account)s AND (n.kind <> 'answer_due' OR k.due_at IS NOT NULL) AND (NOT %(unread)s OR n.read_at IS NULL) AND (%(before)s::bigint IS NULL OR n.notice < %(before)s)
ORDER BY n.notice DESC LIMIT %(most)s

-- name: read_notices
UPDATE notices SET read_at = clock_timestamp() WHERE account_id = %(account)s AND notice <= %(up_to)s AND read_at IS NULL
