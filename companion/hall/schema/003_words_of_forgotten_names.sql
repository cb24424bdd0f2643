-- Names are looked for in sentences, too: of how many words and signs a forgotten one is has to be known.

ALTER TABLE forgotten ADD COLUMN words integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN forgotten.words IS 'words and single signs, as they are counted in a sentence; 0: not known';
