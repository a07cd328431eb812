-- A second factor at sign-in (PL-126), views that two people open for a referee (PL-157), referees of a whole organisation (PL-151).

CREATE TABLE second_factors (
    account_id text PRIMARY KEY REFERENCES accounts,
    secret     bytea NOT NULL,                   -- PL-817: encrypted
    made_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    on_since   timestamptz,                      -- NULL until a first code has shown that the secret has arrived
    last_step  bigint NOT NULL DEFAULT 0         -- the newest half minute whose code has been used: a code works once
);
CREATE TABLE recovery_codes (
    account_id text NOT NULL REFERENCES accounts,
    code_hash  bytea NOT NULL,
    PRIMARY KEY (account_id, code_hash)
);
-- By what the roles of its account count for a token: it was made by whoever runs the machine, behind a second factor, or by a password alone.
ALTER TABLE tokens ADD COLUMN made_by text NOT NULL DEFAULT 'machine' CHECK (made_by IN ('machine', 'factor', 'password'));

-- PL-126 The roles that count; behind a factor they do while it is on.
CREATE FUNCTION roles_in_force(p_account text, p_roles text[], p_by text) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_roles = '{}' OR p_by = 'machine' THEN p_roles
        WHEN p_by = 'factor' AND EXISTS (SELECT FROM second_factors f WHERE f.account_id = p_account AND f.on_since IS NOT NULL) THEN p_roles
        ELSE '{}'::text[] END
$$;
-- How an account stands to the second factor: it is on, off, or needed for its roles to count.
CREATE FUNCTION second_factor_of(p_account text, p_roles text[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN EXISTS (SELECT FROM second_factors f WHERE f.account_id = p_account AND f.on_since IS NOT NULL) THEN 'on'
        WHEN p_roles <> '{}' AND (SELECT a.password_hash IS NOT NULL FROM accounts a WHERE a.account_id = p_account) THEN 'needed' ELSE 'off' END
$$;
GRANT SELECT, INSERT, UPDATE, DELETE ON second_factors TO cupboard_gateway;
GRANT SELECT, INSERT, DELETE ON recovery_codes TO cupboard_gateway;
GRANT SELECT (account_id, on_since) ON second_factors TO cupboard_stream;

CREATE TABLE opened_views (                      -- PL-157
    match_id      text NOT NULL REFERENCES matches,
    number        integer NOT NULL,
    seat          integer NOT NULL,
    account_id    text NOT NULL REFERENCES accounts,    -- who wants to look
    reason        text NOT NULL,
    asked_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    confirmed_by  text REFERENCES accounts,
    confirmed_at  timestamptz,
    closes_at     timestamptz,
    looks         integer NOT NULL DEFAULT 0,
    first_look_at timestamptz,
    last_look_at  timestamptz,
    PRIMARY KEY (match_id, number)
);
GRANT SELECT, INSERT, UPDATE (confirmed_by, confirmed_at, closes_at, looks, first_look_at, last_look_at) ON opened_views TO cupboard_gateway;

-- PL-157 Every seat is told at the end, in the transaction of the end, whatever ended it.
CREATE FUNCTION tell_of_opened_views() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO notices (account_id, cause, kind, match_id, facts)
        SELECT DISTINCT s.account_id, 'opened_view ' || o.match_id || ' ' || o.number, 'opened_view', o.match_id,
            jsonb_build_object('seat', o.seat, 'by', a.name, 'reason', o.reason, 'confirmed_by', c.name, 'looks', o.looks,
                'first_look_at', to_char(o.first_look_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'last_look_at', to_char(o.last_look_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        FROM opened_views o JOIN accounts a USING (account_id) JOIN accounts c ON c.account_id = o.confirmed_by JOIN seats s ON s.match_id = o.match_id
        WHERE o.match_id = NEW.match_id AND o.looks > 0 AND s.account_id IS NOT NULL
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER opened_views_are_told AFTER UPDATE OF ended_at ON matches FOR EACH ROW
    WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION tell_of_opened_views();
REVOKE EXECUTE ON FUNCTION tell_of_opened_views() FROM PUBLIC;

-- PL-154 Whether somebody is a referee of the competition that a match belongs to, or of its whole organisation.
CREATE FUNCTION officiates(p_championship text, p_account text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM officials f WHERE f.competition_id = p_championship AND f.account_id = p_account)
        OR EXISTS (SELECT FROM competitions c JOIN organisation_roles r USING (organisation_id)
            WHERE c.competition_id = p_championship AND r.account_id = p_account AND r.role = 'referee')
$$;

ALTER TABLE organisation_roles DROP CONSTRAINT organisation_roles_role_check;
ALTER TABLE organisation_roles ADD CHECK (role IN ('owner', 'organiser', 'referee'));
