-- What the stream asks Postgres; its role reads letters, views and asks, and never a state, a step or a seed.

-- name: now
SELECT clock_timestamp() AS now;

-- name: letters_after: the later letters of many matches at once, for all their readers
SELECT l.match_id, l.step, l.at, l.bodies
FROM unnest(%(matches)s::text[], %(afters)s::integer[]) AS feed (match_id, after)
JOIN letters l ON l.match_id = feed.match_id AND l.step > feed.after
JOIN matches m ON m.match_id = feed.match_id
WHERE m.deal_group IS NULL OR l.at < coalesce(sealed_at(m), 'infinity')
ORDER BY l.match_id, l.step
LIMIT %(most)s;

-- name: late_letters_after: the same for onlookers behind a delay (PL-419)
SELECT l.match_id, l.step, l.at, l.bodies[1:1] AS bodies
FROM unnest(%(matches)s::text[], %(afters)s::integer[]) AS feed (match_id, after)
JOIN matches m ON m.match_id = feed.match_id
CROSS JOIN LATERAL (SELECT * FROM shown_to_onlookers(m)) late
JOIN letters l ON l.match_id = feed.match_id AND l.step > feed.after AND l.step <= late.late_step
ORDER BY l.match_id, l.step
LIMIT %(most)s;

-- name: letters_of: the later letters of one reader
SELECT l.step, l.bodies[%(reader)s] AS body
FROM letters l JOIN matches m USING (match_id)
WHERE l.match_id = %(match)s AND l.step > %(after)s AND (m.deal_group IS NULL OR l.at < coalesce(sealed_at(m), 'infinity'))
    AND (NOT %(delayed)s OR l.step <= (SELECT late.late_step FROM matches m, LATERAL (SELECT * FROM shown_to_onlookers(m)) late
                                       WHERE m.match_id = %(match)s))
ORDER BY l.step
LIMIT %(most)s;

-- name: letters_there: the oldest and the newest letter that a reader may see
SELECT min(l.step) AS oldest, max(l.step) AS newest
FROM letters l JOIN matches m USING (match_id)
WHERE l.match_id = %(match)s AND (m.deal_group IS NULL OR l.at < coalesce(sealed_at(m), 'infinity'))
    AND (NOT %(delayed)s OR l.step <= (SELECT late.late_step FROM matches m, LATERAL (SELECT * FROM shown_to_onlookers(m)) late
                                       WHERE m.match_id = %(match)s));

-- name: standing: what `hello` says to a reader of the match as it is now
SELECT m.state, (SELECT late.late_state FROM shown_to_onlookers(m) late) AS late_state, coalesce(v.step, 0) AS step, x.location, x.hash,
    CASE WHEN sealed_at(m) IS NULL THEN v.bodies[%(reader)s] END AS view, CASE WHEN sealed_at(m) IS NULL THEN v.hashes[%(reader)s] END AS view_hash, v.awaited, v.clocks, v.host,
    a.ask, a.opened_at, a.due_at, a.body AS ask_body
FROM matches m
LEFT JOIN views v USING (match_id)
LEFT JOIN archives x USING (match_id)
LEFT JOIN asks a ON a.match_id = m.match_id AND a.seat = %(reader)s - 2
WHERE m.match_id = %(match)s;

-- name: views_now
SELECT match_id, v.step, v.bodies, v.hashes FROM views v JOIN matches m USING (match_id) WHERE match_id = ANY(%(matches)s) AND sealed_at(m) IS NULL;

-- name: signs: what changes beside the steps: state, clocks, seats, refusals, the number of an audience's answers
SELECT m.match_id, m.state, coalesce(v.step, 0) AS step, v.awaited, v.clocks,
    (SELECT string_agg(concat_ws(':', s.seat, s.kind, s.account_id, s.ready, s.how), ',' ORDER BY s.seat)
     FROM seats s WHERE s.match_id = m.match_id) AS seated,
    p.question, (SELECT count(*) FROM audience_answers a WHERE a.match_id = m.match_id AND a.question = p.question) AS answered
FROM matches m
LEFT JOIN views v USING (match_id)
LEFT JOIN LATERAL (SELECT question FROM polls WHERE polls.match_id = m.match_id AND closed_at IS NULL
                   ORDER BY opened_at DESC LIMIT 1) p ON true
WHERE m.match_id = ANY(%(matches)s);

-- name: talk_signs: what was said last in each room and what of it is hidden, as all may hear it and as those behind a delay may by now (PL-419)
SELECT m.match_id, m.state, rooms.room, last.sign, last.late_sign
FROM matches m CROSS JOIN (VALUES ('seats'), ('onlookers')) AS rooms (room), LATERAL (SELECT * FROM shown_to_onlookers(m)) late,
    LATERAL (SELECT concat(max(t.number), ':', count(t.hidden_at)) AS sign,
                    concat(max(t.number) FILTER (WHERE t.heard), ':', count(t.hidden_at) FILTER (WHERE t.heard)) AS late_sign
             FROM (SELECT o.number, o.hidden_at, o.step <= late.late_step AND o.at <= clock_timestamp() - m.delay_s * interval '1 second' AS heard
                   FROM talk o WHERE o.match_id = m.match_id AND o.room = rooms.room ORDER BY o.number DESC LIMIT 100) t) last
WHERE m.match_id = ANY(%(matches)s) AND m.talk <> 'off';

-- name: last_arrivals
SELECT feed.match_id, (SELECT coalesce(max(i.arrival), 0) FROM inbox i WHERE i.match_id = feed.match_id) AS arrival
FROM unnest(%(matches)s::text[]) AS feed (match_id);

-- name: outcomes_after
SELECT i.match_id, i.arrival, i.account_id, i.outcome, i.code
FROM unnest(%(matches)s::text[], %(arrivals)s::integer[]) AS feed (match_id, arrival)
JOIN inbox i ON i.match_id = feed.match_id AND i.arrival > feed.arrival
ORDER BY i.match_id, i.arrival;

-- name: seats_of: where these accounts sit, in matches that are not over
SELECT s.match_id, s.seat, s.account_id, m.championship, coalesce(v.step, 0) AS step
FROM seats s JOIN matches m USING (match_id) LEFT JOIN views v USING (match_id)
WHERE s.account_id = ANY(%(accounts)s) AND s.kind = 'held' AND m.state IN ('running', 'paused', 'stuck')
    AND (%(matches)s::text[] IS NULL OR s.match_id = ANY(%(matches)s));

-- name: asks_of: all open asks of these accounts, the most pressing first (PL-704)
SELECT s.account_id, m.championship, a.match_id AS match, m.game, a.seat, a.ask, a.question, a.needed, a.opened_at, a.due_at
FROM asks a
JOIN seats s ON s.match_id = a.match_id AND s.seat = a.seat AND s.kind = 'held' AND NOT s.vacant
JOIN matches m ON m.match_id = a.match_id
WHERE s.account_id = ANY(%(accounts)s) AND m.state = 'running'
ORDER BY a.due_at NULLS LAST, a.match_id, a.seat;

-- name: note_readers: PL-577 of those to whom mails go; a row is written every ten seconds at most
UPDATE mailboxes SET reading_until = clock_timestamp() + interval '30 seconds' WHERE account_id = ANY(%(accounts)s) AND address IS NOT NULL
    AND coalesce(reading_until < clock_timestamp() + interval '20 seconds', true) RETURNING account_id;

-- name: gone_sessions
SELECT wanted.session_id FROM unnest(%(sessions)s::text[]) AS wanted (session_id)
WHERE NOT EXISTS (SELECT FROM sessions s WHERE s.session_id = wanted.session_id);

-- name: gone_tokens
SELECT wanted.token_id FROM unnest(%(tokens)s::text[]) AS wanted (token_id)
WHERE NOT EXISTS (SELECT FROM tokens t WHERE t.token_id = wanted.token_id AND t.revoked_at IS NULL AND t.ends_at > clock_timestamp());

-- name: gone_accounts: suspended or deleted; bots with their owners
SELECT wanted.account_id FROM unnest(%(accounts)s::text[]) AS wanted (account_id)
WHERE NOT EXISTS (SELECT FROM accounts a LEFT JOIN accounts o ON o.account_id = a.owner_id
                  WHERE a.account_id = wanted.account_id AND a.suspended_at IS NULL AND a.deleted_at IS NULL AND o.suspended_at IS NULL);

-- name: left_seats: seats that are no longer held by who reads them
SELECT wanted.match_id, wanted.seat, wanted.account_id
FROM unnest(%(matches)s::text[], %(seats)s::integer[], %(accounts)s::text[]) AS wanted (match_id, seat, account_id)
WHERE NOT EXISTS (SELECT FROM seats s WHERE s.match_id = wanted.match_id AND s.seat = wanted.seat
                  AND s.account_id = wanted.account_id AND s.kind = 'held');

-- name: account_by_session
SELECT a.account_id, a.name, a.kind, roles_in_force(a.account_id, a.roles, 'factor') AS roles, a.suspended_at, s.session_id
FROM sessions s JOIN accounts a USING (account_id)
WHERE s.session_hash = %(hash)s AND a.deleted_at IS NULL AND s.used_at > clock_timestamp() - interval '30 days';

-- name: account_by_token
SELECT a.account_id, a.name, a.kind, roles_in_force(a.account_id, a.roles, t.made_by) AS roles,
    coalesce(a.suspended_at, o.suspended_at) AS suspended_at, t.token_id, t.secret_hash, t.scopes, t.bound_to
FROM tokens t JOIN accounts a USING (account_id) LEFT JOIN accounts o ON o.account_id = a.owner_id
WHERE t.token_id = %(token)s AND t.revoked_at IS NULL AND t.ends_at > clock_timestamp() AND a.deleted_at IS NULL;

-- name: use_ticket: PL-181 once, in time, for this stream
UPDATE stream_tickets SET used_at = clock_timestamp()
WHERE ticket_hash = %(hash)s AND used_at IS NULL AND ends_at > clock_timestamp() AND path = %(path)s
RETURNING account_id, token_id, session_id;

-- name: account_by_ticket: while the token or the session lasts with which it was fetched
SELECT a.account_id, a.name, a.kind, roles_in_force(a.account_id, a.roles, coalesce(t.made_by, 'factor')) AS roles,
    coalesce(a.suspended_at, o.suspended_at) AS suspended_at, t.token_id, t.scopes, t.bound_to,
    %(session)s::text AS session_id
FROM accounts a LEFT JOIN accounts o ON o.account_id = a.owner_id LEFT JOIN tokens t ON t.token_id = %(token)s
WHERE a.account_id = %(account)s AND a.deleted_at IS NULL
    AND (%(token)s::text IS NULL OR (t.revoked_at IS NULL AND t.ends_at > clock_timestamp()))
    AND (%(session)s::text IS NULL OR EXISTS (SELECT FROM sessions s WHERE s.session_id = %(session)s AND s.account_id = a.account_id));

-- name: match_to_read: what decides who may read it and how
SELECT m.match_id, m.championship, m.visibility, m.host_id, acting_host(m) AS acting_host, (m.delay_s > 0 OR m.delay_steps > 0 OR m.deal_group IS NOT NULL) AND NOT late.delay_over AS delayed, g.host_chair,
    ARRAY(SELECT s.seat FROM seats s WHERE s.match_id = m.match_id AND s.account_id = %(account)s AND s.kind = 'held' ORDER BY s.seat) AS mine,
    EXISTS (SELECT FROM seats s WHERE s.match_id = m.match_id AND s.account_id = %(account)s AND s.kind = 'invited')
        OR EXISTS (SELECT FROM invitations i WHERE i.match_id = m.match_id AND i.account_id = %(account)s AND NOT i.withdrawn) AS invited,
    officiates(m.championship, %(account)s) AS officiates,
    EXISTS (SELECT FROM matches o JOIN seats s USING (match_id) WHERE o.deal_group = m.deal_group AND o.match_id <> m.match_id
            AND s.account_id = %(account)s AND s.kind = 'held') AS deals_elsewhere
FROM matches m LEFT JOIN games g USING (game, version), LATERAL (SELECT * FROM shown_to_onlookers(m)) late
WHERE m.match_id = %(match)s;

-- name: competition_to_read: what decides who may read it and how (LG-129)
SELECT c.competition_id, c.kind, c.visibility, c.state, c.version, c.shown_version,
    EXISTS (SELECT FROM organisation_roles r WHERE r.organisation_id = c.organisation_id AND r.account_id = %(account)s)
        OR EXISTS (SELECT FROM officials f WHERE f.competition_id = c.competition_id AND f.account_id = %(account)s) AS official,
    EXISTS (SELECT FROM competition_entrants e LEFT JOIN accounts b ON b.account_id = e.account_id
            WHERE e.competition_id = c.competition_id AND %(account)s IN (e.account_id, b.owner_id)) AS takes_part
FROM competitions c WHERE c.competition_id = %(competition)s AND c.version > 0;

-- name: events_after: of what only officials may read yet, everybody else learns that it happened, and of what is held back nothing (LG-810)
SELECT number, kind, account_id, at, CASE WHEN hidden AND NOT %(official)s THEN '{}' ELSE body END AS body FROM competition_events
WHERE competition_id = %(competition)s AND number > %(after)s AND (%(official)s OR number <= coalesce(
    (SELECT c.shown_version FROM competitions c WHERE c.competition_id = %(competition)s), number)) ORDER BY number LIMIT %(most)s;
