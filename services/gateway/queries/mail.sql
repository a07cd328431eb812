-- Mailboxes, and mails that are owed.

-- name: mailbox_of: with the account's address, and whether that is the one that was confirmed
SELECT a.mail, b.address, coalesce(b.address = a.mail, false) AS confirmed, coalesce(b.kinds, '{}') AS kinds, b.quiet_from, b.quiet_to
    FROM accounts a LEFT JOIN mailboxes b USING (account_id) WHERE a.account_id = %(account)s;

-- name: mailbox_changed
INSERT INTO mailboxes (account_id, kinds, quiet_from, quiet_to, stop_code) VALUES (%(account)s, %(kinds)s, %(quiet_from)s, %(quiet_to)s, %(stop_code)s)
    ON CONFLICT (account_id) DO UPDATE SET kinds = excluded.kinds, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to;

-- name: mailbox_asked: only the newest link counts
INSERT INTO mailboxes (account_id, code_hash, code_for, code_ends_at, stop_code)
    VALUES (%(account)s, %(hash)s, %(mail)s, clock_timestamp() + interval '3 days', %(stop_code)s)
    ON CONFLICT (account_id) DO UPDATE SET code_hash = excluded.code_hash, code_for = excluded.code_for, code_ends_at = excluded.code_ends_at;

-- name: mailbox_confirmed
UPDATE mailboxes b SET address = b.code_for, code_hash = NULL, code_for = NULL, code_ends_at = NULL FROM accounts a
    WHERE b.code_hash = %(hash)s AND b.code_ends_at > clock_timestamp() AND a.account_id = b.account_id AND a.mail = b.code_for AND a.deleted_at IS NULL
    RETURNING b.account_id;

-- name: mailbox_stopped
UPDATE mailboxes SET kinds = array_remove(kinds, %(kind)s) WHERE stop_code = %(stop_code)s RETURNING account_id;

-- name: mailbox_forgotten
DELETE FROM mailboxes WHERE account_id = %(account)s;

-- name: mail_owed
INSERT INTO mails (account_id, kind, sealed) VALUES (%(account)s, %(kind)s, %(sealed)s);

-- name: mails_lately: of one kind, for one account or to one address
SELECT count(*) AS mails FROM accounts a JOIN mails m USING (account_id)
    WHERE (a.account_id = %(account)s OR lower(a.mail) = lower(%(mail)s)) AND m.kind = %(kind)s AND m.made_at > clock_timestamp() - interval '1 hour';

-- name: mails_forgotten
DELETE FROM mails WHERE account_id = %(account)s;

-- name: accounts_to_reset: by name or by address; a link goes to confirmed addresses only
SELECT a.account_id, a.mail FROM accounts a JOIN mailboxes b USING (account_id)
    WHERE (a.name_key = %(name_key)s OR lower(a.mail) = lower(%(mail)s)) AND b.address = a.mail AND a.kind = 'person' AND a.deleted_at IS NULL
    ORDER BY a.account_id LIMIT 5;

-- name: other_resets_ended
UPDATE password_resets SET used_at = clock_timestamp() WHERE account_id = %(account)s AND used_at IS NULL;

-- name: export_mail
SELECT jsonb_build_object('confirmed', b.address, 'to_confirm', b.code_for, 'kinds', b.kinds, 'quiet_from', b.quiet_from, 'quiet_to', b.quiet_to,
        'sent', (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', m.kind, 'state', m.state, 'made_at', m.made_at) ORDER BY m.made_at), '[]')
                 FROM mails m WHERE m.account_id = b.account_id)) AS line
    FROM mailboxes b WHERE b.account_id = %(account)s;
