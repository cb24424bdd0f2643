-- Tables, their matches and records. A table's own journal stays the truth; this is what has arrived of it.

CREATE TABLE tables (
    name text PRIMARY KEY,
    title text NOT NULL DEFAULT '',
    version text NOT NULL DEFAULT '',
    online boolean NOT NULL DEFAULT false,
    since timestamptz NOT NULL DEFAULT now(),
    heard timestamptz NOT NULL DEFAULT now(),
    snapshot text,
    snapshot_at timestamptz,
    playing text,
    over boolean NOT NULL DEFAULT false,
    call_open boolean NOT NULL DEFAULT false,
    call_text text NOT NULL DEFAULT '',
    call_since timestamptz,
    dropped bigint NOT NULL DEFAULT 0,
    dropped_at timestamptz
);
COMMENT ON COLUMN tables.since IS 'since when it is online, or offline';
COMMENT ON COLUMN tables.dropped IS 'messages over the quota of a table, thrown away unread; the table sends them again';

CREATE TABLE matches (
    table_name text NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    id text NOT NULL,
    root text NOT NULL,
    header text NOT NULL,
    names jsonb NOT NULL DEFAULT '{}',
    through integer NOT NULL DEFAULT 0,
    head text NOT NULL,
    chained boolean NOT NULL DEFAULT false,
    refused text NOT NULL DEFAULT '',
    first_seen timestamptz NOT NULL DEFAULT now(),
    changed timestamptz NOT NULL DEFAULT now(),
    settled integer NOT NULL DEFAULT 0,
    due boolean NOT NULL DEFAULT false,
    over boolean NOT NULL DEFAULT false,
    outcome text NOT NULL DEFAULT '',
    game text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (table_name, id)
);
COMMENT ON COLUMN tables.playing IS 'the match that its last snapshot is of';
COMMENT ON COLUMN matches.header IS 'JSON as it came, but for forgotten names: jsonb takes no NUL and no number that is too long';
COMMENT ON COLUMN matches.names IS 'by seat, as the table showed them last: names are changed after the header is written';
COMMENT ON COLUMN matches.through IS 'the last record of the gapless beginning that is here';
COMMENT ON COLUMN matches.head IS 'the hash that the next record hangs on';
COMMENT ON COLUMN matches.settled IS 'the record up to which the match was folded for its result';
COMMENT ON COLUMN matches.due IS 'whether it is to be folded: it ended, or the table plays another';
CREATE INDEX matches_by_time ON matches (at DESC);
CREATE INDEX matches_to_settle ON matches (changed) WHERE due;
CREATE INDEX matches_unsettled ON matches (table_name) WHERE settled < through;

CREATE TABLE records (
    table_name text NOT NULL,
    match text NOT NULL,
    n integer NOT NULL,
    line text NOT NULL,
    PRIMARY KEY (table_name, match, n),
    FOREIGN KEY (table_name, match) REFERENCES matches (table_name, id) ON DELETE CASCADE
);

-- What came before its turn, until the records between are here.
CREATE TABLE waiting (
    table_name text NOT NULL,
    match text NOT NULL,
    n integer NOT NULL,
    line text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_name, match, n)
);

-- What did not fit: kept for a person to look at.
CREATE TABLE aside (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name text NOT NULL,
    match text NOT NULL DEFAULT '',
    n integer,
    what text NOT NULL,
    why text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX aside_by_table ON aside (table_name, id);

-- What a seat reached in a match that is over; made of the records, and made anew from them.
CREATE TABLE results (
    table_name text NOT NULL,
    match text NOT NULL,
    seat integer NOT NULL,
    name text NOT NULL,
    score integer NOT NULL,
    won boolean NOT NULL,
    points integer NOT NULL,
    PRIMARY KEY (table_name, match, seat),
    FOREIGN KEY (table_name, match) REFERENCES matches (table_name, id) ON DELETE CASCADE
);
COMMENT ON COLUMN results.points IS 'of 840, which 1 to 7 divide: the share of the opponents that were beaten; a tie counts half';
CREATE INDEX results_by_name ON results (name);

CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL);

-- Salted hashes of names that were forgotten, so that a table that sends one again does not bring it back.
CREATE TABLE forgotten (hash text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
