-- Programs of other people, which an account lets in for some of its scopes (PL-179).

CREATE TABLE clients (
    client_id       text PRIMARY KEY,
    account_id      text NOT NULL REFERENCES accounts,      -- who registered it
    organisation_id text REFERENCES organisations,          -- in whose name, where it is not their own
    name            text NOT NULL,
    name_key        text NOT NULL UNIQUE,
    homepage        text NOT NULL,
    redirects       text[] NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX clients_of ON clients (account_id);
CREATE INDEX clients_of_organisation ON clients (organisation_id) WHERE organisation_id IS NOT NULL;

CREATE TABLE client_grants (                     -- one yes on the consent page: its code, and the chain of tokens that the code began
    grant_id     text PRIMARY KEY,
    client_id    text NOT NULL REFERENCES clients ON DELETE CASCADE,
    account_id   text NOT NULL REFERENCES accounts,
    scopes       text[] NOT NULL,
    code_hash    bytea NOT NULL UNIQUE,
    challenge    text NOT NULL,
    redirect     text NOT NULL,
    granted_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    code_ends_at timestamptz NOT NULL,
    code_used_at timestamptz,
    ends_at      timestamptz NOT NULL            -- PL-175
);
CREATE INDEX client_grants_of ON client_grants (account_id);
CREATE INDEX client_grants_to ON client_grants (client_id);

CREATE TABLE refresh_tokens (                    -- a used one is kept as long as its chain, so that its reuse is noticed
    token_id    text PRIMARY KEY,
    grant_id    text NOT NULL REFERENCES client_grants ON DELETE CASCADE,
    secret_hash bytea NOT NULL,                  -- PL-172
    made_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    used_at     timestamptz
);
CREATE INDEX refresh_tokens_of ON refresh_tokens (grant_id);

-- What is taken back is gone: a chain goes with its tokens. Roles of an account never count for a program of somebody else.
ALTER TABLE tokens ADD COLUMN grant_id text REFERENCES client_grants ON DELETE CASCADE;
ALTER TABLE tokens ADD CONSTRAINT tokens_of_clients CHECK ((kind = 'oat') = (grant_id IS NOT NULL));
ALTER TABLE tokens DROP CONSTRAINT tokens_made_by_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_made_by_check CHECK (made_by IN ('machine', 'factor', 'password', 'client'));
CREATE INDEX tokens_of_grant ON tokens (grant_id) WHERE grant_id IS NOT NULL;

GRANT SELECT, INSERT, DELETE ON clients TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE (code_used_at), DELETE ON client_grants TO cupboard_gateway;
GRANT SELECT, INSERT, UPDATE (used_at) ON refresh_tokens TO cupboard_gateway;
