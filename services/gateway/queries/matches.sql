-- Games, matches before their start, and what is told of matches at any time.

-- name: games_offered: the newest version of each game in these stages
SELECT DISTINCT ON (g.game) g.*, (SELECT array_agg(o.version ORDER BY o.version) FROM games o WHERE o.game = g.game) AS versions
    FROM games g WHERE g.stage = ANY(%(stages)s) AND (%(game)s::text IS NULL OR g.game = %(game)s) ORDER BY g.game, g.version DESC;

-- name: game_version
SELECT * FROM games WHERE game = %(game)s AND version = %(version)s;

-- name: pack_by_hash
SELECT pack_hash, game, words FROM games WHERE pack_hash = %(hash)s ORDER BY version DESC LIMIT 1;

-- name: commitments
SELECT l.number, l.commitment, l.published_at, CASE WHEN m.visibility = 'public' THEN l.used_by END AS match_id
    FROM seed_list l LEFT JOIN matches m ON m.match_id = l.used_by WHERE l.number > %(after)s ORDER BY l.number LIMIT %(most)s;

-- name: match_for: what rights need of a match, as this account stands to it
SELECT m.*, g.host_chair, acting_host(m) AS acting_host,
       ARRAY(SELECT s.seat FROM seats s WHERE s.match_id = m.match_id AND s.account_id = %(account)s AND s.kind = 'held' ORDER BY s.seat) AS mine,
       EXISTS (SELECT 1 FROM seats s WHERE s.match_id = m.match_id AND s.account_id = %(account)s AND s.kind = 'invited')
           OR EXISTS (SELECT 1 FROM invitations i WHERE i.match_id = m.match_id AND i.account_id = %(account)s AND NOT i.withdrawn) AS invited,
       officiates(m.championship, %(account)s) AS officiates,
       m.ended_at IS NOT NULL AND m.ended_at <= clock_timestamp() - m.delay_s * interval '1 second' AND deal_over(m) AS delay_over,
       deal_over(m) AS deal_over, EXISTS (SELECT 1 FROM matches o JOIN seats s USING (match_id) WHERE o.deal_group = m.deal_group
           AND o.match_id <> m.match_id AND s.account_id = %(account)s AND s.kind = 'held') AS deals_elsewhere
    FROM matches m LEFT JOIN games g USING (game, version) WHERE m.match_id = %(match)s;

-- name: game_of: and whether somebody has used this key there before
SELECT game, talk, EXISTS (SELECT 1 FROM inbox i WHERE i.match_id = m.match_id AND i.key = %(key)s) AS repeated FROM matches m WHERE match_id = %(match)s;

-- name: seed_taken: PL-613 the lowest unused number
UPDATE seed_list SET used_by = %(match)s
    WHERE number = (SELECT number FROM seed_list WHERE used_by IS NULL ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING number;

-- name: seed_given_back: by the transaction that took it
UPDATE seed_list SET used_by = NULL WHERE used_by = %(match)s;

-- name: in_deal: PL-392 an account that holds a seat of another match with the same deal
SELECT s.account_id FROM matches m JOIN matches o ON o.deal_group = m.deal_group AND o.match_id <> m.match_id JOIN seats s ON s.match_id = o.match_id
    WHERE m.match_id = %(match)s AND s.account_id = %(account)s AND s.kind = 'held' LIMIT 1;

-- name: coming: an account on its way to a seat of this match
SELECT 1 AS yes FROM inbox WHERE match_id = %(match)s AND account_id = %(account)s AND kind = 'order' AND outcome IS NULL LIMIT 1;

-- name: accepted_before: a repeat is answered by what became of the first
SELECT 1 AS yes FROM inbox WHERE match_id = %(match)s AND account_id = %(account)s AND key = %(key)s;

-- name: deal_locked
SELECT pg_advisory_xact_lock(7005, hashtext(%(group)s));

-- name: twice_in_deal: PL-392 an account that holds a seat of this match and of another one with the same deal
SELECT s.account_id FROM matches m JOIN seats s USING (match_id) JOIN matches o ON o.deal_group = m.deal_group AND o.match_id <> m.match_id
    JOIN seats t ON t.match_id = o.match_id AND t.account_id = s.account_id
    WHERE m.match_id = %(match)s AND s.kind = 'held' AND t.kind = 'held' LIMIT 1;

-- name: match_made: the match, its head, its state to come, its timers
WITH made AS (
    INSERT INTO matches (match_id, game, version, pack_hash, options, clock, seats, host_id, visibility, opponents, talk, rated, one_screen,
                         fill_with_bots, guests, substitutes, delay_s, delay_steps, seed_number, deal_group, rematch_of, championship, origin, origin_key,
                         planned_at, expires_at)
    VALUES (%(match)s, %(game)s, %(version)s, %(pack)s, %(options)s::jsonb, %(clock)s::jsonb, %(seats)s, %(host)s, %(visibility)s, %(opponents)s,
            %(talk)s, %(rated)s, %(one_screen)s, %(fill)s, %(guests)s, %(substitutes)s, %(delay_s)s, %(delay_steps)s, %(seed)s, %(deal_group)s, %(rematch_of)s, %(championship)s, %(origin)s,
            %(origin_key)s, %(planned_at)s, coalesce(%(planned_at)s::timestamptz, clock_timestamp()) + %(life)s * interval '1 second')
    RETURNING *),
head AS (INSERT INTO inbox_heads (match_id) SELECT match_id FROM made),
state AS (INSERT INTO match_states (match_id, game, version) SELECT match_id, game, version FROM made)
INSERT INTO timers (match_id, kind, due_at)
    SELECT match_id, 'expiry', expires_at FROM made
    UNION ALL SELECT match_id, 'planned_start', planned_at FROM made WHERE planned_at IS NOT NULL;

-- name: seat_made
INSERT INTO seats (match_id, seat, kind, account_id, bot_level, ready) VALUES (%(match)s, %(seat)s, %(kind)s, %(account)s, %(level)s, %(ready)s);

-- name: origin_locked: two who press the same button wait for each other
SELECT pg_advisory_xact_lock(hashtext(%(origin)s), hashtext(%(origin_key)s));

-- name: match_by_origin
SELECT match_id FROM matches WHERE origin = %(origin)s AND origin_key = %(origin_key)s;

-- name: match_changed: a planned start that is moved takes the end of its waiting with it
WITH planned AS (
    INSERT INTO timers (match_id, kind, due_at) SELECT %(match)s, 'planned_start', %(planned_at)s WHERE %(planned_at)s::timestamptz IS NOT NULL
    ON CONFLICT (match_id, kind) DO UPDATE SET due_at = excluded.due_at),
unplanned AS (DELETE FROM timers WHERE match_id = %(match)s AND kind = 'planned_start' AND %(planned_at)s::timestamptz IS NULL),
until AS (SELECT greatest(expires_at, %(planned_at)s::timestamptz + %(life)s * interval '1 second') AS at FROM matches WHERE match_id = %(match)s),
kept AS (UPDATE timers SET due_at = until.at FROM until WHERE match_id = %(match)s AND kind = 'expiry')
UPDATE matches SET visibility = %(visibility)s, planned_at = %(planned_at)s, options = %(options)s::jsonb, row_version = row_version + 1,
        expires_at = until.at FROM until
    WHERE match_id = %(match)s;

-- name: match_told
SELECT m.*, g.title, g.host_chair, acting_host(m) AS acting_host, l.commitment, coalesce(v.step, 0) AS step, late.*,
       ARRAY(SELECT s.seat FROM seats s WHERE s.match_id = m.match_id AND s.account_id = %(account)s AND s.kind = 'held') AS mine,
       (SELECT jsonb_build_object('account', a.account_id, 'name', a.name, 'kind', a.kind) FROM accounts a WHERE a.account_id = m.host_id) AS host,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('seat', s.seat, 'kind', s.kind, 'bot_level', s.bot_level, 'ready', s.ready, 'how', s.how,
                   'contribution', s.contribution, 'vacant', s.vacant,
                   'substitute_of', CASE WHEN o.account_id IS NOT NULL THEN jsonb_build_object('account', o.account_id, 'name', o.name, 'kind', o.kind) END,
                   'account', CASE WHEN a.account_id IS NOT NULL THEN
                       jsonb_build_object('account', a.account_id, 'name', a.name, 'kind', a.kind) END) ORDER BY s.seat), '[]')
        FROM seats s LEFT JOIN accounts a USING (account_id) LEFT JOIN accounts o ON o.account_id = s.substitute_of
        WHERE s.match_id = m.match_id) AS "table"
    FROM matches m LEFT JOIN games g USING (game, version) JOIN seed_list l ON l.number = m.seed_number LEFT JOIN views v USING (match_id),
    LATERAL (SELECT * FROM shown_to_onlookers(m)) late
    WHERE m.match_id = %(match)s;

-- name: matches_listed: newest first; public ones, and those that this account sits in, is invited to or made and its token reaches (PL-175)
SELECT m.*, g.title, g.host_chair, acting_host(m) AS acting_host, l.commitment, coalesce(v.step, 0) AS step, late.*,
       ARRAY(SELECT s.seat FROM seats s WHERE s.match_id = m.match_id AND s.account_id = %(caller)s AND s.kind = 'held') AS mine,
       (SELECT jsonb_build_object('account', a.account_id, 'name', a.name, 'kind', a.kind) FROM accounts a WHERE a.account_id = m.host_id) AS host,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('seat', s.seat, 'kind', s.kind, 'bot_level', s.bot_level, 'ready', s.ready, 'how', s.how,
                   'contribution', s.contribution, 'vacant', s.vacant,
                   'substitute_of', CASE WHEN o.account_id IS NOT NULL THEN jsonb_build_object('account', o.account_id, 'name', o.name, 'kind', o.kind) END,
                   'account', CASE WHEN a.account_id IS NOT NULL THEN
                       jsonb_build_object('account', a.account_id, 'name', a.name, 'kind', a.kind) END) ORDER BY s.seat), '[]')
        FROM seats s LEFT JOIN accounts a USING (account_id) LEFT JOIN accounts o ON o.account_id = s.substitute_of
        WHERE s.match_id = m.match_id) AS "table"
    FROM matches m LEFT JOIN games g USING (game, version) JOIN seed_list l ON l.number = m.seed_number LEFT JOIN views v USING (match_id),
    LATERAL (SELECT * FROM shown_to_onlookers(m)) late
    WHERE (m.visibility = 'public' OR (%(bounds)s::text[] <@ ARRAY[m.match_id, m.championship] AND (m.host_id = %(caller)s
           OR EXISTS (SELECT 1 FROM seats s WHERE s.match_id = m.match_id AND s.account_id = %(caller)s))))
      AND (%(game)s::text IS NULL OR m.game = %(game)s) AND (%(championship)s::text IS NULL OR m.championship = %(championship)s)
      AND (%(state)s::text IS NULL OR CASE WHEN m.host_id = %(caller)s OR EXISTS (SELECT 1 FROM seats s
               WHERE s.match_id = m.match_id AND s.account_id = %(caller)s) THEN m.state ELSE late.late_state END = %(state)s)
      AND (%(account)s::text IS NULL OR EXISTS (SELECT 1 FROM seats s WHERE s.match_id = m.match_id AND s.account_id = %(account)s AND s.kind = 'held'))
      AND (%(before)s::timestamptz IS NULL OR (m.created_at, m.match_id) < (%(before)s::timestamptz, %(before_id)s))
    ORDER BY m.created_at DESC, m.match_id DESC LIMIT %(most)s;

-- name: head_locked: orders seats and start; what was waited for is seen only by the next statement
SELECT match_id FROM inbox_heads WHERE match_id = %(match)s FOR UPDATE;

-- name: lobby
SELECT m.*, g.bots, EXISTS (SELECT 1 FROM inbox i WHERE i.match_id = m.match_id AND i.kind = 'start' AND i.outcome IS NULL) AS starting
    FROM matches m LEFT JOIN games g USING (game, version) WHERE m.match_id = %(match)s;

-- name: table
SELECT seat, kind, account_id, vacant FROM seats WHERE match_id = %(match)s ORDER BY seat;

-- name: seat_given: contributions belong to whoever made them
WITH moved AS (UPDATE matches SET row_version = row_version + 1 WHERE match_id = %(match)s)
UPDATE seats SET kind = %(kind)s, account_id = %(account)s, bot_level = %(level)s, ready = %(ready)s, contribution = NULL
    WHERE match_id = %(match)s AND seat = %(seat)s;

-- name: seats_filled: PL-242
UPDATE seats SET kind = 'bot', account_id = NULL, bot_level = %(level)s, ready = true, contribution = NULL
    WHERE match_id = %(match)s AND kind IN ('open', 'invited');

-- name: seat_told
SELECT s.seat, s.kind, s.bot_level, s.ready, s.how, CASE WHEN a.account_id IS NOT NULL THEN
        jsonb_build_object('account', a.account_id, 'name', a.name, 'kind', a.kind) END AS account
    FROM seats s LEFT JOIN accounts a USING (account_id) WHERE s.match_id = %(match)s AND s.seat = %(seat)s;

-- name: contributed
UPDATE seats SET contribution = %(value)s WHERE match_id = %(match)s AND seat = %(seat)s AND account_id = %(account)s;

-- name: readied
UPDATE seats SET ready = %(ready)s WHERE match_id = %(match)s AND seat = %(seat)s AND account_id = %(account)s;

-- name: readiness: whether all seats are taken, and whether every person among their holders has said ready
SELECT coalesce(bool_and(s.kind IN ('held', 'bot')), true) AS full,
       count(*) > 0 AND coalesce(bool_and(s.ready OR s.kind = 'bot' OR a.kind = 'bot'), true) AS all_ready
    FROM seats s LEFT JOIN accounts a USING (account_id) WHERE s.match_id = %(match)s;

-- name: start_accepted: under the lock of the head, so once
SELECT * FROM accept(%(match)s, NULL, NULL, 'start', NULL, NULL, NULL, '{}', NULL, clock_timestamp(), %(command)s, 60000, 1000, NULL);

-- name: timers_gone
DELETE FROM timers WHERE match_id = %(match)s AND kind IN ('expiry', 'planned_start');

-- name: blocking: one of the two blocks the other
SELECT 1 AS yes FROM blocks WHERE (account_id = %(one)s AND blocked_id = %(other)s) OR (account_id = %(other)s AND blocked_id = %(one)s) LIMIT 1;

-- name: invitation_made
INSERT INTO invitations (code, match_id, account_id, uses_left, ends_at) VALUES (%(code)s, %(match)s, %(account)s, %(uses)s, %(ends_at)s);

-- name: invitation_withdrawn
UPDATE invitations SET withdrawn = true WHERE code = %(code)s AND match_id = %(match)s;

-- name: invitation_seen: and whether this account has used it and sits there
SELECT i.*, i.ends_at <= clock_timestamp() AS over,
       EXISTS (SELECT 1 FROM invitation_uses u WHERE u.code = i.code AND u.account_id = %(account)s) AS used,
       (SELECT min(s.seat) FROM seats s WHERE s.match_id = i.match_id AND s.account_id = %(account)s AND s.kind = 'held') AS seat
    FROM invitations i WHERE i.code = %(code)s;

-- name: invitation_used
INSERT INTO invitation_uses (code, account_id) VALUES (%(code)s, %(account)s) ON CONFLICT DO NOTHING;

-- name: invitation_counted
UPDATE invitations SET uses_left = uses_left - 1 WHERE code = %(code)s AND uses_left > 0 AND NOT withdrawn AND ends_at > clock_timestamp();

-- name: invitations_of: by name, and by a seat that is kept
SELECT i.code, i.match_id, m.game, i.uses_left, i.ends_at FROM invitations i JOIN matches m USING (match_id)
    WHERE i.account_id = %(account)s AND NOT i.withdrawn AND i.uses_left > 0 AND i.ends_at > clock_timestamp() AND m.state = 'open'
UNION ALL
SELECT NULL, s.match_id, m.game, 1, m.expires_at FROM seats s JOIN matches m USING (match_id)
    WHERE s.account_id = %(account)s AND s.kind = 'invited' AND m.state = 'open' LIMIT 100;
