-- LG-1005 Who sits at which table of a tournament and how it stands, for a player's own page; made from events, and can be made again from them.
CREATE TABLE competition_seats (
    competition_id text NOT NULL REFERENCES competitions,
    stage          integer NOT NULL,
    round          integer NOT NULL,
    place_in_round integer NOT NULL,             -- the number of the table
    account_id     text NOT NULL,
    state          text NOT NULL,
    match_id       text,                         -- the one that counts
    kind           text NOT NULL,
    seats          integer NOT NULL,
    place          integer,
    how            text,
    points         text,
    corrected      boolean NOT NULL,
    decided_at     timestamptz,
    PRIMARY KEY (competition_id, stage, round, place_in_round, account_id)
);
CREATE INDEX competition_seats_of ON competition_seats (account_id, decided_at);
CREATE INDEX competition_byes_asked ON competition_events (((body::jsonb) ->> 'account')) WHERE kind = 'bye_asked';
GRANT SELECT ON competition_seats TO cupboard_gateway;
GRANT SELECT, INSERT, DELETE ON competition_seats TO cupboard_league;

-- LG-129 Whether a reader may know of a competition: a public one everybody, a private one its entrants, their owners and its officials.
CREATE FUNCTION may_know(p_competition text, p_organisation text, p_visibility text, p_reader text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT p_visibility = 'public'
        OR EXISTS (SELECT FROM competition_entrants e LEFT JOIN accounts b ON b.account_id = e.account_id
            WHERE e.competition_id = p_competition AND p_reader IN (e.account_id, b.owner_id))
        OR EXISTS (SELECT FROM organisation_roles r WHERE r.organisation_id = p_organisation AND r.account_id = p_reader)
        OR EXISTS (SELECT FROM officials f WHERE f.competition_id = p_competition AND f.account_id = p_reader)
$$;
