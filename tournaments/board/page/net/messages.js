/**
 * What the server sends, by its kinds of messages. Colours are 0 for Black and 1 for White, cells are [column, row] from
 * 0, the row from the top; shares are chances to win from 0 to 1, `ms` are milliseconds.
 *
 * @typedef {import("../board.js").Cell} Cell
 *
 * @typedef {{kind: string, brain?: string | null, level?: number | null, turn_ms?: number | null, nodes?: number | null}}
 *   Who plays on a seat: "local", "friend" or "brain"
 * @typedef {Required<Who> & {name: string, colour: number, taken: boolean}} Seat
 * @typedef {{cell: Cell, colour: number, ms: number | null}} Move
 * @typedef {{left: (number | null)[], increment: number, running: number | null, at: number}} Clock seconds left by seat
 * @typedef {{ply: number, text: string}} Comment
 * @typedef {{cell: Cell, foul: string}} Forbidden
 * @typedef {{seats?: Record<string, string>, seat?: string}} Links to the free seats of a new game, or to one's own
 * @typedef {{
 *   type: "state", game: string, version: number, width: number, height: number, rule: number, opening: string,
 *   moves: Move[], to_move: number, phase: "opening" | "choice" | "play" | "over", mover: number | null,
 *   choice: string[] | null, chooser: number | null, seats: Seat[], clock: Clock | null, paused: boolean,
 *   offer: {seat: number, what: string} | null, winner: number | null, reason: string, win: Cell[],
 *   forbidden: Forbidden[], comments: Comment[], thinking: boolean, you: {seats: number[], owner: boolean},
 *   invited: number[], next: string | null, links?: Links | null,
 * }} State of a game, for one who looks at it
 *
 * @typedef {{
 *   width: number, height: number, rule: number, opening: string, black: Who, white: Who,
 *   clock: {main: number, increment: number} | null, start: Cell[], drawn_by_lot: boolean, from: string | null,
 * }} GameSettings of a new game; the clock is in seconds
 *
 * @typedef {{name: string, title?: string, levels?: boolean}} Brain
 * @typedef {{
 *   game: string, created: number, width: number, height: number, rule: number, names: string[], kinds: string[],
 *   plies: number, phase: string, winner: number | null, broken: boolean,
 * }} ListedGame
 * @typedef {{games: ListedGame[], more?: boolean, skip?: number}} Games
 * @typedef {Games & {brains: Brain[], signature: string, owner: boolean}} Welcome
 *
 * @typedef {{width: number, height: number, rule: number, moves: Cell[]}} Position
 * @typedef {{moves: Cell[], score: number | null, mate: number | null, win: number | null, depth: number | null}} Line
 * @typedef {{id: string, lines: Line[], nodes: number, speed: number, done: boolean}} Analysis scores are the mover's
 * @typedef {{forbidden: Forbidden[], played: {ply: number, foul: string} | null}} Fouls
 * @typedef {{colour: number, kind: string, moves: Cell[]}} Win
 *
 * @typedef {[Cell, string]} Label
 * @typedef {{comment?: string, labels?: Label[]}} Writing
 * @typedef {Writing & {cell: Cell, parent: number}} StudyNode `parent` is its place in the list, -1 for the root
 * @typedef {Writing & {width: number, height: number, rule: number, start?: Cell[], title?: string, moves?: Cell[],
 *   tree?: StudyNode[]}} Study with a tree, or with the moves of a game alone
 * @typedef {{study: string, title: string, width: number, height: number, rule: number, moves: number, updated: number}}
 *   ListedStudy
 *
 * @typedef {[number | null, number | null, [number, number, number][], number | null, Cell[]]} ProofStep
 *   [x, y, [[x, y, step], …], otherwise, fouls]: the attacker's move, none where a defence comes first, the steps that
 *   answer each defence, the step that answers any other, and the defences that are fouls
 * @typedef {ProofStep[]} Proof
 * @typedef {{
 *   ply: number, colour: number, cell: Cell, before: number | null, after: number | null, loss: number, label: string,
 *   missed: string, lost: string, win: Proof | null, refutation: Proof | null, accepted: Cell[],
 * }} ReviewedMove
 * @typedef {{
 *   review: {moves: ReviewedMove[], proves: boolean}, quizzes?: {moves: Cell[]}[], kept?: number[],
 * }} Review `kept` are the plies of the mistakes that are quizzes already
 * @typedef {{verdict: string, cell: Cell, loss: number, right: boolean, proof: Proof | null}} Judgement
 * @typedef {{
 *   quiz: number, game: string | null, created: number, due: number | null, width: number, height: number, rule: number,
 *   moves: Cell[], to_move: number, kind: string,
 * }} Quiz times are seconds since 1970; one that is solved is never due
 * @typedef {{quizzes: Quiz[], now: number}} Quizzes
 * @typedef {{
 *   quiz: Quiz, cell: Cell | null, right: boolean, accepted?: Cell[], played?: Cell, solution?: Proof | null,
 *   verdict?: string, loss: number, proof?: Proof | null,
 * }} JudgedQuiz an answer, null where the quiz was given up
 *
 * @typedef {{number: number, black: string, white: string}} Pairing
 * @typedef {Pairing & {winner: number | null, reason: string}} FinishedGame
 * @typedef {Pairing & {moves: Cell[], used: number[] | null, left: (number | null)[], thinking: number | null,
 *   for: number}} RunningGame milliseconds by colour
 * @typedef {{name: string, elo: number, margin: number | null, games: number, points: number, wins: number, draws: number,
 *   losses: number, faults: number}} Standing
 * @typedef {{
 *   name: string, width: number, height: number, rule: number, state: string, note: string, finished: number,
 *   games: number, ended: boolean, players: Standing[], last: FinishedGame[], running: RunningGame[],
 *   in_progress: number, unseen: boolean,
 * }} Tournament
 *
 * @typedef {{reason: string, id?: string | number}} Refusal
 *
 * @typedef {{
 *   welcome: Welcome, games: Games, announced: {game: string, text: string}, state: State, rematch: {game: string, next: string},
 *   hint: {game: string, cell: Cell}, analysis: Analysis, studies: {studies: ListedStudy[]}, tournament: Tournament,
 *   reviewing: {done: number, of: number}, complaint: Refusal, open: {wasLost: boolean}, lost: {first: boolean},
 * }} Events what is told to listeners: messages by their types; "complaint", "open" and "lost" are the connection's own
 *
 * @typedef {{
 *   create: {game: string, links: Links}, watch: State, export: {text: string, name: string}, import: {games: Study[]},
 *   threats: {wins: Win[]}, balance: {cells: Cell[], win: number}, fouls: Fouls, review: Review,
 *   prove: {proof: Proof | null}, attempt: Judgement, quizzes: Quizzes, quiz_answer: JudgedQuiz, quiz_forget: Quizzes,
 *   quiz_keep: {quiz: number}, keep: {type: "kept" | "outdated", version: number, undo: number},
 *   study: KeptStudy, undo_study: KeptStudy & {type: "study" | "outdated"}, tournament_game: FinishedGame & {moves: Cell[]},
 * }} Answers by the types of the requests
 * @typedef {{version: number, content: Study, undo: number}} KeptStudy
 */

export {};
