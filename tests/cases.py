"""The worked cases of the rules and the faults other programs had, as plain data.

A case is a game: the moves are played in order from the position, and what is given is checked
after the last one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

PRESETS = ("wari", "cairo", "singles", "nostarve", "abapa", "awari", "ouri")
EMPTY = "-".join("0" * 12)
RUNNING = "running"


@dataclass(frozen=True)
class Case:
    """One game and what must be true at its end; None (or an empty dict) means: not checked."""

    number: str
    preset: str
    position: str
    moves: str = ""
    changes: dict[str, str | bool | int] = field(default_factory=dict)
    after: str | None = None  # the position after the moves
    captured: int | None = None  # seeds the last move captured
    legal: str | None = None  # legal moves then, "-" a pass, "" none
    refusals: dict[str, str] = field(default_factory=dict)  # move -> code
    ending: str | None = None  # the reason, or RUNNING
    result: tuple[int, int] | None = None  # South's and North's seeds

    def __str__(self) -> str:
        """The name of the test: number, preset, changes, moves."""
        parts = [self.number, self.preset, *map(str, self.changes.values()), self.moves[:12]]
        return " ".join(part for part in parts if part)


def under(presets: Iterable[str], case: Case) -> list[Case]:
    """The same case under several presets."""
    return [replace(case, preset=preset) for preset in presets]


def but(*presets: str) -> list[str]:
    """All presets but some."""
    return [preset for preset in PRESETS if preset not in presets]


CHASE = "AaBbCcDdEeFf"  # two seeds run once round the board
SLAM = "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S"  # F slams a, b and c: 8 seeds
STUCK_NORTH = "1-1-0-3-1-1-0-0-0-0-0-0-20-21-N"
STARTS = {seeds: "-".join([str(seeds)] * 12) + "-0-0-S" for seeds in (1, 4, 8)}


def _case_4() -> list[Case]:
    """E sows 5: a, b, c, d are captured while they hold 2 or 3 after it; F never is."""
    cases = []
    for b in (1, 2):
        for c in (1, 2):
            for d in (1, 2):
                for e, f in ((1, 0), (0, 1)):
                    tail = f"{b}-{c}-{d}-{e}-{f}-9-9"
                    won = b + c + d + 3
                    kept = f"0-0-0-0-0-2-4-0-0-0-{e}-{f}-{9 + won}-9-N"
                    clean = f"0-0-0-0-0-2-0-0-0-0-{e}-{f}-{9 + won + 3}-9-N"
                    with_3 = Case(
                        "worked 4", "", f"0-0-0-0-5-1-3-{tail}-S", "E", after=kept, captured=won
                    )
                    with_2 = Case(
                        "worked 4",
                        "",
                        f"0-0-0-0-5-1-2-{tail}-S",
                        "E",
                        after=clean,
                        captured=won + 3,
                    )
                    cases += [*under(PRESETS, with_3), *under(PRESETS, with_2)]
    return cases


def _case_9() -> list[Case]:
    """One slam, seven policies; the rest of the rules is abapa."""
    after = {
        "capture": ("1-0-0-0-2-0-0-0-0-0-0-0-28-17-N", 8),
        "no_capture": ("1-0-0-0-2-0-3-2-3-0-0-0-20-17-N", 0),
        "keep_last": ("1-0-0-0-2-0-0-0-3-0-0-0-25-17-N", 5),
        "keep_first": ("1-0-0-0-2-0-3-0-0-0-0-0-25-17-N", 5),
        "forfeit_rest": (f"{EMPTY}-28-20-N", 8),
    }
    cases = [
        Case("worked 9", "abapa", SLAM, "F", {"grand_slam": policy}, after=text, captured=seeds)
        for policy, (text, seeds) in after.items()
    ]
    cases += [
        Case(
            "worked 9",
            "abapa",
            SLAM,
            changes={"grand_slam": policy},
            legal="AE",
            refusals={"F": "slam_forbidden", "B": "empty_pit", "a": "not_your_pit"},
        )
        for policy in ("forbidden", "last_resort")
    ]
    cases += [
        Case(
            "worked 9",
            "abapa",
            "1-0-0-0-0-1-1-0-0-0-0-0-20-17-S",
            "F",
            {"grand_slam": policy},
            after="1-0-0-0-0-0-2-0-0-0-0-0-20-17-N",
            captured=0,
        )
        for policy in ("keep_last", "keep_first")
    ]
    return cases


def _case_10() -> list[Case]:
    """South cannot feed; the shares by `remainder`."""
    results = {"owner": (25, 23), "starved": (23, 25), "split": (24, 24)}
    return [
        Case(
            "worked 10",
            "nostarve",
            "1-1-0-0-0-0-0-0-0-0-0-0-23-23-S",
            changes={"remainder": remainder},
            legal="",
            ending="stuck",
            result=shares,
        )
        for remainder, shares in results.items()
    ]


WORKED: list[Case] = [
    *under(PRESETS, Case("worked 1", "", STARTS[4], "C", after="4-4-0-5-5-5-5-4-4-4-4-4-0-0-N")),
    *under(PRESETS, Case("worked 1", "", STARTS[4], "Ce", after="5-5-1-5-5-5-5-4-4-4-0-5-0-0-S")),
    *under(
        PRESETS,
        Case(
            "worked 2",
            "",
            "7-6-6-6-2-0-6-6-2-6-6-1-0-0-N",
            "e",
            after="8-7-7-7-0-0-6-6-2-6-0-2-0-3-S",
            captured=3,
        ),
    ),
    *under(
        PRESETS,
        Case(
            "worked 3",
            "",
            "6-5-5-5-1-6-6-6-2-6-6-2-0-0-S",
            "F",
            after="6-5-5-5-1-0-7-7-3-7-7-0-3-0-N",
            captured=3,
        ),
    ),
    *_case_4(),
    *under(
        but("singles"),
        Case(
            "worked 5",
            "",
            "5-2-3-2-1-0-0-0-0-0-0-0-17-18-S",
            legal="",
            refusals={"A": "game_over", "a": "game_over", "F": "game_over"},
            ending="stuck",
            result=(30, 18),
        ),
    ),
    *under(
        but("wari", "ouri"),
        Case("worked 6", "", STUCK_NORTH, legal="", ending="stuck", result=(27, 21)),
    ),
    *under(
        ("wari", "ouri"),
        Case(
            "worked 6",
            "",
            STUCK_NORTH,
            legal="-",
            refusals={"a": "empty_pit", "A": "not_your_pit"},
            ending=RUNNING,
        ),
    ),
    Case("worked 6", "wari", STUCK_NORTH, "-", legal="DF", refusals={"A": "must_feed"}),
    Case("worked 6", "ouri", STUCK_NORTH, "-", legal="D", refusals={"F": "single_seed"}),
    *under(but("singles", "ouri"), Case("worked 6", "", STUCK_NORTH[:-1] + "S", legal="DF")),
    *under(
        ("singles", "ouri"),
        Case("worked 6", "", STUCK_NORTH[:-1] + "S", legal="D", refusals={"-": "cannot_pass"}),
    ),
    *under(
        but("singles"),
        Case(
            "worked 7",
            "",
            "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S",
            CHASE,
            after="1-0-0-0-0-0-1-0-0-0-0-0-23-23-S",
            legal="",
            ending="repetition",
            result=(24, 24),
        ),
    ),
    Case(
        "worked 7",
        "singles",
        "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S",
        CHASE[:-1],  # South's last seed leaves its row with F
        after=f"{EMPTY}-23-25-N",
        ending="emptied",
        result=(23, 25),
    ),
    Case(
        "worked 8",
        "wari",
        "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S",
        "F",
        after="1-0-0-0-2-0-0-0-0-0-0-0-20-17-N",
        captured=8,
        legal="-",
        ending=RUNNING,
    ),
    Case("worked 8", "wari", "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S", "F-", legal="E"),
    Case(
        "worked 8",
        "wari",
        "1-0-0-0-0-3-2-1-2-0-0-0-10-17-S",
        "F",
        after="1-0-0-0-0-0-0-0-0-0-0-0-18-17-N",
        legal="",
        ending="stuck",
        result=(19, 17),
    ),
    *_case_9(),
    *_case_10(),
    Case(
        "worked 11",
        "ouri",
        "2-0-0-0-0-1-0-0-0-0-0-0-22-23-S",
        legal="",
        ending="stuck",
        result=(25, 23),
    ),
    Case(
        "worked 12",
        "awari",
        "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S",
        "F",
        after="0-0-0-0-0-0-0-0-4-0-0-0-25-19-N",
        captured=5,
        legal="",
        ending="majority",
        result=(25, 19),
    ),
]
