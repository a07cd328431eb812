-- The stream tells how many of an audience have answered (CH-516), and can read no answer.

GRANT SELECT (match_id, question) ON audience_answers TO cupboard_stream;
