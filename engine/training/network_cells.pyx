"""The network's input from a position: the line patterns of its empty cells, now and a ply ago.

A cell is four bytes, one a direction: 16 times the pattern of the side to move plus that of the other side. The network
adds its directions up, so their order does not matter: they are sorted, and cells that are equal and lie in the same
region of the board are counted instead of listed.
The cells of a position come in three runs: those that were the same a ply ago, those that were not, and what these were
then. Without a stone to take back there is the first run alone.
"""
from engine.board cimport Board
from engine.evaluate cimport evaluate, threat_mask
from engine.network cimport region_of
from engine.position cimport CellWalk, Position, is_empty, make, next_cell, undo, walk_empty
from engine.types cimport *

import numpy as np

cdef enum:
    SLOTS = 2048                     # a power of two, several times the cells of a board
    MOST_TIMES = 255                 # equal cells beyond that are listed again

# Which cells a run holds: a slot is in use when its stamp is the run's.
cdef struct Known:
    u32[SLOTS] stamp
    u16[SLOTS] index
    u32 run


cdef inline u32 cell_of(const Position* p, int position, int side) noexcept nogil:
    """The four bytes of an empty cell, the least in the lowest place."""
    cdef u32 rows = p.cells[position].rows
    if side == BLACK:
        rows = (rows & 0x0F0F0F0F) << 4 | rows >> 4 & 0x0F0F0F0F
    cdef u32 a = rows & 255, b = rows >> 8 & 255, c = rows >> 16 & 255, d = rows >> 24
    cdef u32 low = min(a, b), high = max(a, b), other_low = min(c, d), other_high = max(c, d)
    cdef u32 second = max(low, other_low), third = min(high, other_high)
    return (min(low, other_low) | min(second, third) << 8 | max(second, third) << 16
            | max(high, other_high) << 24)


cdef inline int count_cell(Known* known, u32 cell, u8 region, u32* cells, u8* regions, u8* times,
                           int count) noexcept nogil:
    """Count a cell in a run of `count` distinct ones; returns how many these are then."""
    cdef u32 slot = <u32>((cell + region) * <u32>2654435761) >> 21
    while known.stamp[slot] == known.run:
        if (cells[known.index[slot]] == cell and regions[known.index[slot]] == region
                and times[known.index[slot]] < MOST_TIMES):
            times[known.index[slot]] += 1
            return count
        slot = (slot + 1) & (SLOTS - 1)
    known.stamp[slot] = known.run
    known.index[slot] = <u16>count
    cells[count] = cell
    regions[count] = region
    times[count] = 1
    return count + 1


cdef int read_cells(Position* p, Known* known, u32* cells, u8* regions, u8* times, u16* runs) noexcept nogil:
    """Fill in the three runs of a position and their lengths; returns the sum of these."""
    cdef u32[CELLS] before
    cdef u32[CELLS] after
    cdef u16[CELLS] changed
    cdef int side = p.side, last = p.states[p.ply].move, count = 0, changes = 0, first, i
    cdef bint had_stone = p.ply > 0 and last > PASS_MOVE and p.states[p.ply].colour != WALL
    cdef CellWalk walk
    cdef u32 cell
    if had_stone:
        undo(p)
        walk = walk_empty(p)
        while next_cell(&walk):
            before[walk.position] = cell_of(p, walk.position, side)
        make(p, last)
    known.run += 1
    walk = walk_empty(p)
    while next_cell(&walk):
        cell = cell_of(p, walk.position, side)
        if had_stone and cell != before[walk.position]:
            after[changes] = cell
            changed[changes] = <u16>walk.position
            changes += 1
        else:
            count = count_cell(known, cell, region_of(p.width, p.height, walk.position), cells, regions, times, count)
    runs[0] = <u16>count
    first = count
    known.run += 1
    count = 0
    for i in range(changes):
        count = count_cell(known, after[i], region_of(p.width, p.height, changed[i]), cells + first, regions + first,
                           times + first, count)
    runs[1] = <u16>count
    first += count
    known.run += 1
    count = 0
    if had_stone:
        count = count_cell(known, before[last], 0, cells + first, regions + first, times + first, count)
    for i in range(changes):
        count = count_cell(known, before[changed[i]], 0, cells + first, regions + first, times + first, count)
    runs[2] = <u16>count
    return first + count


def read_positions(Board board not None, const u16[::1] moves, const i64[::1] starts):
    """Plays the moves of each position on the empty board and reads it: a dict of arrays for n positions,

        cells       uint32 [m]     the distinct cells of the positions' runs, one after the other
        regions     uint8 [m]      which of the board's regions each lies in; 0 in third runs
        times       uint8 [m]      how often each occurs
        runs        uint16 [n, 3]  the lengths of each position's runs
        mask        uint16 [n]     the threat mask
        side        uint8 [n]      to move
        stones      uint16 [n]
        evaluation  int16 [n]      the classical one in centipoints, for the side to move

    moves: cells y * width + x, Black's and White's in turn; starts: where each position's begin, int64 [n + 1]. Raises
    ValueError for a move off the board or to a cell that is not empty; the board is empty again in any case.
    """
    if board.ply:
        raise ValueError("the board is not empty")
    cdef Position* p = board.position
    cdef Py_ssize_t n, positions = starts.shape[0] - 1
    cdef int area = p.width * p.height, bad = -1
    cdef i64 at, filled = 0
    cdef int place
    # At most each empty cell, the last stone's, and what changed a second time.
    cdef u32[::1] cells = np.empty(max(positions, 1) * (2 * area + 1), dtype=np.uint32)
    cdef u8[::1] regions = np.empty(cells.shape[0], dtype=np.uint8)
    cdef u8[::1] times = np.empty(cells.shape[0], dtype=np.uint8)
    cdef u16[:, ::1] runs = np.empty((positions, 3), dtype=np.uint16)
    cdef u16[::1] mask = np.empty(positions, dtype=np.uint16)
    cdef u8[::1] side = np.empty(positions, dtype=np.uint8)
    cdef u16[::1] stones = np.empty(positions, dtype=np.uint16)
    cdef i16[::1] evaluation = np.empty(positions, dtype=np.int16)
    cdef Known known
    known.run = 0
    for place in range(SLOTS):
        known.stamp[place] = 0
    with nogil:
        for n in range(positions):
            for at in range(starts[n], starts[n + 1]):
                if moves[at] >= area:
                    bad = moves[at]
                    break
                place = position_of(moves[at] % p.width, moves[at] // p.width)
                if not is_empty(p, place):
                    bad = moves[at]
                    break
                make(p, place)
            if bad < 0:
                filled += read_cells(p, &known, &cells[filled], &regions[filled], &times[filled], &runs[n, 0])
                mask[n] = <u16>threat_mask(&p.states[p.ply], p.side)
                side[n] = <u8>p.side
                stones[n] = <u16>p.ply
                evaluation[n] = <i16>evaluate(p)
            while p.ply:
                undo(p)
            if bad >= 0:
                break
    if bad >= 0:
        raise ValueError(f"position {n}: cell {bad} is " + ("not empty" if bad < area else "off the board"))
    return {
        "cells": np.asarray(cells)[:filled].copy(), "regions": np.asarray(regions)[:filled].copy(),
        "times": np.asarray(times)[:filled].copy(), "runs": np.asarray(runs),
        "mask": np.asarray(mask), "side": np.asarray(side),
        "stones": np.asarray(stones), "evaluation": np.asarray(evaluation),
    }
