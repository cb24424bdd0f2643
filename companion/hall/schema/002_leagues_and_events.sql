-- Leagues over many evenings, and tournaments.

CREATE TABLE leagues (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    game text NOT NULL DEFAULT '',
    starts date NOT NULL,
    ends date
);
COMMENT ON COLUMN leagues.game IS 'empty: all games count';

CREATE TABLE events (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    game text NOT NULL,
    pod integer NOT NULL,
    smallest integer NOT NULL,
    largest integer NOT NULL,
    tables text[] NOT NULL DEFAULT '{}',
    round integer NOT NULL DEFAULT 0,
    over boolean NOT NULL DEFAULT false,
    at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN events.pod IS 'players at a table, as far as their number allows; never fewer than smallest or more than largest';

CREATE TABLE entrants (
    event integer NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    id integer NOT NULL,
    name text NOT NULL,
    joined integer NOT NULL,
    left_after integer,
    lot integer NOT NULL,
    PRIMARY KEY (event, id)
);
COMMENT ON COLUMN entrants.joined IS 'the first round that he or she plays in';
COMMENT ON COLUMN entrants.lot IS 'drawn on entering; the last of the tie-breaks';

CREATE TABLE rounds (
    event integer NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    n integer NOT NULL,
    repeats integer NOT NULL,
    apart integer NOT NULL,
    seats_again integer NOT NULL,
    proven boolean NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (event, n)
);

CREATE TABLE pods (
    event integer NOT NULL,
    round integer NOT NULL,
    pod integer NOT NULL,
    table_name text,
    match text,
    why text NOT NULL DEFAULT '',
    PRIMARY KEY (event, round, pod),
    FOREIGN KEY (event, round) REFERENCES rounds (event, n) ON DELETE CASCADE
);
COMMENT ON COLUMN pods.why IS 'why the host gave or changed the result, or moved somebody here; empty: all came by itself';

CREATE TABLE places (
    event integer NOT NULL,
    round integer NOT NULL,
    pod integer NOT NULL,
    seat integer NOT NULL,
    entrant integer NOT NULL,
    score integer,
    points integer,
    PRIMARY KEY (event, round, entrant),
    UNIQUE (event, round, pod, seat) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (event, round, pod) REFERENCES pods (event, round, pod) ON DELETE CASCADE,
    FOREIGN KEY (event, entrant) REFERENCES entrants (event, id) ON DELETE CASCADE
);
COMMENT ON COLUMN places.points IS 'of 840, which 1 to 7 divide: the share of the opponents at the table that were beaten, a tie counts half; null: not played yet';
