-- PL-499: a gap of all pulses of gateways is noted in the transaction of the first pulse after it, so that no time-out comes between.

CREATE FUNCTION note_gap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    least interval := interval '12 seconds';     -- pulses come every 5; the setting outage_credited says from which length a gap counts
    before timestamptz;
BEGIN
    SELECT max(at) INTO before FROM pulses WHERE kind = 'gateway';
    IF new.at - before > least THEN
        PERFORM pg_advisory_xact_lock(7003);     -- of several gateways that come back one notes it
        SELECT greatest(max(at), (SELECT max(to_at) FROM outages WHERE reason = 'pulses')) INTO before FROM pulses WHERE kind = 'gateway';
        IF new.at - before > least THEN
            INSERT INTO outages (from_at, to_at, reason) VALUES (before, new.at, 'pulses');
        END IF;
    END IF;
    RETURN new;
END $$;
CREATE TRIGGER pulses_note_gap BEFORE INSERT OR UPDATE ON pulses FOR EACH ROW WHEN (new.kind = 'gateway') EXECUTE FUNCTION note_gap();
