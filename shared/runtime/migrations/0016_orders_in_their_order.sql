-- Matches are made in the order in which they were ordered, found without sorting all that still wait.

DROP INDEX competition_matches_unmade;
CREATE INDEX competition_matches_unmade ON competition_matches (competition_id, event, pairing) WHERE made_at IS NULL AND stopped_at IS NULL;
