"""A person at the full screen of `wari play`, without a terminal."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import wari
from textual.pilot import Pilot
from wari.cli.board import plain
from wari.cli.clock import Clock
from wari.cli.game_session import GameSession
from wari.cli.language import speaking
from wari.cli.tui.app import Table
from wari.cli.tui.picture import draw
from wari.cli.tui.widgets import Board, Lines
from wari.levels import Engines

Play = Callable[["Seat"], Awaitable[None]]


class Seat:
    """A person at the board: presses keys and looks at what is shown."""

    def __init__(self, table: Table, pilot: Pilot[int]) -> None:
        self.table = table
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.shown()
            await self.pilot.pause(0.02)

    def text(self, name: str) -> str:
        """The words of one part of the screen."""
        return self.table.screen.query_one(f"#{name}", Lines).words

    def board(self) -> str:
        """The board as plain lines."""
        return "\n".join(plain(draw(self.table.screen.query_one(Board).picture)))

    def shown(self) -> str:
        """Everything that is on the screen."""
        strips = self.table.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)


class Watch:
    """A watch that is set by hand."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


class Ponderer:
    """An opponent that thinks until it is stopped, and costs no time of the processor."""

    level = 9
    takes_its_time = True

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def prepare(self) -> None:
        self.stopped.clear()

    def stop(self) -> None:
        self.stopped.set()

    def choose(self, game: wari.Game, limits: object) -> str:
        assert self.stopped.wait(60)
        return game.legal_moves()[0]


def sit(
    play: Play,
    *,
    engine_sides: str = "",
    level: int = 1,
    game: wari.Game | None = None,
    clock: Clock | None = None,
    animated: bool = False,
    language: str = "en",
    opponent: Ponderer | None = None,
) -> tuple[int | None, Table]:
    """Let `play` drive a table of 80x24; the exit code and the table."""

    async def main(table: Table) -> int | None:
        async with table.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await play(Seat(table, pilot))
        return table.return_value

    with Engines(1, 1, 4) as engines, speaking(language):
        seats: dict[str, Any] = {
            side: engines.opponent(level if side in engine_sides else None) for side in "SN"
        }
        if opponent is not None:
            seats["N"] = opponent
        made = game or wari.Game()
        session = GameSession(made, seats, "S", engines, clock=clock)
        table = Table(session, engines, animated=animated)
        return asyncio.run(main(table)), table
