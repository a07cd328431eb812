-- outside a transaction
-- PL-613 A seed belongs to one match or to one deal group. An index that was left half built is made anew.
DROP INDEX CONCURRENTLY IF EXISTS matches_one_seed;
CREATE UNIQUE INDEX CONCURRENTLY matches_one_seed ON matches (seed_number) WHERE deal_group IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS matches_of_deal;
CREATE INDEX CONCURRENTLY matches_of_deal ON matches (deal_group) WHERE deal_group IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS matches_to_archive;
CREATE INDEX CONCURRENTLY matches_to_archive ON matches (ended_at) WHERE archived_at IS NULL AND started_at IS NOT NULL;
ALTER TABLE matches DROP CONSTRAINT IF EXISTS matches_seed_number_key;
