"""Proofs through Python: what they say, what they admit, how they go on."""

import itertools
import random
import re
from pathlib import Path

import pytest
import wari

NINE = "1-2-1-0-1-2-1-1-2-1-0-1-0-0-S"


def test_a_margin_is_proved_and_seen_from_both_seats() -> None:
    """Thirteen seeds, tables of ten."""
    position = wari.Position.parse(NINE, "awari")
    turned = wari.Position.from_counts(
        position.pits[6:] + position.pits[:6], side="N", rules="awari"
    )
    with wari.Engine(hash_mb=8) as engine:
        for asked, move in ((position, "F"), (turned, "f")):
            solution = engine.solve(asked, nodes=3_000_000)
            assert (solution.lower, solution.upper, solution.move) == (9, 9, move)
            assert solution.verdict == "win"
            assert str(solution) == "win by 9"


def test_what_is_not_proved_is_not_said() -> None:
    """The start is beyond any proof; work goes on from call to call."""
    seen: list[wari.Solution] = []
    with wari.Engine(hash_mb=8) as engine:
        solution = engine.solve(wari.Position("awari"), nodes=50_000, progress=seen.append)
        assert solution.verdict == "unknown"
        assert solution.lower < 0 < solution.upper
        assert str(solution).startswith("unknown, between -")
        position = wari.Position.parse(NINE, "awari")
        exact = [engine.solve(position, nodes=10_000).exact for _ in range(20)]
        assert not exact[0]
        assert exact[-1]
    assert all(later.lower >= first.lower for first, later in itertools.pairwise(seen))


def test_winner_only_stops_early() -> None:
    """Who wins takes less than by how much."""
    position = wari.Position.parse("1-2-2-1-0-2-1-2-0-0-2-1-3-3-S", "awari")
    with wari.Engine(hash_mb=8) as engine:
        first = engine.solve(position, nodes=5_000_000, winner_only=True)
        assert first.verdict != "unknown"
        engine.new_game()
        assert engine.solve(position, nodes=5_000_000).nodes >= first.nodes


def test_ended_games_have_their_result() -> None:
    """By the board, by history, and after a majority stop the margin if played out."""
    with wari.Engine(hash_mb=8) as engine:
        over = engine.solve("0-0-0-0-0-0-0-0-0-0-0-0-30-18-N")
        assert (over.verdict, over.lower, over.ending) == ("loss", -12, "empty_board")
        game = wari.Game("abapa", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
        game.push_all("AaBbCcDdEeFf")
        assert engine.solve(game).verdict == "draw"
        stopped = wari.Position.parse("1-0-0-0-0-0-0-0-0-0-0-1-26-20-S", "awari")
        assert stopped.is_over
        assert engine.solve(stopped, nodes=100_000).verdict == "win"


def test_bad_input_names_its_field() -> None:
    """As for analyse."""
    with wari.Engine(hash_mb=8) as engine:
        with pytest.raises(wari.InvalidValueError) as caught:
            engine.solve(wari.Position(), time=0)
        assert caught.value.field == "time"
        with pytest.raises(wari.InvalidValueError) as caught:
            engine.solve(wari.Position(), nodes=-1)
        assert caught.value.field == "nodes"


def test_progress_may_raise() -> None:
    """The error reaches the caller."""

    def progress(solution: wari.Solution) -> None:
        raise RuntimeError(str(solution.lower))

    with (
        wari.Engine(hash_mb=8) as engine,
        pytest.raises(RuntimeError, match=r"^-?\d+$"),
    ):
        engine.solve(wari.Position("awari"), progress=progress)


# --- proofs kept in files -------------------------------------------------------------------------

HARD = "6-0-0-1-1-0-2-2-0-1-2-1-0-0-S"
WIDE = "9-9-9-9-9-9-9-9-9-9-0-0-0-0-S"


@pytest.mark.parametrize("hash_mb", [4, 8, 64])
def test_another_engine_goes_on_from_a_file(tmp_path: Path, hash_mb: int) -> None:
    """Whatever its size: it begins where the other stopped, and needs far fewer nodes."""
    path = tmp_path / "nine.proof"
    position = wari.Position.parse(NINE, "awari")
    with wari.Engine(hash_mb=8) as engine:
        whole = engine.solve(position, nodes=5_000_000)
        assert whole.exact
        engine.new_game()
        part = engine.solve(position, nodes=20_000)
        assert not part.exact
        engine.save_proof(path)
    with wari.Engine(hash_mb=hash_mb) as engine:
        assert engine.load_proof(path) == position
        seen: list[wari.Solution] = []
        rest = engine.solve(position, nodes=5_000_000, progress=seen.append)
    assert (rest.lower, rest.upper, rest.move) == (9, 9, "F")
    assert seen[0].depth == part.depth
    assert (seen[0].lower, seen[0].upper) == (part.lower, part.upper)
    assert rest.nodes < whole.nodes


def test_a_file_serves_its_position_only(tmp_path: Path) -> None:
    """What was proved of one position is not said of another, nor with other moves before it."""
    path = tmp_path / "nine.proof"
    with wari.Engine(hash_mb=8, tablebase=None) as engine:
        engine.solve("0-0-0-0-0-1-1-0-0-0-0-0-0-0-S", nodes=100_000)
        engine.save_proof(path)
        other = wari.Position.parse("0-0-0-0-0-0-2-0-0-0-0-0-0-0-S")
        expected = engine.solve(other, nodes=100_000)
    with wari.Engine(hash_mb=8, tablebase=None) as engine:
        engine.load_proof(path)
        found = engine.solve(other, nodes=100_000)
        assert (found.lower, found.upper) == (expected.lower, expected.upper)


def test_boards_of_many_seeds_are_kept_too(tmp_path: Path) -> None:
    """Their entries have another form."""
    path = tmp_path / "wide.proof"
    with wari.Engine(hash_mb=8) as engine:
        first = engine.solve(WIDE, nodes=300_000)
        engine.save_proof(path)
        first_size = path.stat().st_size
    with wari.Engine(hash_mb=32) as engine:
        assert str(engine.load_proof(path)) == WIDE
        again = engine.solve(WIDE, nodes=10_000)
        assert again.depth >= first.depth
        engine.save_proof(path)
    assert path.stat().st_size >= first_size


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    """Each byte of the head, and a sample of the rest; and they leave the engine as it was."""
    path = tmp_path / "small.proof"
    with wari.Engine(hash_mb=1, tablebase=None) as engine:
        with pytest.raises(wari.InvalidValueError, match=r"^proof: no position"):
            engine.save_proof(path)
        engine.solve(HARD, nodes=3_000)
        engine.save_proof(path)
        whole = path.read_bytes()
        chance = random.Random(1)
        places = [*range(140), *(chance.randrange(len(whole)) for _ in range(200))]
        for place in places:
            damaged = bytearray(whole)
            damaged[place] ^= 1 << chance.randrange(8)
            path.write_bytes(damaged)
            with pytest.raises(wari.TableFileError, match=re.escape(str(path))):
                engine.load_proof(path)
        for size in (0, 7, 8, 55, 60, len(whole) - 1):
            path.write_bytes(whole[:size])
            with pytest.raises(wari.TableFileError):
                engine.load_proof(path)
        path.write_bytes(whole + b"\0")
        with pytest.raises(wari.TableFileError):
            engine.load_proof(path)
        path.write_bytes(b"a letter to my aunt")
        with pytest.raises(wari.TableFileError, match="not a proof"):
            engine.save_proof(path)
        assert path.read_bytes() == b"a letter to my aunt"
        with pytest.raises(wari.StorageError):
            engine.save_proof(tmp_path)
        with pytest.raises(wari.StorageError):
            engine.load_proof(tmp_path / "none")
        for name in ("", "a\0b", None):
            with pytest.raises(wari.InvalidValueError):
                engine.load_proof(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("preset", wari.PRESETS)
def test_threads_prove_the_same(preset: str) -> None:
    """Two threads prove nothing that one refutes: their bounds overlap, and meet where both end."""
    chance = random.Random(preset)
    alone = wari.Engine(hash_mb=8)
    together = wari.Engine(hash_mb=8, threads=3)
    with alone, together:
        for _ in range(6):
            pits = [chance.choice((0, 0, 1, 1, 2, 3)) for _ in range(12)]
            position = wari.Position.from_counts(pits, rules=preset)
            one = alone.solve(position, nodes=400_000)
            three = together.solve(position, nodes=400_000)
            assert max(one.lower, three.lower) <= min(one.upper, three.upper), position
            assert three.nodes <= 400_000 * 1.01 or three.ending is not None
