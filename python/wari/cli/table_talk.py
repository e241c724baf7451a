"""What a player can type beside moves: the table of commands of `wari play`.

Owns: names, usage, help and handlers. Must not know: how lines are read or boards are drawn.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from wari import Game, InvalidValueError, Position
from wari.cli.board import SIDE_NAMES
from wari.cli.files import load_game, save_game
from wari.cli.levels import ROW
from wari.cli.rules import in_words
from wari.cli.words import analysis_table

if TYPE_CHECKING:
    from wari.cli.session import Session

HINT_SECONDS = 1.0


class Command(NamedTuple):
    """A handler that takes the session and what was typed behind the name, its usage and help."""

    handler: Callable[["Session", str], None]
    usage: str
    help: str

    def run(self, session: "Session", argument: str) -> None:
        """Check that an argument is there if and only if the usage has one."""
        name, _, wanted = self.usage.partition(" ")
        if argument and not wanted:
            raise InvalidValueError(f"{name}: expected nothing behind it, not {argument!r}", name)
        if not argument and wanted and not wanted.startswith("["):
            raise InvalidValueError(f"{name}: expected {wanted} behind it", name)
        self.handler(session, argument)


def _hint(session: "Session", _: str) -> None:
    if session.game.is_over:
        raise InvalidValueError("hint: the game is over", "hint")
    session.screen.say(f"Thinking for {HINT_SECONDS:g} s ...")
    analysis = session.adviser().analyse(session.game, time=HINT_SECONDS, multipv=ROW)
    session.screen.lines(analysis_table(analysis, session.game.position.side), fit=True)


def _undo(session: "Session", _: str) -> None:
    """Back to the last decision of a person: the engine's replies and passes go with it."""
    trial = session.game.copy()
    trial.pop()
    while _nobody_decides(session, trial):
        if not trial.moves:
            raise InvalidValueError("undo: there is no move of yours to take back", "undo")
        trial.pop()
    taken = len(session.game.moves) - len(trial.moves)
    for _ply in range(taken):
        session.game.pop()
    session.screen.say(f"Taken back: {taken} {'move' if taken == 1 else 'moves'}.")
    session.show()


def _nobody_decides(session: "Session", game: Game) -> bool:
    engine_moves = session.people and game.position.side not in session.people
    return bool(engine_moves) or game.legal_moves() == ("-",)


def _moves(session: "Session", _: str) -> None:
    session.screen.say(numbered(session.game) or "No move was played yet.")
    legal = session.game.legal_moves()
    if legal:
        session.screen.say(f"Legal now: {' '.join(legal)}")


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


def _save(session: "Session", name: str) -> None:
    save_game(session.game, name)
    session.keep()
    session.screen.say(f"Saved in {name}.")


def _load(session: "Session", name: str) -> None:
    session.set_game(load_game(name))


def _agree(session: "Session", _: str) -> None:
    game = session.game
    for side, opponent in session.seats.items():
        if opponent is not None and not game.is_over and not opponent.agrees(game, side):
            session.screen.say(f"{SIDE_NAMES[side]} does not agree and wants to play on.")
            return
    game.agree()
    session.show()


def _resign(session: "Session", _: str) -> None:
    session.game.resign()
    session.show()


def _new(session: "Session", rules: str) -> None:
    start = Position(rules) if rules else session.game.start
    session.set_game(Game(start.rules, start))


def _flip(session: "Session", _: str) -> None:
    session.view = "N" if session.view == "S" else "S"
    session.show()


def _rules(session: "Session", _: str) -> None:
    session.screen.lines(in_words(session.game.rules))


def _help(session: "Session", _: str) -> None:
    session.screen.say("Type the letter of a pit to play it: A to F South, a to f North. Or:")
    for command in COMMANDS.values():
        session.screen.say(f"  {command.usage:<14}{command.help}")


def _quit(session: "Session", _: str) -> None:
    session.leaving = True


COMMANDS = {
    "hint": Command(_hint, "hint", "the value and the line of every move"),
    "undo": Command(_undo, "undo", "take your last move back, and what followed it"),
    "moves": Command(_moves, "moves", "the moves played, and those that are legal now"),
    "save": Command(_save, "save FILE", "write the game to a file"),
    "load": Command(_load, "load FILE", "go on with a saved game"),
    "agree": Command(_agree, "agree", "end the game, each side taking its own row"),
    "resign": Command(_resign, "resign", "give the game up"),
    "new": Command(_new, "new [RULES]", "start again, under other rules if wanted"),
    "flip": Command(_flip, "flip", "turn the board round"),
    "rules": Command(_rules, "rules", "the rules of this game in words"),
    "help": Command(_help, "help", "this list"),
    "quit": Command(_quit, "quit", "leave; so does Ctrl-D"),
}
