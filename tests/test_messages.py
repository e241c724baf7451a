"""The texts of `wari play` in every language: none is missing, none is untranslatable."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
import wari
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po
from cli_tools import call, run
from wari.cli import language

pytestmark = pytest.mark.usefixtures("quick_engine")
ROOT = Path(__file__).resolve().parent.parent
CLI = ROOT / "python" / "wari" / "cli"
OTHERS = [code for code in language.LANGUAGES if code != "en"]
# The modules whose words a player can see.
PLAY = ("line_ui", "game_session", "reviewing", "play_commands", "words", "board", "files")
MODULES = [*(CLI / f"{name}.py" for name in PLAY), *sorted((CLI / "tui").glob("*.py"))]
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"


Texts = dict[tuple[str, ...], list[str]]  # a text, or its singular and plural; what it became


def texts_of(path: Path, code: str | None = None) -> Texts:
    """The texts of a catalogue, none of which may be obsolete or doubtful."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=code)
    assert not catalog.obsolete
    found: Texts = {}
    for message in list(catalog)[1:]:  # behind the header
        assert not message.fuzzy, message.id
        key = (message.id,) if isinstance(message.id, str) else tuple(message.id)
        text = message.string or ""
        found[key] = [text] if isinstance(text, str) else list(text)
    return found


def source(code: str) -> Path:
    """The catalogue as it is written by people."""
    return ROOT / "python" / "wari" / "locale" / code / "LC_MESSAGES" / "wari.po"


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    """Every text to translate, as `pybabel extract` collects them."""
    path = tmp_path_factory.mktemp("texts") / "wari.pot"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.syspath_prepend(str(ROOT))
        command = ["pybabel", "--quiet", "extract", "--output-file", str(path)]
        CommandLineInterface().run(command)  # type: ignore[no-untyped-call]
    return texts_of(path)


def names(text: str) -> list[str]:
    """The names in braces that a text has filled in."""
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


# --- the catalogues ---------------------------------------------------------------------------


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_translated_with_the_same_names(collected: Texts, code: str) -> None:
    """Babel says what is new or gone; that a text is there, and its {names}, it does not."""
    texts = texts_of(source(code), code)
    assert texts.keys() == collected.keys(), "run PYTHONPATH=. pybabel extract && pybabel update"
    for key, translations in texts.items():
        assert len(translations) == len(key)
        for original, text in zip(key, translations, strict=True):
            assert text.strip(), f"{code}: {key}"
            assert names(text) == names(original), f"{code}: {key}"
            assert text[-1:] == original[-1:] or original[-1].isalnum(), f"{code}: {key}"


@pytest.mark.parametrize("code", OTHERS)
def test_the_built_catalogues_are_those_of_the_sources(code: str) -> None:
    built = language.catalogue(code)
    for key, translations in texts_of(source(code), code).items():
        if len(key) == 1:
            assert built.gettext(key[0]) == translations[0], "build the package again"
        else:
            one, many = key
            assert [built.ngettext(one, many, number) for number in (1, 2)] == translations


def test_codes_of_the_core_are_all_in_the_catalogues(collected: Texts) -> None:
    for text in (*wari.ENDINGS.values(), *wari.REFUSALS.values(), *wari.PRESET_ORIGINS.values()):
        assert (text,) in collected


def test_a_package_that_was_not_built_speaks_english_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, and does not begin in a language that was not asked for."""
    monkeypatch.setattr(wari, "__path__", [str(tmp_path)])
    assert call("play", "--two", "--language", "en").code == 0
    result = call("play", "--two", "--language", "gl")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("wari: error: language: the texts in gl are compiled when wari ")


def outside(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The texts of a module that are neither marked for translation nor documentation nor style."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "trn", "mark"):
            continue
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any("CSS" in ast.unparse(target) for target in targets):
                continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value.strip()
        yield from outside(node)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_words_stand_outside_the_catalogues(path: Path) -> None:
    shown = {"wari"}
    known = shown | {"This is", "bold cyan", "bold yellow"}
    for number, text in outside(ast.parse(path.read_text(encoding="utf-8"))):
        sentence = re.search(
            r"[a-z]{3,}[,.:;]? [a-z]{2,}|[A-Z][a-z]{2,} [a-z]{2,}|[a-z]{3}\.$", text
        )
        assert text in known or sentence is None, f"{path.name}:{number}: {text!r}"


def test_what_is_put_on_the_screen_is_translated() -> None:
    """A single word does not look different from a code, so look at where words are shown."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in ("say", "Span"):
                    text = str(node.args[0].value).strip()
                    assert text == "wari" or not re.search(r"\w", text), (path.name, text)


# --- which language is spoken -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "gl"}, "gl"),
        ({"LANG": "es_AR@euro", "LC_MESSAGES": "gl_ES.UTF-8"}, "gl"),
        ({"LANG": "es_ES", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "es_ES", "LC_ALL": ""}, "es"),
        ({"LANG": "en_GB", "LANGUAGE": "fr:gl:es"}, "gl"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({"LANGUAGE": "C:es"}, "en"),
    ],
)
def test_the_environment_decides(environment: dict[str, str], code: str) -> None:
    assert language.wanted(environment) == code


def test_a_language_lasts_as_long_as_its_context() -> None:
    with language.speaking("es"):
        assert language.spoken() == "es"
        assert language.tr("South") == "Sur"
        with language.speaking("en"):
            assert language.tr("South") == "South"
        one, many = "Taken back: {number} move.", "Taken back: {number} moves."
        assert language.trn(one, many, 1) == "Deshecha 1 jugada."
        assert language.trn(one, many, 2) == "Deshechas 2 jugadas."
    assert language.tr("South") == "South"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("es", ("Sur> F", "Sur juega F.", "ese hoyo está vacío", "La partida terminó.")),
        ("gl", ("Sur> F", "Sur xoga F.", "esa pía está baleira", "A partida rematou.")),
    ],
)
def test_a_game_in_lines(code: str, words: tuple[str, ...]) -> None:
    typed = "F\nf\nF\nhint\nsave\nmoves\nhelp\nrules\nresign\nundo\nnew\nf\nxyz\nquit\n"
    result = call("play", "--two", "--language", code, typed=typed)
    assert result.code == 0
    for part in words:
        assert part in result.out
    assert not re.search(r"\b(the|South|North|move|seeds)\b", result.out), result.out
    assert call("play", "--two", typed="F\n").out.count("South plays F.") == 1, "English again"


@pytest.mark.process
def test_other_commands_speak_english() -> None:
    done = run("analyse", START, "--depth", "2")
    assert "values are South's lead" in done.out


def test_an_unknown_language_is_refused() -> None:
    result = call("play", "--language", "fr")
    assert (result.code, result.out) == (2, "")
    assert result.err == "wari: error: language: expected one of en, es, gl, not 'fr'\n"


def test_what_is_wrong_with_a_file_is_told_in_the_language(tmp_path: Path) -> None:
    """The system's words, too, where people meet them; the core's stand behind words of ours."""
    typed = f"load {tmp_path}/none\nsave {tmp_path}/no/x\nload {tmp_path}\nposition 1-2\nnew foo\n"
    out = call("play", "--two", "--language", "gl", typed=typed).out
    for words in (
        "none': non existe ese ficheiro ou cartafol",
        "x': non se pode escribir o ficheiro, que está como estaba: non existe ese ficheiro",
        "': é un cartafol",
        "Non hai tal posición: position: expected 15 fields",
        "Non hai tales regras: rules: unknown preset",
    ):
        assert words in out
