-- Talk at a match, and what moderators do about it.

-- name: said: until a day after the end, with the step that everybody at the table knows of by then
INSERT INTO talk (text_id, match_id, room, account_id, seat, step, phrase, words)
    SELECT %(text)s, m.match_id, %(room)s, %(account)s, %(seat)s, coalesce((SELECT v.step FROM views v WHERE v.match_id = m.match_id), 0), %(phrase)s, %(words)s
    FROM matches m WHERE m.match_id = %(match)s AND m.state <> 'expired' AND (m.ended_at IS NULL OR m.ended_at > clock_timestamp() - interval '1 day')
    RETURNING *, account_id AS account, (SELECT name FROM accounts WHERE account_id = %(account)s) AS name,
        (SELECT kind FROM accounts WHERE account_id = %(account)s) AS kind;

-- name: heard: newest first; of those whom the reader has muted or blocked nothing, behind the onlooker delay nothing before its time
SELECT t.*, a.account_id AS account, a.name, a.kind
    FROM talk t JOIN accounts a USING (account_id) JOIN matches m USING (match_id), LATERAL (SELECT * FROM shown_to_onlookers(m)) late
    WHERE t.match_id = %(match)s AND t.room = %(room)s AND (%(before)s::bigint IS NULL OR t.number < %(before)s)
      AND (NOT %(late)s OR t.account_id = %(account)s OR may_be_heard(t, m, late.late_step))
      AND NOT EXISTS (SELECT 1 FROM mutes u WHERE u.account_id = %(account)s AND u.muted_id = t.account_id)
      AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = %(account)s AND b.blocked_id = t.account_id)
    ORDER BY t.number DESC LIMIT %(most)s;

-- name: text_by_id
SELECT *, account_id AS account FROM talk WHERE text_id = %(text)s;

-- name: silence_of
SELECT until FROM silences WHERE account_id = %(account)s AND until > clock_timestamp();

-- name: silenced
INSERT INTO silences (account_id, until) VALUES (%(account)s, clock_timestamp() + %(seconds)s * interval '1 second')
    ON CONFLICT (account_id) DO UPDATE SET until = excluded.until RETURNING until;

-- name: silence_ended
UPDATE silences SET until = clock_timestamp() WHERE account_id = %(account)s AND until > clock_timestamp();

-- name: muted
INSERT INTO mutes (account_id, muted_id) VALUES (%(account)s, %(muted)s) ON CONFLICT DO NOTHING;

-- name: unmuted
DELETE FROM mutes WHERE account_id = %(account)s AND muted_id = %(muted)s;

-- name: mutes_of
SELECT a.account_id AS account, a.name, a.kind FROM mutes m JOIN accounts a ON a.account_id = m.muted_id
    WHERE m.account_id = %(account)s ORDER BY a.name LIMIT 1000;

-- name: reported: the first word of each reporter stands
INSERT INTO talk_reports (text_id, account_id, reason) VALUES (%(text)s, %(account)s, %(reason)s) ON CONFLICT DO NOTHING;

-- name: reports_waiting: oldest text first
SELECT t.*, a.account_id AS account, a.name, a.kind,
       (SELECT s.until FROM silences s WHERE s.account_id = t.account_id AND s.until > clock_timestamp()) AS silenced_until,
       (SELECT jsonb_agg(jsonb_build_object('by', b.name, 'reason', r.reason) ORDER BY r.at) FROM talk_reports r JOIN accounts b USING (account_id)
        WHERE r.text_id = t.text_id AND r.settled_at IS NULL) AS reports
    FROM talk t JOIN accounts a USING (account_id)
    WHERE t.number > %(after)s AND EXISTS (SELECT 1 FROM talk_reports r WHERE r.text_id = t.text_id AND r.settled_at IS NULL)
    ORDER BY t.number LIMIT %(most)s;

-- name: text_hidden
UPDATE talk SET hidden_at = CASE WHEN %(hidden)s THEN clock_timestamp() END WHERE text_id = %(text)s;

-- name: reports_settled
UPDATE talk_reports SET settled_at = clock_timestamp() WHERE text_id = %(text)s AND settled_at IS NULL;

-- name: name_masked: once; its version rises, so that nobody changes what they have not seen
UPDATE accounts SET masked_from = name, name = %(name)s, masked_key = %(key)s, version = version + 1
    WHERE account_id = %(account)s AND masked_from IS NULL AND deleted_at IS NULL RETURNING name;

-- name: name_unmasked
UPDATE accounts SET name = masked_from, masked_from = NULL, masked_key = NULL, version = version + 1
    WHERE account_id = %(account)s AND masked_from IS NOT NULL RETURNING name;

-- name: talk_forgotten: of an account that is gone
WITH own AS (DELETE FROM mutes WHERE account_id = %(account)s OR muted_id = %(account)s)
DELETE FROM talk WHERE account_id = %(account)s;

-- name: export_talk
SELECT jsonb_build_object('match', match_id, 'room', room, 'at', at, 'phrase', phrase, 'words', words, 'hidden', hidden_at IS NOT NULL) AS line
    FROM talk WHERE account_id = %(account)s ORDER BY number LIMIT 10000;

-- name: export_mutes
SELECT to_jsonb(muted_id) AS line FROM mutes WHERE account_id = %(account)s LIMIT 10000;
