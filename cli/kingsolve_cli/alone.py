"""`kingsolve analyze --seat`, and games with hands not known: from a game to the advice of the seat to
play."""

from kingsolve import Contract, Game, KingError, Knowledge, NotationError, Round, Variant
from kingsolve._deduction import read_plays
from kingsolve.advice import Advice, advise_card
from kingsolve.cards import ALL_CARDS, SEATS, cards_of, mask_of, parse_seat
from kingsolve.notation import leader_of, variant_of

from .analyzing import RECORDED, Request
from .errors import as_typed, bad_option
from .loading import round_led_by
from .single_dummy import Advised, advised
from .tricks import check_trick


def advised_game(request: Request, file: str, game: Game, given: Variant | None) -> Advised:
    """The advice for every contract asked for; after Ctrl-C those that were valued."""
    variant = variant_of(game, given)
    if game.deal is None:
        msg = "expected a deal, got none"
        raise game.fault(msg)
    if request.seat is not None and request.seat not in variant.seat_names:
        bad_option(
            "--seat", f"expected a seat of {variant.id}, one of {variant.seat_names}, got {request.seat!r}"
        )
    for name, asked in (
        ("--trace", request.trace),
        ("--concept", request.concepts),
        ("--side", request.side),
    ):
        if asked:
            msg = f"expected every hand known for {name}, got '-'"
            raise game.fault(msg)
    with as_typed():
        terms = request.sampling.terms(request.jobs)
    advices: list[Advice] = []
    interrupted = False
    for contract in _contracts(request, game, variant):
        try:
            job = advise_card(_knowledge(request, game, contract, variant), terms)
        except NotationError:
            raise
        except KingError as error:
            raise game.fault(str(error)) from None
        try:
            found, interrupted = advised(job)
        except KeyboardInterrupt:
            if not advices:
                raise
            interrupted = True
            break
        advices.append(found)
        if interrupted:
            break
    return Advised(
        file=file,
        number=game.number,
        board=game.tags.get("Board") or None,
        variant=variant,
        advices=advices,
        interrupted=interrupted,
        warnings=[game.noted(warning) for warning in game.warnings],
    )


def _contracts(request: Request, game: Game, variant: Variant) -> list[Contract]:
    """The contracts asked for, else the one recorded, else all."""
    played = game.round.contract.name if game.round is not None else game.tags.get("KingContract") or None
    names = list(request.contracts) or ([played] if played else list(variant.contracts))
    found = {}
    for name in names:
        if name == RECORDED:
            if not played:
                msg = "expected tag KingContract for the contract recorded, got none"
                raise game.fault(msg)
            name = played
        if name not in variant.contracts:
            among = " ".join(variant.contracts)
            bad_option("--contract", f"expected a contract of {variant.id}, one of {among}, got {name!r}")
        found[name] = variant.contract(name)
    return list(found.values())


def _knowledge(request: Request, game: Game, contract: Contract, variant: Variant) -> Knowledge:
    """What the seat knows, after the recorded cards or at the position given."""
    if request.trick or request.seen or request.broken:
        return _by_hand(request, game, contract, variant)
    recorded = game.play is not None or (game.round is not None and game.round.cards)
    if recorded:
        record = round_led_by(game, contract, leader=request.leader, variant=variant)
    else:
        assert game.deal is not None
        record = Round(contract, leader_of(game, variant, request.leader), game.deal)
    after = request.after
    if after is not None and after > len(record.cards):
        bad_option(
            "--after",
            f"expected at most the {len(record.cards)} cards recorded (game {game.number}), got {after}",
        )
    turn = _turn(record, after)
    seat = request.seat or turn
    try:
        k = Knowledge.from_round(record, seat, after=after, shown=_shown(request, record, seat))
    except KingError as error:
        raise game.replay_fault(error, record) from None
    if seat != turn:
        bad_option("--seat", f"expected {turn}, who is to play (game {game.number}), got {seat!r}")
    if not k.own:
        msg = "expected a card left to play, got a round that is over: --after N asks at an earlier point"
        raise KingError(msg)
    return k


def _turn(record: Round, after: int | None) -> str:
    """The seat to play after the first cards of a record."""
    contract = record.contract
    cards = [ALL_CARDS[card] for card in record.cards[:after]]
    leader = parse_seat(record.leader, contract.seats)
    _, leader, trick, _ = read_plays(contract, leader=leader, cards=cards)
    step = 1 if contract.clockwise else -1
    return SEATS[(leader + step * len(trick)) % contract.seats]


def _shown(request: Request, record: Round, seat: str) -> str:
    """The other seats whose hands are open: all that the file shows, unless --seat asks for one hand only."""
    if request.seat is not None:
        return ""
    hands = zip(record.contract.seat_names, record.deal.hands, strict=True)
    return "".join(other for other, hand in hands if hand is not None and other != seat)


def _by_hand(request: Request, game: Game, contract: Contract, variant: Variant) -> Knowledge:
    """What the seat knows of a position given by --trick, --seen and --broken."""
    assert game.deal is not None
    if request.after is not None:
        bad_option("--after", "expected --after without --trick, --seen and --broken")
    leader = leader_of(game, variant, request.leader)
    trick = list(request.trick or ())
    step = 1 if contract.clockwise else -1
    seat = request.seat or SEATS[(SEATS.index(leader) + step * len(trick)) % contract.seats]
    table = mask_of(trick)
    hands = {
        name: cards_of(hand & ~table)
        for name, hand in zip(contract.seat_names, game.deal.hands, strict=True)
        if hand is not None
    }
    if seat not in hands:
        msg = f"expected the hand of {seat}, got '-'"
        raise KingError(msg)
    sees = [
        hand if request.seat in (None, name) else None
        for name, hand in zip(SEATS, game.deal.hands, strict=False)
    ]
    check_trick(trick, sees, variant, leader)
    seen = mask_of(list(request.seen or ()))
    if not seen and None not in game.deal.hands:
        seen = contract.pack & ~table & ~sum(hand or 0 for hand in game.deal.hands)
    own = hands.pop(seat)
    if request.broken and not trick and len(own) == contract.hand_size:
        bad_option(
            "--broken", f"expected --broken later in the round: no card is played (game {game.number})"
        )
    return Knowledge(
        contract, seat, own=own, seen=cards_of(seen & ~table), leader=leader, trick=trick,
        broken=request.broken, shown=None if request.seat is not None else hands,
    )  # fmt: skip
