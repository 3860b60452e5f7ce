/**
 * The answers to each message, with types that net/messages.d.ts leaves open.
 *
 * @typedef {import("./messages.js").AnyRequest} AnyRequest
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./messages.js").AnalysisJson & {id?: number | string}} Analysis
 * @typedef {{comment?: string, labels?: [Cell, string][]}} Writing the comment and the labels of a node of a study
 * @typedef {Writing & {width: number, height: number, rule: number, start?: Cell[], title?: string, moves?: Cell[],
 *   tree?: import("./messages.js").StudyNodeJson[]}} Study with a tree, or with the moves of a game alone
 * @typedef {{width: number, height: number, rule: import("./messages.js").Rule, moves: Cell[]}} Position
 *
 * @typedef {{
 *   welcome: import("./messages.js").Welcome, state: import("./messages.js").State,
 *   announced: import("./messages.js").Announcement, rematch: import("./messages.js").Rematch,
 *   hint: import("./messages.js").Hint, analysis: Analysis, studies: import("./messages.js").Studies,
 *   tournament: import("./messages.js").Tournament, tournament_news: import("./messages.js").TournamentNews,
 *   reviewing: import("./messages.js").Reviewing,
 *   book_kept: import("./messages.js").BookKept, book_progress: import("./messages.js").BookProgress,
 *   import_progress: import("./messages.js").ImportProgress,
 *   complaint: import("./messages.js").Answered<import("./messages.js").Refusal>,
 *   open: {wasLost: boolean}, lost: {first: boolean},
 * }} Events the events for listeners: messages by their types; "complaint", "open" and "lost" are the connection's own
 *
 * @typedef {{
 *   games: import("./messages.js").Games,
 *   import_games: import("./messages.js").GamesImported | import("./messages.js").Stopped, delete_games: import("./messages.js").GamesDeleted,
 *   last_games: import("./messages.js").LastGames, create: import("./messages.js").Created, watch: import("./messages.js").State, export: import("./messages.js").Exported,
 *   import: import("./messages.js").Imported, threats: import("./messages.js").Threats | import("./messages.js").Stopped,
 *   balance: import("./messages.js").Balance | import("./messages.js").Stopped, fouls: import("./messages.js").Fouls,
 *   review: import("./messages.js").ReviewAnswer,
 *   kept_review: import("./messages.js").ReviewAnswer | import("./messages.js").NoReview, prove: import("./messages.js").ProofAnswer,
 *   attempt: import("./messages.js").Judged, quizzes: import("./messages.js").Quizzes,
 *   quiz_answer: import("./messages.js").QuizJudged, quiz_forget: import("./messages.js").Quizzes,
 *   puzzle: import("./messages.js").PuzzleAsked, puzzle_answer: import("./messages.js").PuzzleJudged,
 *   book: import("./messages.js").Book, book_write: import("./messages.js").Book,
 *   line_mark: import("./messages.js").LineMarked, line_drop: import("./messages.js").LineDropped,
 *   book_import: import("./messages.js").BookImported | import("./messages.js").Stopped,
 *   book_export: import("./messages.js").BookExported | import("./messages.js").Stopped,
 *   quiz_keep: import("./messages.js").QuizKept, study: import("./messages.js").StudyAnswer,
 *   keep: import("./messages.js").Kept | import("./messages.js").Outdated,
 *   undo_study: import("./messages.js").StudyAnswer | import("./messages.js").Outdated,
 *   tournament_game: import("./messages.js").TournamentGame, shown: import("./messages.js").Shown,
 * }} Answers by the types of the requests, if these have one kind of answer
 */

export {};
