"""What a player can type beside moves: the table of commands of `wari play` in lines."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from wari import Game, InvalidValueError
from wari.cli.board import side_name
from wari.cli.game_session import HINT_SECONDS, OTHER, GameSession, taken_back
from wari.cli.language import mark, tr
from wari.cli.players import Players
from wari.cli.reviewing import REVIEW_SECONDS, check_name, report, write
from wari.cli.rules import in_words
from wari.cli.screen import Screen
from wari.cli.words import analysis_table


class LineUI(Protocol):
    """What a command needs of `wari.cli.line_ui.LineUI`, which stands above."""

    session: GameSession
    screen: Screen
    leaving: bool

    def show(self) -> None:
        """Draw the board."""

    def set_game(self, game: Game, players: Players | None = None) -> None:
        """Put another game on the board."""


class Command(NamedTuple):
    """A handler that takes the interface and what was typed behind the name, its usage and help."""

    handler: Callable[[LineUI, str], None]
    usage: str
    help: str

    def run(self, ui: LineUI, argument: str) -> None:
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
        self.handler(ui, argument)


def _hint(ui: LineUI, _: str) -> None:
    session = ui.session
    if not session.game.is_over:
        ui.screen.say(tr("Thinking for {seconds} s ...", seconds=f"{HINT_SECONDS:g}"))
    analysis = session.hint()
    ui.screen.lines(analysis_table(analysis, session.game.position.side), fit=True)


def _undo(ui: LineUI, _: str) -> None:
    ui.screen.say(taken_back(ui.session.undo()))
    ui.show()


def _moves(ui: LineUI, _: str) -> None:
    game = ui.session.game
    ui.screen.say(numbered(game) or tr("No move was played yet."))
    if legal := game.legal_moves():
        ui.screen.say(tr("Legal now: {moves}", moves=" ".join(legal)))


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


def _clock(ui: LineUI, _: str) -> None:
    clock = ui.session.clock
    if clock is None:
        ui.screen.say(tr("There is no clock; --clock gives one."))
        return
    for side in "SN":
        ui.screen.say(f"{side_name(side)} {clock.text(side)} ({clock.budgets[side]})")


def _position(ui: LineUI, text: str) -> None:
    if text:
        ui.set_game(ui.session.set_up(text))
    else:
        ui.screen.say(str(ui.session.game.position))


def _save(ui: LineUI, name: str) -> None:
    ui.screen.say(ui.session.save(name))


def _load(ui: LineUI, name: str) -> None:
    ui.set_game(*ui.session.load(name))


def _review(ui: LineUI, name: str) -> None:
    if name:
        check_name(name)
    moves = len(ui.session.game.moves)
    if moves:
        seconds = f"{REVIEW_SECONDS * (moves + 1):.0f}"
        ui.screen.say(tr("Looking at every move, about {seconds} s ...", seconds=seconds))
    found = ui.session.review()
    if name:
        ui.screen.say(write(name, found, ui.session.levels))
    else:
        ui.screen.lines(report(found))


def _agree(ui: LineUI, _: str) -> None:
    if refused := ui.session.disagreement():
        ui.screen.say(refused)
        return
    ui.session.agree()
    ui.show()


def _resign(ui: LineUI, _: str) -> None:
    ui.session.resign()
    ui.show()


def _new(ui: LineUI, rules: str) -> None:
    ui.set_game(ui.session.fresh(rules))


def _flip(ui: LineUI, _: str) -> None:
    ui.session.view = OTHER[ui.session.view]
    ui.show()


def _rules(ui: LineUI, _: str) -> None:
    ui.screen.lines(in_words(ui.session.game.rules))


def _help(ui: LineUI, _: str) -> None:
    ui.screen.say(tr("Type the letter of a pit to play it: A to F South, a to f North. Or:"))
    width = max(len(command.usage) for command in COMMANDS.values()) + 2
    for command in COMMANDS.values():
        ui.screen.say(f"  {command.usage:<{width}}{tr(command.help)}")


def _quit(ui: LineUI, _: str) -> None:
    ui.leaving = True


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
        _position, "position [POSITION]", mark("show the position, or start from another one")
    ),
    "flip": Command(_flip, "flip", mark("turn the board round")),
    "rules": Command(_rules, "rules", mark("the rules of this game in words")),
    "help": Command(_help, "help", mark("this list")),
    "quit": Command(_quit, "quit", mark("leave; so does Ctrl-D")),
}
