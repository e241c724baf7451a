"""The full screen of `wari play`: what is shown of a session, and how a sowing moves.

How a game goes is in `game_session.py`, where things stand on the board in `picture.py`.
"""

import os
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.events import Resize
from textual.filter import LineFilter, Monochrome

from wari.cli.board import Span, side_name
from wari.cli.game_session import GameSession, Sown
from wari.cli.language import tr
from wari.cli.tui import roomy, texts
from wari.cli.tui.dialogs import SmallScreen, TextScreen
from wari.cli.tui.picture import Picture, rows
from wari.cli.tui.sowing import Step, steps
from wari.cli.tui.widgets import Board, Colourless, Keys, Lines, Lists, Sentences
from wari.engine import Analysis

STEP_SECONDS = 0.14  # for each seed, and at most LONGEST_SECONDS for a move
LONGEST_SECONDS = 1.8


class Stage(App[int]):
    """The board with the words around it."""

    TITLE = "wari"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #all { width: 100%; height: 1fr; align-horizontal: center; }
    #head { height: 1; }
    #speech { height: auto; min-height: 3; }
    #below { height: 1fr; min-height: 3; }
    #moves { width: auto; height: 100%; margin-right: 1; }
    #hints { width: 1fr; height: 100%; }
    """

    def __init__(self, session: GameSession) -> None:
        super().__init__()
        self.session = session
        self.cursor = rows(session.view)[1][0]
        self.sown: Sown | None = None  # the move that is shown
        self.analysis: Analysis | None = None  # the hint that is shown
        self.paused = False
        self.no_color = bool(os.environ.get("NO_COLOR"))  # set to nothing, it is not set
        self._over = False  # whether the end is what is shown
        self._steps: deque[Step] = deque()
        self._step: Step | None = None
        self._moment = 0  # of the animation; a later one replaces it
        self._then: Callable[[], object] | None = None

    def compose(self) -> ComposeResult:
        """Title, board, two lines of words, moves and hints, keys."""
        with Vertical(id="all"):
            yield Lines("head")
            yield Board(self._picture())
            with Vertical(id="speech"):
                yield Sentences("turn")
                yield Sentences("said")
            with Lists(id="below"):
                yield Lines("moves")
                yield Lines("hints")
        yield Keys(texts.keys())

    def get_line_filters(self) -> Sequence[LineFilter]:
        """No colour at all with NO_COLOR."""
        if self.no_color:
            return [Colourless()]
        return [one for one in super().get_line_filters() if not isinstance(one, Monochrome)]

    def _part(self, name: str) -> Lines:
        """A part of the table, whatever dialog lies over it."""
        return self.screen_stack[0].query_one(f"#{name}", Lines)

    def _board(self) -> Board:
        return self.screen_stack[0].query_one(Board)

    def say(self, words: str, style: str = "") -> None:
        """Words below the board."""
        self._part("said").show([[Span(words, style)]])

    def draw(self) -> None:
        """Everything as it is now."""
        session = self.session
        self._board().show(self._picture())
        self._part("head").show([texts.head(session)])
        self._part("turn").show([self._turn_words()])
        self._draw_lists()
        if session.game.is_over != self._over:
            self._over = session.game.is_over
            self.screen_stack[0].query_one(Keys).set_keys(texts.keys(over=self._over))
            if isinstance(self.screen, TextScreen) and self.screen.for_play:
                self.screen.dismiss(False)

    def _draw_lists(self) -> None:
        """Moves and hints, as many as there is room for."""
        width = self._board().scale.width
        for name in ("head", "speech", "below"):
            self.screen_stack[0].query_one(f"#{name}").styles.width = width
        high = self.screen_stack[0].query_one("#below").size.height or texts.LEAST_LINES
        self._part("moves").show(texts.moves(self.session.game, high, width))
        tips = texts.tips(over=self.session.game.is_over)
        self._part("hints").show(texts.hints(self.analysis) if self.analysis else tips)

    def on_resize(self, event: Resize) -> None:
        """A window that is too small says so; in every other the board is as large as can be."""
        small = isinstance(self.screen, SmallScreen)
        if roomy(*event.size) == small:
            if small:
                self.pop_screen()
            else:
                self.push_screen(SmallScreen())
        self.call_after_refresh(self.draw)

    def on_lists_resized(self) -> None:
        """The lists below fill what there is."""
        self._draw_lists()

    def _turn_words(self) -> list[Span]:
        session = self.session
        if self._step is not None:
            return []
        if session.game.is_over:
            return [Span(session.ending(), "good")]
        side = side_name(session.game.position.side)
        if session.to_move is None:
            return [Span(tr("{side} to move.", side=side))]
        if self.paused:
            return [Span(tr("Paused; the space bar goes on."), "warn")]
        return [Span(tr("{side} is thinking ...", side=side))]

    def _picture(self) -> Picture:
        game, clock = self.session.game, self.session.clock
        plain = Picture(
            game.position.pits,
            game.position.stores,
            view=self.session.view,
            clockwise=game.rules.sowing == "clockwise",
            clocks={} if clock is None else {side: clock.text(side) for side in "SN"},
        )
        sown, step = self.sown, self._step
        if sown is not None and step is not None:
            return replace(plain, **vars(step), side=sown.side, last=sown.move)
        legal = game.legal_moves() if self.session.to_move is None else ()
        shown = replace(
            plain,
            side="" if game.is_over else game.position.side,
            legal=legal,
            last=self.session.last_move,
            cursor=self.cursor if legal else "",
            values={} if self.analysis is None else texts.values(self.analysis),
        )
        if sown is None:
            return shown
        last = list(steps(sown))[-1]
        return replace(shown, taken=last.taken, gained=last.gained)

    # --- a move -----------------------------------------------------------------------------------

    @property
    def in_motion(self) -> bool:
        """Whether a sowing is being shown."""
        return self._then is not None

    def show_sowing(self, sown: Sown, then: Callable[[], object]) -> None:
        """Show how a move is sown, then go on."""
        self._steps = deque(steps(sown))
        self._moment += 1
        self._then = then
        pause = min(STEP_SECONDS, LONGEST_SECONDS / len(self._steps))
        self._next_step(self._moment, pause)

    def still(self) -> None:
        """End what is shown, and do not go on."""
        self._then = None
        self.hurry()

    def _next_step(self, moment: int, pause: float) -> None:
        if moment != self._moment:
            return
        if not self._steps:
            self.hurry()
            return
        self._step = self._steps.popleft()
        self.draw()
        self.set_timer(pause, lambda: self._next_step(moment, pause))

    def hurry(self) -> None:
        """The rest of a sowing at once."""
        self._moment += 1
        self._steps.clear()
        self._step = None
        then, self._then = self._then, None
        if then is not None:
            then()
