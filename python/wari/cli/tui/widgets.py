"""What stands on the full screen: the board, lines of text, the line of keys.

Owns: how styled lines become text of Textual, which click means what. Must not know: the game.
"""

from collections.abc import Iterable

from rich.text import Text
from textual.events import Click
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from wari._check import harmless
from wari.cli.board import Line
from wari.cli.language import mark, tr
from wari.cli.screen import STYLES
from wari.cli.tui.picture import HEIGHT, WIDTH, Picture, draw, spot

ENTER = mark("Enter")  # the key that has another name in other languages


def text_of(lines: Iterable[Line]) -> Text:
    """Styled lines as a text that is cut at the edge."""
    text = Text(no_wrap=True, overflow="ellipsis", end="")
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for span in line:
            text.append(harmless(span.text), STYLES[span.style])
    return text


class Board(Widget):
    """The large board. A click on a pit or a store is told to the screen."""

    DEFAULT_CSS = f"Board {{ width: {WIDTH}; height: {HEIGHT}; }}"
    ALLOW_SELECT = False

    class Clicked(Message):
        """A pit's letter or a store, and whether it was the first mouse button."""

        def __init__(self, name: str, first: bool) -> None:
            super().__init__()
            self.name = name
            self.first = first

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self.picture = picture

    def show(self, picture: Picture) -> None:
        """Draw another picture."""
        if picture != self.picture:
            self.picture = picture
            self.refresh()

    def render(self) -> Text:
        """The board as text."""
        return text_of(draw(self.picture))

    def on_click(self, event: Click) -> None:
        """Say what was clicked on."""
        name = spot(event.x, event.y, self.picture.view)
        if name:
            self.post_message(self.Clicked(name, event.button == 1))


class Lines(Static):
    """Some lines of text, each cut at the edge."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Lines { text-wrap: nowrap; text-overflow: ellipsis; }"

    def __init__(self, name: str, lines: Iterable[Line] = ()) -> None:
        text = text_of(lines)
        super().__init__(text, id=name, markup=False)
        self.words = text.plain

    def show(self, lines: Iterable[Line]) -> None:
        """Show other lines."""
        text = text_of(lines)
        self.words = text.plain
        self.update(text)


class Keys(Static):
    """A line of keys and what they do; a click is as good as the key."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Keys { height: 1; dock: bottom; text-wrap: nowrap; text-overflow: ellipsis; }"
    GAP = "  "

    class Pressed(Message):
        """The key whose words were clicked on."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, keys: dict[str, str]) -> None:
        super().__init__("", markup=False)
        self.words = ""
        self._places: list[tuple[int, int, str]] = []
        self.set_keys(keys)

    def set_keys(self, keys: dict[str, str]) -> None:
        """Show these keys: what is pressed, and the words for it."""
        text = Text(" ", no_wrap=True, overflow="ellipsis", end="")
        self._places = []
        for key, words in keys.items():
            if self._places:
                text.append(self.GAP)
            begin = text.cell_len
            text.append(tr(key) if key == ENTER else key, "bold cyan").append(f" {words}")
            self._places.append((begin, text.cell_len, key))
        self.words = text.plain
        self.update(text)

    def on_click(self, event: Click) -> None:
        """Say which key was meant."""
        for begin, end, key in self._places:
            if begin <= event.x < end:
                self.post_message(self.Pressed(key))
