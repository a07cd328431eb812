-- PL-594 The relay sends nothing that onlookers may not know yet.
GRANT SELECT (competition_id, shown_version) ON competitions TO cupboard_relay;
