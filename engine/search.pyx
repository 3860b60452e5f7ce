"""Principal variation search.

One flat function in numbered steps, a quiescence search by fours below it, and the aspiration loop above it. The code
does not print, allocate or use Python, except that the main worker looks at signals.
"""
from libc.math cimport log, sqrt
from libc.string cimport memset

from engine.bits cimport load, store
from engine.moves cimport (BLOCK_FIVE, FREE_CHOICE, STOP_LIVE_FOUR, Situation, generate,
                           move_to_front, select, situation_of)
from engine.network cimport static_score
from engine.picker cimport (Picker, begin_move, begin_moves, end_move, next_move, score_moves, skip_the_rest,
                            was_put_off)
from engine.position cimport (CellWalk, Position, first_of_class, insert_cell, is_empty, key_after, make, may_play,
                              next_cell, undo, walk_empty, walk_hot)
from engine.table cimport Found, prefetch_bucket, probe, write_entry
from engine.threats cimport five_blocks, foul_four, is_legal_four, leaves_foul_four, static_win
from engine.types cimport *
from engine.watch cimport must_end
from engine.worker cimport *

cdef enum:
    ASPIRATION_FROM = 5          # depth from which the window is narrowed around the last score
    QUIET_FOURS = -2 * ONE_PLY   # quiescence depth down to which a four that brings nothing else is tried
    QUIESCENCE_FLOOR = -15 * ONE_PLY

# name, value, least, greatest, in the order of the enum in worker.pxd. Centipoints, or sixteenths of a ply.
# Most values come from `tengen tune --search HISTORY --steps 5000`. Together with the ranks of step 12 they were worth
# +45 +- 39 Elo: `tengen tournament run --format match --games 300 --for new.info.max_node=30000 --for
# old.info.max_node=30000`, from the openings of `tengen openings 150 --seed 3`.
PARAMETERS = (
    ("aspiration_delta", 26, 6, 60),
    ("razor", 118, 0, 240),
    ("razor_slope", 40, 10, 160),              # a ply
    ("futility", 31, 15, 100),                 # a ply
    ("move_count", 66, 16, 128),               # sixteenths of a move
    ("move_count_slope", 19, 6, 40),           # sixteenths of depth ** 1.5
    ("reduction", 162, 70, 220),               # in 256ths of ln(depth) * ln(number) plies
    ("reduction_pv", 4, 0, 48),
    ("reduction_not_improving", 21, 0, 48),
    ("reduction_threat", 2, 0, 32),
    ("reduction_cut", 5, 0, 40),
    ("reduction_history", 338, 128, 1500),     # history points that are worth a sixteenth
    ("reduction_delay", 48, 0, 96),            # of a four that only delays a live four
    ("rank_from", 7, 0, 120),                  # ordering points behind the best move
    ("rank_slope", 15, 2, 48),                 # sixteenths for 64 points more
    ("rank_limit", 27, 4, 80),
    ("policy_depth", 16, 0, 128),              # depth from which a policy, if there is one, orders quiet moves
    ("policy_rank_from", 9, 0, 120),           # from there on these two instead of those above: the policy's points
    ("policy_rank_slope", 11, 2, 48),          # spread the scores of the moves by a third more
    ("live_four_cost", 8, 0, 20),
    ("table_slack", 6, 0, 16),                 # how much too shallow a table entry may be to cut
    ("vct_share", 20, 5, 200),                 # the solver for threats gets 1 / vct_share of time and nodes
)
if len(PARAMETERS) != PARAMETER_COUNT:
    raise ValueError("PARAMETERS and the enum of worker.pxd differ in number")

# ln(depth) * ln(number), in 256ths of a ply: [depth in plies][number of the move].
cdef i32[64][64] reductions
# depth ** 1.5, in sixteenths: [depth in plies].
cdef i32[64] depth_powers


cdef void fill_reductions() noexcept nogil:
    cdef int depth, number
    for depth in range(64):
        depth_powers[depth] = <i32>(16 * depth * sqrt(<double>depth))
    for depth in range(1, 64):
        for number in range(1, 64):
            reductions[depth][number] = <i32>(16 * ONE_PLY * log(<double>depth) * log(<double>number))


fill_reductions()


cdef void slow_poll(Worker* w) noexcept nogil:
    """Look at the stop flag and, on the main worker, at the watch and the node limit."""
    w.poll_at = w.nodes + POLL_NODES
    if w.number == 0:
        if w.node_limit:
            if total_nodes(w.shared) >= w.node_limit:
                store(&w.shared.stop, 1)
            w.poll_at = min(w.poll_at, w.node_limit)
        if must_end(&w.watch):
            store(&w.shared.stop, 1)
    if load(&w.shared.stop):
        w.is_stopped = True
        w.back_to = STOPPED


cdef inline void count_node(Worker* w, int ply) noexcept nogil:
    store(&w.nodes, w.nodes + 1)
    if w.nodes >= w.poll_at:
        slow_poll(w)
    if ply > w.selective_depth:
        w.selective_depth = ply


cdef inline void add_history(i16* entry, int bonus) noexcept nogil:
    # Gravity keeps entries within +-HISTORY_LIMIT and lets old results fade.
    entry[0] += <i16>(bonus - entry[0] * abs(bonus) // HISTORY_LIMIT)


cdef inline bint is_trapped(Position* p) noexcept nogil:
    # Renju's black, to move, faces a four that he may not stop.
    return p.rule.has_forbidden and p.side == BLACK and foul_four(p) != NO_MOVE


cdef bint has_only_fouls(Position* p) noexcept nogil:
    # At the end of a renju game: Black has to play, and loses by every cell that is left.
    cdef CellWalk walk = walk_empty(p)
    while next_cell(&walk):
        if may_play(p, walk.position):
            return False
    return True


cdef inline void keep_line(Worker* w, int ply, int move) noexcept nogil:
    # The principal variation of a node: its best move, then that of the child.
    cdef int i
    w.pv[ply][0] = <u16>move
    for i in range(w.pv_length[ply + 1]):
        w.pv[ply][i + 1] = w.pv[ply + 1][i]
    w.pv_length[ply] = w.pv_length[ply + 1] + 1


cdef void reward(Worker* w, int best, int depth, const u16* tried, int count) noexcept nogil:
    """After a cutoff: the move that cut gains history, those tried before it lose."""
    cdef Position* p = w.position
    cdef int side = p.side, plies = depth // ONE_PLY, i
    cdef int bonus = min(max(25 * plies * plies + 105 * plies - 57, 0), 8927)
    cdef bint threat = makes_threat(p, best), other
    add_history(&w.history[side][best][threat], bonus)
    w.counter[side][p.states[p.ply].move] = <u16>best
    for i in range(count):
        other = makes_threat(p, tried[i])
        if other or not threat:
            add_history(&w.history[side][tried[i]][other], -bonus)


cdef inline int evaluation_of(Worker* w, const Found* known) noexcept nogil:
    # The static evaluation, from the node's table entry if there is one that holds it.
    return (known.eval if known != NULL and known.eval != NO_SCORE and not w.is_plain
            else static_score(w.network, w.sums, w.position))


cdef int quiesce(Worker* w, int alpha, int beta, int depth, int ply) noexcept nogil:
    """The value of a position once the fours are played out, for the side to move.

    Stands pat on the static evaluation, tries the fours of the side to move near its last stone, and answers the
    opponent's. Fail-soft. Depth starts at 0 and falls; scores beyond MATE_BOUND are proved. When the search is stopped
    the value means nothing, and the caller must not use it.
    """
    cdef Position* p = w.position
    cdef Found found
    cdef int win, move, value, best, i
    cdef u16[9] blocks
    count_node(w, ply)
    w.statistics.quiescence += 1
    w.pv_length[ply] = 0
    if w.is_stopped or p.empty_cells == 0:
        return 0
    win = static_win(p)
    if win:
        return MATE - ply - win if win > 0 else -MATE + ply - win
    if ply >= MAX_PLY:
        return static_score(w.network, w.sums, p)
    if p.states[p.ply].count[p.side ^ 1][CLASS_FIVE]:
        best = -MATE + ply + 2
        for i in range(five_blocks(p, p.side ^ 1, blocks)):
            move = blocks[i]
            if not may_play(p, move):
                continue
            prefetch_bucket(&w.shared.table, key_after(p, move))
            make(p, move)
            value = -quiesce(w, -beta, -alpha, depth, ply + 1)
            undo(p)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value < beta:
                        keep_line(w, ply, move)
                    else:
                        break
        return best

    cdef bint is_known = probe(&w.shared.table, p.states[p.ply].key, ply, &found)
    return try_fours(w, alpha, beta, depth, ply, &found if is_known else NULL,
                     evaluation_of(w, &found if is_known else NULL))


cdef int try_fours(Worker* w, int alpha, int beta, int depth, int ply, const Found* known,
                   int static_eval) noexcept nogil:
    """The part of `quiesce` for a node that is neither won nor lost at once.

    known: the node's table entry, or NULL; static_eval: its evaluation, the least value that it can have.
    """
    cdef Position* p = w.position
    cdef int move, value, i, last, best = static_eval, original = alpha, best_move = NO_MOVE, count = 0
    cdef CellWalk walk
    cdef u16[32] fours
    cdef int[32] classes
    if known != NULL and known.depth >= depth and not w.is_plain and (
            known.bound == BOUND_EXACT
            or (known.bound == BOUND_LOWER and known.value >= beta)
            or (known.bound == BOUND_UPPER and known.value <= alpha)):
        return known.value
    if best >= beta or depth <= QUIESCENCE_FLOOR or p.hot_rows[p.side] == 0:
        return best
    alpha = max(alpha, best)

    # Fours of the side to move near its last stone: the others were there before it, and it did not play them.
    # (all of them at depth 0: -40 +- 23 Elo in 600 games at 30,000 nodes, -9 +- 34 in 260 at 60,000)
    last = p.states[p.ply - 1].move if p.ply else NO_MOVE
    walk = walk_hot(p, p.side)
    while count < 32 and next_cell(&walk):
        move = walk.position
        if last > PASS_MOVE and max(abs((move & 31) - (last & 31)), abs(walk.y - (last >> 5))) > 4:
            continue
        if p.cells[move].cls[p.side] == CLASS_FOUR and depth < QUIET_FOURS:
            continue
        # Strong fours first: 4x3, then fours with something, then bare ones.
        insert_cell(fours, classes, count, move, p.cells[move].cls[p.side])
        count += 1
    for i in range(count):
        move = fours[i]
        if not is_legal_four(p, move, p.side):
            continue
        prefetch_bucket(&w.shared.table, key_after(p, move))
        make(p, move)
        value = -quiesce(w, -beta, -alpha, depth - ONE_PLY, ply + 1)
        undo(p)
        if w.is_stopped:
            return 0
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = move
                keep_line(w, ply, move)
                if value >= beta:
                    break
    write_entry(&w.shared.table, p.states[p.ply].key, best, static_eval, best_move,
                BOUND_LOWER if best >= beta
                else BOUND_EXACT if best > original and beta - original > 1 else BOUND_UPPER,
                depth, ply)
    return best


cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    """The value of the position for the side to move, searched `depth` sixteenths of a ply deep.

    Assumes alpha < beta, and a window one wide unless the node is on the principal variation. Fail-soft: a result at
    or below alpha is an upper bound, at or above beta a lower bound, else exact. Beyond +-MATE_BOUND the result is a
    proved win or loss, MATE less the plies from the root. Writes the table and, on the principal variation, w.pv. At
    the root it goes through w.root in order and moves what raised alpha to the front. When w.is_stopped, the result
    means nothing and nothing was written, except that w.root and w.pv[0] hold the best moves found until then.
    """
    if depth <= 0 and ply > 0:
        return quiesce(w, alpha, beta, 0, ply)
    cdef Position* p = w.position
    cdef bint is_root = ply == 0
    cdef bint is_pv = beta - alpha > 1
    cdef Found found
    cdef const i32* tuned = w.tuned
    cdef int win, move, value

    # Step 1. Count the node, and leave when told to.
    count_node(w, ply)
    w.pv_length[ply] = 0
    if w.is_stopped:
        return 0

    # Step 2. The end of the game, and of the line.
    if p.empty_cells == 0:
        return 0
    if ply >= MAX_PLY:
        return static_score(w.network, w.sums, p)

    # Step 3. Wins and losses that the pattern classes prove. Most tactics end here, before any move is made.
    if not is_root:
        win = static_win(p)
        if win:
            w.statistics.static_wins += 1
            return MATE - ply - win if win > 0 else -MATE + ply - win

        # Step 4. Mate distance: a shorter win than the best possible here is already known.
        alpha = max(alpha, -MATE + ply)
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha

    # Step 5. A five must be blocked: one reply (in caro at times a few), which costs no depth.
    cdef Situation situation = situation_of(p)
    cdef u16[9] blocks
    cdef int block_count = five_blocks(p, p.side ^ 1, blocks) if situation == BLOCK_FIVE and not is_root else -1
    if block_count == 0:
        return -MATE + ply + 2
    if block_count == 1:
        move = blocks[0]
        if not may_play(p, move):
            return -MATE + ply + 2
        w.evals[ply] = -w.evals[ply - 1]
        prefetch_bucket(&w.shared.table, key_after(p, move))
        make(p, move)
        value = -search(w, -beta, -alpha, depth, ply + 1, not cut_node)
        undo(p)
        if not w.is_stopped and is_pv and value > alpha:
            keep_line(w, ply, move)
        return value

    # Step 6. The transposition table.
    cdef u64 key = p.states[p.ply].key
    cdef int table_move = NO_MOVE
    cdef bint is_known = probe(&w.shared.table, key, ply, &found)
    if is_known:
        table_move = found.move
        if table_move != NO_MOVE and not is_empty(p, table_move):
            table_move = NO_MOVE
        if not is_pv and is_enough(w, &found, depth, alpha, beta):
            w.statistics.table_cuts += 1
            return found.value

    # Step 7. Static evaluation, and whether it got better since our last move. (It knows the ply before, so that of the
    # table can have come by another last move; a plain search takes no notice of it.)
    cdef int static_eval = evaluation_of(w, &found if is_known else NULL)
    w.evals[ply] = static_eval
    cdef bint is_improving = ply < 2 or static_eval > w.evals[ply - 2]

    # Step 8. Razoring: so far below alpha that only a win by fours could help, so look for just that.
    # (+47 +- 49 Elo, 200 games at 25,000 nodes)
    cdef int margin
    cdef bint may_cut = not is_pv and not w.is_plain and situation == FREE_CHOICE and not is_trapped(p)
    if (may_cut and depth < 6 * ONE_PLY
            and static_eval + tuned[RAZOR] + tuned[RAZOR_SLOPE] * depth // ONE_PLY < alpha):
        margin = 0 if depth < 2 * ONE_PLY else tuned[RAZOR] + tuned[RAZOR_SLOPE] * (depth - 2 * ONE_PLY) // ONE_PLY
        count_node(w, ply)
        w.statistics.quiescence += 1
        if w.is_stopped:
            return 0
        value = try_fours(w, alpha - margin, alpha - margin + 1, 0, ply, &found if is_known else NULL, static_eval)
        if depth < 2 * ONE_PLY or value <= alpha - margin:
            return value

    # Step 9. Futility: so far above beta that the remaining depth cannot change that.
    # (+60 +- 49 Elo, 200 games at 25,000 nodes)
    if (may_cut and abs(beta) < MATE_BOUND
            and static_eval - tuned[FUTILITY] * (depth - ONE_PLY * is_improving) // ONE_PLY >= beta):
        return static_eval

    # Step 10. Go through the moves: the table's first, before any other is generated (picker.pxd).
    cdef Picker picker
    cdef int best = -INFINITE, best_move = NO_MOVE, original = alpha
    cdef int number, new_depth, reduction, behind, cls
    cdef int cost = tuned[LIVE_FOUR_COST] if situation == STOP_LIVE_FOUR else 0 if situation == BLOCK_FIVE else ONE_PLY
    cdef bint threat, is_late = False
    cdef u16[64] tried
    cdef int tried_count = 0
    cdef int move_limit = (tuned[MOVE_COUNT]
                           + tuned[MOVE_COUNT_SLOPE] * depth_powers[min(depth // ONE_PLY, 63)] // 16) // 16
    if not is_improving:
        move_limit = (move_limit + 1) // 2
    begin_moves(&picker, w, ply, table_move, depth)
    if picker.has_company and not is_pv:
        enter_node(w, key, depth, beta, ply)
    while True:
        move = next_move(&picker, w)
        if move == NO_MOVE:
            break
        number = picker.number
        cls = p.cells[move].cls[p.side]
        threat = cls >= CLASS_THREE
        new_depth = depth - cost

        # Step 11. Move-count pruning: so far down the order of a shallow node, good moves are not expected.
        # (+56 +- 49 Elo, 200 games at 25,000 nodes)
        # A move of renju's white that sets a trap, as at the end of step 12, is searched all the same. (6 +- 2 % fewer
        # nodes to a proved win, 250 positions with fouls)
        if (not is_root and not w.is_plain and best > -MATE_BOUND and situation == FREE_CHOICE
                and number > move_limit and (cls < CLASS_FOUR or is_late) and not was_put_off(&picker)):
            if not is_late and not (p.rule.has_forbidden and p.side == WHITE
                                    and first_of_class(p, BLACK, CLASS_FORBIDDEN)):
                skip_the_rest(&picker)
                continue
            is_late = True
            if not leaves_foul_four(p, move):
                continue

        # Step 12. Late move reductions: moves far down the order, or far behind its first, are searched shallower
        # at first. (being behind: +30 +- 28 Elo, 400 games at 12,000 nodes; fours too, unless a live four has to be
        # stopped: +38 +- 17 Elo, 900 games at 60,000 nodes)
        reduction = 0
        if (depth >= 2 * ONE_PLY and number > 1 + is_root and not w.is_plain
                and cls < (CLASS_FOUR_THREE if situation == FREE_CHOICE else CLASS_FOUR)):
            reduction = tuned[REDUCTION] * reductions[min(depth // ONE_PLY, 63)][min(number, 63)] // 4096
            if is_pv:
                reduction -= tuned[REDUCTION_PV]
            elif not is_improving:
                reduction += tuned[REDUCTION_NOT_IMPROVING]
            if threat or p.cells[move].cls[p.side ^ 1] >= CLASS_THREE:
                reduction -= tuned[REDUCTION_THREAT]
            reduction -= w.history[p.side][move][threat] // tuned[REDUCTION_HISTORY]
            if cut_node:
                reduction += tuned[REDUCTION_CUT]
            if not is_root:
                behind = (picker.top_score - picker.list.moves[picker.at].score
                          - tuned[POLICY_RANK_FROM if picker.has_policy else RANK_FROM])
                reduction += min(max(behind, 0) * tuned[POLICY_RANK_SLOPE if picker.has_policy else RANK_SLOPE] // 64,
                                 tuned[RANK_LIMIT])
            reduction = max(min(reduction, new_depth - 1), 0)
        # A four that does not stop the live four only puts it off, and its answer costs no depth. (24: +38 +- 22 Elo,
        # 48 against 24: +14 +- 22, 600 games each at 30,000 nodes)
        elif (situation == STOP_LIVE_FOUR and number > 1 and (cls == CLASS_FOUR or cls == CLASS_FOUR_PLUS)
                and p.cells[move].cls[p.side ^ 1] < CLASS_LIVE_FOUR and not is_root and not w.is_plain):
            reduction = max(min(tuned[REDUCTION_DELAY], new_depth - 1), 0)

        begin_move(&picker)
        prefetch_bucket(&w.shared.table, key_after(p, move))
        make(p, move)

        # A quiet move of renju's white may leave black a four that only a foul would stop. It is not a late move, and
        # black has to answer it: every reply that does not loses at once.
        if (reduction > 0 or new_depth < ONE_PLY) and not w.is_plain and is_trapped(p):
            reduction = 0
            new_depth = max(new_depth, ONE_PLY)

        # Step 13. Principal variation search: the first move with the whole window, the others with a null window that
        # shows they are not better; if that fails, again wider and deeper.
        if number == 1:
            value = -search(w, -beta, -alpha, new_depth, ply + 1, False if is_pv else not cut_node)
        else:
            value = -search(w, -alpha - 1, -alpha, new_depth - reduction, ply + 1, True)
            if value > alpha and reduction > 0:
                value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
            if is_pv and value > alpha:
                value = -search(w, -beta, -alpha, new_depth, ply + 1, False)
        undo(p)
        if end_move(&picker, w, ply):
            return w.back_value
        if w.is_stopped:
            return 0

        # Step 14. A new best move, and the cutoff.
        if is_root:
            w.root.moves[picker.at].score = value if value > alpha or number == 1 else -INFINITE
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = move
                if is_pv:
                    keep_line(w, ply, move)
                if is_root:
                    move_to_front(&w.root, picker.at)
                if value >= beta:
                    break
        if tried_count < 64:
            tried[tried_count] = <u16>move
            tried_count += 1

    if picker.has_company:
        store(&w.path[ply], 0)

    # Step 15. No move: against a live four nothing helps, and the opponent's live four and five follow; or the next
    # stone is a foul.
    if picker.number == 0:
        return -MATE + ply + 4 if situation == STOP_LIVE_FOUR else -MATE + ply + 1 if has_only_fouls(p) else 0

    # Step 16. Remember.
    if best >= beta:
        if not is_pv:
            note_cut(w, beta, depth, ply, picker.number, picker.table_move)
        reward(w, best_move, depth, tried, tried_count)
    write_entry(&w.shared.table, key, best, static_eval, best_move,
                BOUND_LOWER if best >= beta else BOUND_EXACT if is_pv and best > original else BOUND_UPPER,
                depth, ply)
    if picker.has_company and not is_pv:
        tell_others(w, key, ply)
    return best


cdef void new_search(Worker* w) noexcept nogil:
    """Begin a search: counters at 0, the history of moves halved, the moves of the root listed, the best first."""
    cdef int i, colour, kind
    store(&w.nodes, 0)
    w.poll_at = 1
    w.is_stopped = False
    w.selective_depth = 0
    w.done = 0
    if w.number == 0:
        w.shared.depth = w.shared.offered = 0
    memset(&w.statistics, 0, sizeof(Statistics))
    for colour in range(2):
        for i in range(CELLS):
            for kind in range(2):
                w.history[colour][i][kind] //= 2
    generate(w.position, &w.root)
    score_moves(w, &w.root, w.position.states[w.position.ply].move, w.policy != NULL)
    cdef int kept = 0
    for i in range(w.root.count):
        if may_play(w.position, select(&w.root, i)):
            w.root.moves[kept] = w.root.moves[i]
            kept += 1
    w.root.count = kept


cdef void help(Worker* w, int last_depth) noexcept nogil:
    """Search until told to stop. The table takes the results, and the main worker those of iterations that it has not
    finished itself."""
    cdef int depth = 1, score = 0
    while depth <= last_depth:
        score = iterate(w, depth, score)
        if not w.is_stopped:
            offer_outcome(w, score)
            depth += 1
        elif w.back_to != STOPPED:
            w.is_stopped = False
            acquire(w.shared)
            depth = <int>w.shared.depth
            score = w.shared.score
            PyThread_release_lock(w.shared.lock)
        else:
            break


cdef int iterate(Worker* w, int depth, int previous) noexcept nogil:
    """One iteration of `depth` plies around the score of the last; the value of the root.

    The window starts narrow and widens on the side on which the value falls outside. After several fail-highs the
    depth is lowered, so that an unstable score cannot make the search explode.
    """
    cdef int delta = w.tuned[ASPIRATION_DELTA], alpha = -INFINITE, beta = INFINITE, value, fail_highs = 0
    start_iteration(w, depth, previous)
    if depth >= ASPIRATION_FROM and abs(previous) < MATE_BOUND:
        alpha = max(previous - delta, -INFINITE)
        beta = min(previous + delta, INFINITE)
    while True:
        value = search(w, alpha, beta, (depth - fail_highs // 3) * ONE_PLY, 0, False)
        if w.is_stopped:
            return take_outcome(w) if w.number == 0 and w.back_to != STOPPED else value
        if value <= alpha:
            beta = (alpha + beta) // 2
            alpha = max(value - delta, -INFINITE)
            fail_highs = 0
        elif value >= beta:
            beta = min(value + delta, INFINITE)
            fail_highs += 1
        else:
            return value
        delta += delta // 2 + 5
        if abs(value) >= MATE_BOUND:
            alpha = -INFINITE
            beta = INFINITE
