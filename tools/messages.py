"""Collects the texts that are translated, brings the catalogues up to date, compiles them.

    python tools/messages.py            update the .po files, compile the .mo files
    python tools/messages.py --check    say what is missing or stale; exit code 1 if anything is

Texts stand in the code as tr("..."), trn("...", "...") and mark("..."); the core's words for
endings, refusals and rules are added from the installed package. Catalogues are those of GNU
gettext, so any of its editors serves.
"""

from __future__ import annotations

import argparse
import ast
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "python" / "wari" / "cli"
LOCALE = ROOT / "python" / "wari" / "locale"
LANGUAGES = ("es", "gl")
CALLS = {"tr": 1, "mark": 1, "trn": 2}  # functions, and how many of their arguments are texts
PLURALS = "nplurals=2; plural=(n != 1);"
Key = tuple[str, ...]  # a text, or its singular and plural


@dataclass
class Entry:
    """A text of a catalogue."""

    key: Key
    translations: list[str]
    places: list[str] = field(default_factory=list)
    fuzzy: bool = False
    obsolete: bool = False


# --- collecting -------------------------------------------------------------------------------


def collected() -> dict[Key, list[str]]:
    """Every text to translate, and where it stands."""
    found: dict[Key, list[str]] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        for key in texts_in(ast.parse(path.read_text(encoding="utf-8"))):
            places = found.setdefault(key, [])
            name = str(path.relative_to(ROOT))
            if name not in places:
                places.append(name)
    for text in core_texts():
        found.setdefault((text,), []).append("the core")
    return found


def texts_in(tree: ast.AST) -> Iterator[Key]:
    """The texts that a module marks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            count = CALLS.get(node.func.id, 0)
            values = [getattr(argument, "value", None) for argument in node.args[:count]]
            texts = tuple(value for value in values if isinstance(value, str) and value)
            if count and len(texts) == count:
                yield texts


def core_texts() -> Iterator[str]:
    """The words that the core has for its codes."""
    import wari

    yield from wari.ENDINGS.values()
    yield from wari.REFUSALS.values()
    yield from wari.PRESET_ORIGINS.values()
    for axis in wari.AXES.values():
        yield axis.question
        if axis.name != "seeds_per_pit":
            yield from axis.values.values()


# --- catalogues -------------------------------------------------------------------------------


def read(path: Path) -> tuple[str, dict[Key, Entry]]:
    """The header and the entries of a .po file."""
    header, entries = "", {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        entry = _entry(block)
        if entry is None:
            continue
        if entry.key == ("",):
            header = entry.translations[0]
        elif not entry.obsolete:
            entries[entry.key] = entry
    return header, entries


def _entry(block: str) -> Entry | None:
    parts: dict[str, str] = {}
    name, flags, obsolete = "", "", False
    for line in block.splitlines():
        obsolete |= line.startswith("#~")
        if line.startswith("#,"):
            flags += line
        if line.startswith("#"):
            continue
        if not line.startswith('"'):
            name, _, line = line.partition(" ")
        parts[name] = parts.get(name, "") + ast.literal_eval(line)
    if "msgid" not in parts:
        return None
    key = (parts["msgid"],) + ((parts["msgid_plural"],) if "msgid_plural" in parts else ())
    translations = [text for name, text in parts.items() if name.startswith("msgstr")]
    return Entry(key, translations, fuzzy="fuzzy" in flags, obsolete=obsolete)


def quoted(text: str) -> str:
    """A text as a .po file writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def written(header: str, entries: dict[Key, Entry]) -> str:
    """The text of a .po file."""
    blocks = ['msgid ""\nmsgstr ""\n' + "\n".join(map(quoted, header.splitlines(keepends=True)))]
    for entry in entries.values():
        lines = [f"#: {' '.join(place.replace(' ', '_') for place in entry.places)}"]
        lines += ["#, fuzzy"] if entry.fuzzy else []
        lines.append(f"msgid {quoted(entry.key[0])}")
        if len(entry.key) == 2:
            lines.append(f"msgid_plural {quoted(entry.key[1])}")
            lines += [f"msgstr[{i}] {quoted(text)}" for i, text in enumerate(entry.translations)]
        else:
            lines.append(f"msgstr {quoted(entry.translations[0])}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def compiled(header: str, entries: dict[Key, Entry]) -> bytes:
    """The bytes of a .mo file: two tables of lengths and offsets, then the texts."""
    pairs = {"": header}
    for entry in entries.values():
        if all(entry.translations) and not entry.fuzzy:
            pairs["\0".join(entry.key)] = "\0".join(entry.translations)
    encoded = sorted((key.encode(), text.encode()) for key, text in pairs.items())
    heads = 7 * 4
    offset = heads + 2 * 8 * len(encoded)
    tables, data = [b"", b""], b""
    for column in (0, 1):
        for pair in encoded:
            tables[column] += struct.pack("<II", len(pair[column]), offset + len(data))
            data += pair[column] + b"\0"
    begin = (heads, heads + 8 * len(encoded))
    head = struct.pack("<7I", 0x950412DE, 0, len(encoded), *begin, 0, offset)
    return head + tables[0] + tables[1] + data


def path_of(language: str, suffix: str) -> Path:
    """Where a catalogue lies."""
    return LOCALE / language / "LC_MESSAGES" / f"wari.{suffix}"


def merged(language: str) -> tuple[str, dict[Key, Entry]]:
    """A catalogue with exactly the texts of today, in the order of the code."""
    header = (
        f"Project-Id-Version: wari\nLanguage: {language}\nMIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"
        f"Plural-Forms: {PLURALS}\n"
    )
    path = path_of(language, "po")
    known = read(path)[1] if path.exists() else {}
    entries = {}
    for key, places in collected().items():
        old = known.get(key)
        translations = old.translations if old else [""] * len(key)
        entries[key] = Entry(key, translations, places, fuzzy=old.fuzzy if old else False)
    return header, entries


def main() -> int:
    """Update or check every language."""
    parser = argparse.ArgumentParser(description="Update, compile or check the translations.")
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 if stale")
    check = parser.parse_args().check
    stale = 0
    for language in LANGUAGES:
        header, entries = merged(language)
        for suffix, data in (
            ("po", written(header, entries).encode()),
            ("mo", compiled(header, entries)),
        ):
            path = path_of(language, suffix)
            if path.exists() and path.read_bytes() == data:
                continue
            if check:
                print(f"{path.relative_to(ROOT)}: stale; run python tools/messages.py")
                stale += 1
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        for entry in entries.values():
            if entry.fuzzy or not all(entry.translations):
                print(f"{language}: not translated: {entry.key[0]!r}")
                stale += 1
    return min(stale, 1)


if __name__ == "__main__":
    sys.exit(main())
