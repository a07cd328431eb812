-- Registered programs, what accounts have let them do, and the tokens that came of it (PL-179).

-- name: client_made
INSERT INTO clients (client_id, account_id, organisation_id, name, name_key, homepage, redirects)
    VALUES (%(client)s, %(account)s, %(organisation)s, %(name)s, %(key)s, %(homepage)s, %(redirects)s) ON CONFLICT (name_key) DO NOTHING RETURNING created_at

-- name: clients_of: one's own, and those of organisations that one owns
SELECT c.*, o.name AS organisation_name,
        (SELECT count(DISTINCT g.account_id) FROM client_grants g WHERE g.client_id = c.client_id AND g.code_used_at IS NOT NULL AND g.ends_at > clock_timestamp()) AS people
    FROM clients c LEFT JOIN organisations o USING (organisation_id)
    WHERE CASE WHEN c.organisation_id IS NULL THEN c.account_id = %(account)s
          ELSE EXISTS (SELECT FROM organisation_roles r WHERE r.organisation_id = c.organisation_id AND r.account_id = %(account)s AND r.role = 'owner') END
    ORDER BY c.created_at, c.client_id

-- name: owner_held: its programs are counted one after the other
SELECT account_id FROM accounts WHERE account_id = %(account)s FOR UPDATE

-- name: client_gone: with every chain that it holds
DELETE FROM clients WHERE client_id = %(client)s

-- name: owned_organisations
SELECT o.organisation_id, o.name FROM organisations o JOIN organisation_roles r USING (organisation_id)
    WHERE r.account_id = %(account)s AND r.role = 'owner' ORDER BY o.name

-- name: client: not barred as long as whoever registered it for themselves is not suspended
SELECT c.client_id, c.name, c.homepage, c.redirects, c.organisation_id IS NOT NULL AS of_organisation, coalesce(o.name, a.name) AS owner_name,
        c.organisation_id IS NULL AND a.suspended_at IS NOT NULL AS barred
    FROM clients c JOIN accounts a USING (account_id) LEFT JOIN organisations o USING (organisation_id) WHERE c.client_id = %(client)s

-- name: granted
INSERT INTO client_grants (grant_id, client_id, account_id, scopes, code_hash, challenge, redirect, code_ends_at, ends_at)
    VALUES (%(grant)s, %(client)s, %(account)s, %(scopes)s, %(hash)s, %(challenge)s, %(redirect)s,
        clock_timestamp() + %(code_life)s * interval '1 second', clock_timestamp() + %(life)s * interval '1 second')

-- name: grant_by_code: two who bring the same code come one after the other
SELECT g.*, g.code_ends_at <= clock_timestamp() AS late, a.suspended_at IS NOT NULL OR a.deleted_at IS NOT NULL AS barred
    FROM client_grants g JOIN accounts a USING (account_id) WHERE g.code_hash = %(hash)s FOR UPDATE OF g

-- name: code_used
UPDATE client_grants SET code_used_at = clock_timestamp() WHERE grant_id = %(grant)s

-- name: grant_gone: the chain with its tokens
DELETE FROM client_grants WHERE grant_id = %(grant)s

-- name: chain_held: two who bring tokens of one chain come one after the other; what is then read of it is what the first one left
SELECT grant_id FROM client_grants WHERE grant_id = (SELECT r.grant_id FROM refresh_tokens r WHERE r.token_id = %(token)s) FOR UPDATE

-- name: refresh_seen
SELECT r.secret_hash, r.used_at, g.grant_id, g.client_id, g.scopes, g.ends_at <= clock_timestamp() AS over,
        a.suspended_at IS NOT NULL OR a.deleted_at IS NOT NULL AS barred
    FROM refresh_tokens r JOIN client_grants g USING (grant_id) JOIN accounts a USING (account_id) WHERE r.token_id = %(token)s

-- name: refresh_used
UPDATE refresh_tokens SET used_at = clock_timestamp() WHERE token_id = %(token)s

-- name: refresh_made
INSERT INTO refresh_tokens (token_id, grant_id, secret_hash) VALUES (%(token)s, %(grant)s, %(hash)s)

-- name: ended_tokens_gone
DELETE FROM tokens WHERE grant_id = %(grant)s AND ends_at <= clock_timestamp()

-- name: access_made: it ends with its chain at the latest
INSERT INTO tokens (token_id, kind, account_id, secret_hash, label, scopes, ends_at, made_by, grant_id)
    SELECT %(token)s, 'oat', g.account_id, %(hash)s, c.name, %(scopes)s, least(g.ends_at, clock_timestamp() + %(life)s * interval '1 second'), 'client', g.grant_id
    FROM client_grants g JOIN clients c USING (client_id) WHERE g.grant_id = %(grant)s
    RETURNING floor(extract(epoch FROM ends_at - clock_timestamp()))::integer AS life_s

-- name: access_seen
SELECT t.secret_hash, g.client_id FROM tokens t JOIN client_grants g USING (grant_id) WHERE t.token_id = %(token)s

-- name: access_gone
DELETE FROM tokens WHERE token_id = %(token)s

-- name: let_in: the programs that may act for an account now
SELECT c.client_id, c.name, c.homepage, min(g.granted_at) AS granted_at, max(g.ends_at) AS ends_at,
        ARRAY(SELECT DISTINCT s FROM client_grants h, unnest(h.scopes) s WHERE h.client_id = c.client_id AND h.account_id = %(account)s
            AND h.code_used_at IS NOT NULL AND h.ends_at > clock_timestamp()) AS scopes,
        (SELECT max(coalesce(t.used_on, t.created_at::date)) FROM tokens t JOIN client_grants h USING (grant_id)
            WHERE h.client_id = c.client_id AND h.account_id = %(account)s) AS used_on
    FROM client_grants g JOIN clients c USING (client_id)
    WHERE g.account_id = %(account)s AND g.code_used_at IS NOT NULL AND g.ends_at > clock_timestamp() GROUP BY c.client_id ORDER BY c.name, c.client_id

-- name: put_out
DELETE FROM client_grants WHERE client_id = %(client)s AND account_id = %(account)s
