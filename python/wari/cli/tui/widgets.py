"""What stands on the full screen: the board, lines of text, the line of keys."""

from collections.abc import Iterable
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.color import Color
from textual.containers import Horizontal
from textual.events import Click, Resize
from textual.filter import LineFilter
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from wari._escape import escape_control
from wari.cli.board import Line
from wari.cli.language import mark, tr
from wari.cli.screen import STYLES
from wari.cli.tui.picture import Picture, Scale, draw, scale_for, spot

ENTER = mark("Enter")  # the key that has another name in other languages


def text_of(lines: Iterable[Line]) -> Text:
    """Styled lines as a text that is cut at the edge."""
    text = Text(no_wrap=True, overflow="ellipsis", end="")
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for span in line:
            text.append(escape_control(span.text), STYLES[span.style])
    return text


class Board(Widget):
    """The large board, as large as the screen lets it be. It reports clicks to the screen."""

    DEFAULT_CSS = "Board { width: auto; height: auto; }"
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

    @property
    def scale(self) -> Scale:
        """How large it is drawn."""
        return scale_for(*self.app.size)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The columns it takes."""
        return scale_for(*viewport).width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines it takes."""
        return scale_for(*viewport).height

    def show(self, picture: Picture) -> None:
        """Draw another picture."""
        if picture != self.picture:
            self.picture = picture
            self.refresh()

    def render(self) -> Text:
        """The board as text."""
        return text_of(draw(self.picture, self.scale))

    def on_click(self, event: Click) -> None:
        """Say what was clicked on."""
        name = spot(event.x, event.y, self.picture.view, self.scale)
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
        self._shown = text

    def show(self, lines: Iterable[Line]) -> None:
        """Show other lines; the same ones cost nothing."""
        text = text_of(lines)
        if text != self._shown:
            self._shown, self.words = text, text.plain
            self.update(text)


class Sentences(Lines):
    """Lines of text that take as many lines of the screen as they need."""

    DEFAULT_CSS = "Sentences { text-wrap: wrap; height: auto; }"


class Lists(Horizontal):
    """What stands side by side below the board. It reports its new height to the screen."""

    class Resized(Message):
        """There is room for another number of lines."""

    def on_resize(self, _: Resize) -> None:
        """Say so."""
        self.post_message(self.Resized())


@lru_cache(1024)
def _colourless(style: Style) -> Style:
    return style.without_color


class Colourless(LineFilter):
    """Leaves no colour at all, for NO_COLOR; Textual's own way is to make colours grey."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments with what is left of their style: bold, dim, reverse."""
        return [
            Segment(text, style and _colourless(style), control)
            for text, style, control in segments
        ]


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
