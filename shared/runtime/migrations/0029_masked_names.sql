-- PL-559 A moderator masks the name of an account: others see another one, its holder goes on signing in by the old one.

ALTER TABLE accounts
    ADD COLUMN masked_from text,                 -- the name before
    ADD COLUMN masked_key  text UNIQUE;          -- under which the shown name is looked up; nobody else can choose it
