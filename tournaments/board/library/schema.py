"""The tables of the library's file. A file of an older version gets those that it lacks when it is opened."""

SCHEMA_VERSION = 6
"""1: without studies and quizzes. 2: without the older states of studies. 3: without the columns of GAME_COLUMNS. 4:
without answers to puzzles. 5: without reviews."""

APPLICATION_ID = 0x544E4742  # "TNGB", so that any other SQLite file is told apart

GAMES = """
CREATE TABLE game (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- what people call it by in a terminal; never used again
    id TEXT NOT NULL UNIQUE,                   -- what links call it by
    settings TEXT NOT NULL,                    -- JSON, as in the event `created`
    created REAL NOT NULL,                     -- seconds since 1970, UTC
    updated REAL NOT NULL,
    events INTEGER NOT NULL,                   -- how many there are
    stones INTEGER NOT NULL,                   -- on the board
    is_over INTEGER NOT NULL,
    winner INTEGER,                            -- 0 Black, 1 White, NULL for a draw or a game that goes on
    ending TEXT NOT NULL                       -- of events.End, "" for a game that goes on
);
CREATE TABLE event (
    game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
    n INTEGER NOT NULL,                        -- from 1
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,                        -- JSON
    PRIMARY KEY (game, n)
) WITHOUT ROWID;
CREATE TABLE secret (
    game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    digest BLOB NOT NULL,                      -- a hash of the secret, which itself is nowhere
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE INDEX game_by_time ON game (updated)"""

# Columns for lists and searches, which then need no events. They are separate, because older files get them later.
GAME_COLUMNS = (
    "ALTER TABLE game ADD COLUMN rule INTEGER",  # Gomocup's number; NULL for unreadable settings
    "ALTER TABLE game ADD COLUMN players TEXT NOT NULL DEFAULT ''",  # JSON: Black's seat and White's, as of now
    "ALTER TABLE game ADD COLUMN names TEXT NOT NULL DEFAULT ''",  # theirs, folded as `str.casefold` does
    "ALTER TABLE game ADD COLUMN origin TEXT",  # id of the game that this one goes on from
    "CREATE INDEX game_by_origin ON game (origin)",
)

STUDIES = """
CREATE TABLE study (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- what people call it by in a terminal, after an s; never used again
    id TEXT NOT NULL UNIQUE,                   -- what links call it by
    created REAL NOT NULL,                     -- seconds since 1970, UTC
    updated REAL NOT NULL,
    version INTEGER NOT NULL,                  -- how often it has been written
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    rule INTEGER NOT NULL,                     -- Gomocup's number
    title TEXT NOT NULL,
    nodes INTEGER NOT NULL,                    -- how many moves all its variations have
    content TEXT NOT NULL                      -- JSON, as study_tree.StudyTree reads it
)"""

STUDY_HISTORY = """
CREATE TABLE study_history (
    study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,
    version INTEGER NOT NULL,                  -- that of the study that had this content
    content TEXT NOT NULL,
    PRIMARY KEY (study, version)
) WITHOUT ROWID"""

QUIZZES = """
CREATE TABLE quiz (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    game INTEGER REFERENCES game ON DELETE CASCADE,  -- NULL for a game that is not kept here
    position TEXT NOT NULL UNIQUE,             -- so that one that comes again is the same quiz
    data TEXT NOT NULL,                        -- JSON, see game_review.Quiz
    created REAL NOT NULL,                     -- seconds since 1970, UTC
    due REAL,                                  -- the time of its next question; NULL if it is solved
    asked INTEGER NOT NULL DEFAULT 0,
    missed INTEGER NOT NULL DEFAULT 0          -- how many of the answers were wrong
)"""

PUZZLE_ANSWERS = """
CREATE TABLE puzzle_answer (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    puzzle TEXT NOT NULL UNIQUE,               -- its id
    at REAL NOT NULL,                          -- seconds since 1970, UTC
    is_right INTEGER NOT NULL,                 -- the first answer, which alone counts for the rating
    is_solved INTEGER NOT NULL,                -- an answer was right, the first or a later one
    rating REAL NOT NULL,                      -- of the solver, after the first answer
    deviation REAL NOT NULL
)"""

REVIEWS = """
CREATE TABLE review (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    line TEXT NOT NULL UNIQUE,                 -- the board, its rule and the moves, by which it is found again
    game INTEGER REFERENCES game ON DELETE CASCADE,  -- NULL for moves that are not those of a game here
    made REAL NOT NULL,                        -- seconds since 1970, UTC
    content BLOB NOT NULL                      -- JSON, packed; as the page gets it
)"""
