-- Everything the gateway asks about organisations, competitions and ratings, by name. What happens in a competition is the league's.

-- name: seen: a competition as this caller stands to it; one that was never made is not there (LG-103)
SELECT c.competition_id, c.kind, c.organisation_id, o.name AS organisation_name, c.created_by, c.name, c.game, c.game_version, c.visibility, c.state,
    c.entrants, c.version, c.pages_version, c.shown_version, c.held, c.fault, c.created_at, c.due_at,
    ARRAY(SELECT r.role FROM organisation_roles r WHERE r.organisation_id = c.organisation_id AND r.account_id = %(account)s
          UNION SELECT f.role FROM officials f WHERE f.competition_id = c.competition_id AND f.account_id = %(account)s) AS roles,
    EXISTS (SELECT FROM competition_entrants e LEFT JOIN accounts b ON b.account_id = e.account_id
            WHERE e.competition_id = c.competition_id AND %(account)s IN (e.account_id, b.owner_id)) AS takes_part
FROM competitions c JOIN organisations o USING (organisation_id)
WHERE c.competition_id = %(competition)s AND c.kind = %(kind)s AND c.version > 0

-- name: listed: newest first, private ones only for those who may know of them, and those with a spectator delay as everybody may know them (LG-810)
SELECT c.competition_id, c.kind, c.organisation_id, o.name AS organisation_name, c.name, c.game, c.game_version, c.visibility,
    coalesce(late.head ->> 'state', c.state) AS state, coalesce((late.head ->> 'entrants')::integer, c.entrants) AS entrants,
    CASE WHEN late.head IS NULL THEN c.version ELSE c.shown_version END AS version,
    c.pages_version, c.created_at, (SELECT g.title FROM games g WHERE g.game = c.game AND g.version = c.game_version) AS title,
    (SELECT count(*) FROM counted_tournaments t WHERE t.championship_id = c.competition_id) AS tournaments
FROM competitions c JOIN organisations o USING (organisation_id)
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM organisation_roles r WHERE r.organisation_id = c.organisation_id AND r.account_id = %(reader)s)
        OR EXISTS (SELECT FROM officials f WHERE f.competition_id = c.competition_id AND f.account_id = %(reader)s) AS official) AS stands
    LEFT JOIN LATERAL (SELECT p.body::jsonb AS head FROM competition_pages p WHERE p.competition_id = c.competition_id
        AND p.name = 'shown/head' AND p.part = 0 AND c.shown_version IS NOT NULL AND NOT stands.official) AS late ON true
WHERE c.kind = %(kind)s AND c.version > 0
    AND (%(organisation)s::text IS NULL OR c.organisation_id = %(organisation)s) AND (%(game)s::text IS NULL OR c.game = %(game)s)
    AND (%(state)s::text IS NULL OR coalesce(late.head ->> 'state', c.state) = %(state)s)
    AND (%(account)s::text IS NULL OR EXISTS (
        SELECT FROM competition_entrants e WHERE e.competition_id = c.competition_id AND e.account_id = %(account)s))
    AND (c.visibility = 'public' OR %(all)s OR stands.official OR EXISTS (
        SELECT FROM competition_entrants e LEFT JOIN accounts b ON b.account_id = e.account_id
        WHERE e.competition_id = c.competition_id AND %(reader)s IN (e.account_id, b.owner_id)))
    AND (%(before)s::timestamptz IS NULL OR (c.created_at, c.competition_id) < (%(before)s::timestamptz, %(before_id)s::text))
ORDER BY c.created_at DESC, c.competition_id DESC LIMIT %(most)s

-- name: page
SELECT p.part, p.version, p.version AS stamp, p.body,
    (SELECT max(q.part) FROM competition_pages q WHERE q.competition_id = p.competition_id AND q.name = p.name) AS last_part
FROM competition_pages p WHERE p.competition_id = %(competition)s AND p.name = %(name)s AND p.part = %(part)s

-- name: page_mark: which writing of a page lies there, and how many parts there are; its text is not touched
SELECT p.version, p.xmin::text AS written,
    (SELECT max(q.part) FROM competition_pages q WHERE q.competition_id = p.competition_id AND q.name = p.name) AS last_part
FROM competition_pages p WHERE p.competition_id = %(competition)s AND p.name = %(name)s AND p.part = %(part)s

-- name: page_text
SELECT xmin::text AS written, version, body FROM competition_pages WHERE competition_id = %(competition)s AND name = %(name)s AND part = %(part)s

-- name: events
SELECT number, kind, body, hidden, act_id, account_id, at, hash FROM competition_events
WHERE competition_id = %(competition)s AND number > %(after)s AND number <= %(until)s ORDER BY number LIMIT %(most)s

-- name: names: accounts as everybody may know them (LG-946, LG-963)
SELECT a.account_id, CASE WHEN a.deleted_at IS NULL THEN a.name ELSE %(former)s END AS name, a.kind, a.owner_id,
    CASE WHEN o.deleted_at IS NULL THEN o.name ELSE %(former)s END AS owner_name
FROM accounts a LEFT JOIN accounts o ON o.account_id = a.owner_id WHERE a.account_id = ANY (%(accounts)s)

-- name: people: the same as one text, for pages with many of them
SELECT coalesce(json_object_agg(a.account_id, json_build_object('name', CASE WHEN a.deleted_at IS NULL THEN a.name ELSE %(former)s END, 'kind', a.kind,
    'owner', CASE WHEN a.owner_id IS NOT NULL THEN json_build_object('account', a.owner_id,
        'name', CASE WHEN o.deleted_at IS NULL THEN o.name ELSE %(former)s END) END)), '{}')::text AS people
FROM accounts a LEFT JOIN accounts o ON o.account_id = a.owner_id WHERE a.account_id = ANY (%(accounts)s)

-- name: mine: the asker and the asker's bots in one competition
SELECT e.account_id AS account, e.state, e.number FROM competition_entrants e JOIN accounts a USING (account_id)
WHERE e.competition_id = %(competition)s AND %(account)s IN (a.account_id, a.owner_id) ORDER BY e.account_id

-- name: title
SELECT title FROM games WHERE game = %(game)s ORDER BY version DESC LIMIT 1

-- name: rounds: of a stage, each with what is still open in it (LG-169)
SELECT (body::jsonb -> 'round')::integer AS round, min(body::jsonb ->> 'state') AS state, min((body::jsonb -> 'published_at')::text)::bigint AS published_at,
    sum(jsonb_array_length(jsonb_path_query_array(body::jsonb,
        '$.pairings[*] ? (@.state != "confirmed" && @.state != "walkover" && @.state != "void")')))::integer AS open_pairings
FROM competition_pages WHERE competition_id = %(competition)s AND name LIKE %(like)s GROUP BY 1 ORDER BY 1

-- name: own: those that are the caller or one of the caller's bots
SELECT account_id, kind FROM accounts WHERE account_id = ANY (%(targets)s) AND (account_id = %(account)s OR owner_id = %(account)s) AND deleted_at IS NULL

-- name: known_account
SELECT account_id, name, kind FROM accounts WHERE account_id = %(target)s AND deleted_at IS NULL

-- name: begun
INSERT INTO competitions (competition_id, kind, organisation_id, created_by, name, seed)
VALUES (%(competition)s, %(kind)s, %(organisation)s, %(account)s, %(name)s, %(seed)s)

-- name: inbox_begun
INSERT INTO competition_inbox (competition_id) VALUES (%(competition)s)

-- name: placed
SELECT place_act(%(competition)s, %(act)s, %(kind)s, %(body)s, %(account)s, %(token)s, %(roles)s, NULL, %(most)s) AS arrival

-- name: outcome
SELECT a.act_id, a.competition_id, a.kind, a.state, a.code, a.sentence, a.named, a.version, a.events, a.answer, a.received_at, a.done_at, a.account_id,
    c.version AS now, c.fault
FROM competition_acts a JOIN competitions c USING (competition_id) WHERE a.act_id = %(act)s

-- name: held
UPDATE competitions SET held = %(held)s WHERE competition_id = %(competition)s AND held <> %(held)s

-- name: counted_in
SELECT championship_id FROM counted_tournaments WHERE tournament_id = %(competition)s ORDER BY championship_id

-- Organisations ----------------------------------------------------------------------------------------------------

-- name: organisation
SELECT o.organisation_id, o.name, o.zone, o.created_at, h.number AS audit_number, h.hash AS audit_hash,
    ARRAY(SELECT r.role FROM organisation_roles r WHERE r.organisation_id = o.organisation_id AND r.account_id = %(account)s) AS roles
FROM organisations o JOIN organisation_chains h USING (organisation_id) WHERE o.organisation_id = %(organisation)s

-- name: organisations: by name
SELECT o.organisation_id, o.name, o.zone, o.created_at FROM organisations o
WHERE (%(account)s::text IS NULL OR EXISTS (
    SELECT FROM organisation_roles r WHERE r.organisation_id = o.organisation_id AND r.account_id = %(account)s))
    AND (%(after)s::text IS NULL OR (o.name_key, o.organisation_id) > (%(after)s, %(after_id)s)) ORDER BY o.name_key, o.organisation_id LIMIT %(most)s

-- name: organisation_made
INSERT INTO organisations (organisation_id, name, name_key, zone, created_by) VALUES (%(organisation)s, %(name)s, %(key)s, %(zone)s, %(account)s)
ON CONFLICT (name_key) DO NOTHING

-- name: chain_begun
INSERT INTO organisation_chains (organisation_id) VALUES (%(organisation)s)

-- name: noted
SELECT chained(%(organisation)s, %(subject)s, %(account)s, %(facts)s) AS number

-- name: organisation_locked: roles change one after the other, so that the last owner stays the last (LG-125)
SELECT number FROM organisation_chains WHERE organisation_id = %(organisation)s FOR UPDATE

-- name: roles_of
SELECT r.role, r.account_id AS account, a.name, r.given_at FROM organisation_roles r JOIN accounts a USING (account_id)
WHERE r.organisation_id = %(organisation)s ORDER BY r.role DESC, a.name

-- name: role_given
INSERT INTO organisation_roles (organisation_id, account_id, role, given_by) VALUES (%(organisation)s, %(target)s, %(role)s, %(account)s) ON CONFLICT DO NOTHING

-- name: role_taken
DELETE FROM organisation_roles WHERE organisation_id = %(organisation)s AND account_id = %(target)s AND role = %(role)s

-- name: owners
SELECT account_id FROM organisation_roles WHERE organisation_id = %(organisation)s AND role = 'owner'

-- name: officials
SELECT f.account_id AS account, a.name, f.given_at FROM officials f JOIN accounts a USING (account_id) WHERE f.competition_id = %(competition)s ORDER BY a.name

-- name: official_given
INSERT INTO officials (competition_id, account_id, given_by) VALUES (%(competition)s, %(target)s, %(account)s) ON CONFLICT DO NOTHING

-- name: official_taken
DELETE FROM officials WHERE competition_id = %(competition)s AND account_id = %(target)s

-- name: guest_invited
INSERT INTO organisation_guests (organisation_id, account_id, invited_by) VALUES (%(organisation)s, %(target)s, %(account)s) ON CONFLICT DO NOTHING

-- name: guest_accepted
UPDATE organisation_guests SET accepted_at = coalesce(accepted_at, clock_timestamp()) WHERE organisation_id = %(organisation)s AND account_id = %(target)s

-- name: guest_gone
DELETE FROM organisation_guests WHERE organisation_id = %(organisation)s AND account_id = %(target)s

-- name: audit: of an organisation, of one competition, or of one account: its own acts, and what concerns it, its bots or their pairings (LG-945)
SELECT n.number, n.at, n.subject, n.account_id, n.previous_hash, n.hash, n.entry FROM organisation_audit n
WHERE n.organisation_id = %(organisation)s AND n.number > %(after)s AND (%(subject)s::text IS NULL OR n.subject = %(subject)s)
    AND (%(by)s::text IS NULL OR n.account_id = %(by)s OR EXISTS (
        SELECT FROM competition_seats s JOIN accounts a USING (account_id)
        WHERE s.competition_id = n.subject AND %(by)s IN (a.account_id, a.owner_id)
            AND concat_ws('/', s.stage, s.round, s.place_in_round) = n.entry::jsonb ->> 'pairing')
        OR EXISTS (SELECT FROM accounts a WHERE %(by)s IN (a.account_id, a.owner_id)
            AND a.account_id = (n.entry::jsonb ->> 'after')::jsonb ->> 'account'))
ORDER BY n.number LIMIT %(most)s

-- Ratings ----------------------------------------------------------------------------------------------------------

-- name: leaders: best rank value first (LG-845)
SELECT r.account_id AS account, a.name, a.kind, r.mu, r.sigma, r.matches FROM ratings r JOIN accounts a USING (account_id)
WHERE r.game = %(game)s AND r.pool = %(pool)s AND r.matches >= %(least)s AND a.deleted_at IS NULL
    AND (%(after)s::double precision IS NULL OR (-(r.mu - 3 * r.sigma), r.account_id) > (-%(after)s::double precision, %(after_id)s::text))
ORDER BY (r.mu - 3 * r.sigma) DESC, r.account_id LIMIT %(most)s

-- name: ratings_held: the first entry of each game's record that not everybody may know of yet (LG-810)
SELECT m.game, min(m.number) AS first FROM rating_record m JOIN competitions c USING (competition_id)
WHERE c.shown_version < c.version AND NOT shown_to_all(c.competition_id, m.at) GROUP BY m.game

-- name: leaders_before: the same as it was before an entry of the record
WITH valid AS (
    SELECT DISTINCT ON (account_id, number) account_id, number, mu_after, sigma_after, counted FROM rating_entries
    WHERE game = %(game)s AND pool = %(pool)s AND number < %(first)s ORDER BY account_id, number DESC, revision DESC),
r AS (SELECT DISTINCT ON (account_id) account_id, mu_after AS mu, sigma_after AS sigma, count(*) OVER (PARTITION BY account_id) AS matches
    FROM valid WHERE counted ORDER BY account_id, number DESC)
SELECT r.account_id AS account, a.name, a.kind, r.mu, r.sigma, r.matches FROM r JOIN accounts a USING (account_id)
WHERE r.matches >= %(least)s AND a.deleted_at IS NULL
    AND (%(after)s::double precision IS NULL OR (-(r.mu - 3 * r.sigma), r.account_id) > (-%(after)s::double precision, %(after_id)s::text))
ORDER BY (r.mu - 3 * r.sigma) DESC, r.account_id LIMIT %(most)s

-- name: ratings_before: of one account in one game, before an entry of the record
WITH valid AS (
    SELECT DISTINCT ON (pool, number) pool, number, mu_after, sigma_after, counted FROM rating_entries
    WHERE account_id = %(account)s AND game = %(game)s AND number < %(first)s ORDER BY pool, number DESC, revision DESC)
SELECT DISTINCT ON (pool) %(game)s AS game, pool, mu_after AS mu, sigma_after AS sigma, count(*) OVER (PARTITION BY pool) AS matches
FROM valid WHERE counted ORDER BY pool, number DESC

-- name: ratings_of
SELECT game, pool, mu, sigma, matches FROM ratings WHERE account_id = %(account)s ORDER BY game, pool

-- name: rating_history: newest first, each at its newest revision
SELECT DISTINCT ON (e.number) e.number, e.pool, e.mu_before, e.sigma_before, e.mu_after, e.sigma_after, e.counted, e.rule_version, e.revision,
    m.match_id AS match, m.competition_id AS tournament, m.at
FROM rating_entries e JOIN rating_record m USING (game, number)
WHERE e.account_id = %(account)s AND e.game = %(game)s AND e.pool = %(pool)s AND (%(before)s::bigint IS NULL OR e.number < %(before)s)
    AND (%(first)s::bigint IS NULL OR e.number < %(first)s)
ORDER BY e.number DESC, e.revision DESC LIMIT %(most)s

-- name: games_on_offer
SELECT DISTINCT game FROM games WHERE stage = 'league' ORDER BY game


-- name: organisation_named
SELECT organisation_id FROM organisations WHERE name_key = %(key)s
