-- PL-218 Who is invited by name to a private match follows it live too; the codes stay unread.

GRANT SELECT (match_id, account_id, withdrawn) ON invitations TO cupboard_stream;
