-- Who is told what, and who sits where: written in the transaction of the events that it follows from.

-- name: clear_rounds
DELETE FROM competition_seats s USING unnest(%(rounds)s::text[]) AS r (name)
WHERE s.competition_id = %(competition)s AND s.stage = split_part(r.name, '/', 1)::integer AND s.round = split_part(r.name, '/', 2)::integer

-- name: clear_tables
DELETE FROM competition_seats s USING unnest(%(tables)s::text[]) AS t (name)
WHERE s.competition_id = %(competition)s AND s.stage = split_part(t.name, '/', 1)::integer AND s.round = split_part(t.name, '/', 2)::integer
    AND s.place_in_round = split_part(t.name, '/', 3)::integer

-- name: seat
INSERT INTO competition_seats (competition_id, stage, round, place_in_round, account_id, state, match_id, kind, seats, place, how, points, corrected, decided_at)
SELECT %(competition)s, split_part(r.pairing, '/', 1)::integer, split_part(r.pairing, '/', 2)::integer, split_part(r.pairing, '/', 3)::integer, r.account,
    r.state, nullif(r.match, ''), r.kind, r.seats, r.place, nullif(r.how, ''), nullif(r.points, ''), r.corrected,
    to_timestamp(nullif(r.decided_at, 0) / 1000.0)
FROM json_to_recordset(%(rows)s) AS r (pairing text, account text, state text, match text, kind text, seats integer, place integer, how text, points text,
                                       corrected boolean, decided_at bigint)
ON CONFLICT DO NOTHING

-- name: tell: once for each account and cause (PL-576)
INSERT INTO notices (account_id, cause, kind, competition_id, event, pairing, match_id, facts)
SELECT r.account, %(competition)s || ' ' || coalesce(nullif(r.cause, ''), r.event::text), r.kind, %(competition)s, r.event, nullif(r.pairing, ''),
    nullif(r.match, ''), r.facts
FROM json_to_recordset(%(rows)s) AS r (account text, cause text, kind text, event integer, pairing text, match text, facts jsonb)
WHERE r.kind <> 'deadline_near' OR NOT EXISTS (         -- LG-888: the league may not have heard of its end yet
    SELECT FROM matches m WHERE m.match_id = r.match AND m.state IN ('finished', 'aborted', 'voided', 'expired'))
ON CONFLICT DO NOTHING

-- name: remind_from: never later than it was, since what is due may not have been told yet
UPDATE competitions SET remind_at = least(remind_at, to_timestamp(%(at)s::bigint / 1000.0)) WHERE competition_id = %(competition)s
    AND (remind_at IS NULL OR remind_at > to_timestamp(%(at)s::bigint / 1000.0))

-- name: reminding: where a deadline comes near
SELECT competition_id FROM competitions WHERE remind_at <= clock_timestamp() AND NOT held ORDER BY remind_at LIMIT %(most)s

-- name: reminded: unless something has happened meanwhile; then it is looked at again
UPDATE competitions SET remind_at = to_timestamp(%(at)s::bigint / 1000.0) WHERE competition_id = %(competition)s AND version = %(version)s
