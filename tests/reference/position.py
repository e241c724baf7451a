"""One position: its text, its legal moves, a move played, and the endings that show in it alone.

Where the rules are silent, this is what the reference does:
a. A pass sows nothing, so it never triggers `ends_when_emptied`.
b. A finished position has no legal moves, and every refusal there is `game_over`.
c. A refusal names the first of: game_over, not_your_pit, empty_pit, single_seed, must_feed,
   slam_forbidden. A pass while a pit can be played is `cannot_pass`; a letter that is no pit is a
   ValueError.
d. A move feeds if seeds lie in the opponent's row after the captures the slam policy would really
   make.
e. The side to move changes with every move, also one that ends the game.
f. `settled` empties the pits for every reason: where nothing is added, the seeds on the board go to
   nobody.
"""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from reference.rules import Rules

Side = Literal["S", "N"]
Pits = tuple[int, ...]

PITS = "ABCDEFabcdef"
PASS = "-"
MAX_SEEDS = 96


@dataclass(frozen=True)
class Position:
    """Twelve pits A..F a..f, the two stores (South's, North's), the side to move."""

    pits: Pits
    stores: tuple[int, int] = (0, 0)
    side: Side = "S"


class Sown(NamedTuple):
    """The pits after a sowing, and the pit (by number) where the last seed fell."""

    pits: Pits
    last: int


class Played(NamedTuple):
    """A move made: the next position, the seeds it captured, the reason if the game is over."""

    position: Position
    captured: int
    ending: str | None


# --- text ---------------------------------------------------------------------------------------


def parse(text: str) -> Position:
    """Read `A-...-F-a-...-f-storeS-storeN-T`; the error names the field that is wrong."""
    names = [*PITS, "south store", "north store"]
    parts = text.split("-")
    if len(parts) != len(names) + 1:
        raise ValueError(f"position: {len(parts)} fields instead of {len(names) + 1}")
    counts = []
    for name, part in zip(names, parts, strict=False):
        if not (part.isascii() and part.isdecimal()):
            raise ValueError(f"{name}: {part!r} is not a count of seeds")
        counts.append(int(part))
    if not 1 <= sum(counts) <= MAX_SEEDS:
        raise ValueError(f"seeds: {sum(counts)} in all is not between 1 and {MAX_SEEDS}")
    if parts[-1] == "S":
        return Position(tuple(counts[:12]), (counts[12], counts[13]), "S")
    if parts[-1] == "N":
        return Position(tuple(counts[:12]), (counts[12], counts[13]), "N")
    raise ValueError(f"side: {parts[-1]!r} is neither S nor N")


def text(position: Position) -> str:
    """The inverse of parse."""
    return "-".join([*map(str, position.pits), *map(str, position.stores), position.side])


def start(rules: Rules) -> Position:
    """R1: `seeds_per_pit` seeds in every pit, empty stores, South to move."""
    return Position((rules.seeds_per_pit,) * 12, (0, 0), "S")


# --- rows and sides -----------------------------------------------------------------------------


def other(side: Side) -> Side:
    """The other side."""
    return "N" if side == "S" else "S"


def row(side: Side) -> range:
    """R1: the numbers of a side's six pits."""
    return range(0, 6) if side == "S" else range(6, 12)


def seeds_in_row(pits: Pits, side: Side) -> int:
    """How many seeds lie in a side's row."""
    return sum(pits[pit] for pit in row(side))


def turned(position: Position) -> Position:
    """The same position seen from the other seat: rows, stores and side to move change places."""
    south, north = position.stores
    return Position(position.pits[6:] + position.pits[:6], (north, south), other(position.side))


def with_added(stores: tuple[int, int], side: Side, seeds: int) -> tuple[int, int]:
    """The stores with some seeds added to one side's."""
    south, north = stores
    return (south + seeds, north) if side == "S" else (south, north + seeds)


# --- sowing and capturing -----------------------------------------------------------------------


def step(rules: Rules) -> int:
    """R2 and the `sowing` axis: letters stay where they are, so clockwise counts pits downwards."""
    return 1 if rules.sowing == "counterclockwise" else -1


def sow(rules: Rules, position: Position, letter: str) -> Sown:
    """R2, R3: lift all the seeds of a pit and sow them one by one, never into that pit."""
    origin = PITS.index(letter)
    pits = list(position.pits)
    in_hand = pits[origin]
    pits[origin] = 0
    here = origin
    while in_hand > 0:
        here = (here + step(rules)) % 12
        if here == origin:
            continue
        pits[here] += 1
        in_hand -= 1
    return Sown(tuple(pits), here)


def chain(rules: Rules, sown: Sown, mover: Side) -> list[int]:
    """R4: the pits that would be captured, from the last one sown backwards."""
    found = []
    here = sown.last
    while here in row(other(mover)) and sown.pits[here] in (2, 3):
        found.append(here)
        here = (here - step(rules)) % 12
    return found


def is_slam(sown: Sown, chained: list[int], mover: Side) -> bool:
    """R4: the chain holds every seed of the opponent's row, before the capture."""
    in_chain = sum(sown.pits[pit] for pit in chained)
    return in_chain > 0 and in_chain == seeds_in_row(sown.pits, other(mover))


def captured(rules: Rules, sown: Sown, mover: Side) -> list[int]:
    """R4 and the `grand_slam` axis: the pits that are really captured if this move is played."""
    chained = chain(rules, sown, mover)
    if not is_slam(sown, chained, mover):
        return chained
    if rules.grand_slam == "no_capture":
        return []
    if rules.grand_slam == "keep_last":
        return chained[1:]
    if rules.grand_slam == "keep_first":
        return chained[:-1]
    # capture, forfeit_rest; for forbidden and last_resort, what it would take if it were legal
    return chained


def after_captures(rules: Rules, position: Position, letter: str) -> Position:
    """R5: the position after the sowing and the captures, before any ending is looked at."""
    mover = position.side
    sown = sow(rules, position, letter)
    taken = captured(rules, sown, mover)
    seeds = sum(sown.pits[pit] for pit in taken)
    pits = tuple(0 if pit in taken else sown.pits[pit] for pit in range(12))
    return Position(pits, with_added(position.stores, mover, seeds), other(mover))


def makes_slam(rules: Rules, position: Position, letter: str) -> bool:
    """R4: would this move be a grand slam, whatever the policy makes of it?"""
    sown = sow(rules, position, letter)
    return is_slam(sown, chain(rules, sown, position.side), position.side)


# --- legal moves: one filter after the other ----------------------------------------------------


def own_pits(position: Position) -> list[str]:
    """R2: the own pits that hold seeds."""
    return [PITS[pit] for pit in row(position.side) if position.pits[pit] > 0]


def filter_single_seeds(rules: Rules, position: Position, letters: list[str]) -> list[str]:
    """`single_seeds`: restricted bars a pit of one seed while an own pit has more."""
    if rules.single_seeds == "free" or all(position.pits[pit] <= 1 for pit in row(position.side)):
        return letters
    return [letter for letter in letters if position.pits[PITS.index(letter)] > 1]


def feeds(rules: Rules, position: Position, letter: str) -> bool:
    """`feeding`: does the move leave seeds in the opponent's row after its captures?"""
    after = after_captures(rules, position, letter)
    return seeds_in_row(after.pits, other(position.side)) > 0


def filter_feeding(rules: Rules, position: Position, letters: list[str]) -> list[str]:
    """`feeding`: required leaves only moves that feed when the opponent's row is empty before."""
    if rules.feeding == "optional" or seeds_in_row(position.pits, other(position.side)) > 0:
        return letters
    return [letter for letter in letters if feeds(rules, position, letter)]


def filter_slams(rules: Rules, position: Position, letters: list[str]) -> list[str]:
    """`grand_slam`: forbidden bars slams always, last_resort while another move is left."""
    quiet = [letter for letter in letters if not makes_slam(rules, position, letter)]
    if rules.grand_slam == "forbidden":
        return quiet
    if rules.grand_slam == "last_resort" and quiet:
        return quiet
    return letters


def playable(rules: Rules, position: Position) -> list[str]:
    """The pits that may be played, without asking whether the game is over."""
    letters = own_pits(position)
    letters = filter_single_seeds(rules, position, letters)
    letters = filter_feeding(rules, position, letters)
    return filter_slams(rules, position, letters)


def must_pass(rules: Rules, position: Position) -> bool:
    """`stuck`: pass when the own row is empty and the opponent could play by all the rules."""
    if rules.stuck == "end" or own_pits(position):
        return False
    return bool(playable(rules, replace(position, side=other(position.side))))


def legal_moves(rules: Rules, position: Position) -> list[str]:
    """The letters that may be played, in the order A..F or a..f; ["-"] for a pass; [] when over."""
    if ending(rules, position) is not None:
        return []
    return playable(rules, position) or [PASS]


def refusal(rules: Rules, position: Position, move: str) -> str | None:
    """Why a move may not be played, or None if it may (decisions b and c)."""
    if move != PASS and (len(move) != 1 or move not in PITS):
        raise ValueError(f"{move!r} is not a move")
    if ending(rules, position) is not None:
        return "game_over"
    if move == PASS:
        return None if must_pass(rules, position) else "cannot_pass"
    if PITS.index(move) not in row(position.side):
        return "not_your_pit"
    letters = own_pits(position)
    if move not in letters:
        return "empty_pit"
    letters = filter_single_seeds(rules, position, letters)
    if move not in letters:
        return "single_seed"
    letters = filter_feeding(rules, position, letters)
    if move not in letters:
        return "must_feed"
    letters = filter_slams(rules, position, letters)
    if move not in letters:
        return "slam_forbidden"
    return None


# --- playing and ending -------------------------------------------------------------------------


def play(rules: Rules, position: Position, move: str) -> Played:
    """Play a legal move or pass; repetition is not looked at, for it needs the game."""
    why_not = refusal(rules, position, move)
    if why_not is not None:
        raise ValueError(f"{move} cannot be played: {why_not}")
    if move == PASS:
        passed = replace(position, side=other(position.side))
        return Played(passed, 0, ending(rules, passed))
    mover = position.side
    after = after_captures(rules, position, move)
    seeds = sum(after.stores) - sum(position.stores)
    if rules.grand_slam == "forfeit_rest" and makes_slam(rules, position, move):
        stores = with_added(after.stores, other(mover), sum(after.pits))
        return Played(Position((0,) * 12, stores, other(mover)), seeds, "forfeit")
    if rules.ends_when_emptied and seeds_in_row(after.pits, mover) == 0:
        return Played(settled(rules, after, "emptied"), seeds, "emptied")
    return Played(after, seeds, ending(rules, after))


def ending(rules: Rules, position: Position) -> str | None:
    """The reason why a position is finished, as far as it shows without its history."""
    total = sum(position.pits) + sum(position.stores)
    if rules.majority and 2 * max(position.stores) > total:
        return "majority"
    if sum(position.pits) == 0:
        return "empty_board"
    if not playable(rules, position) and not must_pass(rules, position):
        return "stuck"
    return None


def shares(rules: Rules, position: Position, reason: str) -> tuple[int, int]:
    """What South and North get of the seeds on the board when the game ends for this reason."""
    rows = (seeds_in_row(position.pits, "S"), seeds_in_row(position.pits, "N"))
    halves = (sum(rows) // 2, sum(rows) // 2)
    if reason in ("stuck", "emptied"):
        if rules.remainder == "split":
            return halves
        if rules.remainder == "starved" and rows[0] == 0:
            return (rows[1], 0)
        if rules.remainder == "starved" and rows[1] == 0:
            return (0, rows[0])
        return rows
    if reason == "repetition":
        return halves if rules.repetition == "split" else rows
    if reason == "agreement":
        return rows
    if reason in ("majority", "empty_board", "forfeit", "resignation", "time"):
        return (0, 0)
    raise ValueError(f"unknown ending {reason!r}")


def result(rules: Rules, position: Position, reason: str) -> tuple[int, int]:
    """R6: South's and North's seeds when the game ends in this position for this reason."""
    to_south, to_north = shares(rules, position, reason)
    return (position.stores[0] + to_south, position.stores[1] + to_north)


def settled(rules: Rules, position: Position, reason: str) -> Position:
    """The swept position: empty pits, final stores (decision f)."""
    return Position((0,) * 12, result(rules, position, reason), position.side)
