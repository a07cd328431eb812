-- What pages ask Postgres beside the API.

-- name: blocks_of: whom an account has blocked, by name (PL-138)
SELECT a.account_id AS account, a.name FROM blocks b JOIN accounts a ON a.account_id = b.blocked_id
WHERE b.account_id = %(account)s ORDER BY a.name_key LIMIT 1000;
