"""Small screens over the board: a text to read, a question, a window too small."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widgets import Input

from wari.cli.board import Line, Span
from wari.cli.language import tr
from wari.cli.tui import COLUMNS, LINES, roomy
from wari.cli.tui.widgets import Lines, Sentences

TEXT_WIDTH = 74  # of the lines to read


class TextScreen(ModalScreen[bool]):
    """Lines to read; any of the usual keys closes them. True: they are to be saved."""

    DEFAULT_CSS = """
    TextScreen { align: center middle; }
    TextScreen > VerticalScroll {
        width: 80; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
        border: round $accent; background: $surface;
    }
    TextScreen Lines { width: 100%; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark,space", "close", show=False),
        Binding("s", "save", show=False),
    ]

    def __init__(
        self, title: str, lines: Iterable[Line], *, for_play: bool = False, to_save: bool = False
    ) -> None:
        super().__init__()
        self.to_save = to_save
        self.for_play = for_play  # whether it is of no use when the game is over
        self._title = title
        self._lines = list(lines)

    def compose(self) -> ComposeResult:
        """One box that scrolls."""
        with VerticalScroll() as box:
            yield Lines("text", self._lines)
        box.border_title = self._title
        box.border_subtitle = tr("Esc closes, s saves") if self.to_save else tr("Esc closes")

    def on_mount(self) -> None:
        """Let the arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def on_click(self) -> None:
        """A click closes, too."""
        self.action_close()

    def action_close(self) -> None:
        """Back to the board."""
        self.dismiss(False)

    def action_save(self) -> None:
        """To a file, where that is offered."""
        if self.to_save:
            self.dismiss(True)


class AskScreen(ModalScreen[str]):
    """A question that is answered with a line of text; "" when it is not."""

    DEFAULT_CSS = """
    AskScreen { align: center middle; }
    AskScreen > Vertical {
        width: 76; max-width: 100%; height: auto; padding: 0 1;
        border: round $accent; background: $surface;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, title: str, words: str, answer: str = "") -> None:
        super().__init__()
        self._title = title
        self._words = words
        self._answer = answer

    def compose(self) -> ComposeResult:
        """The question above a field."""
        with Vertical() as box:
            yield Sentences("words", [[Span(self._words)]])
            yield Input(self._answer, id="answer")
        box.border_title = self._title
        box.border_subtitle = tr("Enter: done, Esc: back")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The answer was given."""
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """No answer."""
        self.dismiss("")


class SmallScreen(ModalScreen[None]):
    """What size is needed, as long as the window has not got it."""

    DEFAULT_CSS = """
    SmallScreen { align: center middle; background: $background; }
    SmallScreen Sentences { width: 100%; text-align: center; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", show=False)]

    def compose(self) -> ComposeResult:
        """The words alone."""
        yield Sentences("small")

    def on_resize(self, event: Resize) -> None:
        """Say how large the window is now."""
        words = tr(
            "The board needs {columns}x{lines}; this window is {width}x{height}. "
            "Make it larger, or press q to leave.",
            columns=COLUMNS,
            lines=LINES,
            width=event.size.width,
            height=event.size.height,
        )
        self.query_one(Sentences).show([[Span(words)]])

    def on_screen_resume(self) -> None:
        """What lay over it has gone; it may have outlived the small window."""
        if roomy(*self.app.size):
            self.dismiss(None)
