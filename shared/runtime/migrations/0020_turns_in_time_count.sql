-- LG-879 Before the seats that are late at a deadline forfeit, all turns that came in time are carried out, however late.

CREATE OR REPLACE FUNCTION stop_match(p_competition text, p_event integer, p_match text, p_what text, p_body text)
RETURNS TABLE (told_game text, told_version integer, told_arrival integer) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    ordered record;
BEGIN
    IF p_what = 'late' AND EXISTS (              -- LG-879: who is on turn is not known before all that came in time is carried out
        SELECT FROM inbox i JOIN matches m USING (match_id) JOIN competition_events e ON e.competition_id = p_competition AND e.number = p_event
        WHERE i.match_id = p_match AND i.outcome IS NULL AND i.kind IN ('command', 'batch') AND i.received_at <= e.at AND m.state IN ('running', 'paused')) THEN
        RETURN;
    END IF;
    UPDATE competition_stops s SET done_at = clock_timestamp()
        WHERE s.competition_id = p_competition AND s.event = p_event AND s.match_id = p_match AND s.what = p_what AND s.done_at IS NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT made_at INTO ordered FROM competition_matches WHERE match_id = p_match AND competition_id = p_competition FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF ordered.made_at IS NULL THEN
        IF p_what IN ('void', 'late') OR p_what LIKE 'forfeit:%' THEN
            UPDATE competition_matches SET stopped_at = clock_timestamp() WHERE match_id = p_match;
        END IF;
        RETURN;
    END IF;
    IF p_body IS NULL THEN
        RETURN;
    END IF;
    IF p_what = 'late' THEN                      -- LG-878: who is on turn and late forfeits
        RETURN QUERY SELECT m.game, m.version, accept_own(p_match, 'order', NULL, NULL, replace(p_body, '"late"', a.seat::text), NULL, 0,
                                                          'c-' || replace(gen_random_uuid()::text, '-', ''))
            FROM matches m JOIN asks a USING (match_id) WHERE m.match_id = p_match AND a.needed AND m.state IN ('running', 'paused') ORDER BY a.seat;
        RETURN;
    END IF;
    RETURN QUERY SELECT m.game, m.version, accept_own(p_match, 'order', NULL, NULL, p_body, NULL, 0,
                                                      'c-' || replace(gen_random_uuid()::text, '-', ''))
        FROM matches m WHERE m.match_id = p_match AND m.state IN ('open', 'running', 'paused', 'stuck');
END $$;
