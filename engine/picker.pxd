# The moves of a node, one at a time: first the table's move, before others are generated; then the list, best first;
# then the moves that were put off because another worker was searching them.
#
# With several workers, moves that another worker is searching come last: by then the table mostly has the answer.
# (Tom Kerrigan's simplified ABDADA; with what worker.pyx adds, two threads against one: +100 +- 62 Elo, 100 games at
# 0.2 s a move)
from engine.bits cimport load, store
from engine.moves cimport MoveList, generate, select
from engine.position cimport may_play, top
from engine.types cimport *
from engine.worker cimport BUSY_SLOTS, ONE_PLY, Worker, asks_policy, drop_what_is_done, enter_node

cdef enum:
    PUT_OFF_FROM = 3 * ONE_PLY   # depth from which a worker puts off a move that another worker is searching
    MAX_PUT_OFF = 32             # moves of a node that can be put off

cdef struct Picker:
    MoveList* list
    int table_move               # NO_MOVE: none, or a move that may not be played
    bint is_root                 # the list exists already, and its order is kept
    bint is_generated
    bint has_policy              # a policy orders the moves too
    bint has_company             # other workers may be in this node or below it
    int number                   # of the last move that was given, from 1; moves that may not be played have none
    int at                       # its place in the list; without meaning for the table's move
    int index                    # place of the next move
    int top_score                # best score below the strict tiers, see `score_moves`
    u64 key                      # of the node; the rest serves only with company
    u64 busy_key                 # of the move, see below
    u64* slot                    # the place where a worker writes that it searches the move
    int put_off_count
    int put_off_next
    u16[MAX_PUT_OFF] put_off     # places in the list
    u16[MAX_PUT_OFF] put_off_number

cdef int score_moves(Worker* w, MoveList* list, int last, bint has_policy) noexcept nogil

cdef inline void begin_moves(Picker* k, Worker* w, int ply, int table_move, int depth) noexcept nogil:
    # table_move: an empty cell or NO_MOVE; the root goes by its list alone.
    k.is_root = k.is_generated = ply == 0
    k.list = &w.root if k.is_root else &w.lists[ply]
    k.table_move = NO_MOVE if k.is_root else table_move
    k.number = k.at = k.index = k.top_score = 0
    k.put_off_count = k.put_off_next = 0
    k.has_policy = asks_policy(w, depth)
    k.has_company = depth >= PUT_OFF_FROM and not k.is_root and w.shared.workers.next != NULL
    k.key = top(w.position).key
    k.busy_key = 0
    k.slot = NULL

cdef inline u64 busy_key(u64 key, int move) noexcept nogil:
    # The key of a move in a position, for the list of moves that workers are searching; never 0.
    return (key ^ <u64>move * <u64>0x9E3779B97F4A7C15) | 1

cdef inline bint put_off_if_busy(Picker* k, Worker* w, int move) noexcept nogil:
    k.busy_key = busy_key(k.key, move)
    k.slot = &w.shared.busy[k.busy_key & (BUSY_SLOTS - 1)]
    if k.number == 1 or k.put_off_next or k.put_off_count == MAX_PUT_OFF or load(k.slot) != k.busy_key:
        return False
    k.put_off[k.put_off_count] = <u16>k.at
    k.put_off_number[k.put_off_count] = <u16>k.number
    k.put_off_count += 1
    return True

cdef inline int next_move(Picker* k, Worker* w) noexcept nogil:
    # The next move that may be played, with its number and place in `k`; NO_MOVE after the last.
    cdef int move
    while True:
        if k.number == 0 and k.table_move != NO_MOVE and not k.is_generated:
            move = k.table_move
        else:
            if not k.is_generated:
                generate(w.position, k.list)
                k.top_score = score_moves(w, k.list, top(w.position).move, k.has_policy)
                k.is_generated = True
            if k.index < k.list.count:
                k.at = k.index
                # `score_moves` has selected the first.
                move = k.list.moves[k.at].position if k.is_root or k.at == 0 else select(k.list, k.at)
                k.index += 1
                if move == k.table_move:
                    continue
            elif k.put_off_next < k.put_off_count:
                k.at = k.put_off[k.put_off_next]
                move = k.list.moves[k.at].position
                k.number = k.put_off_number[k.put_off_next] - 1
                k.put_off_next += 1
            else:
                return NO_MOVE
        if not may_play(w.position, move):
            if k.number == 0 and move == k.table_move:
                k.table_move = NO_MOVE
            continue
        k.number += 1
        if not k.has_company or not put_off_if_busy(k, w, move):
            return move

cdef inline bint was_put_off(const Picker* k) noexcept nogil:
    return k.put_off_next > 0

cdef inline void skip_the_rest(Picker* k) noexcept nogil:
    # This holds for the list. Moves that were put off come earlier in the order, so they are still given.
    k.index = k.list.count

cdef inline void begin_move(Picker* k) noexcept nogil:
    # Other workers put this move off from here on.
    if k.has_company:
        store(k.slot, k.busy_key)

cdef inline bint end_move(Picker* k, Worker* w, int ply) noexcept nogil:
    # After the move. True: another worker has finished this node, and its value is w.back_value.
    if not k.has_company:
        return False
    if load(k.slot) == k.busy_key:
        store(k.slot, 0)
    if load(&w.done) and not w.is_stopped:
        drop_what_is_done(w, ply)
    if not w.is_stopped:
        return False
    store(&w.path[ply], 0)
    if w.back_to != ply:
        return False
    w.is_stopped = False
    return True
