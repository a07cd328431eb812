-- The first league, which was never released: competitions take its place.

DROP FUNCTION seat_pairing(text, text, text, integer, integer, text[]);
DROP TABLE standings, recorded_seats, recorded_results, appearances, pairings, rounds, entrants, championships;
