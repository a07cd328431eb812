-- PL-392 From when on nothing of an ended match is shown to its own seats either, since a match with the same deal goes on; else NULL.
-- Games show at the end what was hidden. A match that was voided later stays as it was shown at its first end.
CREATE FUNCTION sealed_at(m matches) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN m.deal_group IS NOT NULL AND m.ended_at IS NOT NULL AND NOT deal_over(m)
           THEN least(m.ended_at, (SELECT r.ended_at FROM results r WHERE r.match_id = m.match_id)) END
$$;
