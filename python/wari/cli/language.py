"""The language that a game is played in: texts, looked up through gettext.

Texts are English in the code and serve as keys; Babel collects them into the catalogues of
`wari/locale` and compiles these when the package is built.
"""

import gettext
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import wari
from wari.errors import InvalidValueError

LANGUAGES = {"en": "English", "es": "Español", "gl": "Galego"}
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides
DOMAIN = "wari"
FOLDER = "locale"  # in the package; an editable one has its built part in a folder of its own


class _Speaker:
    """The catalogue in use. Only `wari play` changes it, so other commands speak English."""

    def __init__(self) -> None:
        self.language = "en"
        self.texts = gettext.NullTranslations()


_speaker = _Speaker()


def wanted(environment: Mapping[str, str] = os.environ) -> str:
    """The first known language that the environment asks for, as gettext reads it; else English."""
    asked = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    for locale in asked.split(":"):
        language = locale.split(".")[0].split("@")[0].split("_")[0].lower()
        if language in LANGUAGES:
            return language
        if language in ("c", "posix"):
            break
    return "en"


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """A context in which texts are in that language.

    Raises InvalidValueError where the package was not built, so that only English is there.
    """
    before = _speaker.language, _speaker.texts
    _speaker.language, _speaker.texts = language, catalogue(language)
    try:
        yield
    finally:
        _speaker.language, _speaker.texts = before


def catalogue(language: str) -> gettext.NullTranslations:
    """The texts of a language. Raises InvalidValueError where they were not built."""
    if language == "en":
        return gettext.NullTranslations()
    for folder in wari.__path__:
        if found := gettext.find(DOMAIN, f"{folder}/{FOLDER}", [language]):
            with Path(found).open("rb") as file:
                return gettext.GNUTranslations(file)
    raise InvalidValueError(
        f"language: the texts in {language} are compiled when wari is built; install it, or use en",
        "language",
    )


def spoken() -> str:
    """The code of the language in use."""
    return _speaker.language


def tr(text: str, /, **values: object) -> str:
    """A text in the language in use, its {names} filled in."""
    found = _speaker.texts.gettext(text) if text else ""
    return found.format(**values) if values else found


def trn(one: str, many: str, number: int, /, **values: object) -> str:
    """The same for a text that depends on a number, which fills {number}."""
    return _speaker.texts.ngettext(one, many, number).format(number=number, **values)


def mark(text: str) -> str:
    """A text that is looked up later, with `tr`, where it is shown."""
    return text
