"""What any bytes may do to the package: be read, or be refused with an error that it documents."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import wari
from reference.table_file import crc32c
from wari import ogn
from wari._reading import text_of, whole_text
from wari.uci import protocol
from wari.uci.server import serve

RULES = ("wari", "abapa", "awari", "ouri")
# These would take the machine: memory, threads, another person's files.
_LEFT_OUT = re.compile(rb"hash|threads", re.IGNORECASE)
_MOST_GOES = 3
_COMMANDS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def feed_rules(text: str) -> None:
    """Rules as text and as an option's value."""
    try:
        rules = wari.Rules.parse(text)
    except wari.InvalidValueError:
        return
    assert wari.Rules.parse(str(rules)) == rules
    assert wari.Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


def feed_position(text: str) -> None:
    """A position: the first line its rules, the second the position, the rest moves."""
    rules, _, rest = text.partition("\n")
    position, _, moves = rest.partition("\n")
    try:
        start = wari.Position.parse(position, rules)
        game = wari.Game(start=start)
        game.push_all(moves)
    except (wari.InvalidValueError, wari.IllegalMoveError):
        return
    assert wari.Position.parse(str(start), rules) == start
    assert wari.Game.replay("".join(game.moves), rules, start) == game
    while len(game):
        game.pop()
    assert game.position == start


def feed_ogn(text: str) -> None:
    """Games as OGN: what is read is written so that it is read again."""
    errors: list[ogn.OgnError] = []
    records = ogn.loads(text, errors=errors)
    assert all(error.line >= 1 and error.column >= 1 for error in errors)
    try:
        strict = ogn.loads(text)
    except ogn.OgnError as error:
        strict = error.records
    assert strict == (records if not errors else records[: len(strict)])
    for record in records:
        try:
            written = ogn.dumps(record)
        except wari.InvalidValueError:
            continue
        assert ogn.first(written).line == record.line


def feed_record(text: str) -> None:
    """A game as JSON."""
    try:
        game = wari.Game.from_json(text)
    except (wari.InvalidValueError, wari.IllegalMoveError):
        return
    assert wari.Game.from_json(game.to_json()) == game


def feed_text_file(data: bytes) -> None:
    """A file of any encoding, as OGN and as JSON: refused, or nothing kept commands a terminal."""
    errors: list[ogn.OgnError] = []
    try:
        file = text_of(io.BytesIO(data), "x", errors="surrogateescape")
        for record in ogn.read(ogn.file_lines(file), errors=errors):
            kept = [text for line in record.lines() for text in line.before]
            kept += [text for move in record.line.moves for text in move.comments]
            kept += [text for tag in record.tags.items() for text in tag]
            assert not any(_COMMANDS.search(text) for text in kept)
    except wari.InvalidValueError:
        pass
    assert all(error.line >= 1 and error.column >= 1 for error in errors)
    with contextlib.suppress(wari.InvalidValueError, wari.IllegalMoveError):
        wari.Game.from_json(whole_text(io.BytesIO(data), "x"))


def feed_uci_server(data: bytes) -> None:
    """Lines to `wari uci`: it answers, and ends at the end of its input."""
    lines, goes = [], 0
    for line in data.split(b"\n")[:60]:
        word = line.split()[:1]
        goes += word == [b"go"]
        if not _LEFT_OUT.search(line) and (word != [b"go"] or goes <= _MOST_GOES):
            lines.append(line)
    heard = io.BytesIO()
    serve(io.BytesIO(b"\n".join(lines) + b"\nstop\nisready\nquit\n"), heard)
    said = heard.getvalue().decode().splitlines()
    assert all(line.isprintable() for line in said)
    sent = ["".join(line.decode("utf-8", "replace").split()[:1]) for line in lines]
    sent += ["isready", "quit"]
    obeyed = sent[: sent.index("quit")]
    assert said.count("readyok") == obeyed.count("isready")
    assert sum(line.startswith("bestmove ") for line in said) == obeyed.count("go")


def feed_uci_client(text: str) -> None:
    """A line of another engine, as the client reads it."""
    for line in (text, f"info {text}", f"option name {text}", f"bestmove {text}"):
        info = protocol.parse_info(line)
        assert info.bound in ("estimate", "lower", "upper")
        assert all(len(move) == 1 for move in info.pv)
        option = protocol.parse_option(line)
        assert option is None or (option.name and option.type)
        protocol.parse_best_move(line)


def feed_table(data: bytes) -> None:
    """A file as a table: opened, asked everywhere and proved, or refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.wtb"
        path.write_bytes(data)
        try:
            table = wari.Tablebase.open(path)
            for seeds in range(1, min(table.seeds, 4) + 1):
                for own in range(seeds + 1):
                    pits = [own, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, seeds - own]
                    found = table.probe(wari.Position.from_counts(pits, rules=table.rules))
                    assert -seeds <= found.lower <= found.upper <= seeds
            table.verify()
        except wari.TableFileError:
            return


def feed_proof(data: bytes) -> None:
    """A file as a proof, its checksum as it is and made right: gone on from, or refused."""
    with tempfile.TemporaryDirectory() as folder, wari.Engine(hash_mb=1, tablebase=None) as engine:
        path = Path(folder) / "fuzz.proof"
        for body in (data, data[:-4] + crc32c(data[:-4]).to_bytes(4, "little")):
            path.write_bytes(body)
            try:
                position = engine.load_proof(path)
            except (wari.TableFileError, wari.NotEnoughMemoryError):
                continue
            found = engine.solve(position, nodes=2_000)
            seeds = sum(position.pits)
            south, north = position.stores
            ahead = south - north if position.side == "S" else north - south
            assert ahead - seeds <= found.lower <= found.upper <= ahead + seeds
            if found.move is not None and position.ending != "majority":
                assert position.is_legal(found.move)
            if found.ending is None:
                engine.save_proof(path)
                assert engine.load_proof(path) == position


TEXT: dict[str, Callable[[str], None]] = {
    "rules": feed_rules,
    "position": feed_position,
    "ogn": feed_ogn,
    "record": feed_record,
    "uci_client": feed_uci_client,
}
BYTES: dict[str, Callable[[bytes], None]] = {
    "text_file": feed_text_file,
    "uci_server": feed_uci_server,
    "table": feed_table,
    "proof": feed_proof,
}
