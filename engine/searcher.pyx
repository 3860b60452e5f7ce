"""Searcher: iterative deepening under limits, the policy around the search.

Python decides how long and how deep; each iteration is one call into C without the GIL.
"""
cimport cython
from libc.string cimport memset

from engine.bits cimport load, now_us, store
from engine.board cimport Board
from engine.moves cimport best_legal_cell, remove_barred
from engine.network cimport Network, NetworkWeights
from engine.policy cimport Policy, PolicyWeights
from engine.position cimport Position, copy_position, is_forbidden, top
from engine.proving cimport Proving, to_mate
from engine.search cimport iterate, new_search
from engine.table cimport BUCKET, Bucket, allocate, bucket_of, permille_full, release
from engine.threads cimport end_helpers, rest_helpers, start_helpers, wait_for_helpers
from engine.types cimport *
from engine.watch cimport begin_watch, raise_pending
from engine.worker cimport MAX_PLY, Worker, allocate_lock, free_workers, new_worker, static_answer

from engine.analysis import one_by_one, rounds
from engine.checks import MOST_NODES, shown, table_bytes, whole_number
from engine.clock import UNLIMITED_MS, Clock, budget
from engine.limits import USUAL_MS, Info, Limits, checked_limits, excluded_cells
from engine.network import shipped_network
from engine.policy import shipped_policy
from engine.rules import rule_number
from engine.search import PARAMETERS

cdef enum:
    REPORT_INTERVAL_MS = 50
    SHORTER_NODES = 20000        # to look for a shorter win than a proved one, if neither time nor nodes are limited
    VCT_DEPTH = 8                # shallower searches do without the solver for threats
    # A proved result is searched this much longer: a shorter win saves time, a longer loss lets the opponent err.
    ITERATIONS_AFTER_WIN = 2
    ITERATIONS_AFTER_LOSS = 4
    MOST_THREADS = 256           # each takes a few megabytes
    # A limited search gets one table entry for each node that it may visit. More entries do not help: with half an
    # entry a node and with eight it needs the same nodes to depth 14. And every probe of a large table waits for its
    # page: at 80,000 nodes a move, 256 MB allow four nodes in the time of five with 32 MB.
    BYTES_A_NODE = 16
    BYTES_A_MS = 32 << 10        # 2,000 nodes
    LIMITED_TABLE = 8 << 20      # but not less than this


cdef int check_board(board) except -1:
    if not isinstance(board, Board):
        raise TypeError(f"board must be a Board, not {shown(board)}")
    return 0


@cython.no_gc_clear              # the helping threads read the weights until __dealloc__ has waited for them
cdef class Searcher:
    """Finds moves. Searchers are independent of each other; use each from one thread at a time, `stop` from any.
    While one searches, also within `on_info`, another search or any change of the searcher raises RuntimeError.

    memory_bytes: for the transposition table, at most; at least 1, and 64 KiB are always taken. It is allocated by the
    first `go`: smaller if the limits of the search do not need more, and halved until it fits if the system has less. A
    later `go` with wider limits makes it grow, and forgets its entries. threads, evaluator: first values of these
    attributes.

    A searcher uses its results from earlier positions. Rules, sizes and candidate ranges may change from search to
    search: the keys of positions tell them apart. Until `clear` it may find other moves than a new searcher.

    To find moves: `go`, `analyse`, `rounds`, `stop`, `clear`. Settings: `threads`, `evaluator`, `use_network`,
    `use_policy`, `resize`; `table_bytes` and `hash_full` tell how the memory is used. The rest is for the brain and for
    tuning the search, and may change with it: `arm`, `parameters`, `plain`, `statistics`.

    >>> Searcher(1 << 20, threads=2)
    Searcher(memory_bytes=1048576, threads=2, evaluator='network')
    """

    def __cinit__(self, memory_bytes=64 << 20, threads=1, evaluator="network"):
        self.memory = table_bytes(memory_bytes)
        self.worker = new_worker(&self.shared, 0) if allocate_lock(&self.shared) else NULL
        if self.worker == NULL:
            raise MemoryError("no memory for a searcher")
        self.proving = Proving()
        self.proving.worker = self.worker
        for i, entry in enumerate(PARAMETERS):
            self.worker.tuned[i] = entry[1]
        self.thread_count = 1
        self.networks = {}
        self.policies = {}
        self.threads = threads
        self.evaluator = evaluator

    def __dealloc__(self):
        if self.shared.workers != NULL:
            wait_for_helpers(&self.shared)
        free_workers(&self.shared, 0)
        release(&self.shared.table)

    def __repr__(self):
        return (f"{type(self).__name__}(memory_bytes={self.memory}, threads={self.thread_count}, "
                f"evaluator={self.evaluator!r})")

    def stop(self):
        """Make a running `go` return at once with the best move so far, and end an `analyse`. From any thread."""
        self.stops += 1
        store(&self.shared.stop, 1)

    def arm(self):
        """Clear the stop flag now rather than at the start of the next `go`, so that a `stop` in between counts."""
        cdef i64 start = now_us()
        self.check_idle()
        store(&self.shared.stop, 0)
        self.is_armed = True
        self.joined_us = now_us() - start

    def clear(self):
        """Forget everything learned: the table, the history of moves, the solvers' tables and an announced win."""
        cdef Worker* w = self.shared.workers
        self.check_idle()
        release(&self.shared.table)
        while w != NULL:
            memset(&w.history, 0, sizeof(w.history))
            memset(&w.counter, 0, sizeof(w.counter))
            w = w.next
        self.proving.forget()

    def resize(self, memory_bytes):
        """Use at most `memory_bytes` for the table from the next `go` on, and forget its contents."""
        self.check_idle()
        self.memory = table_bytes(memory_bytes)
        release(&self.shared.table)

    cdef int check_idle(self) except -1:
        # Also waits for the helping threads of the last search, which may still use all that a caller wants to change.
        if self.is_running:
            raise RuntimeError("this searcher is searching")
        wait_for_helpers(&self.shared)
        return 0

    def go(self, board, limits=None, on_info=None):
        """The best move for the side to move, as an `Info`.

        board: left as it is; limits: a `Limits`, without which the search takes a second; on_info: called with an
        `Info` after iterations, at most every 50 ms.

        >>> info = Searcher().go(Board.from_moves("h8i9"), Limits(depth=6))
        >>> info.move_text, info.depth, info.mate is None
        ('g10', 6, True)

        The move is on an empty cell, and in renju black's is never a foul while another cell is empty. Raises
        ValueError when no cell is empty, and for excluded cells off the board. Ctrl-C in the main thread ends the
        search with KeyboardInterrupt. Cells that `limits` excludes are passed over while there is another legal cell. A
        move that is forced is not searched when time is limited. A win that was announced is kept: after its move and
        any reply it is announced with two plies less, or fewer still, unless the limits leave no time for a search.
        """
        cdef i64 start = now_us()
        self.check_idle()
        check_board(board)
        limits = checked_limits(limits, Limits(turn_ms=USUAL_MS))
        if not (on_info is None or callable(on_info)):
            raise TypeError(f"on_info must be a function of an Info, not {shown(on_info)}")
        self.is_running = True
        try:
            info = self.think(board, limits, on_info, start)
        finally:
            self.is_running = False
        info.height = board.height
        info.nodes = self.proving.counted()
        if not (limits.exclude or limits.ponder):
            self.proving.remember(info)
        return info

    cdef object think(self, Board board, object limits, object on_info, i64 start):
        cdef Worker* w = self.worker
        cdef int last_depth
        cdef set barred = {position_of(x, y) for x, y in excluded_cells(limits, board)}
        if board.position.empty_cells == 0:
            raise ValueError("the board is full")
        if self.is_armed:
            start -= self.joined_us
        else:
            store(&self.shared.stop, 0)
        self.is_armed = False
        copy_position(w.position, board.position)
        w.is_plain = self.is_plain
        w.network = self.weights_for(w.position.rule.number)
        w.policy = self.policy_for(w.position.rule.number)
        w.is_barred = False
        w.node_limit = 0 if limits.nodes is None else min(limits.nodes, MOST_NODES)
        begin_watch(&w.watch, &self.shared.stop, 0, NULL)
        new_search(w)
        rest_helpers(w)
        self.proving.begin(start)
        if barred and not remove_barred(w.position, &w.root, barred) and w.root.count:
            return self.proving.report(0, static_answer(self.worker))
        if w.root.count == 0:
            return self.last_resort()
        w.is_barred = bool(barred)

        maximum, optimum = budget(limits.turn_ms, limits.match_ms, limits.left_ms, len(board.stones()),
                                  board.position.empty_cells, limits.increment_ms)
        is_timed = maximum < UNLIMITED_MS
        known = [] if barred else self.proving.recall()
        is_forced = w.root.count == 1 and not barred and (is_timed or limits.ponder) and not self.is_analysing
        if maximum == 0 or is_forced or w.position.cells[
                w.root.moves[0].position].cls[w.position.side] == CLASS_FIVE:
            return self.proving.announce(self.proving.report(0, static_answer(self.worker)), known)
        self.prepare_table(is_timed, optimum)
        w.watch.looked_at_us = now_us()  # the time for the table does not count as time between two looks
        if limits.ponder:
            is_timed = False
            w.node_limit = 0
        if is_timed:
            w.watch.deadline_us = start + 1000 * maximum
        clock = Clock(maximum, optimum)

        is_deep = limits.depth is None or limits.depth >= VCT_DEPTH
        last_depth = MAX_PLY - 4 if limits.depth is None else min(limits.depth, MAX_PLY - 4)
        proof = self.proving.prove(is_deep, maximum if is_timed else 0, barred, known)
        if proof is not None and (self.proving.kept_plies == 0 or proof.mate <= self.proving.kept_plies):
            return proof if barred else self.look_for_shorter(proof, last_depth, maximum if is_timed else 0)

        if self.proving.kept_plies:
            best = self.proving.confirm(last_depth)
            if best is not None:
                return best
        try:
            start_helpers(w, last_depth)
            best = self.deepen(last_depth, clock if is_timed else None, on_info)
            if best.mate is None and best.depth == MAX_PLY - 4 and limits.depth is None and not w.is_stopped:
                best = self.proving.prove_long(start + 1000 * optimum if is_timed else 0, barred) or best
        finally:
            end_helpers(&self.shared)
            if barred:
                wait_for_helpers(&self.shared)  # else a helper could write that entry anew
                self.forget_root()
        if proof is not None and (best.mate is None or not 0 < best.mate <= proof.mate):
            return proof
        return best

    def analyse(self, board, limits=None, lines=3):
        """The best few moves, searched deeper and deeper: an iterator of `Info`, which you may leave at any time.

        board: copied; limits: a `Limits` for the whole analysis, which goes on for very long without; lines: how many
        moves, at least 1. Each round searches one ply deeper than the round before and then yields its moves, the best
        as line 1, fewer than `lines` if fewer are legal. `nodes` and `time_ms` count from the start of the analysis. A
        round that the limits cut short is completed from the round before, so the last infos are the result. The
        analysis ends early once every line is a proved win or loss.

        The search runs only within `next`: after you leave the loop, nothing runs. `stop` from another thread ends the
        round and the iterator, Ctrl-C raises KeyboardInterrupt as in `go`. With a depth or node limit alone the infos
        depend only on the position and the table, except `time_ms`. Raises ValueError if no cell is empty, `lines` is
        less than 1 or an excluded cell is off the board.

        >>> board = Board.from_moves("h8i9")
        >>> for info in Searcher().analyse(board, Limits(depth=2), lines=2):
        ...     print(info.depth, info.line)
        1 1
        1 2
        2 1
        2 2
        """
        return one_by_one(self.rounds(board, limits, lines))

    def rounds(self, board, limits=None, lines=3):
        """The rounds of `analyse`, each as a list of its infos, the best move first: an iterator of such lists."""
        cdef u64 stops = self.stops
        check_board(board)
        limits = checked_limits(limits, Limits())
        lines = min(whole_number("lines", lines, 1), board.width * board.height)
        excluded_cells(limits, board)
        if board.is_full():
            raise ValueError("the board is full")
        maximum, _ = budget(limits.turn_ms, limits.match_ms, limits.left_ms, len(board.stones()), board.empty_cells,
                            limits.increment_ms)
        copied = board.copy()

        def is_stopped():
            return self.stops != stops

        def search(within):
            self.arm()  # from here on a stop is kept for the search that follows
            if is_stopped():
                within.turn_ms = 0
            self.is_analysing = True
            try:
                return self.go(copied, within)
            finally:
                self.is_analysing = False

        return rounds(search, is_stopped, limits, lines, None if maximum >= UNLIMITED_MS else maximum)

    cdef object look_for_shorter(self, object best, int last_depth, i64 maximum):
        """The Info of a shorter win than a proved one, else that one: a search with a small share of time and nodes."""
        cdef Worker* w = self.worker
        last_depth = min(last_depth, best.mate - 2)
        if best.mate <= 5:
            return best
        w.node_limit = w.node_limit // 8 + 1 if w.node_limit else SHORTER_NODES
        if maximum:
            w.watch.deadline_us = min(w.watch.deadline_us, now_us() + 1000 * maximum // 20)
        found = self.deepen(last_depth, None, None)
        if found.mate is not None and 0 < found.mate < best.mate:
            best = found
        best.time_ms = self.proving.spent_ms()
        return best

    cdef object deepen(self, int last_depth, object clock, object on_info):
        """Iterative deepening until a limit, a stop or a proved result; the Info of that, or of the last iteration."""
        cdef Worker* w = self.worker
        cdef int depth = 0, score = 0, proved = 0
        cdef i64 last_report = -REPORT_INTERVAL_MS, spent_us
        best = None
        while depth < last_depth:
            with nogil:
                score = iterate(w, depth + 1, score)
            depth = w.depth
            raise_pending(&w.watch)
            if w.is_stopped and best is not None:
                # The finished part of the iteration counts: a move that beat the old best is in front, with a score of
                # its own. If that is a loss, the moves that were not searched may hold, so that nothing is proved: the
                # score of the last iteration stays.
                score = w.root.moves[0].score
                if best.move != (x_of(w.root.moves[0].position), y_of(w.root.moves[0].position)) and (
                        best.score < MATE_BOUND or score > best.score):
                    best = self.proving.report(depth, best.score if score <= -MATE_BOUND < best.score else score)
                best.nodes = self.proving.counted()
                best.time_ms = self.proving.spent_ms()
                break
            if w.is_stopped:
                # No iteration was finished: answer as without a search.
                best = self.proving.report(0, static_answer(self.worker))
                break
            # A win once proved is kept, unless a shorter one comes: it need not be found again.
            if best is None or best.score < MATE_BOUND or score > best.score:
                best = self.proving.report(depth, score)
            best.nodes = self.proving.counted()
            if on_info is not None and best.time_ms - last_report >= REPORT_INTERVAL_MS:
                last_report = best.time_ms
                best.height = w.position.height
                on_info(best)
            # A proved result may come sooner (or later) than it seems, so look a little further, but not for long.
            proved = proved + 1 if abs(best.score) >= MATE_BOUND else 0
            if proved > (ITERATIONS_AFTER_WIN if best.score > 0 else ITERATIONS_AFTER_LOSS) and (
                    best.score < 0 or self.proving.kept_plies == 0 or best.mate <= self.proving.kept_plies):
                break
            if best.score >= MATE_BOUND and depth >= best.mate:
                break
            spent_us = now_us() - self.proving.start_us
            if clock is not None and clock.is_time_up(spent_us / 1000, depth, score, best.move):
                break
        return best

    cdef object forget_root(self):
        """Drop the root's table entry: its score and move are valid only with the excluded cells."""
        cdef u64 key = top(self.worker.position).key
        cdef Bucket* bucket = bucket_of(&self.shared.table, key)
        cdef int i
        for i in range(BUCKET):
            if load(&bucket.entries[i].check) ^ load(&bucket.entries[i].data) == key:
                store(&bucket.entries[i].data, 0)

    cdef object last_resort(self):
        """Every candidate is a foul or loses at once: the best-looking legal cell, or a foul if there is no other."""
        cdef Position* p = self.worker.position
        cdef int score, best = best_legal_cell(p)
        move = x_of(best), y_of(best)
        if p.states[p.ply].count[p.side ^ 1][CLASS_FIVE]:
            score = -MATE + 2
        elif p.states[p.ply].count[p.side ^ 1][CLASS_LIVE_FOUR]:
            score = -MATE + 4
        elif p.side == BLACK and is_forbidden(p, best):
            score = -MATE + 1
        else:
            score = static_answer(self.worker)
        return Info(0, 0, score, to_mate(score) or None, 0, self.proving.spent_ms(), [move], move)

    cdef int prepare_table(self, bint is_timed, i64 optimum) except -1:
        """The table: allocated if it is missing or far too small, else made one search older.

        optimum: ms for the move, if time is limited.
        """
        cdef u64 size = self.memory
        if is_timed:
            size = min(size, max(<u64>optimum * BYTES_A_MS * <u64>self.thread_count, <u64>LIMITED_TABLE))
        if self.worker.node_limit:
            size = min(size, max(min(self.worker.node_limit, size) * BYTES_A_NODE, <u64>LIMITED_TABLE))
        if self.shared.table.size * sizeof(Bucket) >= size // 2:
            self.shared.table.generation = (self.shared.table.generation + 1) & 255
            return 0
        while not allocate(&self.shared.table, size):
            size //= 2
            if size < sizeof(Bucket):
                raise MemoryError("no memory for a transposition table")
            self.memory = size
        return 0

    @property
    def threads(self):
        """How many threads search, 1 at first, 256 at most. They share the table; results vary with more than one.

        Set it while no search runs. The number may be smaller than you set, if the system has no memory for more.
        """
        return self.thread_count

    @threads.setter
    def threads(self, value):
        cdef int count = whole_number("threads", value, 1, MOST_THREADS)
        self.check_idle()
        free_workers(&self.shared, count)
        while self.thread_count < count and new_worker(&self.shared, self.thread_count) != NULL:
            self.thread_count += 1
        self.thread_count = min(self.thread_count, count)

    @property
    def parameters(self):
        """The margins and depths of the search by name, see engine.search.PARAMETERS. A dict sets some, or none."""
        return {entry[0]: self.worker.tuned[i] for i, entry in enumerate(PARAMETERS)}

    @parameters.setter
    def parameters(self, dict values not None):
        self.check_idle()
        places = {entry[0]: (i, entry[2], entry[3]) for i, entry in enumerate(PARAMETERS)}
        checked = []
        for name, value in values.items():
            if name not in places:
                raise ValueError(f"there is no search parameter '{name}'")
            place, least, greatest = places[name]
            checked.append((place, whole_number(f"search parameter {name}", value, least, greatest)))
        for place, value in checked:
            self.worker.tuned[place] = value

    @property
    def plain(self):
        """No reductions, table cuts at equal depth only: for comparison with a plain twin.

        A change forgets all that was learned, because the depths of table entries mean something else.
        """
        return bool(self.is_plain)

    @plain.setter
    def plain(self, bint value):
        self.check_idle()
        if value != self.is_plain:
            self.clear()
        self.is_plain = value

    @property
    def evaluator(self):
        """"network", or "classical", which uses neither a network nor a policy. A rule without a network is always
        evaluated classically.

        A change forgets what was learned.
        """
        return "classical" if self.is_classical else "network"

    @evaluator.setter
    def evaluator(self, name):
        if name not in ("classical", "network"):
            raise ValueError(f"an evaluator is classical or network, not {shown(name)}")
        if name != self.evaluator:
            self.clear()
        self.is_classical = name == "classical"

    def use_network(self, rule, Network network):
        """Evaluate positions of a rule by this network from now on, or without one if it is None; forgets all learned.

        Raises ValueError for a rule that does not exist, and for another than the network's.
        """
        rule = rule_number(rule)
        if network is not None and network.rule != rule:
            raise ValueError(f"a network for rule {network.rule} does not evaluate positions of rule {rule}")
        self.clear()
        self.networks[rule] = network

    def use_policy(self, rule, Policy policy):
        """Order the moves in positions of a rule by this policy too, or by the tables alone if it is None; forgets all
        learned.

        Raises ValueError for a rule that does not exist, and for another than the policy's.
        """
        rule = rule_number(rule)
        if policy is not None and policy.rule != rule:
            raise ValueError(f"a policy for rule {policy.rule} does not order the moves of rule {rule}")
        self.clear()
        self.policies[rule] = policy

    cdef const NetworkWeights* weights_for(self, int rule) except? NULL:
        """The network to evaluate a rule by, or NULL; the package's own unless another was set."""
        cdef Network network
        if self.is_classical:
            return NULL
        if rule not in self.networks:
            self.networks[rule] = shipped_network(rule)
        network = self.networks[rule]
        return NULL if network is None else network.weights

    cdef const PolicyWeights* policy_for(self, int rule) except? NULL:
        """The policy that orders the moves of a rule, or NULL; the package's own unless another was set."""
        cdef Policy policy
        if self.is_classical:
            return NULL
        if rule not in self.policies:
            self.policies[rule] = shipped_policy(rule)
        policy = self.policies[rule]
        return NULL if policy is None else policy.weights

    @property
    def table_bytes(self):
        """The bytes of the table now; 0 before the first search."""
        return self.shared.table.size * sizeof(Bucket)

    @property
    def hash_full(self):
        """How much of the table the last search filled, in permille."""
        return permille_full(&self.shared.table)

    @property
    def statistics(self):
        """Counters of the last `go`. Of the search by the calling thread: nodes, those of them in quiescence, table
        cuts, static wins, cuts and at which move; and the nodes of the solvers, which `nodes` leaves out.
        """
        cdef Worker* w = self.worker
        return {
            "nodes": w.nodes,
            "solver_nodes": self.proving.solver_nodes,
            "quiescence": w.statistics.quiescence,
            "table_cuts": w.statistics.table_cuts,
            "static_wins": w.statistics.static_wins,
            "cuts": w.statistics.cuts,
            "cuts_at": [w.statistics.cuts_at[i] for i in range(8)],
        }
