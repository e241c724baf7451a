"""`wari play` on the full screen: what keys and clicks do, what is shown when.

Owns: the screen, the flow from one move to the next. Must not know: how a game goes (see
`sitting.py`), where things stand on the board (see `picture.py`).
"""

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message

from wari import Game, IllegalMoveError, Position, WariError
from wari.cli import INTERRUPTED, OK
from wari.cli.board import Span, side_name
from wari.cli.clock import Clock
from wari.cli.language import tr
from wari.cli.levels import DEFAULT_LEVEL, Engines
from wari.cli.rules import in_words
from wari.cli.sitting import OTHER, Sitting, Sown, refusal, taken_back
from wari.cli.tui import texts
from wari.cli.tui.dialogs import TEXT_WIDTH, AskScreen, TextScreen
from wari.cli.tui.editor import EditorScreen, moved
from wari.cli.tui.picture import LETTERS, Picture, rows
from wari.cli.tui.settings import Settings, SettingsScreen
from wari.cli.tui.sowing import Step, steps
from wari.cli.tui.thinking import Thinker
from wari.cli.tui.widgets import Board, Keys, Lines
from wari.engine import Analysis

STEP_SECONDS = 0.14  # for each seed, and at most LONGEST_SECONDS for a move
LONGEST_SECONDS = 1.8
PASS_SECONDS = 0.8  # a pass is shown that long
TICK_SECONDS = 0.1
TWICE = ("agree", "resign")  # asked again before they are done


class Told(Message):
    """Something to do that another thread has found."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__()
        self.act = act


class Table(App[int]):
    """A sitting on the full screen."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #all { width: 100%; height: 1fr; align-horizontal: center; }
    #head { height: 1; width: 80; }
    #turn { height: 1; width: 78; margin-top: 0; }
    #said { height: 1; width: 78; }
    #below { height: 1fr; width: 78; margin-top: 1; }
    #moves { width: 27; height: 100%; margin-right: 1; }
    #hints { width: 50; height: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True)
    ]

    def __init__(self, sitting: Sitting, engines: Engines, *, animated: bool) -> None:
        super().__init__()
        self.sitting = sitting
        self.engines = engines
        self.animated = animated
        self.partings: list[str] = []  # of games that were left unsaved
        self.fault: WariError | None = None
        self.cursor = rows(sitting.view)[1][0]
        self.sown: Sown | None = None  # the move that is shown
        self.analysis: Analysis | None = None  # the hint that is shown
        self.paused = False
        self._steps: deque[Step] = deque()
        self._step: Step | None = None
        self._moment = 0  # of the animation; a later one replaces it
        self._then: Callable[[], object] | None = None
        self._mover = Thinker(self._tell)
        self._hinter = Thinker(self._tell)
        self._asked = ""  # the command that waits to be asked again
        self._file = ""  # the name that was given last

    def _tell(self, act: Callable[[], object]) -> None:
        self.post_message(Told(act))

    def on_told(self, message: Told) -> None:
        """What another thread has found."""
        message.act()

    # --- the screen -----------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Title, board, two lines of words, moves and hints, keys."""
        with Vertical(id="all"):
            yield Lines("head")
            yield Board(self._picture())
            yield Lines("turn")
            yield Lines("said")
            with Horizontal(id="below"):
                yield Lines("moves")
                yield Lines("hints")
        yield Keys(texts.keys())

    def on_ready(self) -> None:
        """Begin."""
        self.set_interval(TICK_SECONDS, self._tick)
        self._turn()

    def say(self, words: str, style: str = "") -> None:
        """One line of words below the board."""
        self.query_one("#said", Lines).show([[Span(words, style)]])

    def draw(self) -> None:
        """Everything as it is now."""
        sitting = self.sitting
        self.query_one(Board).show(self._picture())
        self.query_one("#head", Lines).show([texts.head(sitting)])
        self.query_one("#turn", Lines).show([self._turn_words()])
        below = self.query_one("#below").size.height or texts.LEAST_LINES
        self.query_one("#moves", Lines).show(texts.moves(sitting.game, below))
        hints = texts.hints(self.analysis) if self.analysis else texts.tips()
        self.query_one("#hints", Lines).show(hints)

    def on_resize(self) -> None:
        """The lists below fill what there is."""
        self.call_after_refresh(self.draw)

    def _turn_words(self) -> list[Span]:
        sitting = self.sitting
        if self._step is not None:
            return []
        if sitting.game.is_over:
            return [Span(sitting.ending(), "good")]
        side = side_name(sitting.game.position.side)
        if sitting.to_move is None:
            return [Span(tr("{side} to move.", side=side))]
        if self.paused:
            return [Span(tr("Paused; the space bar goes on."), "warn")]
        return [Span(tr("{side} is thinking ...", side=side))]

    def _picture(self) -> Picture:
        game, clock = self.sitting.game, self.sitting.clock
        plain = Picture(
            game.position.pits,
            game.position.stores,
            view=self.sitting.view,
            clockwise=game.rules.sowing == "clockwise",
            clocks={} if clock is None else {side: clock.text(side) for side in "SN"},
        )
        sown, step = self.sown, self._step
        if sown is not None and step is not None:
            return replace(plain, **vars(step), side=sown.side, last=sown.move)
        legal = game.legal_moves() if self.sitting.to_move is None else ()
        shown = replace(
            plain,
            side="" if game.is_over else game.position.side,
            legal=legal,
            last=self.sitting.last_move,
            cursor=self.cursor if legal else "",
            values={} if self.analysis is None else texts.values(self.analysis),
        )
        if sown is None:
            return shown
        last = list(steps(sown))[-1]
        return replace(shown, taken=last.taken, gained=last.gained)

    # --- from move to move ----------------------------------------------------------------------

    def _turn(self) -> None:
        """What comes next where no person is asked: a pass, the engine's move."""
        sitting = self.sitting
        sitting.start_clock()
        self._place_cursor()
        if not sitting.game.is_over:
            if sitting.must_pass:
                self._moment += 1
                moment = self._moment
                pause = PASS_SECONDS if self.animated else 0.0
                self.set_timer(pause or 0.01, lambda: self._pass(moment))
            elif sitting.to_move is not None and not self.paused:
                self._think()
        self.draw()

    def _pass(self, moment: int) -> None:
        if moment == self._moment:
            self._play("-")

    def _place_cursor(self) -> None:
        """On the row to move, in the column where it was."""
        position = self.sitting.game.position
        own = LETTERS[:6] if position.side == "S" else LETTERS[6:]
        if self.cursor not in own and self.sitting.to_move is None:
            above, below = rows(self.sitting.view)
            row = below if self.cursor in below else above
            other = above if row is below else below
            self.cursor = other[row.index(self.cursor)]

    def _think(self) -> None:
        opponent = self.sitting.to_move
        assert opponent is not None  # the caller has looked
        game, clock = self.sitting.game.copy(), self.sitting.time_for_engine()

        def done(move: str) -> None:
            if not self.sitting.check_time():
                self._play(move)
            else:
                self.draw()

        self._mover.start(opponent, lambda: opponent.choose(game, clock), done, self._broken)

    def _broken(self, error: Exception) -> None:
        """A search that failed: the game is kept, the program says why and ends."""
        if not isinstance(error, WariError):
            raise error
        self.fault = error
        self.exit(OK)

    def _play(self, move: str) -> None:
        """Play a move if it is legal, show how it is sown, go on."""
        try:
            sown = self.sitting.play(move)
        except IllegalMoveError as error:
            self.say(refusal(error, move), "warn")
            return
        self._forget_hint()
        self.sown = sown
        self.say(sown.sentence)
        if not self.animated or move == "-":
            self._turn()
            return
        self._steps = deque(steps(sown))
        self._moment += 1
        self._then = self._turn
        pause = min(STEP_SECONDS, LONGEST_SECONDS / len(self._steps))
        self._next_step(self._moment, pause)

    def _next_step(self, moment: int, pause: float) -> None:
        if moment != self._moment:
            return
        if not self._steps:
            self._hurry()
            return
        self._step = self._steps.popleft()
        self.draw()
        self.set_timer(pause, lambda: self._next_step(moment, pause))

    def _hurry(self) -> None:
        """The rest of a sowing at once."""
        self._moment += 1
        self._steps.clear()
        self._step = None
        then, self._then = self._then, None
        if then is not None:
            then()

    def _halt(self) -> None:
        """Nothing moves and nobody thinks: the game is about to change."""
        self._then = None
        self._hurry()
        self._mover.call_off()
        self._forget_hint()
        self.sown = None

    def _forget_hint(self) -> None:
        self._hinter.call_off()
        self.analysis = None

    def _tick(self) -> None:
        if self.sitting.clock is None or self._step is not None:
            return
        if self.sitting.check_time():
            self._halt()
            self.draw()
        elif len(self.screen_stack) == 1:
            self.query_one(Board).show(self._picture())

    # --- keys and clicks ------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A letter plays, the rest are commands; dialogs hear their keys themselves."""
        if len(self.screen_stack) > 1:
            return
        event.stop()
        event.prevent_default()  # else a dialog that this key opens would hear it, too
        key = event.character if event.character and event.character.isprintable() else event.key
        self._press(key)

    def on_keys_pressed(self, event: Keys.Pressed) -> None:
        """A click on a key's words."""
        if len(self.screen_stack) == 1:
            self._press(event.key)

    def on_board_clicked(self, event: Board.Clicked) -> None:
        """A click on a pit plays it."""
        if len(self.screen_stack) == 1 and event.name in LETTERS:
            self._wish(event.name)

    def _press(self, key: str) -> None:
        if self._then is not None:
            self._hurry()
        name = texts.COMMANDS.get(key, "")
        if name in TWICE and self._asked != name:
            self._asked = name
            self.say(texts.ask_again(name, key), "warn")
            return
        self._asked = ""
        if key in ("left", "right", "up", "down"):
            self.cursor = moved(self.cursor, key, self.sitting.view)
            self.draw()
        elif key == "enter":
            self._wish(self.cursor)
        elif len(key) == 1 and key in LETTERS:
            own = self.sitting.game.position.side == "S"
            self._wish(key.upper() if own else key.lower())
        elif name:
            try:
                getattr(self, f"do_{name}")()
            except WariError as error:
                self.say(str(error), "warn")

    def _wish(self, letter: str) -> None:
        """A person wants to play a pit."""
        if self._then is not None:
            self._hurry()
        if self.sitting.to_move is not None:
            self.say(tr("It is not your turn."), "warn")
            return
        self.cursor = letter
        self._play(letter)

    # --- commands -------------------------------------------------------------------------------

    def do_hint(self) -> None:
        """Value and line of every move, as they are found."""
        if self.sitting.to_move is not None:
            self.say(tr("It is not your turn."), "warn")
            return

        def show(analysis: Analysis) -> None:
            self.analysis = analysis
            self.draw()

        def deeper(analysis: Analysis) -> None:
            self._tell(lambda: show(analysis) if self._hinter.busy else None)

        def done(analysis: Analysis) -> None:
            self.say("")
            show(analysis)

        if not self.sitting.game.is_over:
            self.say(texts.thinking())
        self._hinter.start(
            self.engines.adviser(), lambda: self.sitting.hint(deeper), done, self._no_hint
        )

    def _no_hint(self, error: Exception) -> None:
        if not isinstance(error, WariError):
            raise error
        self.say(str(error), "warn")

    def do_undo(self) -> None:
        """Take back; where the engine plays itself, pause as well."""
        self._halt()
        self.paused = not self.sitting.people
        try:
            self.say(taken_back(self.sitting.undo()))
        finally:
            self._turn()

    def do_save(self) -> None:
        """Ask for a name and save."""
        words = tr("Name of the file; one that ends in .ogn is written as OGN, others as JSON.")
        self.push_screen(AskScreen(tr("Save"), words, self._file), self._act_on(self._save))

    def _save(self, name: str) -> None:
        self.say(self.sitting.save(name), "good")
        self._file = name

    def do_load(self) -> None:
        """Ask for a name and load."""
        words = tr("Name of the file; one that ends in .ogn is read as OGN, others as JSON.")
        self.push_screen(AskScreen(tr("Load"), words, self._file), self._act_on(self._load))

    def _load(self, name: str) -> None:
        game = self.sitting.load(name)
        self._file = name
        self._set_game(game)
        self.say(tr("Loaded {name}.", name=name), "good")

    def _act_on(self, act: Callable[[str], None]) -> Callable[[str | None], None]:
        """An answer to a question, if there was one; faults are told."""

        def answer(text: str | None) -> None:
            try:
                if text:
                    act(text)
            except WariError as error:
                self.say(str(error), "warn")

        return answer

    def _set_game(self, game: Game) -> None:
        self._halt()
        self.partings += self.sitting.parting()
        self.sitting.set_game(game)
        self._turn()

    def do_new(self) -> None:
        """The form for a new game."""
        sitting = self.sitting
        engines = {side: engine.level for side, engine in sitting.seats.items() if engine}
        level = engines.get("S", engines.get("N", DEFAULT_LEVEL))
        players = {2: "watch", 0: "two"}.get(len(engines), "".join(sitting.people))
        clock = None if sitting.clock is None else sitting.clock.budgets["S"]
        now = Settings(
            players, level, engines.get("N", level), clock, sitting.game.rules, fresh=True
        )
        self.push_screen(SettingsScreen(now), self._begin)

    def _begin(self, chosen: Settings | None) -> None:
        """A new game as the form says, or the same one with other players."""
        if chosen is None:
            return
        self._halt()
        sitting = self.sitting
        watch = chosen.players == "watch"
        levels = {"S": chosen.level, "N": chosen.north_level if watch else chosen.level}
        engine_sides = {"S": "N", "N": "S", "two": "", "watch": "SN"}[chosen.players]
        for side in "SN":
            sitting.seats[side] = self.engines.opponent(
                levels[side] if side in engine_sides else None
            )
        if chosen.players in ("S", "N"):
            sitting.view = chosen.players
        sitting.again = texts.again(chosen.players)
        self.paused = False
        if chosen.fresh or chosen.clock is None or sitting.clock is None:
            budget = chosen.clock
            sitting.clock = None if budget is None else Clock({"S": budget, "N": budget})
        if chosen.fresh:
            self._set_game(Game(chosen.rules))
            self.say(tr("A new game."))
        else:
            self._turn()

    def do_position(self) -> None:
        """The position editor."""

        def play_from(position: Position | None) -> None:
            if position is not None:
                self._set_game(Game(position.rules, position))
                self.say(tr("A new game from this position."))

        editor = EditorScreen(self.sitting.game.position, self.sitting.view)
        self.push_screen(editor, play_from)

    def do_turn(self) -> None:
        """Turn the board round."""
        self.sitting.view = OTHER[self.sitting.view]
        self.draw()

    def do_rules(self) -> None:
        """The rules of this game in words."""
        self.push_screen(TextScreen(tr("Rules"), in_words(self.sitting.game.rules, TEXT_WIDTH)))

    def do_help(self) -> None:
        """The keys."""
        self.push_screen(TextScreen(tr("Keys"), texts.help_lines()))

    def do_agree(self) -> None:
        """End by agreement, if the engine agrees."""
        self._halt()
        self._mover.start(
            self.engines.adviser(), self.sitting.disagreement, self._agree, self._broken
        )

    def _agree(self, refused: str) -> None:
        if refused:
            self.say(refused, "warn")
        else:
            self.sitting.agree()
        self._turn()

    def do_resign(self) -> None:
        """Give the game up, on the own turn."""
        if self.sitting.to_move is not None:
            self.say(tr("It is not your turn."), "warn")
            return
        self._halt()
        try:
            self.sitting.resign()
        finally:
            self._turn()

    def do_pause(self) -> None:
        """Where the engine plays itself: stop, or go on."""
        if self.sitting.people:
            return
        self.paused = not self.paused
        if self.paused:
            self._mover.call_off()
            self.draw()
        else:
            self._turn()

    def do_quit(self) -> None:
        """Leave."""
        self.exit(OK)

    def action_interrupt(self) -> None:
        """Ctrl-C, also in a dialog."""
        self.exit(INTERRUPTED)

    def on_unmount(self) -> None:
        """Nobody thinks any more."""
        self._moment += 1
        self._mover.end()
        self._hinter.end()
