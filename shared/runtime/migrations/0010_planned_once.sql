-- The statements of every turn as functions: a connection's server process keeps their plans, where a statement that is sent is planned
-- each time. A plan is all that is kept from one transaction to the next, and any process may make it, so pooling stays safe (PL-340).

-- PL-330 Matches of a game with rows to carry out, the longest waiting first; old are those that were tried in vain.
CREATE FUNCTION waiting_matches(p_game text, p_version integer, p_most integer, p_careful_after double precision)
RETURNS TABLE (match_id text, old boolean) LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT i.match_id, min(i.accepted_at) < clock_timestamp() - p_careful_after * interval '1 second'
        FROM inbox i JOIN matches m USING (match_id)
        WHERE i.game = p_game AND i.version = p_version AND i.outcome IS NULL AND m.state <> 'stuck'
        GROUP BY i.match_id ORDER BY min(i.accepted_at) LIMIT p_most;
END $$;

-- PL-332 The locks of matches, one by one; those that had to be waited for are passed over where p_free says so.
CREATE FUNCTION lock_matches(p_matches text[], p_free boolean) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY p_matches LOOP
        IF p_free THEN
            PERFORM FROM match_states s WHERE s.match_id = one FOR UPDATE SKIP LOCKED;
        ELSE
            PERFORM FROM match_states s WHERE s.match_id = one FOR UPDATE;
        END IF;
        IF FOUND THEN
            RETURN NEXT one;
        END IF;
    END LOOP;
END $$;

-- Matches under their locks; asked after them, since a statement that has waited sees other tables as they were before.
CREATE FUNCTION locked_matches(p_matches text[])
RETURNS TABLE (match_id text, step integer, match text, house text, chain bytea, done_arrival integer, state text, hashes text[],
               changed integer[], now bigint) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT found.* FROM unnest(p_matches) AS t(match_id) CROSS JOIN LATERAL (
            SELECT s.match_id, s.step, s.match, s.house, s.chain, s.done_arrival, m.state, v.hashes, v.changed,
                   floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
            FROM match_states s JOIN matches m USING (match_id) LEFT JOIN views v USING (match_id)
            WHERE s.match_id = t.match_id AND m.state <> 'stuck' OFFSET 0) AS found;
END $$;

-- What waits in these matches, in order of arrival.
CREATE FUNCTION waiting_rows(p_matches text[], p_most integer)
RETURNS TABLE (match_id text, arrival integer, kind text, seat integer, ask integer, body text, received bigint)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT found.* FROM unnest(p_matches) AS t(match_id) CROSS JOIN LATERAL (
            SELECT i.match_id, i.arrival, i.kind, i.seat, i.ask, i.body, floor(extract(epoch FROM i.received_at) * 1000)::bigint
            FROM inbox i WHERE i.match_id = t.match_id AND i.outcome IS NULL ORDER BY i.arrival LIMIT p_most) AS found;
END $$;

-- PL-321 T1 and the look at the token in one call; no row where the token needs a closer look.
-- The hashes are compared under a nonce, so that the time this takes tells nothing of them (PL-172).
CREATE FUNCTION accept_by_token(p_token text, p_nonce bytea, p_proof bytea, p_scopes text[], p_match text, p_seat integer, p_kind text,
                                p_ask integer, p_seen integer, p_key text, p_body text, p_body_hash bytea, p_received_at timestamptz,
                                p_command_id text, p_budget_ms integer, p_most_waiting integer, p_trace text)
RETURNS TABLE (account_id text, name text, account_kind text, scopes text[], bound_to jsonb, answer acceptance) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    SELECT a.account_id, a.name, a.kind, t.scopes, t.bound_to
        INTO accept_by_token.account_id, accept_by_token.name, accept_by_token.account_kind, accept_by_token.scopes, accept_by_token.bound_to
        FROM tokens t JOIN accounts a USING (account_id) LEFT JOIN accounts o ON o.account_id = a.owner_id
        WHERE t.token_id = p_token AND sha256(t.secret_hash || p_nonce) = p_proof AND t.revoked_at IS NULL
            AND t.ends_at > clock_timestamp() AND t.used_on = current_date AND a.suspended_at IS NULL AND a.deleted_at IS NULL
            AND o.suspended_at IS NULL AND t.scopes && p_scopes AND (t.bound_to = '{}' OR t.bound_to = jsonb_build_object('match', p_match));
    IF FOUND THEN
        answer := accept(p_match, accept_by_token.account_id, p_seat, p_kind, p_ask, p_seen, p_key, p_body, p_body_hash, p_received_at,
                         p_command_id, p_budget_ms, p_most_waiting, p_trace);
        RETURN NEXT;
    END IF;
END $$;
