"""DDS dot strings: one deal a line, `N:QJ.A98.A.T7 T.KJT7.J8.Q ...`, as double dummy solvers take them."""

from collections.abc import Iterator
from dataclasses import replace

from ..deal import first_seat, parse_deal
from ..errors import KingError, NotationError
from .game import Game, Settler, VariantLike
from .lines import Lines, OnError, Source, opened, too_long


def read_dots(
    source: Source,
    *,
    variant: VariantLike = None,
    contract: str | None = None,
    on_error: OnError | None = None,
) -> Iterator[Game]:
    """The deals of a file of dot strings, one a line, from a path or an open stream.

    Without a first seat the first hand is N's. Empty lines, and lines that begin with `#`, `;` or `%`, are
    passed over. Errors, `variant`, `contract` and `on_error` are as with `read_pbn`.
    """
    settler = Settler(variant, contract)
    count = 0
    with opened(source) as (stream, file):
        try:
            for number, text in Lines(stream, file):
                line = text.strip("\x1a \t") if text is not None else None
                if line == "" or (line is not None and line[0] in "#;%"):
                    continue
                count += 1
                try:
                    if line is None:
                        raise too_long(file, number, count)
                    game = _game(line, Game(count, number, None, file=file), settler)
                except NotationError as error:
                    if on_error is None:
                        raise
                    on_error(error)
                    continue
                yield game
        except NotationError as error:
            if on_error is None or error.game is not None:
                raise
            on_error(error)


def _game(text: str, bare: Game, settler: Settler) -> Game:
    deal_text = text.strip('"').strip()
    if ":" not in deal_text:
        deal_text = f"N:{deal_text}"
    try:
        deal = parse_deal(deal_text)
    except KingError as error:
        raise bare.fault(str(error)) from None
    deal = replace(deal, dealer=first_seat(deal_text, deal.seats))
    return settler.settle(Game(bare.number, bare.line, deal, file=bare.file), {})
