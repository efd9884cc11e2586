"""Random deals that fit: a cell is drawn by its number of deals, then each group of cards is split at random.

A cell says how many cards of each group go to each place. Its place in the list of cumulated numbers of deals
is found by bisection; within a group every split is equally likely, so every deal is. Nothing is ever
rejected but words of the generator.
"""

import numpy as np

from .compiling import compiled
from .rng import STATE_WORDS, below, high_word, next_word, seek

BATCH = 8
"""Cards drawn with one word: 52 * 51 * .. * 45 < 2**46, so a word is replaced once in 2**18 at most."""


@compiled
def draw(state, cards, count, take):
    """A uniformly random set of `take` of the first `count` of `cards` (masks), as one mask.

    The cards taken leave the list, whose first count - take are then the others. The indices come from one
    word for BATCH cards: N. Brackett-Rozinsky and D. Lemire, "Batched ranged random integer generation",
    Software: Practice and Experience 55, 2025.
    """
    taken = np.uint64(0)
    while take > 0:
        batch = min(take, BATCH)
        product = np.uint64(1)
        for j in range(batch):
            product *= np.uint64(count - j)
        word = next_word(state)
        if word * product < product:  # what is left of the word after the indices are taken from it
            floor = (np.uint64(0) - product) % product
            while word * product < floor:
                word = next_word(state)
        for _ in range(batch):
            bound = np.uint64(count)
            at = high_word(word, bound)
            word *= bound
            count -= 1
            taken |= cards[at]
            cards[at] = cards[count]
        take -= batch
    return taken


@compiled
def fill(state, cell, world, bases, groups, sizes, parts, buffer, hands):
    """One deal into `hands` (uint64[places]): what each place of the world is sure of, and its part of each
    group."""
    places = bases.shape[1]
    for place in range(places):
        hands[place] = bases[world, place]
    for group in range(sizes.shape[1]):
        count = sizes[world, group]
        if count == 0:
            continue
        for i in range(count):
            buffer[i] = groups[world, group, i]
        for place in range(places):
            part = parts[cell, group, place]
            if part == 0:
                continue
            if part == count:
                for i in range(count):
                    hands[place] |= buffer[i]
            else:
                hands[place] |= draw(state, buffer, count, part)
            count -= part
            if count == 0:
                break


@compiled
def sample_deals(seed, start, ends, worlds, bases, groups, sizes, parts, deals):
    """Deals number start, start + 1, .. of `seed` into the rows of `deals` (uint64[n, seats]).

    ends: uint64[cells], cumulated numbers of deals; worlds: int32[cells]; bases: uint64[worlds, places];
    groups: uint64[worlds, groups, 52], the cards as masks; sizes: int64[worlds, groups];
    parts: int8[cells, groups, places].
    """
    state = np.zeros(STATE_WORDS, np.uint64)
    buffer = np.empty(64, np.uint64)
    hands = np.empty(bases.shape[1], np.uint64)
    cells = ends.shape[0]
    total = ends[cells - 1]
    for row in range(deals.shape[0]):
        seek(state, seed, start + np.uint64(row))
        low = 0
        if cells > 1:
            x = below(state, total)
            high = cells - 1
            while low < high:
                middle = (low + high) >> 1
                if ends[middle] > x:
                    high = middle
                else:
                    low = middle + 1
        fill(state, low, worlds[low], bases, groups, sizes, parts, buffer, hands)
        for seat in range(deals.shape[1]):
            deals[row, seat] = hands[seat]


@compiled
def split_cells(seed, start, worlds, bases, groups, sizes, parts, deals):
    """As `sample_deals`, with a cell for each row already drawn: worlds and parts have a row a deal."""
    state = np.zeros(STATE_WORDS, np.uint64)
    buffer = np.empty(64, np.uint64)
    hands = np.empty(bases.shape[1], np.uint64)
    for row in range(deals.shape[0]):
        seek(state, seed, start + np.uint64(row))
        fill(state, row, worlds[row], bases, groups, sizes, parts, buffer, hands)
        for seat in range(deals.shape[1]):
            deals[row, seat] = hands[seat]
