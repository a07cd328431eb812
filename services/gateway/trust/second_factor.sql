-- Second factors and their recovery codes (PL-126).

-- name: factor_of
SELECT made_at, on_since, (SELECT count(*) FROM recovery_codes r WHERE r.account_id = f.account_id) AS recovery_codes
    FROM second_factors f WHERE account_id = %(account)s

-- name: factor_locked: tries are counted one after the other
SELECT secret, on_since, last_step FROM second_factors WHERE account_id = %(account)s FOR UPDATE

-- name: factor_begun: one that is on stays as it is
INSERT INTO second_factors (account_id, secret) VALUES (%(account)s, %(secret)s)
    ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, made_at = clock_timestamp(), last_step = 0 WHERE second_factors.on_since IS NULL

-- name: factor_on
UPDATE second_factors SET on_since = clock_timestamp() WHERE account_id = %(account)s AND on_since IS NULL

-- name: factor_gone
DELETE FROM second_factors WHERE account_id = %(account)s

-- name: step_spent
UPDATE second_factors SET last_step = %(step)s WHERE account_id = %(account)s

-- name: recovery_code_made
INSERT INTO recovery_codes (account_id, code_hash) VALUES (%(account)s, %(hash)s)

-- name: recovery_code_spent
DELETE FROM recovery_codes WHERE account_id = %(account)s AND code_hash = %(hash)s

-- name: recovery_codes_gone
DELETE FROM recovery_codes WHERE account_id = %(account)s
