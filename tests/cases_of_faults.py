"""The faults other programs had, as plain data in the form of `cases`."""

from dataclasses import dataclass

from cases import EMPTY, PRESETS, RUNNING, SLAM, Case, but, under

ONE_EACH = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S"

FAULTS: list[Case] = [
    Case("fault 1", "abapa", SLAM, legal="AEF"),
    Case("fault 1", "abapa", SLAM, "F", after="1-0-0-0-2-0-3-2-3-0-0-0-20-17-N", captured=0),
    *under(("awari", "cairo", "nostarve"), Case("fault 2", "", SLAM, legal="AE")),
    Case(
        "fault 3",
        "wari",
        SLAM,
        "F",
        after="1-0-0-0-2-0-0-0-0-0-0-0-28-17-N",
        captured=8,
        legal="",
        ending="majority",
        result=(28, 17),
    ),
    Case("fault 4", "ouri", SLAM, legal="EF", refusals={"A": "single_seed"}),
    Case("fault 5", "abapa", "2-1-1-2-2-2-3-0-0-8-0-1-13-13-N", legal="adf"),
    Case(
        "fault 5",
        "abapa",
        "2-1-1-2-2-2-3-0-0-8-0-1-13-13-N",
        "d",
        after="3-2-2-3-3-3-3-0-0-0-1-2-13-13-S",
        captured=0,
    ),
    Case("fault 6", "abapa", "9-0-0-1-18-1-0-0-0-0-0-0-19-0-S", legal="AEF"),
    *under(
        ("wari", "awari"),
        Case(
            "fault 6",
            "",
            "9-0-0-1-18-1-0-0-0-0-0-0-19-0-S",
            legal="AF",
            refusals={"E": "must_feed", "D": "must_feed", "B": "empty_pit"},
        ),
    ),
    Case(
        "fault 7",
        "abapa",
        ONE_EACH,
        "F",
        after="0-0-0-0-0-0-2-0-0-0-0-0-23-23-N",
        captured=0,
        legal="",
        ending="stuck",
        result=(23, 25),
    ),
    Case("fault 8", "cairo", ONE_EACH, legal="", ending="stuck", result=(24, 24)),
    *under(but("singles"), Case("fault 9", "", "1-0-0-0-0-1-0-0-0-0-0-0-23-23-S", legal="F")),
    Case("fault 9", "singles", "1-0-0-0-0-1-0-0-0-0-0-0-23-23-S", legal="AF"),
    *under(
        but("singles"),
        Case(
            "fault 10",
            "",
            "1-1-0-0-0-0-0-0-0-0-0-0-23-23-S",
            legal="",
            ending="stuck",
            result=(25, 23),
        ),
    ),
    Case("fault 10", "singles", "1-1-0-0-0-0-0-0-0-0-0-0-23-23-S", legal="AB", ending=RUNNING),
    *under(
        PRESETS,
        Case(
            "fault 12",
            "",
            "1-0-0-0-0-3-1-0-1-1-0-0-20-21-S",
            "F",
            after="1-0-0-0-0-0-2-1-0-1-0-0-22-21-N",
            captured=2,
        ),
    ),
    *under(
        PRESETS,
        Case(
            "fault 13",
            "",
            "12-0-0-0-0-0-0-0-0-0-0-1-18-17-S",
            "A",
            after="0-2-1-1-1-1-1-1-1-1-1-2-18-17-N",
            captured=0,
        ),
    ),
    *under(
        PRESETS,
        Case(
            "fault 14",
            "",
            "11-0-0-0-0-0-1-0-0-0-0-1-18-17-S",
            "A",
            after="0-1-1-1-1-1-2-1-1-1-1-0-20-17-N",
            captured=2,
        ),
    ),
    *under(
        PRESETS,
        Case(
            "fault 15",
            "",
            "23-0-0-0-0-0-1-0-0-0-0-1-12-11-S",
            "A",
            after="0-3-2-2-2-2-3-2-2-2-2-3-12-11-N",
            captured=0,
        ),
    ),
    *under(
        PRESETS,
        Case(
            "fault 16",
            "",
            "34-0-0-0-0-1-1-0-0-0-0-1-6-5-S",
            "A",
            after="0-4-3-3-3-4-4-3-3-3-3-4-6-5-N",
            captured=0,
        ),
    ),
    *under(PRESETS, Case("fault 17", "", "6-0-0-0-0-0-0-0-0-0-0-0-20-22-S", legal="A")),
    *under(
        but("singles"),
        Case(
            "fault 18",
            "",
            "0-0-0-0-0-1-0-0-0-0-0-1-23-23-S",
            "F f A a B b C c D d E e",
            after="0-0-0-0-0-1-0-0-0-0-0-1-23-23-S",
            legal="",
            ending="repetition",
            result=(24, 24),
        ),
    ),
    Case(
        "fault 18",
        "singles",
        "0-0-0-0-0-1-0-0-0-0-0-1-23-23-S",
        "F",
        after=f"{EMPTY}-23-25-N",
        ending="emptied",
        result=(23, 25),
    ),
    # Fault 19: a stuck side has seeds, and so has the other: each pit to its owner, counted once.
    Case("fault 19", "cairo", "0-0-0-0-0-1-1-0-0-0-0-0-20-26-S", ending="stuck", result=(21, 27)),
    *under(
        ("wari", "nostarve", "abapa", "awari", "ouri"),
        Case(
            "fault 22",
            "",
            f"{EMPTY}-30-18-N",
            legal="",
            refusals={"a": "game_over"},
            ending="majority",
            result=(30, 18),
        ),
    ),
    *under(
        ("cairo", "singles"),
        Case("fault 22", "", f"{EMPTY}-30-18-S", legal="", ending="empty_board", result=(30, 18)),
    ),
    *under(
        PRESETS,
        Case("fault 22", "", f"{EMPTY}-24-24-S", legal="", ending="empty_board", result=(24, 24)),
    ),
    Case(
        "fault 23",
        "abapa",
        "1-0-0-0-0-3-1-0-1-1-0-0-23-18-S",
        "F",
        after="1-0-0-0-0-0-2-1-0-1-0-0-25-18-N",
        legal="",
        ending="majority",
        result=(25, 18),
    ),
    Case("fault 23", "cairo", "1-0-0-0-0-3-1-0-1-1-0-0-23-18-S", "F", ending=RUNNING),
]

# Fault 38: texts that are no position, and the word the message must hold.
BAD_TEXTS: list[tuple[str, str]] = [
    ("", "fields"),
    ("4-4-4-4-4-4-4-4-4-4-4-4-0-0", "fields"),
    ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-0-S", "fields"),
    ("4-4-x-4-4-4-4-4-4-4-4-4-0-0-S", "C"),
    ("4-4-4-4-4-4-4-4-4-+4-4-4-0-0-S", "d"),
    ("4-4-4-4-4-4-4-4-4-4-4-4-0--S", "store"),
    ("4-4-4-4-4-4-4-4-4-4-4-4-0.5-0-S", "store"),
    (f"{EMPTY}-0-0-S", "seeds"),
    ("97-0-0-0-0-0-0-0-0-0-0-0-0-0-S", "seeds"),
    ("8-8-8-8-8-8-8-8-8-8-8-8-1-0-N", "seeds"),
    ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "side"),
    ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-s", "side"),
]


@dataclass(frozen=True)
class HistoryCase:
    """Fault 27c: a game whose quiet history makes the truth differ from the table's value."""

    preset: str
    position: str
    moves: str
    table: int  # net seeds to come for the side to move, without history
    truth: int  # the same with the history: an earlier position recurs and ends the game


HISTORY: list[HistoryCase] = [
    HistoryCase("abapa", "1-0-0-0-0-1-0-0-0-0-1-0-0-0-S", "FaAeBbCcDfE", -3, -1),
    HistoryCase("awari", "1-0-0-0-0-1-0-0-0-0-1-0-0-0-S", "FaAeBbCcDfE", -3, 0),
    HistoryCase("awari", "0-0-0-1-0-1-0-0-0-1-0-0-0-0-S", "DdFeEfAaBbC", 3, 0),
    HistoryCase("abapa", "1-1-0-0-0-0-1-0-0-0-0-0-0-0-S", "BaCbAcDdEe", 3, 1),
    HistoryCase("abapa", "1-0-0-0-0-2-0-0-0-0-0-0-0-0-S", "FbAcBdCeDf", -3, 3),
]
