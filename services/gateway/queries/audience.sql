-- The audience of a match.

-- name: any_poll
SELECT 1 AS yes FROM polls WHERE match_id = %(match)s LIMIT 1;

-- name: audience_locked: members of one match are counted one after the other
SELECT pg_advisory_xact_lock(hashtext(%(match)s), hashtext('audience'));

-- name: audience_has_room: for a new member, or for one who is there or comes back
SELECT 1 AS yes WHERE EXISTS (SELECT 1 FROM audience_members WHERE match_id = %(match)s AND member = %(member)s AND left_at IS NULL)
    OR (SELECT count(*) FROM audience_members WHERE match_id = %(match)s AND left_at IS NULL) < %(most)s;

-- name: joined
INSERT INTO audience_members (match_id, member, name) VALUES (%(match)s, %(member)s, %(name)s)
    ON CONFLICT (match_id, member) DO UPDATE SET left_at = NULL, name = coalesce(excluded.name, audience_members.name);

-- name: parted
UPDATE audience_members SET left_at = clock_timestamp() WHERE match_id = %(match)s AND member = %(member)s AND left_at IS NULL;

-- name: answered_once
SELECT answer_once(%(match)s, %(question)s, %(member)s, %(answer)s, %(path)s, %(key)s, %(hash)s, %(keep)s) AS code;

-- name: members_counted
SELECT count(*) AS members FROM audience_members WHERE match_id = %(match)s AND left_at IS NULL;

-- name: member_seen
SELECT 1 AS yes FROM audience_members WHERE match_id = %(match)s AND member = %(member)s;

-- name: polls_open
SELECT question, answers FROM polls WHERE match_id = %(match)s AND closed_at IS NULL ORDER BY opened_at, question;

-- name: answers_of
SELECT question, answer FROM audience_answers WHERE match_id = %(match)s AND member = %(member)s;

-- name: audience_ranking: CH-512, CH-513 points of all members; equal points share a place
SELECT m.member, coalesce(a.name, m.name) AS name, p.points, (rank() OVER (ORDER BY p.points DESC))::integer AS place
    FROM audience_members m LEFT JOIN accounts a ON a.account_id = m.member,
    LATERAL (SELECT coalesce(sum((q.points ->> w.answer)::integer), 0)::integer AS points
             FROM audience_answers w JOIN polls q USING (match_id, question) WHERE w.match_id = m.match_id AND w.member = m.member) p
    WHERE m.match_id = %(match)s ORDER BY place, name, m.member LIMIT 5000;
