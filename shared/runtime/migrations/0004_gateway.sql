-- What the gateway keeps besides: orders that need a second person, and whether guests may be in an audience.

CREATE TABLE orders_to_confirm (                 -- PL-248: voiding a finished match takes two persons
    match_id     text NOT NULL REFERENCES matches,
    number       integer NOT NULL,
    account_id   text NOT NULL REFERENCES accounts,
    kind         text NOT NULL,
    reason       text NOT NULL,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    confirmed_at timestamptz,
    confirmed_by text REFERENCES accounts,
    PRIMARY KEY (match_id, number)
);
GRANT SELECT, INSERT, UPDATE (confirmed_at, confirmed_by) ON orders_to_confirm TO cupboard_gateway;

ALTER TABLE matches ADD COLUMN guests boolean NOT NULL DEFAULT false;      -- PL-139: device tokens may join the audience

-- PL-209, PL-567 An answer of the audience with its key, in one call: '' or a problem code.
CREATE FUNCTION answer_once(p_match text, p_question text, p_member text, p_answer text, p_path text, p_key text, p_hash bytea, p_keep_s integer)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    code text;
    old_hash bytea;
BEGIN
    SELECT body_hash INTO old_hash FROM idempotency
        WHERE account_id = p_member AND method = 'PUT' AND path = p_path AND key = p_key AND ends_at > clock_timestamp();
    IF FOUND THEN
        RETURN CASE WHEN old_hash = p_hash THEN 'again' ELSE 'key_reused' END;
    END IF;
    PERFORM 1 FROM audience_members WHERE match_id = p_match AND member = p_member AND left_at IS NULL;
    IF NOT FOUND THEN
        RETURN 'not_allowed';
    END IF;
    code := store_answer(p_match, p_question, p_member, p_answer);
    IF code = '' THEN
        INSERT INTO idempotency (account_id, method, path, key, body_hash, status, body, ends_at)
            VALUES (p_member, 'PUT', p_path, p_key, p_hash, 200, '', clock_timestamp() + p_keep_s * interval '1 second')
            ON CONFLICT (account_id, method, path, key) DO NOTHING;
    END IF;
    RETURN code;
END $$;

-- PL-419 The step and state of a match that onlookers see: of seconds and steps the stricter counts; after the end only seconds do.
CREATE FUNCTION shown_to_onlookers(m matches, OUT late_step integer, OUT late_state text, OUT delay_over boolean)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    by_time integer;
    newest integer;
BEGIN
    delay_over := m.ended_at IS NOT NULL AND m.ended_at <= clock_timestamp() - m.delay_s * interval '1 second';
    late_state := CASE WHEN m.ended_at IS NOT NULL AND m.started_at IS NOT NULL AND NOT delay_over THEN 'running' ELSE m.state END;
    IF m.started_at IS NULL THEN
        late_step := 0;
        RETURN;
    END IF;
    SELECT max(l.step) INTO newest FROM letters l WHERE l.match_id = m.match_id;
    by_time := newest;
    IF m.delay_s > 0 THEN
        SELECT max(l.step) INTO by_time FROM letters l
            WHERE l.match_id = m.match_id AND l.at <= clock_timestamp() - m.delay_s * interval '1 second';
    END IF;
    late_step := coalesce(CASE WHEN m.ended_at IS NULL THEN least(by_time, greatest(newest - m.delay_steps, 0)) ELSE by_time END, 0);
END $$;
