-- Everything the relay asks about mails: which is to be sent now, what it tells, and what became of it.

-- name: take: the mail that has been due for longest, for one relay; its time is now when it counts as lost
UPDATE mails SET state = 'going', turn = turn + 1, tries = tries + 1, due_at = clock_timestamp() + %(lease)s * interval '1 second'
WHERE mail_id = (SELECT mail_id FROM mails WHERE state IN ('waiting', 'going') AND due_at <= clock_timestamp() ORDER BY due_at LIMIT 1
                 FOR UPDATE SKIP LOCKED)
RETURNING mail_id, account_id, kind, notice, sealed, turn, tries, made_at

-- name: reader: to whom it goes, what they have chosen, and what the notice says, with the match that counts now (LG-168)
SELECT a.name, a.language, coalesce(a.about ->> 'zone', 'UTC') AS zone, a.deleted_at IS NULL AND a.suspended_at IS NULL AS here,
    CASE WHEN b.address = a.mail THEN b.address END AS address, b.code_for, b.kinds, b.quiet_from, b.quiet_to, b.stop_code,
    coalesce(b.reading_until > clock_timestamp(), false) AS reading, clock_timestamp() AS now,
    n.kind IS DISTINCT FROM 'answer_due' OR is_asked(n.match_id, (n.facts ->> 'seat')::integer, (n.facts ->> 'ask')::integer) AS news,
    n.facts, n.competition_id, c.kind AS competition_kind, c.name AS competition, coalesce(s.match_id, n.match_id) AS match
FROM accounts a LEFT JOIN mailboxes b USING (account_id)
    LEFT JOIN notices n ON n.account_id = a.account_id AND n.notice = %(notice)s
    LEFT JOIN competitions c USING (competition_id)
    LEFT JOIN competition_seats s ON s.competition_id = n.competition_id AND s.account_id = n.account_id AND n.pairing IS NOT NULL
        AND s.stage = split_part(n.pairing, '/', 1)::integer AND s.round = split_part(n.pairing, '/', 2)::integer
        AND s.place_in_round = split_part(n.pairing, '/', 3)::integer
WHERE a.account_id = %(account)s

-- name: turns
SELECT * FROM turns_of_mail(%(mail)s)

-- name: put_off: it was not its time; that is no attempt
UPDATE mails SET state = 'waiting', tries = tries - 1, due_at = clock_timestamp() + %(wait)s * interval '1 second'
WHERE mail_id = %(mail)s AND turn = %(turn)s AND state = 'going'

-- name: later
UPDATE mails SET state = 'waiting', reason = %(reason)s, due_at = clock_timestamp() + %(wait)s * interval '1 second'
WHERE mail_id = %(mail)s AND turn = %(turn)s AND state = 'going'

-- name: over: the code of its link is kept no longer
UPDATE mails SET state = %(state)s, reason = nullif(%(reason)s, ''), sealed = NULL, done_at = clock_timestamp()
WHERE mail_id = %(mail)s AND turn = %(turn)s AND state = 'going'

-- name: owe_turns
SELECT owe_turns(%(bundled)s) AS owed

-- name: forget_turns
SELECT forget_turns()

-- name: forget_mails: that are over since long, but for those that tell of questions still open
DELETE FROM mails m USING (SELECT mail_id FROM mails f WHERE f.done_at < clock_timestamp() - %(kept)s * interval '1 second'
    AND NOT EXISTS (SELECT FROM mailed_turns t WHERE t.mail_id = f.mail_id) LIMIT %(most)s) AS old WHERE m.mail_id = old.mail_id
