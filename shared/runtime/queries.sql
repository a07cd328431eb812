-- Every statement of workers and watches, by name. Turn tables are always addressed by match.

-- name: durable: does the database keep its promise (PL-110)?
SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('server_version_num')::integer AS version

-- name: announce: a worker says which game it plays
INSERT INTO games (game, version, title, stage, seats, options, presets, bots, languages, host_chair, absent_after, pack_hash, schemas, words)
VALUES (%(game)s, %(version)s, %(title)s, %(stage)s, %(seats)s, %(options)s, %(presets)s, %(bots)s, %(languages)s, %(host_chair)s,
        %(absent_after)s, %(pack_hash)s, %(schemas)s, %(words)s)
ON CONFLICT (game, version) DO UPDATE SET title = excluded.title, seats = excluded.seats, options = excluded.options,
    presets = excluded.presets, bots = excluded.bots, languages = excluded.languages, host_chair = excluded.host_chair,
    absent_after = excluded.absent_after, pack_hash = excluded.pack_hash, schemas = excluded.schemas, words = excluded.words,
    seen_at = clock_timestamp()

-- name: waiting: matches of a game with rows to carry out, the longest waiting first
SELECT * FROM waiting_matches(%(game)s, %(version)s, %(most)s, %(careful_after)s)

-- name: lock: the match's lock; whoever comes second waits and then finds nothing left
SELECT FROM match_states WHERE match_id = %(match_id)s FOR UPDATE

-- name: lock_free: the same only where nobody has to be waited for (PL-332)
SELECT FROM match_states WHERE match_id = %(match_id)s FOR UPDATE SKIP LOCKED

-- name: lock_all: of several matches, each waited for
SELECT * FROM lock_matches(%(matches)s, false) AS match_id

-- name: lock_all_free: of several matches, those that nobody holds
SELECT * FROM lock_matches(%(matches)s, true) AS match_id

-- name: locked: matches under their locks, read after them
SELECT * FROM locked_matches(%(matches)s)

-- name: rows: what waits in these matches, in order of arrival
SELECT * FROM waiting_rows(%(matches)s, %(most)s)

-- name: deal: what is fixed for a match from its start
SELECT m.match_id, m.game, m.version, m.pack_hash, m.options, m.clock, m.seats, m.seed_number, e.seed, m.host_id, m.rated, m.deal_group,
       m.substitutes, m.delay_s > 0 OR m.delay_steps > 0 AS delayed
FROM matches m JOIN seeds e ON e.number = m.seed_number WHERE m.match_id = %(match_id)s

-- name: seats_of: who sits where
SELECT seat, kind, account_id, bot_level, contribution, substitute_of FROM seats WHERE match_id = %(match_id)s ORDER BY seat

-- name: bot_at: PL-525 a seat whose holder, whoever that is by now, is a bot
SELECT seat FROM seats JOIN accounts USING (account_id) WHERE match_id = %(match_id)s AND seat = %(seat)s AND accounts.kind = 'bot'

-- name: close_poll: nobody's answer is stored any more once this is held
SELECT pg_advisory_xact_lock(hashtext(%(match_id)s), hashtext(%(question)s))

-- name: totals: the stored answers of the audience, counted (PL-567); those of members who have left do not (PL-566: up to a number)
SELECT answer, count(*) AS count FROM audience_answers a
WHERE match_id = %(match_id)s AND question = %(question)s AND NOT EXISTS (
    SELECT 1 FROM audience_members m WHERE m.match_id = a.match_id AND m.member = a.member AND m.left_at IS NOT NULL)
GROUP BY answer

-- name: write_takes: the rows that every take leads to, for all matches of the transaction at once
SELECT write_takes(%(states)s, %(outcomes)s, %(steps)s, %(letters)s, %(views)s, %(asks)s, %(timers)s) AS saved

-- name: save_timer
INSERT INTO timers (match_id, kind, step, due_at)
VALUES (%(match_id)s, %(kind)s, %(step)s, to_timestamp(%(due)s / 1000.0))
ON CONFLICT (match_id, kind) DO UPDATE SET step = excluded.step, due_at = excluded.due_at

-- name: drop_due_timer: unless it has been wound again meanwhile
DELETE FROM timers WHERE match_id = %(match_id)s AND kind = %(kind)s AND due_at = %(due_at)s

-- name: save_match
UPDATE matches SET state = %(state)s, started_at = coalesce(started_at, to_timestamp(%(now)s / 1000.0)),
    ended_at = CASE WHEN %(ended)s THEN to_timestamp(%(now)s / 1000.0) END, row_version = row_version + 1
WHERE match_id = %(match_id)s

-- name: save_how
UPDATE seats SET how = %(how)s, vacant = false WHERE match_id = %(match_id)s AND seat = %(seat)s

-- name: seat_vacated
UPDATE seats SET how = %(how)s, vacant = true WHERE match_id = %(match_id)s AND seat = %(seat)s

-- name: seat_replaced: PL-546 whoever held it first stays named
UPDATE seats SET substitute_of = coalesce(substitute_of, account_id), account_id = %(account)s, how = NULL, vacant = false
WHERE match_id = %(match_id)s AND seat = %(seat)s

-- name: announce_topic
INSERT INTO outbox (match_id, step, topic, body) VALUES (%(match_id)s, %(step)s, %(topic)s, %(body)s)

-- name: save_result: one per match, its id is the key (PL-249)
INSERT INTO results (match_id, game, step, rated, unfinished, flag, ended_at)
VALUES (%(match_id)s, %(game)s, %(step)s, %(rated)s, %(unfinished)s, %(flag)s, to_timestamp(%(now)s / 1000.0))

-- name: save_placing: PL-546 in a championship a result counts for the entrant, elsewhere for whoever played to the end
INSERT INTO result_seats (match_id, seat, account_id, place, table_place, score, how, substitute_of, counts_for)
SELECT s.match_id, s.seat, s.account_id, %(place)s, %(table_place)s, %(score)s, %(how)s, s.substitute_of,
       CASE WHEN m.championship IS NULL THEN s.account_id ELSE coalesce(s.substitute_of, s.account_id) END
FROM seats s JOIN matches m USING (match_id) WHERE s.match_id = %(match_id)s AND s.seat = %(seat)s

-- name: void_result
UPDATE results SET voided_at = clock_timestamp() WHERE match_id = %(match_id)s AND voided_at IS NULL

-- name: open_poll
INSERT INTO polls (match_id, question, answers, opened_at) VALUES (%(match_id)s, %(question)s, %(answers)s, clock_timestamp())
ON CONFLICT (match_id, question) DO NOTHING

-- name: close_polls: all but the ones that are open now
UPDATE polls SET closed_at = clock_timestamp() WHERE match_id = %(match_id)s AND closed_at IS NULL AND question <> ALL (%(open)s)

-- name: save_points
UPDATE polls SET points = %(points)s WHERE match_id = %(match_id)s AND question = %(question)s AND points IS DISTINCT FROM %(points)s

-- name: careful_alone: one process at a time takes a match carefully, so that no attempt is counted but those that fail
SELECT pg_try_advisory_xact_lock(7002, hashtext(%(match_id)s)) AS mine

-- name: count_attempt: of the first waiting row, committed before the try, so that a kill counts as well (PL-651)
INSERT INTO attempts (match_id, arrival, count)
SELECT i.match_id, i.arrival, 1 FROM inbox i JOIN matches m USING (match_id)
WHERE i.match_id = %(match_id)s AND i.outcome IS NULL AND m.state <> 'stuck' ORDER BY i.arrival LIMIT 1
ON CONFLICT (match_id, arrival) DO UPDATE SET count = attempts.count + 1, last_at = clock_timestamp()
RETURNING arrival, count

-- name: note_error
UPDATE attempts SET last_error = %(error)s WHERE match_id = %(match_id)s AND arrival = %(arrival)s

-- name: error_of
SELECT last_error FROM attempts WHERE match_id = %(match_id)s AND arrival = %(arrival)s

-- name: set_stuck
WITH halted AS (UPDATE matches SET state = 'stuck', row_version = row_version + 1
                WHERE match_id = %(match_id)s AND state IN ('open', 'running', 'paused')
                    AND EXISTS (SELECT FROM inbox WHERE match_id = %(match_id)s AND arrival = %(arrival)s AND outcome IS NULL)
                RETURNING match_id)
INSERT INTO stuck_matches (match_id, arrival, error) SELECT match_id, %(arrival)s, %(error)s FROM halted

-- name: stop_clocks: of a match that is stuck; its timers stay and are passed over
UPDATE asks SET due_at = NULL WHERE match_id = %(match_id)s

-- name: move_timers: of a match that was stuck
UPDATE timers SET due_at = due_at + %(stood)s * interval '1 millisecond' WHERE match_id = %(match_id)s

-- name: peek: a match as it stands, without its lock
SELECT step, match, house, extract(epoch FROM clock_timestamp()) * 1000 AS now FROM match_states WHERE match_id = %(match_id)s

-- name: clock_of
SELECT clock FROM matches WHERE match_id = %(match_id)s

-- name: has_begun
SELECT 1 AS yes FROM match_states WHERE match_id = %(match_id)s AND step > 0

-- name: seed_of
SELECT m.seed_number, e.seed FROM matches m JOIN seeds e ON e.number = m.seed_number WHERE m.match_id = %(match_id)s

-- name: accept_own
SELECT accept_own(%(match_id)s, %(kind)s, %(seat)s, %(ask)s, %(body)s, %(due)s, %(grace)s, %(command_id)s) AS arrival

-- name: match_of: for its record
SELECT m.match_id, m.game, m.version, m.pack_hash, m.options, m.clock, m.seats, m.state, m.seed_number, m.started_at, m.ended_at,
       m.deal_group, deal_over(m) AS deal_over, l.commitment, e.seed
FROM matches m JOIN seed_list l ON l.number = m.seed_number JOIN seeds e ON e.number = m.seed_number WHERE m.match_id = %(match_id)s

-- name: steps_of
SELECT step, arrival, part, kind, seat, ask, automatic, command, events, draws, salt, at, state_hash, chain
FROM steps WHERE match_id = %(match_id)s ORDER BY step

-- name: result_of
SELECT seat, place, table_place, score, how FROM result_seats WHERE match_id = %(match_id)s ORDER BY seat

-- name: save_record
INSERT INTO records (match_id, record, proof, hash) VALUES (%(match_id)s, %(record)s, %(proof)s, %(hash)s)
ON CONFLICT (match_id) DO NOTHING

-- name: unrecorded: matches of a game that have ended without a record
SELECT m.match_id FROM matches m LEFT JOIN records r USING (match_id)
WHERE m.game = %(game)s AND m.version = %(version)s AND m.state IN ('finished', 'aborted', 'voided') AND m.started_at IS NOT NULL
    AND r.match_id IS NULL AND deal_over(m) LIMIT 100

-- name: late: matches with rows that have waited too long, and whether so long that they are carried out here (PL-336, PL-337)
SELECT i.match_id, max(i.arrival) AS arrival,
       min(i.accepted_at) < clock_timestamp() - %(inline_after)s * interval '1 second' AS inline
FROM inbox i JOIN matches m USING (match_id)
WHERE i.game = %(game)s AND i.version = %(version)s AND i.outcome IS NULL AND m.state <> 'stuck'
    AND i.accepted_at < clock_timestamp() - %(resend_after)s * interval '1 second'
GROUP BY i.match_id ORDER BY min(i.accepted_at) LIMIT 500

-- name: due_asks: oldest first, in portions (PL-500, PL-800)
SELECT a.match_id, a.seat, a.ask, a.due_at FROM asks a JOIN matches m USING (match_id)
WHERE a.due_at < clock_timestamp() - %(grace)s * interval '1 second' AND m.game = %(game)s AND m.version = %(version)s
    AND m.state = 'running'
ORDER BY a.due_at, a.seat LIMIT 200

-- name: to_remind: asks whose reminder is due (PL-578)
SELECT a.match_id, a.seat, a.ask FROM asks a JOIN matches m USING (match_id)
WHERE a.remind_at < clock_timestamp() AND m.game = %(game)s AND m.version = %(version)s AND m.state = 'running'
ORDER BY a.remind_at LIMIT 200

-- name: remind
SELECT remind(%(match_id)s, %(seat)s, %(ask)s)

-- name: due_timers
SELECT t.match_id, t.kind, t.step, t.due_at, m.state FROM timers t JOIN matches m USING (match_id)
WHERE t.due_at < clock_timestamp() AND m.game = %(game)s AND m.version = %(version)s AND m.state <> 'stuck'
    AND (m.state <> 'paused' OR t.kind = 'pause')
ORDER BY t.due_at LIMIT 200

-- name: expire: an open match that was not full in time (PL-241)
UPDATE matches SET state = 'expired', ended_at = clock_timestamp(), row_version = row_version + 1
WHERE match_id = %(match_id)s AND state = 'open'
    AND NOT EXISTS (SELECT FROM inbox i WHERE i.match_id = %(match_id)s AND i.kind = 'start' AND i.outcome IS NULL)

-- name: hold_head: nobody takes or leaves a seat, and nothing is accepted, until this transaction ends
SELECT match_id FROM inbox_heads WHERE match_id = %(match_id)s FOR UPDATE

-- name: as_planned: read only once its head is held
SELECT state, fill_with_bots FROM matches WHERE match_id = %(match_id)s

-- name: fill_seats: PL-242
UPDATE seats SET kind = 'bot', bot_level = %(level)s, account_id = NULL WHERE match_id = %(match_id)s AND kind IN ('open', 'invited')

-- name: empty_seats
SELECT count(*) AS count FROM seats WHERE match_id = %(match_id)s AND kind IN ('open', 'invited')

-- name: overripe: open matches past their time, but for those that are about to start
SELECT m.match_id FROM matches m WHERE m.state = 'open' AND m.game = %(game)s AND m.version = %(version)s AND m.expires_at < clock_timestamp()
    AND NOT EXISTS (SELECT FROM inbox i WHERE i.match_id = m.match_id AND i.kind = 'start' AND i.outcome IS NULL) LIMIT 100

-- name: sleepy_bots: needed asks of built-in bots that nobody has answered
SELECT a.match_id, a.seat FROM asks a JOIN seats s USING (match_id, seat) JOIN matches m USING (match_id)
WHERE s.kind = 'bot' AND a.needed AND m.state = 'running' AND m.game = %(game)s AND m.version = %(version)s
    AND a.opened_at < clock_timestamp() - %(resend_after)s * interval '1 second'
    AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.match_id = a.match_id AND i.seat = a.seat AND i.ask = a.ask AND i.outcome IS NULL)
LIMIT 100

-- name: seeds_ahead
SELECT count(*) FILTER (WHERE used_by IS NULL) AS unused, coalesce(max(number), 0) AS last FROM seed_list

-- name: one_at_a_time: only one process lengthens the list of seeds
SELECT pg_advisory_xact_lock(7001)

-- name: add_commitment
INSERT INTO seed_list (number, commitment) VALUES (%(number)s, %(commitment)s)

-- name: add_seed
INSERT INTO seeds (number, seed) VALUES (%(number)s, %(seed)s)

-- name: pulse
INSERT INTO pulses (process, kind, at) VALUES (%(process)s, %(kind)s, clock_timestamp())
ON CONFLICT (process) DO UPDATE SET at = excluded.at

-- name: last_pulse: of any gateway; NULL where none has ever run
SELECT extract(epoch FROM clock_timestamp() - max(at)) AS age FROM pulses WHERE kind = 'gateway'

-- name: outages_to_credit: not yet credited for this game (PL-499)
SELECT o.number, extract(epoch FROM o.from_at) * 1000 AS from_ms, extract(epoch FROM o.to_at) * 1000 AS to_ms
FROM outages o LEFT JOIN consumed c ON c.consumer = %(consumer)s AND c.match_id = '' AND c.step = o.number AND c.topic = 'outage'
WHERE c.step IS NULL AND (o.game IS NULL OR o.game = %(game)s) AND o.to_at > clock_timestamp() - interval '7 days'
    AND (o.reason <> 'pulses' OR o.to_at - o.from_at >= %(credited)s * interval '1 second')
ORDER BY o.number

-- name: note_jump: the time that the clock has left out is credited, unless the gap of the pulses is already noted (PL-501)
INSERT INTO outages (from_at, to_at, game, reason)
SELECT clock_timestamp() - %(seconds)s * interval '1 second', clock_timestamp(), %(game)s, 'clock'
WHERE NOT EXISTS (SELECT FROM outages o WHERE (o.game IS NULL OR o.game = %(game)s)
                      AND o.to_at > clock_timestamp() - %(seconds)s * interval '1 second')

-- name: clocks_in: matches whose clocks ran in an outage and that credit it
SELECT DISTINCT m.match_id FROM matches m JOIN asks a USING (match_id)
WHERE m.game = %(game)s AND m.version = %(version)s AND m.state = 'running' AND m.clock ->> 'policy' IS DISTINCT FROM 'charge'
    AND a.due_at IS NOT NULL AND a.opened_at < to_timestamp(%(to_ms)s / 1000.0) AND a.due_at > to_timestamp(%(from_ms)s / 1000.0)
UNION
SELECT t.match_id FROM matches m JOIN timers t USING (match_id)
WHERE m.game = %(game)s AND m.version = %(version)s AND m.state = 'running' AND m.clock ->> 'policy' IS DISTINCT FROM 'charge'
    AND t.kind IN ('phase', 'no_show') AND t.due_at > to_timestamp(%(from_ms)s / 1000.0)
ORDER BY match_id

-- name: consume
INSERT INTO consumed (consumer, match_id, step, topic) VALUES (%(consumer)s, %(match_id)s, %(step)s, %(topic)s)
ON CONFLICT DO NOTHING

-- name: stuck_now
SELECT s.arrival, s.since, extract(epoch FROM clock_timestamp() - s.since) * 1000 AS stood
FROM stuck_matches s JOIN matches m USING (match_id)
WHERE s.match_id = %(match_id)s AND s.released_at IS NULL AND m.state = 'stuck' FOR UPDATE OF s

-- name: note_release
UPDATE stuck_matches SET action = %(action)s, released_at = clock_timestamp(), released_by = %(who)s
WHERE match_id = %(match_id)s AND released_at IS NULL

-- name: set_running
UPDATE matches SET state = CASE WHEN EXISTS (SELECT 1 FROM match_states s WHERE s.match_id = %(match_id)s AND s.step > 0)
                                THEN 'running' ELSE 'open' END, row_version = row_version + 1
WHERE match_id = %(match_id)s AND state = 'stuck'

-- name: void_unbegun: a match that got stuck at its start; there is no step that could tell it
UPDATE matches SET state = 'voided', ended_at = clock_timestamp(), row_version = row_version + 1 WHERE match_id = %(match_id)s AND state = 'open'

-- name: set_aside
UPDATE inbox SET outcome = 'failed', code = 'internal', done_at = clock_timestamp()
WHERE match_id = %(match_id)s AND arrival = %(arrival)s AND outcome IS NULL

-- name: forget_attempts
UPDATE attempts SET count = 0 WHERE match_id = %(match_id)s

-- name: save_house
UPDATE match_states SET house = %(house)s WHERE match_id = %(match_id)s

-- name: audit_head
SELECT chain FROM audit_head FOR UPDATE

-- name: audit
INSERT INTO audit (who, what, "on", reason, before, after, chain)
VALUES (%(who)s, %(what)s, %(on)s, %(reason)s, %(before)s, %(after)s, %(chain)s)

-- name: move_audit_head
UPDATE audit_head SET chain = %(chain)s

-- name: wind_ask
UPDATE asks SET due_at = to_timestamp(%(due)s::double precision / 1000.0)
WHERE match_id = %(match_id)s AND seat = %(seat)s AND ask = %(ask)s

-- name: deaf: do rows wait, or did the watch take them, and no message has reached a worker (PL-344)? Not those of stuck matches (PL-652)
SELECT (EXISTS (SELECT 1 FROM inbox i JOIN matches m USING (match_id)
                WHERE i.game = %(game)s AND i.version = %(version)s AND i.outcome IS NULL AND m.state <> 'stuck'
                    AND i.accepted_at < clock_timestamp() - %(after)s * interval '1 second')
        OR EXISTS (SELECT 1 FROM pulses WHERE process = %(inline)s AND at > clock_timestamp() - %(after)s * interval '1 second'))
    AND NOT EXISTS (SELECT 1 FROM pulses WHERE process = %(process)s
                        AND at > clock_timestamp() - %(after)s * interval '1 second') AS deaf

-- name: suspended_seats: of accounts whose grace is over or that are gone, and of their bots, in matches that go on or have not begun (PL-137)
SELECT s.match_id, s.seat, m.state
FROM accounts o, LATERAL (SELECT o.account_id UNION ALL SELECT b.account_id FROM accounts b WHERE b.owner_id = o.account_id) a
JOIN seats s ON s.account_id = a.account_id JOIN matches m USING (match_id)
WHERE o.leaves_at < clock_timestamp() AND s.kind = 'held' AND s.how IS NULL AND m.state IN ('open', 'running', 'paused')
    AND m.game = %(game)s AND m.version = %(version)s
    AND NOT EXISTS (SELECT FROM inbox i WHERE i.match_id = s.match_id AND i.seat = s.seat AND i.kind = 'resign' AND i.outcome IS NULL)
LIMIT 100

-- name: free_seat: of a match that has not begun and is not about to, under its head
UPDATE seats s SET kind = 'open', account_id = NULL, ready = false, contribution = NULL FROM matches m
WHERE s.match_id = %(match_id)s AND s.seat = %(seat)s AND m.match_id = s.match_id AND m.state = 'open'
    AND NOT EXISTS (SELECT FROM inbox i WHERE i.match_id = s.match_id AND i.kind = 'start' AND i.outcome IS NULL)

-- name: ripe: ended matches whose letters have been kept long enough, the longest ended first
SELECT m.match_id FROM matches m JOIN records r USING (match_id)
WHERE m.archived_at IS NULL AND m.started_at IS NOT NULL AND m.ended_at < clock_timestamp() - (%(kept)s + m.delay_s) * interval '1 second'
    AND m.game = %(game)s AND m.version = %(version)s
ORDER BY m.ended_at LIMIT %(most)s

-- name: rows_to_archive: of a match under its lock, as JSON that leads back to the same rows
SELECT s.step, to_json(s.match)::text AS match, to_json(s.house)::text AS house,
       (SELECT row_to_json(v)::text FROM views v WHERE v.match_id = s.match_id) AS views,
       (SELECT json_agg(l ORDER BY l.step)::text FROM letters l WHERE l.match_id = s.match_id) AS letters,
       (SELECT json_agg(t ORDER BY t.step)::text FROM steps t WHERE t.match_id = s.match_id) AS steps
FROM match_states s WHERE s.match_id = %(match_id)s AND s.match IS NOT NULL

-- name: archive_rows
SELECT archive_rows(%(match_id)s, %(step)s, %(location)s, %(hash)s, %(size)s) AS moved

-- name: archive_of: where the rows of a match have gone
SELECT location, hash FROM archives WHERE match_id = %(match_id)s

-- name: bring_back_rows
WITH told AS (INSERT INTO letters SELECT * FROM json_populate_recordset(NULL::letters, %(letters)s::json))
INSERT INTO steps SELECT * FROM json_populate_recordset(NULL::steps, %(steps)s::json)

-- name: bring_back_views
UPDATE views v SET bodies = old.bodies, texts = old.texts FROM json_populate_record(NULL::views, %(views)s::json) old
WHERE v.match_id = %(match_id)s

-- name: bring_back_state
WITH gone AS (DELETE FROM archives WHERE match_id = %(match_id)s),
     kept AS (UPDATE matches SET archived_at = NULL WHERE match_id = %(match_id)s)
UPDATE match_states SET match = %(match)s, house = %(house)s WHERE match_id = %(match_id)s
