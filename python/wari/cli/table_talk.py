"""What a player can type beside moves: the table of commands of `wari play` in lines.

Owns: names, usage, help and handlers. Must not know: how lines are read, boards are drawn or a game
goes (see `sitting.py`).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from wari import Game, InvalidValueError
from wari.cli.board import side_name
from wari.cli.language import mark, tr
from wari.cli.reviewing import REVIEW_SECONDS, check_name, report, write
from wari.cli.rules import in_words
from wari.cli.sitting import HINT_SECONDS, OTHER, taken_back
from wari.cli.words import analysis_table

if TYPE_CHECKING:
    from wari.cli.session import Session


class Command(NamedTuple):
    """A handler that takes the session and what was typed behind the name, its usage and help."""

    handler: Callable[["Session", str], None]
    usage: str
    help: str

    def run(self, session: "Session", argument: str) -> None:
        """Check that an argument is there if and only if the usage has one."""
        name, _, wanted = self.usage.partition(" ")
        if argument and not wanted:
            words = tr(
                "{name}: expected nothing behind it, not {text}", name=name, text=repr(argument)
            )
            raise InvalidValueError(words, name)
        if not argument and wanted and not wanted.startswith("["):
            words = tr("{name}: expected {wanted} behind it", name=name, wanted=wanted)
            raise InvalidValueError(words, name)
        self.handler(session, argument)


def _hint(session: "Session", _: str) -> None:
    sitting = session.sitting
    if not sitting.game.is_over:
        session.screen.say(tr("Thinking for {seconds} s ...", seconds=f"{HINT_SECONDS:g}"))
    analysis = sitting.hint()
    session.screen.lines(analysis_table(analysis, sitting.game.position.side), fit=True)


def _undo(session: "Session", _: str) -> None:
    session.screen.say(taken_back(session.sitting.undo()))
    session.show()


def _moves(session: "Session", _: str) -> None:
    game = session.sitting.game
    session.screen.say(numbered(game) or tr("No move was played yet."))
    if legal := game.legal_moves():
        session.screen.say(tr("Legal now: {moves}", moves=" ".join(legal)))


def numbered(game: Game) -> str:
    """The moves of a game with numbers, as `1. F f 2. E e`."""
    words = []
    shift = 1 if game.start.side == "N" else 0
    for ply, move in enumerate(game.moves, shift):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        elif ply == shift:
            words.append("1. ..")
        words.append(move)
    return " ".join(words)


def _clock(session: "Session", _: str) -> None:
    clock = session.sitting.clock
    if clock is None:
        session.screen.say(tr("There is no clock; --clock gives one."))
        return
    for side in "SN":
        session.screen.say(f"{side_name(side)} {clock.text(side)} ({clock.budgets[side]})")


def _position(session: "Session", text: str) -> None:
    if text:
        session.set_game(session.sitting.set_up(text))
    else:
        session.screen.say(str(session.sitting.game.position))


def _save(session: "Session", name: str) -> None:
    session.screen.say(session.sitting.save(name))


def _load(session: "Session", name: str) -> None:
    session.set_game(*session.sitting.load(name))


def _review(session: "Session", name: str) -> None:
    if name:
        check_name(name)
    moves = len(session.sitting.game.moves)
    if moves:
        seconds = f"{REVIEW_SECONDS * (moves + 1):.0f}"
        session.screen.say(tr("Looking at every move, about {seconds} s ...", seconds=seconds))
    found = session.sitting.review()
    if name:
        session.screen.say(write(name, found, session.sitting.levels))
    else:
        session.screen.lines(report(found))


def _agree(session: "Session", _: str) -> None:
    if refused := session.sitting.disagreement():
        session.screen.say(refused)
        return
    session.sitting.agree()
    session.show()


def _resign(session: "Session", _: str) -> None:
    session.sitting.resign()
    session.show()


def _new(session: "Session", rules: str) -> None:
    session.set_game(session.sitting.fresh(rules))


def _flip(session: "Session", _: str) -> None:
    session.sitting.view = OTHER[session.sitting.view]
    session.show()


def _rules(session: "Session", _: str) -> None:
    session.screen.lines(in_words(session.sitting.game.rules))


def _help(session: "Session", _: str) -> None:
    session.screen.say(tr("Type the letter of a pit to play it: A to F South, a to f North. Or:"))
    width = max(len(command.usage) for command in COMMANDS.values()) + 2
    for command in COMMANDS.values():
        session.screen.say(f"  {command.usage:<{width}}{tr(command.help)}")


def _quit(session: "Session", _: str) -> None:
    session.leaving = True


COMMANDS = {
    "hint": Command(_hint, "hint", mark("the value and the line of every move")),
    "undo": Command(_undo, "undo", mark("take your last move back, and what followed it")),
    "moves": Command(_moves, "moves", mark("the moves played, and those that are legal now")),
    "clock": Command(_clock, "clock", mark("the time that is left")),
    "save": Command(_save, "save FILE", mark("write the game to a file: JSON, or OGN for .ogn")),
    "load": Command(_load, "load FILE", mark("go on with a saved game")),
    "agree": Command(_agree, "agree", mark("end the game, each side taking its own row")),
    "resign": Command(_resign, "resign", mark("give the game up")),
    "review": Command(
        _review,
        "review [FILE]",
        mark("the mistakes of the game and what was better; as a page to FILE"),
    ),
    "new": Command(_new, "new [RULES]", mark("start again, under other rules if wanted")),
    "position": Command(
        _position, "position [POSITION]", mark("tell the position, or start from another one")
    ),
    "flip": Command(_flip, "flip", mark("turn the board round")),
    "rules": Command(_rules, "rules", mark("the rules of this game in words")),
    "help": Command(_help, "help", mark("this list")),
    "quit": Command(_quit, "quit", mark("leave; so does Ctrl-D")),
}
