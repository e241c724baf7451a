"""`wari play` on the full screen: what keys and clicks do, and what comes after a move."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.message import Message

from wari import Game, IllegalMoveError, Position, WariError
from wari.cli import BY_SIGNAL, INTERRUPTED, OK, signals_to_end
from wari.cli.clock import Clock
from wari.cli.game_session import OTHER, GameSession, refusal, taken_back
from wari.cli.language import tr
from wari.cli.players import Players
from wari.cli.reviewing import report, write
from wari.cli.rules import in_words
from wari.cli.tui import texts
from wari.cli.tui.dialogs import TEXT_WIDTH, AskScreen, TextScreen
from wari.cli.tui.editor import EditorScreen, moved
from wari.cli.tui.keyboard import patient
from wari.cli.tui.picture import LETTERS, rows
from wari.cli.tui.settings import Settings, SettingsScreen
from wari.cli.tui.stage import Stage
from wari.cli.tui.thinking import Thinker
from wari.cli.tui.widgets import Board, Keys
from wari.engine import Analysis
from wari.levels import DEFAULT_LEVEL, Engines

if TYPE_CHECKING:
    from wari.review import Review

PASS_SECONDS = 0.8  # a pass is shown that long
WATCH_SECONDS = 0.5  # between the moves of an engine against itself that are not seen sown
TICK_SECONDS = 0.1
TWICE = ("agree", "resign")  # asked again before they are done


class Found(Message):
    """Something to do that another thread has found."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__()
        self.act = act


class Table(Stage):
    """A game session on the full screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True)
    ]

    def __init__(self, session: GameSession, engines: Engines, *, animated: bool) -> None:
        super().__init__(session)
        self.engines = engines
        self.animated = animated
        self.partings: list[str] = []  # of games that were left unsaved
        self.fault: WariError | None = None
        self._mover = Thinker(self._deliver)
        self._hinter = Thinker(self._deliver)
        self._asked = ""  # the command that waits to be asked again
        self._review: Review | None = None  # the last one that was made
        self._file = ""  # the name that was given last

    def get_driver_class(self) -> type[Driver]:
        """The one for this terminal, with a keyboard that may send anything."""
        return patient(super().get_driver_class())

    def say(self, words: str, style: str = "") -> None:
        """Words below the board; a question that stood there is no longer asked."""
        self._asked = ""
        super().say(words, style)

    def _deliver(self, act: Callable[[], object]) -> None:
        self.post_message(Found(act))

    def on_found(self, message: Found) -> None:
        """What another thread has found, unless it comes too late."""
        if self.screen_stack and self.screen_stack[0].query(Board):
            message.act()

    # --- from move to move ----------------------------------------------------------------------

    def on_ready(self) -> None:
        """Begin."""
        for number in (signal.SIGINT, *signals_to_end()):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # not in this system
                asyncio.get_running_loop().add_signal_handler(number, self.exit, BY_SIGNAL + number)
        self.set_interval(TICK_SECONDS, self._tick)
        self._turn()

    def _turn(self) -> None:
        """What comes next where no person is asked: a pass, the engine's move."""
        session = self.session
        session.start_clock()
        self._place_cursor()
        if not session.game.is_over:
            watched = not session.people and not self.animated
            if session.must_pass:
                self._after(PASS_SECONDS if self.animated else 0.01, lambda: self._play("-"))
            elif session.to_move is not None and not self.paused:
                self._after(WATCH_SECONDS, self._think) if watched else self._think()
        self.draw()

    def _after(self, seconds: float, act: Callable[[], object]) -> None:
        """Do something later, unless something else has happened by then."""
        self._moment += 1
        moment = self._moment
        self.set_timer(seconds, lambda: act() if moment == self._moment else None)

    def _place_cursor(self) -> None:
        """On the row to move, in the column where it was or the nearest that can be played."""
        position = self.session.game.position
        own = LETTERS[:6] if position.side == "S" else LETTERS[6:]
        if self.cursor not in own and self.session.to_move is None:
            above, below = rows(self.session.view)
            row = below if self.cursor in below else above
            other = above if row is below else below
            column = row.index(self.cursor)
            legal = [pit for pit in other if pit in self.session.game.legal_moves()]
            nearest = sorted(legal, key=lambda pit: abs(other.index(pit) - column))
            self.cursor = nearest[0] if nearest else other[column]

    def _think(self) -> None:
        opponent = self.session.to_move
        assert opponent is not None  # the caller has looked
        game, limits = self.session.game.copy(), self.session.limits()

        def done(move: str) -> None:
            if not self.session.check_time():
                self._play(move)
            else:
                self.say("")
                self.draw()

        self._mover.start(opponent, lambda: opponent.choose(game, limits), done, self._broken)

    def _broken(self, error: Exception) -> None:
        """A search that failed: the game is kept, the program says why and ends."""
        if not isinstance(error, WariError):
            raise error
        self.fault = error
        self.exit(OK)

    def _play(self, move: str) -> None:
        """Play a move if it is legal, show how it is sown, go on."""
        try:
            sown = self.session.play(move)
        except IllegalMoveError as error:
            self.say(refusal(error, move), "warn")
            return
        self._forget_hint()
        self.sown = sown
        self.say(sown.sentence)
        if self.animated and move != "-":
            self.show_sowing(sown, self._turn)
        else:
            self._turn()

    def _halt(self) -> None:
        """Nothing moves and nobody thinks: the game is about to change."""
        self.still()
        self._mover.call_off()
        self._forget_hint()
        self.sown = None

    def _forget_hint(self) -> None:
        self._hinter.call_off()
        self.analysis = None

    def _tick(self) -> None:
        if self.session.clock is None or self._step is not None:
            return
        if self.session.check_time():
            self._halt()
            self.say("")
            self.draw()
        elif len(self.screen_stack) == 1:
            self._board().show(self._picture())

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
        if self.in_motion:
            self.hurry()
        name = texts.COMMANDS.get(key, "")
        if name in TWICE and self._asked != name and not self.session.game.is_over:
            self.say(texts.ask_again(name, key), "warn")
            self._asked = name
            return
        if self._asked:
            self.say("")
        if key in ("left", "right", "up", "down"):
            self.cursor = moved(self.cursor, key, self.session.view)
            self.draw()
        elif key == "enter":
            self._wish(self.cursor)
        elif len(key) == 1 and key in LETTERS:
            self._wish(self.session.own_letter(key))
        elif name:
            try:
                getattr(self, f"do_{name}")()
            except WariError as error:
                self.say(str(error), "warn")

    def _wish(self, letter: str) -> None:
        """A person wants to play a pit."""
        if self.in_motion:
            self.hurry()
        if self.session.to_move is not None:
            self.say(tr("It is not your turn."), "warn")
            return
        self.cursor = letter
        self._play(letter)

    # --- commands -------------------------------------------------------------------------------

    def do_hint(self) -> None:
        """Value and line of every move, as they are found."""
        if self.session.to_move is not None:
            self.say(tr("It is not your turn."), "warn")
            return

        def show(analysis: Analysis) -> None:
            self.analysis = analysis
            self.draw()

        def deeper(analysis: Analysis) -> None:
            self._deliver(lambda: show(analysis) if self._hinter.busy else None)

        def done(analysis: Analysis) -> None:
            self.say("")
            show(analysis)

        if not self.session.game.is_over:
            self.say(texts.thinking())
        self._hinter.start(
            self.engines.adviser(), lambda: self.session.hint(deeper), done, self._not_found
        )

    def _not_found(self, error: Exception) -> None:
        if not isinstance(error, WariError):
            raise error
        self.say(str(error), "warn")

    def do_review(self) -> None:
        """Every move judged, which takes a while; what was found once is kept for that game."""
        if self._review is not None and self._review.game == self.session.game:
            self._show_review()
            return

        def report(done: int, total: int) -> None:
            self._hinter.go_on()
            self._deliver(
                lambda: self.say(texts.reviewing(done, total)) if self._hinter.busy else None
            )

        def done(review: "Review") -> None:
            self._review = review
            self.say(tr("The review is there: press v."))
            if len(self.screen_stack) == 1:
                self._show_review()

        self._forget_hint()
        if self.session.game.moves:
            self.say(texts.reviewing(0, len(self.session.game)))
        self._hinter.start(
            self.engines.adviser(), lambda: self.session.review(report), done, self._not_found
        )

    def _show_review(self) -> None:
        review = self._review
        assert review is not None  # the callers have looked
        words = tr("Name of the file; .html makes a page, .ogn notes in the game, .json data.")

        def save(name: str) -> None:
            self.say(write(name, review, self.session.levels), "good")

        def asked(to_save: bool | None) -> None:
            if to_save:
                self.push_screen(AskScreen(tr("Save"), words), self._act_on(save))

        self.say("")
        self.push_screen(TextScreen(tr("Review"), report(review), to_save=True), asked)

    def do_undo(self) -> None:
        """Take back; where the engine plays itself, pause as well."""
        self._halt()
        self.paused = not self.session.people
        try:
            self.say(taken_back(self.session.undo()))
        finally:
            self._turn()

    def do_save(self) -> None:
        """Ask for a name and save."""
        words = tr("Name of the file; one that ends in .ogn is written as OGN, others as JSON.")
        self.push_screen(AskScreen(tr("Save"), words, self._file), self._act_on(self._save))

    def _save(self, name: str) -> None:
        self.say(self.session.save(name), "good")
        self._file = name

    def do_load(self) -> None:
        """Ask for a name and load."""
        words = tr("Name of the file; one that ends in .ogn is read as OGN, others as JSON.")
        self.push_screen(AskScreen(tr("Load"), words, self._file), self._act_on(self._load))

    def _load(self, name: str) -> None:
        game, players = self.session.load(name)
        self._file = name
        self._set_game(game, players)
        self.say(tr("Loaded {name}.", name=name), "good")

    def _act_on(self, act: Callable[[str], None]) -> Callable[[str | None], None]:
        """An answer to a question, if there was one; faults are shown."""

        def answer(text: str | None) -> None:
            try:
                if text:
                    act(text)
            except WariError as error:
                self.say(str(error), "warn")

        return answer

    def _set_game(self, game: Game, players: Players | None = None) -> None:
        self._halt()
        self.partings += self.session.parting()
        self.session.set_game(game, players)
        self._turn()

    def do_new(self) -> None:
        """The form for a new game."""
        session = self.session
        engines = {side: engine.level for side, engine in session.seats.items() if engine}
        level = engines.get("S", engines.get("N", DEFAULT_LEVEL))
        players = {2: "watch", 0: "two"}.get(len(engines), "".join(session.people))
        clock = None if session.clock is None else session.clock.budgets["S"]
        now = Settings(
            players, level, engines.get("N", level), clock, session.game.rules, fresh=True
        )
        self.push_screen(SettingsScreen(now), self._begin)

    def _begin(self, chosen: Settings | None) -> None:
        """A new game as the form says, or the same one with other players."""
        if chosen is None:
            return
        self._halt()
        session = self.session
        watch = chosen.players == "watch"
        levels = {"S": chosen.level, "N": chosen.north_level if watch else chosen.level}
        engine_sides = {"S": "N", "N": "S", "two": "", "watch": "SN"}[chosen.players]
        session.seat({side: levels[side] if side in engine_sides else None for side in "SN"})
        self.paused = False
        if chosen.fresh or chosen.clock is None or session.clock is None:
            budget = chosen.clock
            session.clock = None if budget is None else Clock({"S": budget, "N": budget})
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

        editor = EditorScreen(self.session.game.position, self.session.view)
        self.push_screen(editor, play_from)

    def do_turn(self) -> None:
        """Turn the board round."""
        self.session.view = OTHER[self.session.view]
        self.draw()

    def do_rules(self) -> None:
        """The rules of this game in words."""
        self.push_screen(TextScreen(tr("Rules"), in_words(self.session.game.rules, TEXT_WIDTH)))

    def do_help(self) -> None:
        """The keys."""
        over = self.session.game.is_over
        lines = texts.help_lines(over=over)
        self.push_screen(TextScreen(tr("Keys"), lines, for_play=not over))

    def do_agree(self) -> None:
        """End by agreement, if the engine agrees."""
        self._halt()
        self._mover.start(
            self.engines.adviser(), self.session.disagreement, self._agree, self._broken
        )

    def _agree(self, refused: str) -> None:
        if refused:
            self.say(refused, "warn")
        else:
            self.session.agree()
        self._turn()

    def do_resign(self) -> None:
        """Give the game up, on the own turn."""
        if self.session.to_move is not None:
            self.say(tr("It is not your turn."), "warn")
            return
        self._halt()
        try:
            self.session.resign()
        finally:
            self._turn()

    def do_pause(self) -> None:
        """Where the engine plays itself: stop, or go on."""
        if self.session.people:
            return
        self.paused = not self.paused
        if self.paused:
            self._moment += 1
            self._mover.call_off()
            self.draw()
        else:
            self._turn()

    def do_quit(self) -> None:
        """Leave."""
        self.exit(OK)

    async def action_quit(self) -> None:
        """Ctrl-Q, also in a dialog."""
        self.exit(OK)

    def action_interrupt(self) -> None:
        """Ctrl-C, also in a dialog."""
        self.exit(INTERRUPTED)

    def on_unmount(self) -> None:
        """Nobody thinks any more."""
        self._moment += 1
        self._mover.end()
        self._hinter.end()
