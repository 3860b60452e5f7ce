// The messages between page and server. Do not edit: `python -P tests/page_types.py` makes this file,
// of the schemas in board/messages/requests.py and the types in board/messages/answers.py.

// The type of an answer with the id of its request.
export type Answered<Message> = Message & {id?: number | string};

/** The best lines of play in a position, while they are found. `depth` in plies, `memory` in MiB; None: no limit, or the usual value. `barred`: free cells that are not played now. `keeps`: the last lines are added to the store of openings, if the owner asks our brain. */
export interface AnalyseRequest {
  type: "analyse";
  id?: number | string | null;
  position: WantedPosition;
  lines?: number;
  seconds?: number | null;
  nodes?: number | null;
  depth?: number | null;
  threads?: number | null;
  memory?: number | null;
  barred?: [number, number][];
  brain?: string | null;
  keeps?: boolean;
}

/** An answer to a puzzle; without a cell the puzzle is given up. */
export interface AnswerPuzzleRequest {
  type: "puzzle_answer";
  id?: number | string | null;
  puzzle: string;
  cell?: [number, number] | null;
}

/** An answer to a quiz; without a cell the quiz is given up. */
export interface AnswerQuizRequest {
  type: "quiz_answer";
  id?: number | string | null;
  quiz: number;
  cell?: [number, number] | null;
}

/** Accepts or declines the other player's offer. `what` is the offer that the player saw. */
export interface AnswerRequest {
  type: "answer";
  id?: number | string | null;
  game: string;
  accept: boolean;
  what?: "draw" | "undo" | null;
}

/** Asks for the judgement of a move. */
export interface AttemptRequest {
  type: "attempt";
  id?: number | string | null;
  position: WantedPosition;
  cell: [number, number];
}

/** One or two stones after which a position is nearest to even. */
export interface BalanceRequest {
  type: "balance";
  id?: number | string | null;
  position: WantedPosition;
  stones?: number;
}

/** All that the store of openings has on a position, and on the moves from it. */
export interface BookRequest {
  type: "book";
  id?: number | string | null;
  position: WantedPosition;
}

/** Another brain, level or person for a seat. */
export interface ChangeRequest {
  type: "change";
  id?: number | string | null;
  game: string;
  seat: number;
  who: WantedSeat;
}

/** A choice of an opening. `ply` is the number of stones that the player saw. */
export interface ChooseRequest {
  type: "choose";
  id?: number | string | null;
  game: string;
  choice: string;
  ply?: number | null;
}

/** A comment on the position after `ply` stones; an empty text takes it away. */
export interface CommentRequest {
  type: "comment";
  id?: number | string | null;
  game: string;
  ply: number;
  text: string;
}

/** A new game. */
export interface CreateRequest {
  type: "create";
  id?: number | string | null;
  settings: WantedSettings;
}

/** Deletes games for ever. */
export interface DeleteGamesRequest {
  type: "delete_games";
  id?: number | string | null;
  games: string[];
}

/** Deletes a study. */
export interface DeleteStudyRequest {
  type: "delete_study";
  id?: number | string | null;
  study: string;
}

/** Offers a draw, or accepts the other player's offer. */
export interface DrawRequest {
  type: "draw";
  id?: number | string | null;
  game: string;
}

/** The moves of this line are not trained any more, as far as no other line has them. */
export interface DropLineRequest {
  type: "line_drop";
  id?: number | string | null;
  position: WantedPosition;
  start?: number;
}

/** Ends a game of two brains, undecided. */
export interface EndRequest {
  type: "end";
  id?: number | string | null;
  game: string;
}

/** Writes the store as a file, which is then fetched by HTTP. The formats of other programs have the positions of one rule, and SGF those that follow the position, up to `depth` moves after it. */
export interface ExportBookRequest {
  type: "book_export";
  id?: number | string | null;
  position: WantedPosition;
  format: "book" | "shard" | "lib" | "db" | "sgf";
  depth?: number | null;
}

/** A game, a position or, as SGF, a study as text. */
export interface ExportRequest {
  type: "export";
  id?: number | string | null;
  format: "sgf" | "psq" | "pos";
  game?: string | null;
  position?: WantedPosition | null;
  study?: StudyContent | null;
}

/** Deletes a quiz, and asks for the list as in `quizzes`. */
export interface ForgetQuizRequest {
  type: "quiz_forget";
  id?: number | string | null;
  quiz: number;
  only?: "" | "mistakes" | "lines";
}

/** The cells where Black may not play, and the first foul among the moves after the first `start` stones. */
export interface FoulsRequest {
  type: "fouls";
  id?: number | string | null;
  position: WantedPosition;
  start?: number;
}

/** The list of games: `most` of them after the first `skip`. `find`: words, and phrases in quotation marks, that name a player, a rule, a result such as 1-0, draw or going, or a day such as 2026-11-25; a game is listed if all of them fit, and the choices too: see `GameFilter`. */
export interface GamesRequest {
  type: "games";
  id?: number | string | null;
  skip?: number;
  most?: number;
  find?: string;
  player?: string;
  rule?: Rule | null;
  result?: "" | "black" | "white" | "draw" | "going" | "won" | "lost";
  kind?: "" | "brain" | "brains" | "friend" | "local";
  day?: string;
}

/** The first message of a page. `protocol`: the version of its messages, 1 if not given. */
export interface HelloRequest {
  type: "hello";
  id?: number | string | null;
  language?: string | null;
  protocol?: number;
}

/** Asks for a move that the brain recommends. */
export interface HintRequest {
  type: "hint";
  id?: number | string | null;
  game: string;
}

/** Adds a file that was sent by HTTP to the store. `rule`: of games and positions that do not name theirs. */
export interface ImportBookRequest {
  type: "book_import";
  id?: number | string | null;
  file: string;
  rule?: Rule | null;
}

/** Adds the games of a file that was sent by HTTP to the library. `name` is that of the file, `rule` that of games that do not name theirs. */
export interface ImportGamesRequest {
  type: "import_games";
  id?: number | string | null;
  file: string;
  name: string;
  rule?: Rule | null;
}

/** The games of a text in any known format. */
export interface ImportRequest {
  type: "import";
  id?: number | string | null;
  text: string;
}

/** The player stays with a move that throws the game away. */
export interface InsistRequest {
  type: "insist";
  id?: number | string | null;
  game: string;
}

/** New links to the seats that wait for a friend; with `seat`, a new link to that seat, which a friend has taken. */
export interface InviteRequest {
  type: "invite";
  id?: number | string | null;
  game: string;
  seat?: number | null;
}

/** Keeps a quiz of the client's last review: the one after `ply` stones. */
export interface KeepQuizRequest {
  type: "quiz_keep";
  id?: number | string | null;
  ply: number;
}

/** Writes a study over the version that the page knows. `joins`: the change belongs to the one before it. `earlier`: the states that a new study had before it was worth keeping, the oldest first. */
export interface KeepStudyRequest {
  type: "keep";
  id?: number | string | null;
  study: string;
  version?: number;
  joins?: boolean;
  content: StudyContent;
  earlier?: StudyContent[];
}

/** Asks for the review that the library has, without a new one. */
export interface KeptReviewRequest {
  type: "kept_review";
  id?: number | string | null;
  game?: string | null;
  position?: WantedPosition | null;
  start?: number;
}

/** The games that were played last, with their stones; for a guest, those that the guest plays and that go on. */
export interface LastGamesRequest {
  type: "last_games";
  id?: number | string | null;
}

/** The client stops watching the game. */
export interface LeaveRequest {
  type: "leave";
  id?: number | string | null;
  game: string;
}

/** The moves of one side in this line are the owner's own, and are trained. The first `start` stones were set up. */
export interface MarkLineRequest {
  type: "line_mark";
  id?: number | string | null;
  position: WantedPosition;
  colour: number;
  start?: number;
}

/** Makes the brain that thinks move now. */
export interface MoveNowRequest {
  type: "move_now";
  id?: number | string | null;
  game: string;
}

/** The game and the event from which another game goes on. */
export interface Origin {
  game: string;
  event: number;
}

/** Stops clocks and moves. */
export interface PauseRequest {
  type: "pause";
  id?: number | string | null;
  game: string;
}

/** Asks for a sign of life. */
export interface PingRequest {
  type: "ping";
  id?: number | string | null;
}

/** A stone. `ply` is the number of stones that the player saw, and `offered` the number of offered fifth moves. */
export interface PlayRequest {
  type: "play";
  id?: number | string | null;
  game: string;
  cell: [number, number];
  ply?: number | null;
  offered?: number | null;
}

/** A stone for the player's next turn, chosen while the opponent is to move; without a cell there is none. */
export interface PremoveRequest {
  type: "premove";
  id?: number | string | null;
  game: string;
  cell?: [number, number] | null;
}

/** The forced win of the side to move, with all defences. */
export interface ProveRequest {
  type: "prove";
  id?: number | string | null;
  position: WantedPosition;
}

/** The puzzle of a day such as 2026-11-25; without a day, the one that is not solved and nearest to the level of a brain, or else to the own rating. `without`: puzzles that are not asked again. */
export interface PuzzleRequest {
  type: "puzzle";
  id?: number | string | null;
  rule?: Rule;
  day?: string | null;
  level?: number | null;
  without?: string[];
}

/** The list of quizzes that are kept: all of them, or only those of mistakes, or of opening lines. */
export interface QuizzesRequest {
  type: "quizzes";
  id?: number | string | null;
  only?: "" | "mistakes" | "lines";
}

/** Another game with the colours swapped. */
export interface RematchRequest {
  type: "rematch";
  id?: number | string | null;
  game: string;
}

/** Resigns. */
export interface ResignRequest {
  type: "resign";
  id?: number | string | null;
  game: string;
}

/** Goes on after a pause. */
export interface ResumeRequest {
  type: "resume";
  id?: number | string | null;
  game: string;
}

/** Asks for a review. */
export interface ReviewRequest {
  type: "review";
  id?: number | string | null;
  game?: string | null;
  position?: WantedPosition | null;
  start?: number;
}

export type Rule = 0 | 1 | 4 | 8 | 9;

/** The tournaments that servers of the same user show now. */
export interface ShownRequest {
  type: "shown";
  id?: number | string | null;
}

/** The client, a person with that name, takes the seat that the secret is for. */
export interface SitRequest {
  type: "sit";
  id?: number | string | null;
  game: string;
  secret: string;
  name?: string;
}

/** Stops the client's import or export. */
export interface StopBookRequest {
  type: "book_stop";
  id?: number | string | null;
}

/** Stops the client's import. */
export interface StopImportRequest {
  type: "import_stop";
  id?: number | string | null;
}

/** Ends the client's earlier request. */
export interface StopRequest {
  type: "stop";
  id?: number | string | null;
}

/** The list of studies that are kept. */
export interface StudiesRequest {
  type: "studies";
  id?: number | string | null;
}

/** A position with its variations: see `StudyTree`. */
export interface StudyContent {
  comment?: string;
  labels?: [[number, number], string][];
  width: number;
  height: number;
  rule: Rule;
  title?: string;
  start?: [number, number][];
  tree?: StudyNode[];
}

/** A stone of a study, after the node with the number `parent`; -1 is the position from which the study begins. */
export interface StudyNode {
  comment?: string;
  labels?: [[number, number], string][];
  cell: [number, number];
  parent: number;
}

/** A study that is kept. */
export interface StudyRequest {
  type: "study";
  id?: number | string | null;
  study: string;
}

/** Switches teaching on or off: whether moves that throw the game away are told before they are answered. */
export interface TeachRequest {
  type: "teach";
  id?: number | string | null;
  game: string;
  on: boolean;
}

/** The forced wins of both sides. */
export interface ThreatsRequest {
  type: "threats";
  id?: number | string | null;
  position: WantedPosition;
}

/** A finished game of a tournament with its moves. */
export interface TournamentGameRequest {
  type: "tournament_game";
  id?: number | string | null;
  number: number;
}

/** The state of a tournament, now and whenever it changes. */
export interface TournamentRequest {
  type: "tournament";
  id?: number | string | null;
}

/** Takes stones back, or asks the other player for it. */
export interface UndoRequest {
  type: "undo";
  id?: number | string | null;
  game: string;
}

/** Takes back the last change of a study, if the page knows the newest version. `undo` is the number of changes that it knows: with it, a request may be sent again after its answer was lost. */
export interface UndoStudyRequest {
  type: "undo_study";
  id?: number | string | null;
  study: string;
  version?: number;
  undo?: number | null;
}

/** Seconds for the whole game, and seconds that each move adds. */
export interface WantedClock {
  main: number;
  increment?: number;
}

/** A board, and the stones on it in the order played, Black's first. */
export interface WantedPosition {
  width?: number;
  height?: number;
  rule?: Rule;
  moves?: [number, number][];
}

/** The player of one side: see `Seat`. */
export interface WantedSeat {
  kind: "local" | "friend" | "brain";
  brain?: string | null;
  level?: number | null;
  turn_ms?: number | null;
  nodes?: number | null;
  name?: string;
  follows?: boolean;
}

/** The settings of a new game: see `GameSettings`. */
export interface WantedSettings {
  width?: number;
  height?: number;
  rule?: Rule;
  opening?: "free" | "swap" | "swap2" | "rif" | "yamaguchi" | "soosorv-8" | "taraguchi-10";
  black?: WantedSeat;
  white?: WantedSeat;
  clock?: WantedClock | null;
  start?: [number, number][];
  drawn_by_lot?: boolean;
  from?: Origin | null;
  teaches?: boolean;
}

/** The client watches the game from now on. `secret` is that of the link to a seat, by which it has come. */
export interface WatchRequest {
  type: "watch";
  id?: number | string | null;
  game: string;
  secret?: string | null;
}

/** Writes notes on a position; an empty text removes a note, and a note that is not named stays. label: a judgement of the last move, such as w; mark: of the last stone; board_text: a text on that. */
export interface WriteBookRequest {
  type: "book_write";
  id?: number | string | null;
  position: WantedPosition;
  title?: string | null;
  text?: string | null;
  label?: string | null;
  mark?: string | null;
  board_text?: string | null;
}

export type AnyRequest =
  | HelloRequest
  | PingRequest
  | GamesRequest
  | LastGamesRequest
  | DeleteGamesRequest
  | ImportGamesRequest
  | StopImportRequest
  | CreateRequest
  | WatchRequest
  | LeaveRequest
  | SitRequest
  | InviteRequest
  | PlayRequest
  | PremoveRequest
  | ChooseRequest
  | UndoRequest
  | DrawRequest
  | AnswerRequest
  | ResignRequest
  | EndRequest
  | PauseRequest
  | ResumeRequest
  | RematchRequest
  | MoveNowRequest
  | TeachRequest
  | InsistRequest
  | CommentRequest
  | ChangeRequest
  | HintRequest
  | AnalyseRequest
  | StopRequest
  | ThreatsRequest
  | BalanceRequest
  | FoulsRequest
  | ImportRequest
  | ExportRequest
  | ReviewRequest
  | KeptReviewRequest
  | ProveRequest
  | AttemptRequest
  | KeepQuizRequest
  | QuizzesRequest
  | AnswerQuizRequest
  | ForgetQuizRequest
  | PuzzleRequest
  | AnswerPuzzleRequest
  | BookRequest
  | WriteBookRequest
  | ImportBookRequest
  | ExportBookRequest
  | StopBookRequest
  | MarkLineRequest
  | DropLineRequest
  | StudyRequest
  | KeepStudyRequest
  | StudiesRequest
  | DeleteStudyRequest
  | UndoStudyRequest
  | ShownRequest
  | TournamentRequest
  | TournamentGameRequest;

/** The best lines so far, the best first; `speed` in nodes a second. */
export interface AnalysisJson {
  type: "analysis";
  lines: LineJson[];
  nodes: number;
  speed: number;
  done: boolean;
}

/** The most that the client's analysis may take: see `AnalysisLimits`. */
export interface AnalysisLimitsJson {
  seconds: number;
  nodes: number | null;
  threads: number;
  memory: number;
  lines: number | null;
}

/** A notice about a game to all its watchers. */
export interface Announcement {
  type: "announced";
  game: string;
  code: string;
  values: Record<string, string | number>;
  text: string;
}

/** The stones after which a position is nearest to even, with the score and the share of the side that places the last of them. */
export interface Balance {
  type: "balance";
  cells: [number, number][];
  score: number;
  win: number;
}

/** All that the store has on a position; `moves` are the known moves, the best first, and `own` the moves of the owner's own lines. why: the reason if nothing is known. The store is empty, has no position of this rule and size, or not this one. */
export interface Book {
  type: "book";
  record: BookRecord | null;
  games: number[];
  notes: BookNotes;
  moves: BookMove[];
  own: [number, number][];
  symmetries: number;
  why: "" | "empty" | "board" | "position";
}

/** The store was written as a file with `count` positions, which is at /files/FILE now. */
export interface BookExported {
  type: "book_exported";
  file: string;
  name: string;
  count: number;
}

/** A file was added to the store. positions: of trees and libraries; games: that are counted; records: that are new or better, out of `of_records`; skipped: the number of parts that were left out, and `fault` a sentence about the first of them. */
export interface BookImported {
  type: "book_imported";
  positions: number;
  games: number;
  records: number;
  of_records: number;
  skipped: number;
  fault: string;
}

/** The result of an analysis was added to the store; `stored` records are new, or better than those before. */
export interface BookKept {
  type: "book_kept";
  stored: number;
}

/** A known move, with all that the store has on the position after it. same: the cells that symmetries make equal; games: those that Black won, that were drawn, and that White won. */
export interface BookMove {
  cell: [number, number];
  same: [number, number][];
  record: BookRecord | null;
  games: number[];
  notes: BookNotes;
}

/** Texts that people wrote, "" for none: a line, a longer text, a judgement such as w, a mark on the last stone, and a short text on it. */
export interface BookNotes {
  title: string;
  text: string;
  label: string;
  mark: string;
  board_text: string;
}

/** How many positions the import or export that was asked for by `request` has done. */
export interface BookProgress {
  type: "book_progress";
  request: number | string | null;
  done: number;
}

/** The result of a search, or of a person: `score` in centipoints or `mate` in plies; `win` is the share, 0 to 1. kind: the score is at least or at most that, was searched, proved, or set by a person. In a move they are for the side that makes the move, and `best` is null. */
export interface BookRecord {
  kind: "least" | "most" | "searched" | "proved" | "set";
  score: number | null;
  mate: number | null;
  win: number;
  depth: number;
  nodes: number;
  best: [number, number] | null;
  source: string;
}

/** A brain that may be chosen; `levels` is true for one that has them. */
export interface BrainLine {
  name: string;
  title: string;
  levels: boolean;
}

/** A choice that a seat has made in the opening. */
export interface ChosenJson {
  seat: number;
  choice: string;
}

/** Seconds that each seat has left at the time `at` (since 1970), null for a brain; `running` is a seat. */
export interface ClockJson {
  left: (number | null)[];
  increment: number;
  running: number | null;
  at: number;
}

/** A comment on the position after `ply` stones. */
export interface CommentJson {
  ply: number;
  text: string;
}

/** A new game. */
export interface Created {
  type: "created";
  game: string;
  links: Links;
}

/** The games between two players of a tournament, by their numbers, as the first of them sees them. */
export interface DuelJson {
  first: number;
  second: number;
  wins: number;
  draws: number;
  losses: number;
}

/** A game as text, and a name for its file. */
export interface Exported {
  type: "exported";
  text: string;
  name: string;
}

/** A finished game of a tournament. */
export interface FinishedJson {
  number: number;
  black: string;
  white: string;
  winner: number | null;
  reason: string;
}

/** A cell where Black may not play. */
export interface ForbiddenJson {
  cell: [number, number];
  foul: string;
}

/** The first foul among the moves of a position. */
export interface FoulAt {
  ply: number;
  foul: string;
}

/** The cells where Black may not play, and the first foul that was played. */
export interface Fouls {
  type: "fouls";
  forbidden: ForbiddenJson[];
  played: FoulAt | null;
}

/** A line of the list of games; `names`, `kinds` and `levels` are Black's and White's. `date` is the day that the file of the game names, "" for others. `ending` is of `End`, "" for a game that goes on. */
export interface GameLine {
  game: string;
  created: number;
  date: string;
  updated: number;
  width: number;
  height: number;
  rule: number;
  opening: string;
  names: string[];
  kinds: string[];
  levels: (number | null)[];
  plies: number;
  phase: string;
  winner: number | null;
  ending: string;
  broken: boolean;
  you: boolean;
}

/** The games that fit a search and a choice, after the first `skip` of them; `count` is the number of all. */
export interface Games {
  type: "games";
  games: GameLine[];
  skip: number;
  count: number;
}

/** The number of games that were deleted. */
export interface GamesDeleted {
  type: "games_deleted";
  deleted: number;
}

/** A file was added to the library: its games, and those that became studies because they have variations. left_out: the number of games and files that could not be read, and `faults` sentences about the first of them. nameless: the number of games that do not name their rule. */
export interface GamesImported {
  type: "games_imported";
  games: number;
  studies: number;
  left_out: number;
  faults: string[];
  nameless: number;
}

export interface GrownJson {
  number: number;
  black?: string;
  white?: string;
  from: number;
  moves: [number, number][];
  shares: (number | null)[];
  used: [number, number] | null;
  left: [number | null, number | null];
  thinking: number | null;
  for: number;
}

/** The move that the brain recommends. */
export interface Hint {
  type: "hint";
  game: string;
  cell: [number, number];
  score: number | null;
  mate: number | null;
}

/** How many games the import that was asked for by `request` has added, and how many it has read; null at first. */
export interface ImportProgress {
  type: "import_progress";
  request: number | string | null;
  done: number;
  of: number | null;
}

/** The games of a text. */
export interface Imported {
  type: "imported";
  games: ImportedGame[];
}

/** A game that was read: its moves, and the content of a study if the game has more than moves. */
export interface ImportedGame {
  title: string;
  width: number;
  height: number;
  rule: number;
  moves: [number, number][];
  start?: [number, number][];
  comment?: string;
  labels?: [[number, number], string][];
  tree?: StudyNodeJson[];
}

/** The judgement of a move: see `MoveJudgement` in board/review/move_judgement.py. */
export interface Judged {
  type: "attempt";
  cell: [number, number];
  verdict: string;
  before: number | null;
  after: number | null;
  loss: number;
  right: boolean;
  proof: unknown[][] | null;
  reply: [number, number] | null;
}

/** A study was written; `undo` is how many changes can be taken back. */
export interface Kept {
  type: "kept";
  study: string;
  version: number;
  undo: number;
}

/** A game with its stones; `is_yours` is true while a person at this screen is to move or to choose. */
export interface LastGame {
  game: string;
  created: number;
  date: string;
  updated: number;
  width: number;
  height: number;
  rule: number;
  opening: string;
  names: string[];
  kinds: string[];
  levels: (number | null)[];
  plies: number;
  phase: string;
  winner: number | null;
  ending: string;
  broken: boolean;
  you: boolean;
  moves: [number, number][];
  is_yours: boolean;
}

/** The games that were played last, the newest first, as its client sees the players; `count` is the number of all games that the client may list. */
export interface LastGames {
  type: "last_games";
  games: LastGame[];
  count: number;
}

/** How often the player was told that a move throws the game away, and how often it was then taken back. */
export interface LessonsJson {
  warned: number;
  heeded: number;
}

/** The number of positions of a line that are not trained any more. */
export interface LineDropped {
  type: "line_dropped";
  positions: number;
}

/** A line of play: `score` in centipoints or `mate` in plies, for the side to move; `win` its share, 0 to 1. */
export interface LineJson {
  moves: [number, number][];
  score: number | null;
  mate: number | null;
  win: number;
  depth: number | null;
}

/** A line is trained: the number of its positions, and how many are new or have a new answer. */
export interface LineMarked {
  type: "line_marked";
  positions: number;
  new: number;
}

/** Addresses on this server: one to watch, and one for each free seat, by its number; `seat` is the first of those. origin: this server's address for other machines, null if they cannot reach it. */
export interface Links {
  watch?: string;
  origin?: string | null;
  seat?: string;
  seats?: Record<string, string>;
}

/** A stone, and the seat that placed it. `ms` is the time that the move took; the other values are a brain's report. */
export interface MoveJson {
  cell: [number, number];
  colour: number;
  seat: number;
  ms: number;
  depth: number | null;
  score: number | null;
  mate: number | null;
  nodes: number | null;
}

/** The library has no review of these moves. */
export interface NoReview {
  type: "no_review";
}

/** A seat's offer. */
export interface OfferJson {
  seat: number;
  what: "draw" | "undo";
}

/** Another version of the study has been written since, or it was deleted. */
export interface Outdated {
  type: "outdated";
  study: string;
}

/** The next stone of an opening is number `number` of the `count` stones that its player places in a row. */
export interface PlacingJson {
  number: number;
  count: number;
}

/** The answer to `ping`: the server works. */
export interface Pong {
  type: "pong";
}

/** The forced win of the side to move, null if none was found. */
export interface ProofAnswer {
  type: "proof";
  proof: unknown[][] | null;
  plies?: number;
  fours?: boolean;
  loss?: boolean;
  line?: [number, number][];
}

/** A puzzle, null if none is left; `day` is the one that was asked for. Only the first answer changes the rating. */
export interface PuzzleAsked {
  type: "puzzle";
  asked: PuzzleJson | null;
  day: string | null;
  is_answered: boolean;
  is_solved: boolean;
  standing: PuzzleStanding;
}

/** A puzzle without its answer: the side to move has one move that begins a forced win. */
export interface PuzzleJson {
  puzzle: string;
  width: number;
  height: number;
  rule: number;
  moves: [number, number][];
  to_move: number;
  rating: number;
}

/** The judgement of an answer, null if the puzzle was given up; `proof` shows what the answer loses or wins. answer, line: the right move, and the win against the longest defence. change: of the rating, null if the puzzle had been answered before. */
export interface PuzzleJudged {
  type: "puzzle_judged";
  puzzle: string;
  cell: [number, number] | null;
  right: boolean;
  verdict: string;
  loss: number;
  proof: unknown[][] | null;
  answer: [number, number];
  plies: number;
  line: [number, number][];
  change: number | null;
  standing: PuzzleStanding;
}

/** The owner as a solver: the rating, which is surely within twice the deviation; and of the puzzles of the rule, how many there are, how many are answered, and how many solved. */
export interface PuzzleStanding {
  rating: number;
  deviation: number;
  solved: number;
  answered: number;
  of: number;
}

/** How many quizzes there are, how many of them are due, and how many are solved. */
export interface QuizCounts {
  all: number;
  due: number;
  solved: number;
}

/** The judgement of an answer to a quiz; the solution comes with a right answer, or when the quiz was given up. */
export interface QuizJudged {
  type: "quiz_judged";
  quiz: QuizLine;
  cell: [number, number] | null;
  right: boolean;
  verdict: string;
  before?: number | null;
  after?: number | null;
  loss: number;
  proof: unknown[][] | null;
  now: number;
  reply?: [number, number] | null;
  accepted?: [number, number][];
  played?: [number, number];
  solution?: unknown[][] | null;
}

/** The quiz after `ply` stones of the last review is kept. */
export interface QuizKept {
  type: "quiz_kept";
  ply: number;
  quiz: number;
}

/** A quiz without its answer; `due` and `created` are seconds since 1970. */
export interface QuizLine {
  quiz: number;
  game: string | null;
  created: number;
  due: number | null;
  asked: number;
  missed: number;
  width: number;
  height: number;
  rule: number;
  moves: [number, number][];
  to_move: number;
  kind: string;
}

/** The quizzes that are kept, those first that are due next; `unlisted` counts those that are not among them. */
export interface Quizzes {
  type: "quizzes";
  quizzes: QuizLine[];
  unlisted: QuizCounts;
  now: number;
}

/** The ratings after every `step` games. */
export interface RatingHistoryJson {
  step: number;
  points: RatingPointJson[];
}

/** The ratings after this number of games, and the half-widths of their 95 % intervals, by the players' numbers. */
export interface RatingPointJson {
  games: number;
  elo: number[];
  margin: (number | null)[];
}

/** A request is refused: the code of the catalogue, its values, and the sentence in the client's language. */
export interface Refusal {
  type: "refused";
  code: string;
  values: Record<string, string | number>;
  reason: string;
}

/** A player wants another game; `next` is its id. */
export interface Rematch {
  type: "rematch";
  game: string;
  next: string;
  links?: Links;
}

/** The coach's review of a game; `kept` are the plies whose quizzes were kept automatically. own: the colour of the one person in the game, null for none or two; made: when, in seconds since 1970. */
export interface ReviewAnswer {
  type: "review";
  review: ReviewJson;
  quizzes: ReviewQuiz[];
  kept: number[];
  own: number | null;
  made: number;
}

/** A game with every move after its opening judged. */
export interface ReviewJson {
  width: number;
  height: number;
  rule: number;
  cells: [number, number][];
  black: string;
  white: string;
  result: string;
  brain: string;
  nodes: number;
  proves: boolean;
  moves: ReviewedMove[];
}

/** A mistake of the review as a question. */
export interface ReviewQuiz {
  width: number;
  height: number;
  rule: number;
  moves: [number, number][];
  to_move: number;
  kind: string;
  accepted: [number, number][];
  played: [number, number];
  proof: unknown[][] | null;
}

/** One move of a game, judged: see `Reviewed` in board/review/game_review.py. */
export interface ReviewedMove {
  ply: number;
  colour: number;
  cell: [number, number];
  best: [number, number];
  score: number | null;
  mate: number | null;
  before: number | null;
  after: number | null;
  loss: number;
  label: string;
  missed: string;
  lost: string;
  win: unknown[][] | null;
  refutation: unknown[][] | null;
  accepted: [number, number][];
}

/** The progress of the review that was asked for by `request`. */
export interface Reviewing {
  type: "reviewing";
  request: number | string | null;
  done: number;
  of: number;
}

export interface RunningJson {
  number: number;
  black: string;
  white: string;
  moves: [number, number][];
  shares: (number | null)[];
  used: [number, number] | null;
  left: [number | null, number | null];
  thinking: number | null;
  for: number;
}

/** The player of one side; `taken` is false for a friend who has not come, `here` for one without an open page. A brain that `follows` the player has `next_level` in the next game, null before this one is over. */
export interface SeatJson {
  kind: "local" | "friend" | "brain";
  name: string;
  brain: string | null;
  level: number | null;
  turn_ms: number | null;
  nodes: number | null;
  follows: boolean;
  next_level: number | null;
  colour: number;
  taken: boolean;
  here: boolean;
}

/** The tournaments that are shown now, the newest first. */
export interface Shown {
  type: "shown";
  tournaments: ShownTournament[];
}

/** A tournament that a server shows, and where its page is. `host` is null if every address of the machine leads there, and `origin` the address at a proxy, "" without one. */
export interface ShownTournament {
  name: string;
  port: number;
  host: string | null;
  origin: string;
}

/** A last move that throws the game away: kind "misses", there was a proved win before it, or "loses", the opponent has one after it. `line` is that win against the longest defence. */
export interface SlipJson {
  kind: "misses" | "loses";
  plies: number;
  proof: unknown[][];
  line: [number, number][];
}

/** A line of a tournament's table; `margin` is half the width of the 95 % interval of `elo`, null without one. `id` is the player's number. */
export interface StandingJson {
  id: number;
  place: number;
  name: string;
  elo: number;
  margin: number | null;
  games: number;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  faults: number;
}

/** A game as one client sees it. A newer state has a greater `version`. mover: the seat that is to act. chooser: the same where `choice` has something to choose. chosen: all choices of the opening, in order. placing: which stone of the opening is placed now. side: the next stone lies in the central square with this side, null: anywhere. fifth_moves: those that are offered; offers: how many are to be. invited: the seats whose links are known. next: the id of the rematch. watching: the number of browsers that only watch. premove: the move that the client's own seat plays at its next turn. taken_back: how often stones were taken back. set_up: how many of the first stones are those of a position or of an opening, which are not taken back. series: the points of seats 0 and 1 in the games before this rematch, null for a game that is not one. slip: what the player's last move throws away, null for nothing; the brain waits meanwhile. */
export interface State {
  type: "state";
  game: string;
  event: number;
  version: number;
  width: number;
  height: number;
  rule: number;
  opening: string;
  moves: MoveJson[];
  to_move: number;
  phase: "opening" | "choice" | "offer" | "take" | "play" | "over";
  mover: number | null;
  choice: string[] | null;
  chooser: number | null;
  chosen: ChosenJson[];
  placing: PlacingJson | null;
  side: number | null;
  fifth_moves: [number, number][];
  offers: number;
  seats: SeatJson[];
  clock: ClockJson | null;
  paused: boolean;
  offer: OfferJson | null;
  winner: number | null;
  ending: string | null;
  reason: string;
  win: [number, number][];
  forbidden: ForbiddenJson[];
  comments: CommentJson[];
  thinking: boolean;
  you: You;
  created: number;
  next: string | null;
  invited: number[];
  watching: number;
  premove: [number, number] | null;
  taken_back: number;
  set_up: number;
  teaches: boolean;
  lessons: LessonsJson;
  series: number[] | null;
  slip: SlipJson | null;
  links?: Links;
}

/** A request has been ended by another request. */
export interface Stopped {
  type: "stopped";
}

/** The studies that are kept. */
export interface Studies {
  type: "studies";
  studies: StudyLine[];
}

/** A study that is kept. */
export interface StudyAnswer {
  type: "study";
  study: string;
  version: number;
  content: StudyJson;
  undo: number;
}

/** A position with its variations. */
export interface StudyJson {
  width: number;
  height: number;
  rule: number;
  title: string;
  start: [number, number][];
  comment?: string;
  labels?: [[number, number], string][];
  tree: StudyNodeJson[];
}

/** A line of the list of studies; `moves` is the number of its stones. */
export interface StudyLine {
  study: string;
  title: string;
  width: number;
  height: number;
  rule: number;
  moves: number;
  created: number;
  updated: number;
}

/** A stone of a study, after the node with the number `parent`; -1 is the position from which it begins. */
export interface StudyNodeJson {
  cell: [number, number];
  parent: number;
  comment?: string;
  labels?: [[number, number], string][];
}

/** The forced wins of both sides. */
export interface Threats {
  type: "threats";
  wins: WinJson[];
}

/** The state of a tournament. Times are in seconds; `time_left` is null if it is not known. `ended`: its manager has gone; `unseen`: its games in progress cannot be seen; `watching`: how many browsers show it. */
export interface Tournament {
  type: "tournament";
  name: string;
  width: number;
  height: number;
  rule: number;
  turn_time: number;
  match_time: number | null;
  increment: number;
  swap2: boolean;
  state: string;
  note: string;
  finished: number;
  games: number;
  time_left: number | null;
  ended: boolean;
  watching: number;
  players: StandingJson[];
  cross: DuelJson[];
  history: RatingHistoryJson;
  last: FinishedJson[];
  running: RunningJson[];
  in_progress: number;
  unseen: boolean;
}

/** A finished game of a tournament with its moves, and Black's chances after each as its brain told them. */
export interface TournamentGame {
  number: number;
  black: string;
  white: string;
  winner: number | null;
  reason: string;
  type: "tournament_game";
  moves: [number, number][];
  shares: (number | null)[];
}

/** The changes since the last message about a tournament: values, changed entries of lists, the new points of `history`, and in `over` the numbers of the games that are not in progress any more. */
export interface TournamentNews {
  type: "tournament_news";
  state?: string;
  note?: string;
  games?: number;
  finished?: number;
  time_left?: number | null;
  in_progress?: number;
  unseen?: boolean;
  watching?: number;
  ended?: boolean;
  running?: GrownJson[];
  over?: number[];
  last?: FinishedJson[];
  players?: StandingJson[];
  cross?: DuelJson[];
  history?: RatingHistoryJson;
}

/** The answer to `hello`. `limits`: of an analysis, null if this server makes none. */
export interface Welcome {
  type: "welcome";
  brains: BrainLine[];
  version: string;
  signature: string;
  owner: boolean;
  limits: AnalysisLimitsJson | null;
}

/** A forced win of one colour. */
export interface WinJson {
  colour: number;
  kind: "fours" | "threes";
  moves: [number, number][];
}

/** Which seats the client may move for, whether it owns the board, and which seats its link offers. */
export interface You {
  seats: number[];
  owner: boolean;
  offered: number[];
}

export type AnyAnswer =
  | Pong
  | Refusal
  | Announcement
  | Stopped
  | Welcome
  | Games
  | LastGames
  | GamesDeleted
  | ImportProgress
  | GamesImported
  | Created
  | Rematch
  | State
  | Shown
  | Tournament
  | TournamentNews
  | TournamentGame
  | Hint
  | AnalysisJson
  | Threats
  | Balance
  | Fouls
  | Imported
  | Exported
  | Reviewing
  | ReviewAnswer
  | NoReview
  | ProofAnswer
  | Judged
  | QuizKept
  | Quizzes
  | QuizJudged
  | PuzzleAsked
  | PuzzleJudged
  | Book
  | BookKept
  | BookProgress
  | BookImported
  | BookExported
  | LineMarked
  | LineDropped
  | Kept
  | Outdated
  | StudyAnswer
  | Studies;
