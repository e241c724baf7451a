"""The position editor: seeds are put where one wants them, then play goes on from there."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key
from textual.screen import ModalScreen

from wari import InvalidValueError, Position
from wari._pits import MAX_SEEDS
from wari.cli.board import Line, Span, side_name
from wari.cli.language import tr, trn
from wari.cli.tui.picture import LETTERS, STORES, Picture, rows
from wari.cli.tui.widgets import Board, Keys, Sentences

MOST = MAX_SEEDS
STEPS = {"plus": 1, "equals_sign": 1, "minus": -1}


class EditorScreen(ModalScreen[Position | None]):
    """A board to be filled; None when it is left without a position."""

    DEFAULT_CSS = """
    EditorScreen { align: center middle; background: $background; }
    EditorScreen > Vertical { width: 100%; height: auto; align-horizontal: center; }
    EditorScreen Sentences { width: 78; }
    EditorScreen Board { margin: 1 0; }
    """

    def __init__(self, position: Position, view: str) -> None:
        super().__init__()
        self._rules = position.rules
        self.counts = dict(zip([*LETTERS, *STORES.values()], _all(position), strict=True))
        self.side = position.side
        self.view = view
        self.cursor = rows(view)[1][0]
        self._typing = False  # whether the next digit goes behind those before it

    def compose(self) -> ComposeResult:
        """The board between two texts."""
        with Vertical():
            title = tr("Position editor: rules {rules}", rules=self._rules)
            yield Sentences("head", [[Span(title, "head")]])
            yield Board(self._picture())
            yield Sentences("words", self._words())
        yield Keys(
            {
                "Enter": tr("play from here"),
                "0-9 + -": tr("seeds"),
                "Tab": tr("side"),
                "z": tr("empty all"),
                "Esc": tr("back"),
            }
        )

    def _draw(self, complaint: str = "") -> None:
        self.query_one(Board).show(self._picture())
        self.query_one("#words", Sentences).show(self._words(complaint))

    def _words(self, complaint: str = "") -> list[Line]:
        total = trn("{number} seed in all", "{number} seeds in all", sum(self.counts.values()))
        moves = tr("{side} to move", side=side_name(self.side))
        how = tr("Arrows or a click choose; a second click adds a seed, a right click takes one.")
        below = Span(complaint or how, "warn" if complaint else "")
        return [[Span(f"{moves}. {total}.")], [below]]

    def _picture(self) -> Picture:
        counts = list(self.counts.values())
        return Picture(
            tuple(counts[:12]),
            (counts[12], counts[13]),
            side=self.side,
            view=self.view,
            clockwise=self._rules.sowing == "clockwise",
            cursor=self.cursor,
        )

    def on_key(self, event: Key) -> None:
        """Keys that change the position, or leave."""
        event.stop()
        event.prevent_default()
        typing = False
        if event.character is not None and event.character in "0123456789":
            before = self.counts[self.cursor] * 10 if self._typing else 0
            typing = self._put(before + int(event.character))
        elif event.key in STEPS:
            self._put(self.counts[self.cursor] + STEPS[event.key])
        elif event.key in ("backspace", "delete"):
            self._put(0)
        elif event.key in ("tab", "t"):
            self.side = "N" if self.side == "S" else "S"
            self._draw()
        elif event.key == "z":
            self.counts = dict.fromkeys(self.counts, 0)
            self._draw()
        elif event.key in ("left", "right", "up", "down"):
            self.cursor = moved(self.cursor, event.key, self.view, stores=True)
            self._draw()
        elif event.key == "enter":
            self._finish()
        elif event.key == "escape":
            self.dismiss(None)
        elif event.key == "ctrl+c":
            self.app.exit(None)
        self._typing = typing

    def on_board_clicked(self, event: Board.Clicked) -> None:
        """The first click chooses, the second adds a seed; the right button takes one away."""
        if not event.first:
            self.cursor = event.name
            self._put(self.counts[event.name] - 1)
        elif event.name == self.cursor:
            self._put(self.counts[event.name] + 1)
        else:
            self.cursor = event.name
            self._draw()

    def on_keys_pressed(self, event: Keys.Pressed) -> None:
        """A click on a key's words."""
        if event.key == "Enter":
            self._finish()
        elif event.key == "Esc":
            self.dismiss(None)
        elif event.key == "Tab":
            self.side = "N" if self.side == "S" else "S"
            self._draw()
        elif event.key == "z":
            self.counts = dict.fromkeys(self.counts, 0)
            self._draw()

    def _put(self, seeds: int) -> bool:
        """So many seeds where the cursor is, if that is possible."""
        if not 0 <= seeds <= MOST:
            self._draw(tr("A pit or store holds 0 to {most} seeds.", most=MOST))
            return False
        self.counts[self.cursor] = seeds
        self._draw()
        return True

    def _finish(self) -> None:
        counts = list(self.counts.values())
        try:
            made = Position.from_counts(
                counts[:12], (counts[12], counts[13]), self.side, self._rules
            )
        except InvalidValueError as error:
            words = tr(
                "A position holds 1 to {most} seeds, not {number}.", most=MOST, number=sum(counts)
            )
            self._draw(words if error.field == "total" else str(error))
            return
        self.dismiss(made)


def moved(cursor: str, key: str, view: str, *, stores: bool = False) -> str:
    """Where an arrow key leads from a pit or a store."""
    above, below = rows(view)
    left, right = (STORES["N"], STORES["S"]) if view == "S" else (STORES["S"], STORES["N"])
    if cursor in (left, right):
        column, row = (-1 if cursor == left else 6), below
    else:
        row = below if cursor in below else above
        column = row.index(cursor)
    if key in ("up", "down"):
        row = above if key == "up" else below
    else:
        column += 1 if key == "right" else -1
    if stores:
        column = max(-1, min(6, column))
        if column in (-1, 6):
            return left if column == -1 else right
    return row[column % 6]


def _all(position: Position) -> list[int]:
    return [*position.pits, *position.stores]
