-- Statements of the programs for people: matches that are run again, and what the doctor looks for.

-- name: opening
SELECT m.match_id, m.game, m.version, m.pack_hash, m.deal_group, m.seats, m.options, m.state, m.seed_number, l.commitment, e.seed,
       (SELECT array_agg(s.contribution ORDER BY s.seat) FROM seats s WHERE s.match_id = m.match_id) AS contributions
FROM matches m JOIN seed_list l ON l.number = m.seed_number JOIN seeds e ON e.number = m.seed_number
WHERE m.match_id = %(match)s

-- name: steps
SELECT step, kind, seat, command, events, draws, salt, state_hash, chain FROM steps WHERE match_id = %(match)s ORDER BY step

-- name: played_matches: of one version of a game
SELECT m.match_id AS match FROM matches m WHERE m.game = %(game)s AND m.version = %(version)s
    AND (m.archived_at IS NOT NULL OR EXISTS (SELECT FROM steps s WHERE s.match_id = m.match_id)) ORDER BY m.created_at, m.match_id

-- name: letters: what one reader was told; reader 0 means openly
SELECT l.step, CASE WHEN %(reader)s = 0 THEN l.open ELSE l.bodies[%(reader)s] END AS body
FROM letters l WHERE l.match_id = %(match)s ORDER BY l.step

-- name: match
SELECT match_id AS match, game, seats, state, deal_over(m) AS deal_over FROM matches m WHERE match_id = %(match)s

-- name: archive_of: where the rows of an archived match lie
SELECT location, hash FROM archives WHERE match_id = %(match)s

-- name: archives: the oldest first
SELECT match_id AS match, location, size, hash, at FROM archives ORDER BY at, match_id

-- name: versions_ended: games and versions of which an ended match is not archived
SELECT DISTINCT game, version FROM matches WHERE archived_at IS NULL AND started_at IS NOT NULL AND ended_at IS NOT NULL ORDER BY game, version

-- name: record
SELECT record FROM records WHERE match_id = %(match)s

-- What the doctor looks for: "on" says what is ill, "facts" what was seen of it (PL-654) -------------------------------

-- name: waiting_rows
SELECT i.match_id AS "on", jsonb_build_object('rows', count(*), 'seconds', extract(epoch FROM clock_timestamp() - min(i.accepted_at))::int) AS facts
FROM inbox i JOIN matches m USING (match_id)
WHERE i.outcome IS NULL AND m.state <> 'stuck' AND i.accepted_at < clock_timestamp() - interval '30 seconds' GROUP BY i.match_id

-- name: late_asks
SELECT a.match_id AS "on", jsonb_build_object('seat', a.seat, 'ask', a.ask, 'due_at', a.due_at) AS facts
FROM asks a JOIN matches m USING (match_id) WHERE m.state = 'running' AND a.due_at < clock_timestamp() - interval '30 seconds'

-- name: late_timers
SELECT t.match_id AS "on", jsonb_build_object('kind', t.kind, 'due_at', t.due_at) AS facts
FROM timers t JOIN matches m USING (match_id)
WHERE m.state IN ('open', 'running', 'paused') AND t.due_at < clock_timestamp() - interval '30 seconds'

-- name: clockless_asks: needed, in a match whose clock has a limit for just this question
SELECT a.match_id AS "on", jsonb_build_object('seat', a.seat, 'ask', a.ask, 'question', a.question) AS facts
FROM asks a JOIN matches m USING (match_id) JOIN games g ON g.game = m.game AND g.version = m.version
WHERE m.state = 'running' AND a.needed AND a.due_at IS NULL
    AND (m.clock ->> 'limit_ms' IS NOT NULL OR g.presets -> (m.clock ->> 'preset') ? a.question)

-- name: idle_matches: running on a clock, and waiting for nothing at all
SELECT m.match_id AS "on", jsonb_build_object('step', s.step) AS facts
FROM matches m JOIN match_states s USING (match_id) JOIN games g ON g.game = m.game AND g.version = m.version
WHERE m.state = 'running' AND g.presets ? (m.clock ->> 'preset')
    AND NOT EXISTS (SELECT FROM asks a WHERE a.match_id = m.match_id AND a.needed)
    AND NOT EXISTS (SELECT FROM timers t WHERE t.match_id = m.match_id AND t.kind = 'phase')
    AND NOT EXISTS (SELECT FROM inbox i WHERE i.match_id = m.match_id AND i.outcome IS NULL)

-- name: views_behind
SELECT s.match_id AS "on", jsonb_build_object('step', s.step, 'view', v.step) AS facts
FROM match_states s LEFT JOIN views v USING (match_id) WHERE s.step > 0 AND v.step IS DISTINCT FROM s.step

-- name: lost_steps: of the newest matches that are not archived: gone, changed, or told to nobody (PL-411, PL-412)
WITH newest AS (SELECT match_id, s.step, s.chain FROM matches m JOIN match_states s USING (match_id)
        WHERE m.archived_at IS NULL AND s.step > 0 ORDER BY m.created_at DESC, match_id LIMIT %(newest)s),
    linked AS (SELECT match_id, t.step, t.chain, row_number() OVER one AS place, sha256(convert_to(concat_ws('|',
            coalesce(encode(lag(t.chain) OVER one, 'hex'), ''), t.step::text, encode(sha256(t.salt || convert_to(t.command, 'UTF8')), 'hex'),
            encode(sha256(t.salt || convert_to(t.events, 'UTF8')), 'hex'), encode(t.state_hash, 'hex')), 'UTF8')) AS link
        FROM newest JOIN steps t USING (match_id) WINDOW one AS (PARTITION BY match_id ORDER BY t.step))
SELECT n.match_id AS "on", jsonb_build_object('step', n.step, 'steps', found.steps, 'letters', letters.letters, 'wrong_from', found.wrong) AS facts
FROM newest n
    CROSS JOIN LATERAL (SELECT count(*) AS steps, min(l.step) FILTER (WHERE l.step <> l.place OR l.link <> l.chain) AS wrong,
            bool_or(l.step = n.step AND l.chain = n.chain) AS whole FROM linked l WHERE l.match_id = n.match_id) AS found
    CROSS JOIN LATERAL (SELECT count(*) AS letters FROM letters e WHERE e.match_id = n.match_id) AS letters
WHERE found.whole IS NOT TRUE OR found.wrong IS NOT NULL OR letters.letters <> n.step

-- name: stuck_matches
SELECT m.match_id AS "on", jsonb_build_object('error', s.error, 'since', s.since) AS facts
FROM matches m JOIN stuck_matches s USING (match_id) WHERE m.state = 'stuck' AND s.released_at IS NULL

-- name: no_result
SELECT m.match_id AS "on", jsonb_build_object('ended_at', m.ended_at) AS facts
FROM matches m LEFT JOIN results r USING (match_id) WHERE m.state = 'finished' AND r.match_id IS NULL

-- name: no_record
SELECT m.match_id AS "on", jsonb_build_object('ended_at', m.ended_at) AS facts
FROM matches m JOIN match_states s USING (match_id) LEFT JOIN records r USING (match_id)
WHERE m.state IN ('finished', 'aborted', 'voided') AND s.step > 0 AND r.match_id IS NULL AND deal_over(m)
    AND m.ended_at < clock_timestamp() - interval '1 minute'

-- name: old_letters: of matches that should have been archived a day ago
SELECT m.match_id AS "on", jsonb_build_object('ended_at', m.ended_at) AS facts FROM matches m
WHERE m.archived_at IS NULL AND m.started_at IS NOT NULL AND deal_over(m)
    AND m.ended_at < clock_timestamp() - (%(kept)s + m.delay_s) * interval '1 second' - interval '1 day'

-- name: uncounted: ended matches of which the league has taken no note
SELECT o.match_id AS "on", jsonb_build_object('competition', o.competition_id, 'state', m.state, 'ended_at', m.ended_at) AS facts
FROM competition_matches o JOIN matches m USING (match_id)
WHERE m.state IN ('finished', 'aborted', 'voided', 'expired') AND m.ended_at < clock_timestamp() - interval '2 minutes' AND NOT EXISTS (
    SELECT FROM competition_acts a WHERE a.competition_id = o.competition_id AND a.source = 'record ' || o.match_id || ' ' || m.state)

-- name: mend_uncounted: the league's next sweep finds it
UPDATE competition_matches SET recorded_at = NULL WHERE match_id = %(on)s RETURNING jsonb_build_object('recorded_at', recorded_at) AS after

-- name: unpaired: matches of a competition that belong to no pairing of it (LG-1043)
SELECT m.match_id AS "on", jsonb_build_object('competition', m.origin) AS facts
FROM matches m JOIN competitions c ON c.competition_id = m.origin LEFT JOIN competition_matches o USING (match_id) WHERE o.match_id IS NULL

-- name: unmade: matches that were ordered a while ago and are not there
SELECT o.match_id AS "on", jsonb_build_object('competition', o.competition_id, 'pairing', o.pairing) AS facts
FROM competition_matches o JOIN competition_events e ON e.competition_id = o.competition_id AND e.number = o.event LEFT JOIN matches m USING (match_id)
WHERE m.match_id IS NULL AND o.stopped_at IS NULL AND e.at < clock_timestamp() - interval '2 minutes'

-- name: mend_unmade: the league makes it at its next look
UPDATE competition_matches SET made_at = NULL WHERE match_id = %(on)s RETURNING jsonb_build_object('made_at', made_at) AS after

-- name: paused_hooks: by what happened, not by their owners
SELECT hook_id AS "on", jsonb_build_object('organisation', organisation_id, 'why', why, 'since', paused_at) AS facts FROM hooks
WHERE state = 'paused' AND why <> 'owner'

-- name: late_deliveries: due long ago, and still not taken
SELECT l.hook_id AS "on", jsonb_build_object('competition', l.competition_id, 'due', l.due_at) AS facts FROM hook_lines l JOIN hooks h USING (hook_id)
WHERE h.state = 'active' AND l.due_at < clock_timestamp() - interval '5 minutes'

-- name: late_mails: due long ago and still not taken, or tried in vain again and again
SELECT 'mail' AS "on", jsonb_build_object('mails', count(*), 'oldest', min(made_at), 'reason', max(reason)) AS facts FROM mails
WHERE state IN ('waiting', 'going') AND (due_at < clock_timestamp() - interval '5 minutes' OR tries >= 3) HAVING count(*) > 0

-- name: late_reminders
SELECT competition_id AS "on", jsonb_build_object('since', remind_at) AS facts FROM competitions
WHERE remind_at < clock_timestamp() - interval '5 minutes' AND NOT held AND fault IS NULL

-- name: late_competitions: something is due in a competition, and nothing happened
SELECT competition_id AS "on", jsonb_build_object('due_at', due_at, 'fault', fault) AS facts
FROM competitions WHERE NOT held AND (fault IS NOT NULL OR due_at < clock_timestamp() - interval '1 minute')

-- name: waiting_acts: nobody decides what was asked of a competition
SELECT a.competition_id AS "on", jsonb_build_object('acts', count(*), 'oldest', min(a.received_at)) AS facts
FROM competition_acts a JOIN competitions c USING (competition_id)
WHERE a.state = 'waiting' AND NOT c.held AND a.received_at < clock_timestamp() - interval '30 seconds' GROUP BY a.competition_id

-- name: pages_behind: readers of a competition are shown an older version
SELECT competition_id AS "on", jsonb_build_object('version', version, 'pages_version', pages_version) AS facts
FROM competitions WHERE pages_version < version AND NOT held AND pages_at < clock_timestamp() - interval '1 minute'

-- name: old_outbox
SELECT o.match_id AS "on", jsonb_build_object('number', o.number, 'topic', o.topic, 'created_at', o.created_at) AS facts
FROM outbox o WHERE o.done_at IS NULL AND o.created_at < clock_timestamp() - interval '1 minute'

-- name: nobody_plays: going on under a version that no watch of the last minute plays
SELECT m.match_id AS "on", jsonb_build_object('game', m.game, 'version', m.version) AS facts
FROM matches m LEFT JOIN (SELECT game, max(version) AS version FROM games GROUP BY game) newest USING (game, version)
WHERE m.state IN ('open', 'running', 'paused') AND (newest.game IS NULL OR NOT EXISTS (
    SELECT FROM pulses p WHERE p.kind = 'watch' AND starts_with(p.process, 'watch-' || m.game || '-') AND p.at > clock_timestamp() - interval '1 minute'))

-- name: lost_seats
SELECT s.match_id AS "on", jsonb_build_object('seat', s.seat, 'account', s.account_id) AS facts
FROM seats s JOIN matches m USING (match_id) JOIN accounts a USING (account_id)
WHERE m.state IN ('open', 'running', 'paused') AND s.kind = 'held' AND s.how IS NULL AND a.deleted_at IS NOT NULL

-- name: mend_pages: the league writes all of them again
UPDATE competitions SET pages_version = 0 WHERE competition_id = %(on)s AND pages_version > 0 RETURNING jsonb_build_object('pages_version', pages_version) AS after

-- name: left_asks: open questions in matches that are over
SELECT DISTINCT a.match_id AS "on", jsonb_build_object('state', m.state) AS facts
FROM asks a JOIN matches m USING (match_id) WHERE m.state IN ('finished', 'aborted', 'voided', 'expired')

-- name: mend_left_asks
WITH gone AS (DELETE FROM asks a USING matches m WHERE a.match_id = %(on)s AND m.match_id = a.match_id
              AND m.state IN ('finished', 'aborted', 'voided', 'expired') RETURNING a.seat)
SELECT jsonb_build_object('seats', array_agg(seat)) AS after FROM gone HAVING count(*) > 0

-- name: left_timers
SELECT DISTINCT t.match_id AS "on", jsonb_build_object('state', m.state) AS facts
FROM timers t JOIN matches m USING (match_id) WHERE m.state IN ('finished', 'aborted', 'voided', 'expired')

-- name: mend_left_timers
WITH gone AS (DELETE FROM timers t USING matches m WHERE t.match_id = %(on)s AND m.match_id = t.match_id
              AND m.state IN ('finished', 'aborted', 'voided', 'expired') RETURNING t.kind)
SELECT jsonb_build_object('kinds', array_agg(kind)) AS after FROM gone HAVING count(*) > 0

-- name: game_names
SELECT DISTINCT game FROM games ORDER BY game

-- name: strongest
SELECT a.name, r.mu, r.sigma, r.matches FROM ratings r JOIN accounts a USING (account_id)
WHERE r.game = %(game)s AND r.pool = %(pool)s AND a.deleted_at IS NULL ORDER BY (r.mu - 3 * r.sigma) DESC, r.account_id LIMIT %(most)s

-- name: rating_revisions
SELECT count(*) AS revisions FROM rating_entries WHERE revision > 1 AND (%(game)s::text IS NULL OR game = %(game)s)

-- name: ratings_from_the_start
UPDATE rating_heads SET stale_from = 1 WHERE last > 0 AND (%(game)s::text IS NULL OR game = %(game)s)

-- name: ratings_stale
SELECT game, stale_from, last FROM rating_heads WHERE stale_from IS NOT NULL AND (%(game)s::text IS NULL OR game = %(game)s) ORDER BY game
