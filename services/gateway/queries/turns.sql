-- Commands and their rows, orders, and what readers see.

-- name: accepted: T1
SELECT * FROM accept(%(match)s, %(account)s, %(seat)s::integer, %(kind)s, %(ask)s::integer, %(seen)s::integer, %(key)s, %(body)s, %(hash)s,
                     %(received_at)s, %(command)s, %(budget_ms)s, %(most)s, %(trace)s);

-- name: accepted_by_token: T1 and the look at the token in one call; no row where the token needs a closer look
SELECT account_id, name, account_kind, scopes, bound_to, (answer).*
    FROM accept_by_token(%(token)s, %(nonce)s, %(proof)s, %(scopes)s, %(match)s, %(seat)s, %(kind)s, %(ask)s, %(seen)s, %(key)s, %(body)s,
                         %(hash)s, %(received_at)s, %(command)s, %(budget_ms)s, %(most)s, %(trace)s);

-- name: left: PL-135
SELECT * FROM accept(%(match)s, %(account)s, %(seat)s, 'resign', NULL, NULL, NULL, '{"how":"left"}', NULL, clock_timestamp(), %(command)s,
                     60000, 1000, NULL);

-- name: row_by_arrival
SELECT outcome, code AS refusal, report, first_step, last_step FROM inbox WHERE match_id = %(match)s AND arrival = %(arrival)s;

-- name: row_by_command: for its sender
SELECT command_id, arrival, seat, outcome, code AS refusal, report, first_step, last_step, received_at
    FROM inbox WHERE match_id = %(match)s AND command_id = %(command)s AND account_id = %(account)s;

-- name: order_waiting
SELECT number FROM orders_to_confirm WHERE match_id = %(match)s AND account_id = %(account)s AND confirmed_at IS NULL;

-- name: order_noted
INSERT INTO orders_to_confirm (match_id, number, account_id, kind, reason)
    SELECT %(match)s, coalesce(max(number), 0) + 1, %(account)s, %(kind)s, %(reason)s FROM orders_to_confirm WHERE match_id = %(match)s
    RETURNING number;

-- name: order_to_confirm
SELECT account_id, kind, reason FROM orders_to_confirm WHERE match_id = %(match)s AND number = %(number)s;

-- name: order_confirmed
UPDATE orders_to_confirm SET confirmed_at = clock_timestamp(), confirmed_by = %(account)s WHERE match_id = %(match)s AND number = %(number)s;

-- name: view_of
SELECT v.step, v.at, m.state, v.awaited, v.clocks, v.host, v.bodies[%(reader)s] AS body, v.hashes[%(reader)s] AS hash
    FROM views v JOIN matches m USING (match_id) WHERE v.match_id = %(match)s AND sealed_at(m) IS NULL;

-- name: text_of
SELECT v.step, v.texts[%(reader)s] AS text FROM views v JOIN matches m USING (match_id) WHERE v.match_id = %(match)s AND sealed_at(m) IS NULL;

-- name: letter_shown: PL-419 the newest letter that onlookers may see
SELECT l.step, l.at, l.bodies[1] AS body, late.late_state
    FROM matches m, LATERAL (SELECT * FROM shown_to_onlookers(m)) late, letters l
    WHERE m.match_id = %(match)s AND l.match_id = m.match_id AND l.step = late.late_step;

-- name: letters_of: the later letters of one reader
SELECT l.step, l.bodies[%(reader)s] AS body FROM letters l JOIN matches m USING (match_id)
    WHERE l.match_id = %(match)s AND l.step > %(after)s AND (m.deal_group IS NULL OR l.at < coalesce(sealed_at(m), 'infinity')) AND (NOT %(late)s OR l.step <= (
        SELECT late.late_step FROM matches m, LATERAL (SELECT * FROM shown_to_onlookers(m)) late WHERE m.match_id = %(match)s))
    ORDER BY l.step LIMIT %(most)s;

-- name: letters_between
SELECT l.bodies[%(reader)s] AS body FROM letters l JOIN matches m USING (match_id)
    WHERE l.match_id = %(match)s AND l.step BETWEEN %(first)s AND %(last)s AND (m.deal_group IS NULL OR l.at < coalesce(sealed_at(m), 'infinity'))
    ORDER BY l.step LIMIT 200;

-- name: open_letters: without masks; the caller has made sure that the match is over
SELECT step, body FROM opened(%(match)s, %(after)s, %(most)s);

-- name: ask_of
SELECT seat, ask, opened_at, due_at, body FROM asks WHERE match_id = %(match)s AND seat = %(seat)s;

-- name: asks_of
SELECT seat, ask, opened_at, due_at, body FROM asks WHERE match_id = %(match)s AND seat = ANY(%(seats)s) ORDER BY seat;

-- name: my_asks: by due time, those without one last
SELECT a.match_id, a.seat, a.ask, a.opened_at, a.due_at, a.body, m.game, coalesce(a.due_at, '9999-12-31'::timestamptz) AS due_key
    FROM seats s JOIN asks a USING (match_id, seat) JOIN matches m USING (match_id)
    WHERE s.account_id = %(account)s AND s.kind = 'held' AND NOT s.vacant AND m.state IN ('running', 'paused')
      AND %(bounds)s::text[] <@ ARRAY[m.match_id, m.championship] AND (%(game)s::text IS NULL OR m.game = %(game)s)
      AND (%(needed)s::boolean IS NULL OR a.needed = %(needed)s)
      AND (%(match_after)s::text IS NULL OR (coalesce(a.due_at, '9999-12-31'::timestamptz), a.match_id, a.seat) > (%(due)s::timestamptz, %(match_after)s, %(seat)s::integer))
    ORDER BY due_key, a.match_id, a.seat LIMIT %(most)s;

-- name: record_of
SELECT record, proof FROM records WHERE match_id = %(match)s;

-- name: archive_of: PL-257 where the letters and views of an archived match lie
SELECT location, hash FROM archives WHERE match_id = %(match)s;

-- name: result_of
SELECT r.game, r.rated, r.unfinished, r.flag, r.ended_at, r.voided_at, p.seat, p.place, p.table_place, p.score, p.how, p.counts_for, s.bot_level,
       CASE WHEN o.account_id IS NOT NULL THEN jsonb_build_object('account', o.account_id, 'name', o.name, 'kind', o.kind) END AS substitute_of,
       CASE WHEN a.account_id IS NOT NULL THEN jsonb_build_object('account', a.account_id, 'name', a.name, 'kind', a.kind) END AS account
    FROM results r JOIN result_seats p USING (match_id) JOIN seats s USING (match_id, seat) LEFT JOIN accounts a ON a.account_id = p.account_id
        LEFT JOIN accounts o ON o.account_id = p.substitute_of
    WHERE r.match_id = %(match)s ORDER BY p.place, p.seat;
