-- PL-129 A stream that a browser opened with a ticket ends with the browser's session.

ALTER TABLE stream_tickets ADD COLUMN session_id text;
