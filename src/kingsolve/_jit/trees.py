"""A search tree over many deals at once: a seat chooses by what has been played, not by the deal.

Information set Monte Carlo tree search with a single observer: P. I. Cowling, E. J. Powley and D. Whitehouse,
"Information Set Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in Games
4(2), 2012. A node is a sequence of cards played from now on, the same in every deal. Each deal in turn goes
down the tree along cards that are legal in it, adds one node, and is played out by the careful policy; every
node on its way counts what its mover got. So the seat to play cannot choose otherwise in deals that it
cannot tell apart, as it can where deals are solved one by one (docs/single-dummy.md).

Seats are numbered in the order of play, as in rounds.py; masks are int64.
"""

import numpy as np

from .bits import lane_of, pick, popcount
from .compiling import compiled
from .policies import BRIEF, CAREFUL, PLACES, choose, make_brief
from .rng import STATE_WORDS, seek, small_below
from .rounds import beats, is_over, legal_cards, play_out, scoring_cards

CARD, NEXT, FIRST, VISITS, OFFERED = 0, 1, 2, 3, 4
"""Columns of a tree's nodes: the card played to get there, the next child of the same parent, the first child
(-1: none), how many deals went through, and in how many it could have been chosen. Node 0 is the root."""


@compiled
def new_tree(nodes, worth):
    """Makes node 0, the root: one node of `nodes`, int32[n, 5], and `worth`, float64[n], is then used."""
    nodes[0, CARD] = -1
    nodes[0, NEXT] = -1
    nodes[0, FIRST] = -1
    nodes[0, VISITS] = 0
    nodes[0, OFFERED] = 0
    worth[0] = 0.0


@compiled
def value_points(points, totals, scale, spread, seats, found):
    """What each seat makes of the points of the rest of the round, about 0 to 1, into `found`, float64[4].

    Its points, `scale` times. Unless the `spread` is below 0, its chance to win the match comes to that:
    exp(total / spread) of the sum of all; with a spread of 0 the highest total wins, equal ones share.
    """
    for seat in range(seats):
        found[seat] = points[seat] * scale
    if spread < 0:
        return
    top = totals[0] + points[0]
    for seat in range(seats):
        top = max(top, totals[seat] + points[seat])
    whole = 0.0
    for seat in range(seats):
        whole += _weight(totals[seat] + points[seat] - top, spread)
    for seat in range(seats):
        found[seat] += _weight(totals[seat] + points[seat] - top, spread) / whole


@compiled
def _weight(behind, spread):
    """What a total so far behind the highest weighs among the chances to win."""
    if spread > 0:
        return np.exp(behind / spread)
    return 1.0 if behind == 0 else 0.0


@compiled
def grow_tree(
    contract, deals, leader, trick, played, seen, broken, first_cards, totals, scale, spread, explore, seed,
    number, nodes, worth, used,
):  # fmt: skip
    """Sends each of `deals`, int64[n, seats], the hands now, down the tree once; how many nodes it then has.

    `trick`, int64[4], holds the `played` cards of the trick that `leader` led, `seen` the cards of complete
    tricks and those never in play; the root's cards are those of the mask `first_cards`. `totals`,
    float64[4], are the points of the match so far, for `value_points`. A child is chosen by its mean worth to
    the mover and `explore` times the usual root of log(offered) / visits (UCB1 for children that are not
    always there). `used` nodes are there before; deal i has the random numbers of stream (seed, number + i).
    """
    brief = np.zeros(BRIEF, np.int32)
    make_brief(contract, brief)
    state = np.zeros(STATE_WORDS, np.uint64)
    scoring = scoring_cards(contract)
    seats = np.int64(contract.seats)
    barred = np.int64(contract.barred)
    policies = np.full(4, CAREFUL, np.int64)
    log = np.zeros(0, np.int8)
    hands, lying = np.zeros(4, np.int64), np.zeros(4, np.int64)
    points, found = np.zeros(4, np.int32), np.zeros(4, np.float64)
    path, movers = np.zeros(64, np.int64), np.zeros(64, np.int64)
    turn = (leader + played) % seats
    start = np.int64(contract.hand_size) - popcount(deals[0, turn]) if deals.shape[0] else np.int64(0)
    for row in range(deals.shape[0]):
        seek(state, np.uint64(seed), np.uint64(number + row))
        for seat in range(seats):
            hands[seat] = deals[row, seat]
            points[seat] = 0
        for i in range(played):
            lying[i] = trick[i]
        first, laid, gone, open_bar, place = np.int64(leader), played, seen, broken, start
        node, depth, added = np.int64(0), 0, False
        over = False
        while not added:
            if laid == 0:
                left = np.int64(0)
                for seat in range(seats):
                    left |= hands[seat]
                if is_over(contract, brief, scoring, left, place):
                    over = True
                    break
            led, table, best = np.int64(0), np.int64(0), np.int64(-1)
            for i in range(laid):
                card = lying[i]
                if i == 0:
                    led = lane_of(card)
                table |= np.int64(1) << card
                if beats(contract, card, best):
                    best = card
            turn = (first + laid) % seats
            legal = legal_cards(contract, hands[turn], led, table, place == 0, open_bar)
            offered = legal & first_cards if depth == 0 else legal
            there, chosen, most = np.int64(0), np.int64(-1), -1e300
            child = np.int64(nodes[node, FIRST])
            while child >= 0:
                bit = np.int64(1) << np.int64(nodes[child, CARD])
                if offered & bit:
                    there |= bit
                    nodes[child, OFFERED] += 1
                    visits = nodes[child, VISITS]
                    bound = worth[child] / visits + explore * np.sqrt(np.log(nodes[child, OFFERED]) / visits)
                    if bound > most:
                        most, chosen = bound, child
                child = np.int64(nodes[child, NEXT])
            missing = offered & ~there
            if missing:
                # the policy's card first: what it likes is soon known
                card = choose(
                    CAREFUL, contract, brief, hands[turn], legal, led, table, best, seats - 1 - laid,
                    gone | table, place, state,
                )  # fmt: skip
                if not missing >> card & 1:
                    card = pick(missing, np.int64(small_below(state, np.uint64(popcount(missing)))))
                chosen = np.int64(used)
                used += 1
                nodes[chosen, CARD] = card
                nodes[chosen, NEXT] = nodes[node, FIRST]
                nodes[chosen, FIRST] = -1
                nodes[chosen, VISITS] = 0
                nodes[chosen, OFFERED] = 1
                worth[chosen] = 0.0
                nodes[node, FIRST] = chosen
                added = True
            card = np.int64(nodes[chosen, CARD])
            node = chosen
            path[depth], movers[depth] = node, turn
            depth += 1
            hands[turn] ^= np.int64(1) << card
            open_bar = open_bar or (barred >> card & 1) != 0
            lying[laid] = card
            laid += 1
            if laid == seats:
                top, taker, gained = np.int64(-1), first, brief[PLACES + place]
                for i in range(seats):
                    card = lying[i]
                    gained += brief[card]
                    gone |= np.int64(1) << card
                    if beats(contract, card, top):
                        top, taker = card, (first + i) % seats
                points[taker] += gained
                first, laid, place = taker, 0, place + 1
        if not over:
            play_out(contract, brief, hands, first, lying, laid, gone, open_bar, policies, state, points, log)
        value_points(points, totals, scale, spread, seats, found)
        for i in range(depth):
            nodes[path[i], VISITS] += 1
            worth[path[i]] += found[movers[i]]
    return used


@compiled
def root_cards(nodes, worth, cards, visits, means):
    """The cards of the root's children in the order of `cards`, int64[n]: how often each was played, and its
    mean worth, into `visits`, int64[n], and `means`, float64[n]."""
    child = np.int64(nodes[0, FIRST])
    while child >= 0:
        for i in range(cards.shape[0]):
            if cards[i] == nodes[child, CARD]:
                visits[i] = nodes[child, VISITS]
                means[i] = worth[child] / max(nodes[child, VISITS], 1)
        child = np.int64(nodes[child, NEXT])
