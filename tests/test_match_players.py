"""Players of a match that are no UCI engines: levels, chance, engines and classes of the caller."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
import wari
from cli_tools import call
from wari.levels import LevelPlayer
from wari.match import (
    Duel,
    EngineCommand,
    EnginePlayer,
    LevelSpec,
    Match,
    Pace,
    Player,
    RandomPlayer,
    RandomSpec,
    parse_player,
    random_openings,
)
from wari.match.duel import CancelledDuel

ABAPA = wari.Rules.preset("abapa")
OPENINGS = random_openings(ABAPA, 3, plies=60)  # short games


class First:
    """Plays the first legal move, and notes what it is asked."""

    name = "first"

    def __init__(self, answer: str | None = None) -> None:
        self.answer = answer
        self.limits: list[wari.Limits] = []
        self.games = self.closed = 0

    def new_game(self) -> None:
        self.games += 1

    def choose(self, game: wari.Game, limits: wari.Limits) -> str:
        self.limits.append(limits)
        return self.answer or game.legal_moves()[0]

    def stop(self) -> None:
        pass

    def close(self) -> None:
        self.closed += 1


def match(first: Any, second: Any, pace: Pace | None = None, **options: Any) -> Match:
    pace = pace or Pace(depth=2)
    return Match(first, second, pace, ABAPA, OPENINGS, games=4, **options)


def test_four_kinds_are_players() -> None:
    """And what starts a player is none itself."""
    engine = wari.Engine(hash_mb=1, tablebase=None)
    level = LevelPlayer(1, 1, 1, 1, None)
    for player in (EnginePlayer(engine), level, RandomPlayer(1), First()):
        assert isinstance(player, Player)
        player.new_game()
        game = wari.Game("abapa")
        clock = wari.Clock(10.0, 0.5)
        limits = wari.Limits(depth=2, nodes=500, time=1.0, clock=clock)
        assert player.choose(game, limits) in game.legal_moves()
        assert len(game) == 0
        player.stop()
        player.close()
        player.close()
    client: type[Player] = wari.uci.Client  # as mypy sees it; it needs a process
    assert {"new_game", "choose", "stop", "close", "name"} <= set(dir(client))
    assert not isinstance(RandomSpec(), Player)


@pytest.mark.parametrize("make", [lambda: RandomPlayer(3), lambda: First()])
def test_a_finished_game_has_no_move(make: Any) -> None:
    game = wari.Game("abapa")
    game.agree()
    with pytest.raises((wari.GameOverError, IndexError)):
        make().choose(game, wari.Limits())


def test_seeds_decide_the_games_whatever_the_order() -> None:
    """Several games at once are the same games; another seed gives others."""

    def results(seed: int, concurrency: int) -> list[str]:
        sides = RandomSpec(seed), LevelSpec(2, seed)
        played = match(*sides, concurrency=concurrency)
        played.run()
        return [played.played[number].result for number in range(4)]

    assert results(1, 1) == results(1, 3) != results(2, 1)


def test_a_match_goes_on_from_its_file(tmp_path: Path) -> None:
    """With the same seed only: other choices are another match."""
    path = tmp_path / "games.ogn"
    sides = RandomSpec(1), LevelSpec(1)
    match(*sides, path=path).run()
    whole = path.read_text()
    path.write_text("\n\n[Variant".join(whole.split("\n\n[Variant")[:3]) + "\n")
    again = match(*sides, path=path)
    again.run()
    assert path.read_text() == whole
    with pytest.raises(wari.InvalidValueError, match="other"):
        match(RandomSpec(2), LevelSpec(1), path=path).resume()


def test_a_player_of_the_caller_plays_and_stays_open() -> None:
    """It is asked for each move, with the pace of the match."""
    first = First()
    played = match(first, RandomSpec(), Pace(nodes=9, clock=(5.0, 0.25)))
    summary = played.run()
    assert (summary.games, first.games, first.closed) == (4, 4, 0)
    assert {(limits.nodes, limits.depth) for limits in first.limits} == {(9, None)}
    assert all(limits.clock and limits.clock.increment == 0.25 for limits in first.limits)
    with pytest.raises(wari.InvalidValueError, match="^concurrency: expected 1 where a player"):
        match(first, RandomSpec(), concurrency=2)
    wrong: Any = 5
    with pytest.raises(wari.InvalidValueError, match="^player: expected a Player or a PlayerSpec"):
        match(wrong, RandomSpec())


@pytest.mark.parametrize("answer", ["x", "Aa", ""])
def test_a_wrong_move_of_a_player_loses_the_game(answer: str) -> None:
    """As that of an engine does."""
    first = First(answer or "-")
    played = match(first, RandomSpec())
    played.run()
    games = played.played.values()
    assert all(game.fault and game.fault.startswith("first: ") for game in games)
    assert played.summary.losses == 4


def test_a_player_that_is_slow_loses_on_time() -> None:
    """In this process nothing ends it before."""

    class Slow(First):
        def choose(self, game: wari.Game, limits: wari.Limits) -> str:
            time.sleep(0.03)
            return super().choose(game, limits)

    played = match(Slow(), RandomSpec(), Pace(time=0.001, time_margin=0.005))
    played.run()
    assert {game.fault and game.fault[:18] for game in played.played.values()} == {
        "first: lost on tim"
    }


@pytest.mark.process
def test_stopping_a_duel_stops_a_level_that_thinks() -> None:
    """Long before its five seconds are over."""
    duel = Duel(LevelSpec(9), RandomSpec(), Pace())
    ends: list[BaseException] = []

    def play() -> None:
        try:
            duel.play(wari.Game("abapa"), first_is_south=True)
        except CancelledDuel as error:
            ends.append(error)

    began = time.process_time()
    thread = threading.Thread(target=play)
    thread.start()
    time.sleep(0.2)
    duel.stop()
    thread.join()
    duel.close()
    assert len(ends) == 1
    assert time.process_time() - began < 3


def test_players_as_text() -> None:
    """`level:N`, `random`, else a command; only engines have options."""
    assert parse_player("level:3", seed=4) == LevelSpec(3, 4)
    assert parse_player(" random ", "chance", seed=4) == RandomSpec(4, "chance")
    assert parse_player("./random").command == ("./random",)  # type: ignore[union-attr]
    assert isinstance(parse_player("wari Hash=1", None, {"Threads": "2"}), EngineCommand)
    for text in ("level:", "level:0", "level:10", "level:x", "level:03"):
        with pytest.raises(wari.InvalidValueError, match="^engine: expected level:1 to level:9"):
            parse_player(text)
    with pytest.raises(wari.InvalidValueError, match="^set: random has no options"):
        parse_player("random", options={"Hash": "1"})
    with pytest.raises(wari.InvalidValueError, match="^level: expected 1 to 9, not 0"):
        LevelSpec(0)
    with pytest.raises(wari.InvalidValueError, match="^seed: expected a whole number"):
        RandomPlayer(1.5)  # type: ignore[arg-type]
    wrong: Any = "wari"
    with pytest.raises(wari.InvalidValueError, match="^engine: expected an Engine"):
        EnginePlayer(wrong)


def test_levels_and_chance_on_the_command_line() -> None:
    """The same command gives the same games; the seed changes them."""
    words = ("match", "level:2", "random", "--games", "2", "--json")
    first, again = call(*words, "--seed", "3"), call(*words, "--seed", "3")
    assert (first.code, first.out) == (0, again.out)
    assert '"first": "level:2"' in first.out
    assert '"second": "random"' in first.out
    same = call("match", "random", "random", "--games", "2", "--json")
    assert '"second": "random 2"' in same.out
    for wrong, said in (
        (("level:12", "random"), "engine: expected level:1 to level:9, not 'level:12'"),
        (("random", "level:1", "--set1", "Hash=1"), "set: random has no options"),
    ):
        refused = call("match", *wrong)
        assert (refused.code, refused.err) == (2, f"wari: error: {said}\n")
