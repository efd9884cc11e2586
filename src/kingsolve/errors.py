"""Every error kingsolve raises on purpose: one clear line saying what was expected, what came, and where."""


class KingError(ValueError):
    """Anything wrong with what the caller gave: cards, deals, variants, files, plays."""


def require(value: object, kind: type, error: type[KingError] = KingError) -> None:
    """Raises `error` unless `value` is a `kind`: for public functions, which people call with anything."""
    if not isinstance(value, kind):
        msg = f"expected a {kind.__name__}, got {short(value)}"
        raise error(msg)


def short(value: object, most: int = 60) -> str:
    """`value` for a message: its repr on one line, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write out an int of thousands of digits
        text = "a huge number"
    return text if len(text) <= most else text[: most - 3] + "..."


def is_number(value: object, kind: type) -> bool:
    """Whether it is a number of the `kind`, as `numbers` has them; True and False are none."""
    return isinstance(value, kind) and not isinstance(value, bool)


class CardError(KingError):
    """A text that names no card, pack, seat or glob."""


class DealError(KingError):
    """Hands that cannot be a deal: every fault found is in the one message."""


class VariantError(KingError):
    """A variant or contract that is unknown or badly written; the message has file, table and key."""


class IllegalCard(KingError):
    """A card that may not be played; the message is the reason in the player's words."""

    number: int | None = None
    """Which card of a record it is, from 1, where it comes out of one."""


class MatchError(KingError):
    """A match step out of order: a contract over its quota, a round that does not follow."""


class KnowledgeError(KingError):
    """What a seat is said to know is true of no deal; the message names two facts that clash."""

    number: int | None = None
    """Which card of a record cannot be, from 1, where it is one alone."""


class NotationError(KingError):
    """A faulty file: `file`, `line` and `game` say where (each None where unknown), `message` what."""

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, game: int | None = None
    ) -> None:
        self.message, self.file, self.line, self.game = message, file, line, game
        where = ":".join(str(part) for part in (file, line) if part is not None)
        prefix = f"{where}: " if where else ""
        if game is not None:
            prefix += f"game {game}: "
        super().__init__(prefix + message)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_notation_error, (self.message, self.file, self.line, self.game)


def _rebuild_notation_error(
    message: str, file: str | None, line: int | None, game: int | None
) -> NotationError:
    """Pickle support: keyword-only arguments do not survive the default protocol."""
    return NotationError(message, file=file, line=line, game=game)


class Unsolved(KingError):
    """A search stopped by its limits: the value lies in `minimum` .. `maximum` (points, signed)."""

    def __init__(self, what: str, minimum: int, maximum: int) -> None:
        self.what, self.minimum, self.maximum = what, minimum, maximum
        super().__init__(f"{what}: not solved within the limits: between {minimum} and {maximum}")

    def __reduce__(self) -> tuple[object, ...]:
        return Unsolved, (self.what, self.minimum, self.maximum)
