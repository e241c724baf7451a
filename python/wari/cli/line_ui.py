"""`wari play` line by line: what was typed, what is shown."""

import io
import sys
from contextlib import suppress

from wari import Game, IllegalMoveError, InvalidValueError, WariError
from wari._reading import LONGEST_LINE
from wari.cli import INTERRUPTED, OK
from wari.cli.board import NORTH_LETTERS, SOUTH_LETTERS, draw, side_name
from wari.cli.game_session import GameSession, refusal
from wari.cli.language import tr
from wari.cli.play_commands import COMMANDS
from wari.cli.players import Players
from wari.cli.screen import Screen


class LineUI:
    """A game session that is shown and asked about in lines."""

    def __init__(self, session: GameSession) -> None:
        self.session = session
        self.screen = Screen()
        self.leaving = False
        self._asks = sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # a byte that is no text is no command either

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
                if self.session.check_time():
                    self.show()
                    continue
                self._obey(line)
        except KeyboardInterrupt:
            self.screen.say("\n" + tr("Interrupted."))
            self.part()
            return INTERRUPTED
        except SystemExit:  # a signal asks to end, perhaps since the terminal has gone
            with suppress(OSError):
                self.screen.say()
                self.part()
            raise
        except WariError:
            self.part()
            raise
        self.part()
        return OK

    def set_game(self, game: Game, players: Players | None = None) -> None:
        """Put another game on the board, and say how to have the old one back."""
        self.part()
        self.session.set_game(game, players)
        if players is not None:
            self.screen.say(self.session.introduction())
        self.show()

    def part(self) -> None:
        """Before a game leaves the board: say how to have it back, unless it was saved."""
        for line in self.session.parting():
            self.screen.say(line)

    def show(self) -> None:
        """Draw the board; at the end of the game say how it ended."""
        game = self.session.game
        self.screen.lines(
            draw(
                game.position,
                last=self.session.last_move,
                legal=game.legal_moves(),
                view=self.session.view,
                clockwise=game.rules.sowing == "clockwise",
                over=game.is_over,
            )
        )
        if game.is_over:
            self.screen.say(self.session.ending(), "good", wrap=True)
            if game.moves:
                self.screen.say(tr("Type review for the mistakes and what was better."))

    def play(self, move: str) -> None:
        """Play a legal move, say what it did and draw the board."""
        self.screen.say(self.session.play(move).sentence)
        self.show()

    def _welcome(self) -> None:
        self.screen.say(self.session.introduction())
        self.screen.say(tr("Type the letter of a pit to play it, and help for the commands."))
        self.show()

    def _advance(self) -> bool:
        """Make the move that needs no person: a pass, or the engine's."""
        session = self.session
        session.start_clock()
        if session.game.is_over:
            return False
        if session.must_pass:
            self.play("-")
            return True
        opponent = session.to_move
        if opponent is None:
            return False
        if self.screen.terminal and opponent.takes_its_time:
            side = side_name(session.game.position.side)
            self.screen.say(tr("{side} is thinking ...", side=side))
        move = opponent.choose(session.game, session.limits())
        if session.check_time():
            self.show()
        else:
            self.play(move)
        return True

    def _ask(self) -> str | None:
        """A line from the player; None at the end of the input."""
        prompt = "> "
        if not self.session.game.is_over:
            side, clock = self.session.game.position.side, self.session.clock
            left = f" {clock.text(side)}" if clock is not None else ""
            prompt = f"{side_name(side)}{left}> "
        if self._asks:
            return _typed(prompt)
        line = sys.stdin.readline(LONGEST_LINE + 1)
        if not line:
            return None
        if len(line) > LONGEST_LINE:
            raise InvalidValueError(
                tr("input: a line is longer than {number} characters", number=LONGEST_LINE), "input"
            )
        self.screen.say(prompt + line.rstrip("\n"))
        return line

    def _obey(self, line: str) -> None:
        """Carry out a line: a move, or a command of the table. What is wrong is said, no more."""
        name, _, argument = line.strip().partition(" ")
        argument = argument.strip()
        try:
            if len(name) == 1 and name in SOUTH_LETTERS + NORTH_LETTERS + "-":
                self._move(self.session.own_letter(name), argument)
            elif name.lower() in COMMANDS:
                COMMANDS[name.lower()].run(self, argument)
            elif name:
                words = tr(
                    "{word} is neither a pit (A to F, a to f) nor a command; type help.",
                    word=repr(name),
                )
                self.screen.say(words, "warn", wrap=True)
        except WariError as error:
            self.screen.say(str(error), "warn", wrap=True)

    def _move(self, letter: str, argument: str) -> None:
        if argument:
            words = tr("move: expected one letter, not {text}", text=repr(f"{letter} {argument}"))
            self.screen.say(words, "warn", wrap=True)
            return
        try:
            self.play(letter)
        except IllegalMoveError as error:
            self.screen.say(refusal(error, letter), "warn", wrap=True)


def _typed(prompt: str) -> str | None:
    """A line from a terminal, where it can be edited and earlier ones recalled."""
    with suppress(ImportError):
        import readline  # noqa: F401  (importing it is what changes input())
    try:
        return input(prompt)
    except EOFError:
        return None
