-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS accounts_of_owner;
CREATE INDEX CONCURRENTLY accounts_of_owner ON accounts (owner_id) WHERE owner_id IS NOT NULL;
