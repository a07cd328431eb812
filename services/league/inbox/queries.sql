-- Every statement about competitions that the league makes, by name. Decisions are written by one transaction at a time: whoever locks the row.

-- name: competition: all that is needed to decide
SELECT c.*, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, o.zone
FROM competitions c JOIN organisations o USING (organisation_id) WHERE c.competition_id = %(competition)s

-- name: lock: only if nothing has happened since it was read, and nobody has woken it (LG-1033)
SELECT version FROM competitions WHERE competition_id = %(competition)s AND version = %(version)s AND done_arrival = %(done)s
    AND due_at IS NOT DISTINCT FROM %(due)s::timestamptz FOR UPDATE

-- name: lock_pages: only if no newer ones have been written meanwhile
SELECT version FROM competitions WHERE competition_id = %(competition)s AND pages_version < %(version)s FOR UPDATE

-- name: events_after
SELECT number, kind, body FROM competition_events WHERE competition_id = %(competition)s AND number > %(after)s AND number <= %(until)s ORDER BY number

-- name: last_hash
SELECT hash FROM competition_events WHERE competition_id = %(competition)s ORDER BY number DESC LIMIT 1

-- name: acts_waiting: in order of arrival
SELECT arrival, act_id, kind, body, account_id, token_id, roles, (extract(epoch FROM received_at) * 1000)::bigint AS received
FROM competition_acts WHERE competition_id = %(competition)s AND state = 'waiting' AND arrival > %(done)s ORDER BY arrival LIMIT %(most)s

-- name: card: what the league knows of a game, oldest version first
SELECT game, version, seats, bots FROM games WHERE game = %(game)s AND stage = 'league' ORDER BY version

-- name: rating_held: the first entry of a game's record that not everybody may know of yet (LG-810)
SELECT min(m.number) AS first FROM rating_record m JOIN competitions c USING (competition_id)
WHERE m.game = %(game)s AND c.shown_version < c.version AND NOT shown_to_all(c.competition_id, m.at)

-- name: people: accounts as the league may know them; ratings of people who meet only people are those of their own pool (LG-846), and they stand
-- where everybody reads them, before the first result that is held back (LG-810)
SELECT a.account_id, a.name, a.kind, a.owner_id, a.suspended_at IS NOT NULL AS suspended, a.deleted_at IS NOT NULL AS gone, r.mu, r.sigma, r.matches,
    EXISTS (SELECT FROM organisation_roles m WHERE m.organisation_id = %(organisation)s AND m.account_id = a.account_id) AS member,
    EXISTS (SELECT FROM organisation_guests g WHERE g.organisation_id = %(organisation)s AND g.account_id = a.account_id
            AND g.accepted_at IS NOT NULL) AS invited
FROM accounts a LEFT JOIN LATERAL (
    SELECT n.mu, n.sigma, n.matches FROM ratings n
    WHERE n.account_id = a.account_id AND n.game = %(game)s AND n.pool = %(pool)s AND %(first)s::bigint IS NULL
    UNION ALL (
    SELECT e.mu_after, e.sigma_after, count(*) OVER () FROM rating_entries e
    WHERE e.account_id = a.account_id AND e.game = %(game)s AND e.pool = %(pool)s AND e.number < %(first)s::bigint AND e.counted
        AND NOT EXISTS (SELECT FROM rating_entries l WHERE l.game = e.game AND l.number = e.number AND l.account_id = e.account_id
                        AND l.pool = e.pool AND l.revision > e.revision)
    ORDER BY e.number DESC LIMIT 1)) AS r ON true
WHERE a.account_id = ANY (%(accounts)s)

-- name: final_pages: what a championship counts, once everybody may know it (LG-810)
SELECT p.competition_id, p.body FROM competition_pages p JOIN competitions c USING (competition_id)
WHERE p.competition_id = ANY (%(tournaments)s) AND p.part = 0 AND p.name = CASE WHEN c.shown_version IS NULL THEN 'final' ELSE 'shown/final' END

-- name: add_events
INSERT INTO competition_events (competition_id, number, kind, body, hidden, act_id, account_id, at, previous_hash, hash)
SELECT %(competition)s, e.number, e.kind, e.body, e.hidden, e.act_id, e.account_id, to_timestamp(e.at / 1000.0), e.previous_hash, e.hash
FROM json_to_recordset(%(rows)s) AS e (number integer, kind text, body text, hidden boolean, act_id text, account_id text, at bigint,
                                       previous_hash text, hash text)

-- name: close_acts
UPDATE competition_acts a SET state = t.state, code = t.code, sentence = t.sentence, named = t.named, version = t.version, events = t.events,
    answer = t.answer, done_at = clock_timestamp()
FROM json_to_recordset(%(rows)s) AS t (arrival integer, state text, code text, sentence text, named jsonb, version integer, events integer, answer text)
WHERE a.competition_id = %(competition)s AND a.arrival = t.arrival AND a.state = 'waiting'

-- name: note: one entry in the organisation's audit log (LG-943)
SELECT chained(%(organisation)s, %(competition)s, %(account)s, %(facts)s)

-- name: order_matches: once for each pairing and number (LG-167)
INSERT INTO competition_matches (match_id, competition_id, pairing, event, wish)
SELECT o.match, %(competition)s, o.pairing, o.event, o.wish
FROM json_to_recordset(%(rows)s) AS o (match text, pairing text, event integer, wish jsonb)
ON CONFLICT (competition_id, pairing) DO NOTHING

-- name: order_stops
INSERT INTO competition_stops (competition_id, event, match_id, what)
SELECT %(competition)s, s.event, s.match, s.what FROM json_to_recordset(%(rows)s) AS s (event integer, match text, what text)
ON CONFLICT DO NOTHING

-- name: move_on
UPDATE competitions SET version = %(version)s, done_arrival = %(done)s, due_at = to_timestamp(%(due)s::bigint / 1000.0), fault = NULL,
    seed = coalesce(%(seed)s, seed)
WHERE competition_id = %(competition)s

-- name: put_pages
INSERT INTO competition_pages (competition_id, name, part, version, body)
SELECT %(competition)s, p.name, p.part, %(version)s, p.body FROM json_to_recordset(%(rows)s) AS p (name text, part integer, body text)
ON CONFLICT (competition_id, name, part) DO UPDATE SET version = excluded.version, body = excluded.body
WHERE competition_pages.version <= excluded.version

-- name: drop_pages: those that are there no longer
DELETE FROM competition_pages p USING json_to_recordset(%(rows)s) AS gone (name text, part integer)
WHERE p.competition_id = %(competition)s AND p.name = gone.name AND p.part = gone.part

-- name: pages_are: the pages are at this version, and what lists show comes out of the first of them
UPDATE competitions SET pages_version = coalesce(%(version)s, pages_version),
    pages_at = CASE WHEN %(version)s::integer IS NULL THEN pages_at ELSE clock_timestamp() END, name = coalesce(%(name)s, name), game = coalesce(%(game)s, game),
    game_version = coalesce(%(game_version)s, game_version), visibility = coalesce(%(visibility)s, visibility), state = coalesce(%(state)s, state),
    entrants = coalesce(%(entrants)s, entrants)
WHERE competition_id = %(competition)s

-- name: put_entrants
INSERT INTO competition_entrants (competition_id, account_id, number, state)
SELECT %(competition)s, e.account, e.number, e.state FROM json_to_recordset(%(rows)s) AS e (account text, number integer, state text)
ON CONFLICT (competition_id, account_id) DO UPDATE SET number = excluded.number, state = excluded.state
WHERE (competition_entrants.number, competition_entrants.state) IS DISTINCT FROM (excluded.number, excluded.state)

-- name: counts
INSERT INTO counted_tournaments (championship_id, tournament_id) SELECT %(competition)s, t.id FROM unnest(%(tournaments)s::text[]) AS t (id)
WHERE EXISTS (SELECT FROM competitions c WHERE c.competition_id = t.id) ON CONFLICT DO NOTHING

-- name: counts_no_more
DELETE FROM counted_tournaments WHERE championship_id = %(competition)s AND tournament_id <> ALL (%(tournaments)s)

-- name: wake_championships: what they count has changed
UPDATE competitions SET due_at = clock_timestamp() WHERE competition_id IN (
    SELECT championship_id FROM counted_tournaments WHERE tournament_id = %(competition)s) AND version > 0

-- name: hold_up: an error of the league itself; it is tried again in a minute
UPDATE competitions SET fault = %(fault)s, due_at = clock_timestamp() + interval '1 minute' WHERE competition_id = %(competition)s AND version = %(version)s

-- name: work: where a time has come or acts wait (LG-871, LG-886)
SELECT competition_id FROM competitions WHERE due_at <= clock_timestamp() AND NOT held
UNION
SELECT a.competition_id FROM competition_acts a JOIN competitions c USING (competition_id) WHERE a.state = 'waiting' AND NOT c.held AND c.fault IS NULL
LIMIT %(most)s

-- name: behind: whose pages are older than a second and behind what has happened (LG-1032)
SELECT competition_id FROM competitions WHERE pages_version < version AND pages_at < clock_timestamp() - interval '1 second' AND fault IS NULL
ORDER BY pages_at LIMIT %(most)s

-- name: unmade: whose matches have been ordered and are not there (LG-146)
SELECT DISTINCT competition_id FROM competition_matches WHERE made_at IS NULL AND stopped_at IS NULL

-- name: make
SELECT made, made_game, made_version FROM make_matches(%(competition)s, %(most)s)

-- name: stops_undone
SELECT s.competition_id, s.event, s.match_id, s.what, t.seat
FROM competition_stops s LEFT JOIN seats t ON t.match_id = s.match_id AND 'forfeit:' || t.account_id = s.what
WHERE s.done_at IS NULL AND (s.competition_id, s.event, s.match_id, s.what) > (%(competition)s, %(event)s, %(match)s, %(what)s)
ORDER BY s.competition_id, s.event, s.match_id, s.what LIMIT %(most)s

-- name: stop
SELECT told_game, told_version, told_arrival FROM stop_match(%(competition)s, %(event)s, %(match)s, %(what)s, %(body)s)

-- name: outbox: taken with locks and marked, never paged by number (PL-345)
SELECT number, match_id, step, topic FROM outbox WHERE done_at IS NULL ORDER BY number LIMIT %(most)s FOR UPDATE SKIP LOCKED

-- name: consume: no row where this was delivered before (PL-346)
INSERT INTO consumed (consumer, match_id, step, topic) VALUES ('league', %(match)s, %(step)s, %(topic)s) ON CONFLICT DO NOTHING

-- name: oldest_unworked: its age in seconds; a round of a huge field is paired and ordered for so long that nobody has stopped (LG-1031)
SELECT extract(epoch FROM clock_timestamp() - min(since))::float8 AS age FROM (
    (SELECT created_at AS since FROM outbox WHERE done_at IS NULL ORDER BY number LIMIT 1)
    UNION ALL
    SELECT a.received_at + CASE WHEN c.entrants > %(huge)s THEN interval '2 minutes' ELSE '0' END
    FROM competition_acts a JOIN competitions c USING (competition_id) WHERE a.state = 'waiting' AND NOT c.held AND c.fault IS NULL) AS waiting

-- name: mark_done
UPDATE outbox SET done_at = clock_timestamp() WHERE number = ANY (%(numbers)s)

-- name: ended: matches of competitions, as the match service says they ended (LG-203)
SELECT o.match_id, o.competition_id, m.state, r.flag,
    (SELECT json_agg(json_build_object('seat', s.seat, 'account', coalesce(s.counts_for, s.account_id), 'place', s.place, 'score', s.score, 'how', s.how) ORDER BY s.seat)
     FROM result_seats s WHERE s.match_id = o.match_id) AS seats
FROM competition_matches o JOIN matches m USING (match_id) LEFT JOIN results r USING (match_id)
WHERE o.match_id = ANY (%(matches)s) AND m.state IN ('finished', 'aborted', 'voided', 'expired')
ORDER BY o.competition_id, array_position(%(matches)s::text[], o.match_id)

-- name: of_competitions
SELECT match_id, competition_id FROM competition_matches WHERE match_id = ANY (%(matches)s) ORDER BY match_id

-- name: unrecorded: ended matches of which no message told, and results voided since, in the order in which they ended (PL-347, LG-208)
SELECT o.match_id FROM competition_matches o JOIN matches m USING (match_id)
WHERE (o.made_at IS NOT NULL AND o.recorded_at IS NULL AND m.state IN ('finished', 'aborted', 'voided', 'expired'))
    OR (m.state = 'voided' AND NOT EXISTS (
        SELECT FROM competition_acts a WHERE a.competition_id = o.competition_id AND a.source = 'record ' || o.match_id || ' voided'))
ORDER BY m.ended_at, o.match_id LIMIT %(most)s

-- name: place: an act of the league itself, once for each source
SELECT place_act(%(competition)s, %(act)s, %(kind)s, %(body)s, NULL, NULL, '{}', %(source)s, NULL) AS arrival

-- name: recorded
UPDATE competition_matches SET recorded_at = coalesce(recorded_at, clock_timestamp()) WHERE match_id = ANY (%(matches)s)

-- name: outages_since: times in which players could take no turns, not yet told to competitions that were running then (LG-885)
SELECT c.competition_id, o.number, (extract(epoch FROM o.from_at) * 1000)::bigint AS began, (extract(epoch FROM o.to_at) * 1000)::bigint AS ended
FROM outages o JOIN competitions c ON c.state = 'running' AND c.kind = 'tournament' AND coalesce(o.game, c.game) = c.game AND c.created_at < o.to_at
WHERE o.to_at > clock_timestamp() - interval '1 day' AND NOT EXISTS (
    SELECT FROM competition_acts a WHERE a.competition_id = c.competition_id AND a.source = 'outage ' || o.number)

-- name: all_pages: of the present
SELECT name, part, body FROM competition_pages WHERE competition_id = %(competition)s AND name NOT LIKE 'shown/%%'

-- name: chain
SELECT number, kind, body, previous_hash, hash FROM competition_events WHERE competition_id = %(competition)s ORDER BY number

-- name: newest
SELECT competition_id, version FROM competitions WHERE version > 0 ORDER BY created_at DESC LIMIT %(most)s

-- name: audit_heads: how far the log of each organisation goes, and its last hash
SELECT organisation_id, number, hash FROM organisation_chains ORDER BY organisation_id

-- name: audit_log
SELECT number, previous_hash, hash, entry FROM organisation_audit
WHERE organisation_id = %(organisation)s AND number > %(after)s AND number <= %(until)s ORDER BY number LIMIT %(most)s
