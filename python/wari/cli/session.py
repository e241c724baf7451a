"""One evening at the board: whose turn it is, what was typed, what is shown.

Owns: the game being played, the seats, the loop. Must not know: what the typed commands do (see
`table_talk.py`) or how strong the engine is.
"""

import io
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from wari import REFUSALS, Game, IllegalMoveError, Position, WariError
from wari.cli import INTERRUPTED, OK
from wari.cli.board import NORTH_LETTERS, SIDE_NAMES, SOUTH_LETTERS, draw
from wari.cli.levels import Opponent
from wari.cli.screen import Screen
from wari.cli.table_talk import COMMANDS
from wari.cli.words import result_sentence
from wari.engine import Engine

Seats = Mapping[str, Opponent | None]  # None: a person


class Session:
    """A game between two seats, each a person or the engine."""

    def __init__(
        self,
        game: Game,
        seats: Seats,
        view: str,
        adviser: Callable[[], Engine],
        again: Sequence[str] = (),
    ) -> None:
        self.game = game
        self.seats = seats
        self.view = view
        self.adviser = adviser
        self.again = again  # the options that seat the same players
        self.screen = Screen()
        self.leaving = False
        self._kept = game.to_dict()  # the game as it can be found elsewhere
        self._asks = sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # a byte that is no text is no command either

    @property
    def people(self) -> list[str]:
        """The sides that people play."""
        return [side for side, opponent in self.seats.items() if opponent is None]

    def run(self) -> int:
        """Play until somebody leaves; the exit code says how."""
        try:
            self._welcome()
            while not self.leaving:
                if self._advance():
                    continue
                line = self._ask()
                if line is None:
                    self.screen.say()
                    break
                self._obey(line)
        except KeyboardInterrupt:
            self.screen.say("\nInterrupted.")
            self.part()
            return INTERRUPTED
        except WariError:
            self.part()
            raise
        self.part()
        return OK

    def set_game(self, game: Game) -> None:
        """Put another game on the board: one from a file, or a new one."""
        self.part()
        self.game = game
        self.keep()
        self.show()

    def keep(self) -> None:
        """Remember that the game as it stands is safe."""
        self._kept = self.game.to_dict()

    def part(self) -> None:
        """Before a game leaves the board: say how to have it back, unless it was saved."""
        if self.game.to_dict() == self._kept or not self.game.moves:
            return
        self.screen.say("This game was not saved. To go on with it:")
        self.screen.say(f"  {resume_command(self.game, self.again)}")

    def show(self) -> None:
        """Draw the board; at the end of the game say how it ended."""
        moves = [move for move in self.game.moves if move != "-"]
        self.screen.lines(
            draw(
                self.game.position,
                last=moves[-1] if moves else "",
                legal=self.game.legal_moves(),
                view=self.view,
                clockwise=self.game.rules.sowing == "clockwise",
                over=self.game.is_over,
            )
        )
        if self.game.result is not None:
            self.screen.say(f"The game is over. {result_sentence(self.game.result)}", "good")

    def play(self, move: str) -> None:
        """Play a legal move, say what it did and draw the board."""
        side = SIDE_NAMES[self.game.position.side]
        captured = self.game.push(move)
        if move == "-":
            self.screen.say(f"{side} has no seeds to play and passes.")
        else:
            captures = f" and captures {captured}" if captured else ""
            self.screen.say(f"{side} plays {move}{captures}.")
        self.show()

    def _welcome(self) -> None:
        seats = f"South: {self._name('S')}. North: {self._name('N')}."
        self.screen.say(f"wari, rules {self.game.rules}. {seats}")
        self.screen.say("Type the letter of a pit to play it, and help for the commands.")
        self.show()

    def _name(self, side: str) -> str:
        opponent = self.seats[side]
        if opponent is not None:
            return f"engine, level {opponent.level}"
        return "a person" if len(self.people) == 2 else "you"

    def _advance(self) -> bool:
        """Make the move that needs no person: a pass, or the engine's."""
        if self.game.is_over:
            return False
        if self.game.legal_moves() == ("-",):
            self.play("-")
            return True
        opponent = self.seats[self.game.position.side]
        if opponent is None:
            return False
        if self.screen.terminal and opponent.takes_its_time:
            self.screen.say(f"{SIDE_NAMES[self.game.position.side]} is thinking ...")
        self.play(opponent.choose(self.game))
        return True

    def _ask(self) -> str | None:
        """A line from the player; None at the end of the input."""
        prompt = "> " if self.game.is_over else f"{SIDE_NAMES[self.game.position.side]}> "
        if self._asks:
            return _typed(prompt)
        line = sys.stdin.readline()
        if not line:
            return None
        self.screen.say(prompt + line.rstrip("\n"))
        return line

    def _obey(self, line: str) -> None:
        """Carry out a line: a move, or a command of the table. What is wrong is said, no more."""
        name, _, argument = line.strip().partition(" ")
        argument = argument.strip()
        try:
            if len(name) == 1 and name in SOUTH_LETTERS + NORTH_LETTERS + "-":
                self._move(name, argument)
            elif name in COMMANDS:
                COMMANDS[name].run(self, argument)
            elif name:
                self.screen.say(
                    f"{name!r} is neither a pit (A to F, a to f) nor a command; type help.", "warn"
                )
        except WariError as error:
            self.screen.say(str(error), "warn")

    def _move(self, letter: str, argument: str) -> None:
        if argument:
            self.screen.say(f"move: expected one letter, not '{letter} {argument}'", "warn")
            return
        try:
            self.play(letter)
        except IllegalMoveError as error:
            reason = REFUSALS.get(error.reason, str(error))
            self.screen.say(f"{letter} is not legal: {reason}.", "warn")


def _typed(prompt: str) -> str | None:
    """A line from a terminal, where it can be edited and earlier ones recalled."""
    with suppress(ImportError):
        import readline  # noqa: F401  (importing it is what changes input())
    try:
        return input(prompt)
    except EOFError:
        return None


def resume_command(game: Game, again: Sequence[str]) -> str:
    """The command line that sets the same game up again; `again` seats the players."""
    words = ["wari", "play", *again]
    if str(game.rules) != "wari":
        words += ["--rules", str(game.rules)]
    if game.start != Position(game.rules):
        words += ["--position", str(game.start)]
    return shlex.join([*words, "--moves", "".join(game.moves)])
