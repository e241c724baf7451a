"""The form for a new game: who plays, how strong, with which clock, by which rules."""

import textwrap
from dataclasses import dataclass
from typing import Any, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Click, Key
from textual.screen import ModalScreen

from wari import AXES, PRESET_ORIGINS, PRESETS, Rules
from wari.cli.board import Line, Span
from wari.cli.clock import Budget
from wari.cli.language import mark, tr
from wari.cli.tui.widgets import Keys, Lines
from wari.levels import LEVELS

PLAYERS = {
    "S": mark("you South, the engine North"),
    "N": mark("the engine South, you North"),
    "two": mark("two people"),
    "watch": mark("the engine on both sides"),
}
BUDGETS = [None, *(Budget(*pair) for pair in ((1, 0), (3, 2), (5, 3), (10, 5), (15, 10), (30, 0)))]
WIDTH = 76
HEAD = 24  # where the values begin


@dataclass
class Row:
    """A line of the form: a name and the values to choose from."""

    name: str
    label: str
    values: list[Any]
    now: int

    @property
    def value(self) -> Any:
        """What is chosen."""
        return self.values[self.now]


class Settings(NamedTuple):
    """What was chosen. `fresh`: for a new game; else the one on the board goes on."""

    players: str
    level: int
    north_level: int
    clock: Budget | None
    rules: Rules
    fresh: bool


class SettingsScreen(ModalScreen[Settings | None]):
    """A list of lines whose values the arrow keys change."""

    DEFAULT_CSS = """
    SettingsScreen { align: center middle; background: $background; }
    SettingsScreen > Vertical { width: 80; height: 23; padding: 0 1; }
    SettingsScreen Lines { height: auto; width: 78; }
    """

    def __init__(self, now: Settings) -> None:
        super().__init__()
        clocks = BUDGETS if now.clock in BUDGETS else [*BUDGETS, now.clock]
        self.rows = [
            _row("players", tr("players"), list(PLAYERS), now.players),
            _row("level", tr("level"), list(LEVELS), now.level),
            _row("north_level", tr("North's level"), list(LEVELS), now.north_level),
            _row("clock", tr("clock"), clocks, now.clock),
            _row("preset", tr("rules"), list(PRESETS), str(now.rules).split(",")[0]),
        ]
        for axis, value in now.rules.to_dict().items():
            self.rows.append(_row(axis, f"  {axis}", list(AXES[axis].values), value))
        self.focus_row = 0

    def compose(self) -> ComposeResult:
        """The form and its keys."""
        with Vertical():
            yield Lines("form", self._form())
            yield Lines("words", self._explained())
        yield Keys(
            {
                "Enter": tr("new game"),
                "g": tr("go on with this game, other players"),
                "Esc": tr("back"),
            }
        )

    @property
    def rules(self) -> Rules:
        """The rules that the axes make."""
        return Rules.from_dict({row.name: row.value for row in self.rows[5:]})

    def _draw(self) -> None:
        self.query_one("#form", Lines).show(self._form())
        self.query_one("#words", Lines).show(self._explained())

    def _form(self) -> list[Line]:
        title = tr("New game: arrows choose and change. Rules: {rules}", rules=self.rules)
        lines: list[Line] = [[Span(title, "head")], []]
        for number, row in enumerate(self.rows):
            focused = number == self.focus_row
            style = "mover" if focused else ""
            head = ("▶ " if focused else "  ") + row.label
            value = _shown(row)
            lines.append(
                [Span(head.ljust(HEAD), style), Span(f"← {value} →" if focused else value, style)]
            )
        return [*lines, []]

    def _explained(self) -> list[Line]:
        """What the value in focus means, on as many lines as it takes."""
        return [[Span(part)] for part in textwrap.wrap(self._meaning(), WIDTH)]

    def _meaning(self) -> str:
        row = self.rows[self.focus_row]
        if row.name == "preset":
            return tr(PRESET_ORIGINS[row.value])
        if row.name == "north_level":
            return tr("Only where the engine plays both sides.")
        if row.name == "clock":
            return tr("Minutes for each side + seconds for each move; --clock takes others.")
        if row.name in AXES and row.name != "seeds_per_pit":
            return tr(AXES[row.name].values[row.value])
        return tr(AXES[row.name].question) if row.name in AXES else ""

    def change(self, by: int) -> None:
        """Another value for the line in focus; a preset sets every axis."""
        row = self.rows[self.focus_row]
        row.now = (row.now + by) % len(row.values)
        if row.name == "preset":
            for axis, value in Rules.preset(row.value).to_dict().items():
                found = next(other for other in self.rows if other.name == axis)
                found.now = found.values.index(value)
        self._draw()

    def on_key(self, event: Key) -> None:
        """Arrows, Enter, g, Esc."""
        if event.key in ("up", "down"):
            self.focus_row = (self.focus_row + (1 if event.key == "down" else -1)) % len(self.rows)
            self._draw()
        elif event.key in ("left", "right"):
            self.change(1 if event.key == "right" else -1)
        else:
            self._leave_by(event.key)
            return
        event.stop()
        event.prevent_default()

    def on_click(self, event: Click) -> None:
        """The first click chooses a line, the next ones change it."""
        if not isinstance(event.widget, Lines) or event.widget.id != "form":
            return
        number = event.y - 2
        if not 0 <= number < len(self.rows):
            return
        if number == self.focus_row:
            self.change(-1 if event.x < HEAD + 2 else 1)
        else:
            self.focus_row = number
            self._draw()

    def on_keys_pressed(self, event: Keys.Pressed) -> None:
        """A click on a key's words."""
        self._leave_by({"Enter": "enter", "Esc": "escape"}.get(event.key, event.key))

    def _leave_by(self, key: str) -> None:
        if key == "escape":
            self.dismiss(None)
        elif key in ("enter", "g"):
            players, level, north_level, clock = (row.value for row in self.rows[:4])
            fresh = key == "enter"
            self.dismiss(Settings(players, level, north_level, clock, self.rules, fresh))


def _row(name: str, label: str, values: list[Any], now: Any) -> Row:
    return Row(name, label, values, values.index(now))


def _shown(row: Row) -> str:
    value = row.value
    if row.name == "players":
        return tr(PLAYERS[value])
    if row.name == "clock":
        return tr("none") if value is None else str(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
