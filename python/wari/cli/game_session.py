"""A game between two seats, each a person or the engine, without a word on the screen."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import wari
from wari import REFUSALS, Game, IllegalMoveError, InvalidValueError, NoHistoryError, Position
from wari._escape import escape_control
from wari.cli.board import side_name
from wari.cli.clock import Clock
from wari.cli.files import load_game, save_game
from wari.cli.language import tr, trn
from wari.cli.players import Players
from wari.cli.reviewing import reviewed
from wari.cli.words import result_sentence
from wari.engine import Analysis
from wari.levels import DEFAULT_LEVEL, ROW, Engines, LevelPlayer

if TYPE_CHECKING:
    from wari.review import Review

Seats = Mapping[str, LevelPlayer | None]  # None: a person
HINT_SECONDS = 1.0
OTHER = {"S": "N", "N": "S"}
AGREEMENT = "agreement"
CALLED = (AGREEMENT, "resignation", "time")  # the endings that moves do not show
ENDINGS = (AGREEMENT, *(f"{ending}-{side}" for ending in CALLED[1:] for side in "SN"))


class Sown(NamedTuple):
    """A move that was played: what it was and what it did."""

    side: str
    move: str  # "-" is a pass
    captured: int
    before: Position
    after: Position

    @property
    def sentence(self) -> str:
        """The move in words."""
        side = side_name(self.side)
        if self.move == "-":
            return tr("{side} has no seeds to play and passes.", side=side)
        if not self.captured:
            return tr("{side} plays {move}.", side=side, move=self.move)
        return tr(
            "{side} plays {move} and captures {number}.",
            side=side,
            move=self.move,
            number=self.captured,
        )


class GameSession:
    """A game at a board: the same whether it is shown in lines or on a full screen."""

    def __init__(
        self,
        game: Game,
        seats: Seats,
        view: str,
        engines: Engines,
        options: Sequence[str] = (),
        clock: Clock | None = None,
    ) -> None:
        self.game = game
        self.seats = dict(seats)
        self.view = view
        self.engines = engines
        self.options = options  # those of the command line that are no part of what is below
        self.clock = clock
        self._kept = game.to_dict()  # the game as it can be found elsewhere

    # --- whose turn it is ---------------------------------------------------------------------

    @property
    def people(self) -> list[str]:
        """The sides that people play."""
        return [side for side, opponent in self.seats.items() if opponent is None]

    @property
    def levels(self) -> Players:
        """The level of the engine in each seat, None for a person."""
        return {
            side: None if opponent is None else opponent.level
            for side, opponent in self.seats.items()
        }

    def seat(self, levels: Players) -> None:
        """Let others play; an engine of the same level keeps its seat, one person sits below."""
        for side, level in levels.items():
            if level != self.levels[side]:
                self.seats[side] = self.engines.opponent(level)
        if len(self.people) == 1:
            self.view = self.people[0]

    @property
    def to_move(self) -> LevelPlayer | None:
        """The engine whose move it is; None where it is a person's, or nobody's."""
        return None if self.game.is_over else self.seats[self.game.position.side]

    @property
    def must_pass(self) -> bool:
        """Whether the only move is a pass."""
        return self.game.legal_moves() == ("-",)

    @property
    def last_move(self) -> str:
        """The pit that was played last, passes left out; "" where there is none."""
        return next((move for move in reversed(self.game.moves) if move != "-"), "")

    def own_letter(self, letter: str) -> str:
        """The pit of the side to move that a letter in either case means."""
        return letter.upper() if self.game.position.side == "S" else letter.lower()

    def name(self, side: str) -> str:
        """Who sits there."""
        opponent = self.seats[side]
        if opponent is not None:
            return tr("engine, level {level}", level=opponent.level)
        return tr("a person") if len(self.people) == 2 else tr("you")

    # --- the clock ----------------------------------------------------------------------------

    def start_clock(self) -> None:
        """Let the time of the side to move run, while the game goes on."""
        if self.clock is not None:
            self.clock.run("" if self.game.is_over else self.game.position.side)

    def check_time(self) -> bool:
        """End the game when the time of the side to move is up; whether that is so."""
        side = self.game.position.side
        if self.clock is None or self.game.is_over or self.clock.left(side) > 0:
            return False
        self.clock.run("")
        self.game.lose_on_time(side)
        return True

    def limits(self) -> wari.Limits:
        """How long the engine may think: what the clock of the side to move shows."""
        if self.clock is None:
            return wari.Limits()
        side = self.game.position.side
        left, budget = max(0.05, self.clock.left(side)), self.clock.budgets[side]
        return wari.Limits(clock=wari.Clock(left, budget.increment))

    # --- playing ------------------------------------------------------------------------------

    def play(self, move: str) -> Sown:
        """Play a move. Raises IllegalMoveError when it is refused; nothing has changed then."""
        before = self.game.position
        captured = self.game.push(move)
        if self.clock is not None:
            self.clock.press(before.side)
        return Sown(before.side, move, captured, before, self.game.position)

    def undo(self) -> int:
        """Back to the last decision of a person: the engine's replies and passes go with it.

        Returns the number of moves taken back; raises InvalidValueError where there is none.
        """
        trial = self.game.copy()
        try:
            trial.pop()
        except NoHistoryError:
            raise InvalidValueError(tr("undo: there is no move to take back"), "undo") from None
        while self._nobody_decides(trial):
            if not trial.moves:
                words = tr("undo: there is no move of yours to take back")
                raise InvalidValueError(words, "undo")
            trial.pop()
        taken = len(self.game.moves) - len(trial.moves)
        self.game = trial
        if self.clock is not None:
            self.clock.take_back(taken)
        return taken

    def _nobody_decides(self, game: Game) -> bool:
        engine_moves = self.people and game.position.side not in self.people
        return bool(engine_moves) or game.legal_moves() == ("-",)

    def disagreement(self) -> str:
        """What an engine says that wants to play on; "" where nobody does. It searches."""
        game = self.game.copy()
        for side, opponent in self.seats.items():
            if opponent is not None and not game.is_over and not opponent.agrees(game, side):
                return tr("{side} does not agree and wants to play on.", side=side_name(side))
        return ""

    def agree(self) -> None:
        """End the game, each side taking its own row. Raises GameOverError."""
        self.game.agree()
        self.start_clock()

    def resign(self) -> None:
        """The person at the board gives up: the only one, or the one to move."""
        self.game.resign()
        self.start_clock()

    def hint(self, progress: Callable[[Analysis], object] | None = None) -> Analysis:
        """Value and line of every move. Raises InvalidValueError when the game is over."""
        if self.game.is_over:
            raise InvalidValueError(tr("hint: the game is over"), "hint")
        engine = self.engines.adviser()
        return engine.analyse(self.game.copy(), time=HINT_SECONDS, multipv=ROW, progress=progress)

    def review(self, progress: Callable[[int, int], object] | None = None) -> "Review":
        """Every move of the game judged. Raises InvalidValueError where there is none."""
        return reviewed(self.game.copy(), self.engines.adviser(), progress)

    # --- another game -------------------------------------------------------------------------

    def set_game(self, game: Game, players: Players | None = None) -> None:
        """Put another game on the board: one from a file, or a new one. Both clocks start anew.

        `players` take the seats; without them those who sit there stay.
        """
        self.game = game
        if players is not None:
            self.seat(players)
        self.keep()
        if self.clock is not None:
            self.clock = Clock(self.clock.budgets)

    def fresh(self, rules: str = "") -> Game:
        """A game from the same start, or from the usual start of other rules.

        Raises InvalidValueError.
        """
        try:
            start = Position(rules) if rules else self.game.start
        except InvalidValueError as error:
            raise InvalidValueError(tr("There are no such rules: {words}", words=error)) from error
        return Game(start.rules, start)

    def set_up(self, text: str) -> Game:
        """A game that starts at a position given as text, under the same rules.

        Raises InvalidValueError.
        """
        try:
            start = Position.parse(text, self.game.rules)
        except InvalidValueError as error:
            words = tr("There is no such position: {words}", words=error)
            raise InvalidValueError(words) from error
        return Game(start.rules, start)

    # --- what is not lost ---------------------------------------------------------------------

    def save(self, name: str) -> str:
        """Write the game to a file and say so. Raises InvalidValueError."""
        save_game(self.game, name, self.levels)
        self.keep()
        return tr("Saved in {name}.", name=escape_control(name))

    def load(self, name: str) -> tuple[Game, Players | None]:
        """The game in a file and its players, not yet at the board. Raises InvalidValueError."""
        return load_game(name)

    def keep(self) -> None:
        """Remember that the game as it stands is safe."""
        self._kept = self.game.to_dict()

    def parting(self) -> list[str]:
        """Before a game leaves the board: how to have it back, or nothing where it is saved."""
        begun = self.game.moves or self.game.is_over
        if self.game.to_dict() == self._kept or not begun:
            return []
        words = tr("This game was not saved. To go on with it:")
        options = [*self._seating(), *self._timing(), *self.options]
        return [words, f"  {resume_command(self.game, options)}"]

    def _seating(self) -> list[str]:
        """The options that seat the same players, as strong as now."""
        people = self.people
        words = {2: ["--two"], 0: ["--watch"]}.get(len(people), [])
        if people == ["N"]:
            words = ["--side", "N"]
        levels = [opponent.level for opponent in self.seats.values() if opponent is not None]
        if levels and levels[0] != DEFAULT_LEVEL:
            words = [*words, "--level", str(levels[0])]
        if len(levels) == 2 and levels[1] != levels[0]:
            words = [*words, "--north-level", str(levels[1])]
        return words

    def _timing(self) -> list[str]:
        """The options that set the same clocks; they start anew."""
        if self.clock is None:
            return []
        south, north = (self.clock.budgets[side] for side in "SN")
        return ["--clock", str(south), *(["--north-clock", str(north)] if north != south else [])]

    # --- sentences ----------------------------------------------------------------------------

    def introduction(self) -> str:
        """The rules and who plays."""
        return tr(
            "wari, rules {rules}. South: {south}. North: {north}.",
            rules=self.game.rules,
            south=self.name("S"),
            north=self.name("N"),
        )

    def ending(self) -> str:
        """How the game ended; "" while it goes on."""
        if self.game.result is None:
            return ""
        return tr("The game is over. {result}", result=result_sentence(self.game.result))


def taken_back(moves: int) -> str:
    """How many moves were taken back, in words."""
    return trn("Taken back: {number} move.", "Taken back: {number} moves.", moves)


def refusal(error: IllegalMoveError, move: str) -> str:
    """Why a move is not legal, in words."""
    reason = tr(REFUSALS[error.reason]) if error.reason in REFUSALS else str(error)
    return tr("{move} is not legal: {reason}.", move=move, reason=reason)


def resume_command(game: Game, options: Sequence[str]) -> str:
    """The command line that sets the same game up again; `options` seat the players."""
    words = ["wari", "play", *options]
    if str(game.rules) != "wari":
        words += ["--rules", str(game.rules)]
    if game.start != Position(game.rules):
        words += ["--position", str(game.start)]
    if game.moves:
        words += ["--moves", "".join(game.moves)]
    if game.result is not None and game.ending in CALLED:
        loser = {"S": "-N", "N": "-S", None: ""}[game.result.winner]
        words += ["--ending", game.ending + ("" if game.ending == AGREEMENT else loser)]
    return shlex.join(words)


def called(game: Game, ending: str) -> Game:
    """The game, ended by the players as `--ending` says. Raises GameOverError."""
    kind, _, loser = ending.partition("-")
    moves = "".join(game.moves)
    return Game.replay(moves, game.rules, game.start, ending=kind, loser=loser or None)
