"""Pictures: what they must hold, whoever looks at them and with whatever program."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest
import wari
from wari import svg

SPACE = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ElementTree.Element:
    """The root of a picture that is well-formed and stands alone."""
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SPACE}svg"
    assert root.get("role") == "img"
    for child, name in zip(root, ("title", "desc"), strict=False):
        assert child.tag == SPACE + name
        assert child.text
    names = {node.tag.removeprefix(SPACE) for node in root.iter()}
    assert not names & {"script", "style", "image", "use", "foreignObject"}
    assert "href" not in picture
    return root


def texts(root: ElementTree.Element) -> list[str]:
    """All that can be read in a picture."""
    return [node.text or "" for node in root.iter(f"{SPACE}text")]


def test_every_count_can_be_read_and_every_seed_is_drawn() -> None:
    """On random boards, laps and full stores too."""
    rng = random.Random(1)
    for _ in range(30):
        pits = [rng.choice((0, 1, 2, 3, 5, 6)) for _ in range(11)] + [1]
        stores = (rng.randrange(25), rng.randrange(25))
        position = wari.Position.from_counts(pits, stores, rng.choice("SN"))
        root = parsed(svg.board(position))
        read = texts(root)
        for letter, seeds in zip(wari.PITS, pits, strict=True):
            assert read[read.index(letter) + 1] == str(seeds)
        assert [str(store) for store in stores] == [t for t in read if t.isdigit()][-2:]
        circles = [n for n in root.iter(f"{SPACE}circle") if float(n.get("r", "0")) < 10]
        assert len(circles) == position.total
        for circle in circles:
            assert 0 < float(circle.get("cx", "")) < 720
            assert 0 < float(circle.get("cy", "")) < 300


def test_a_pit_with_every_seed_keeps_them_inside() -> None:
    """Ninety-six seeds in one pit."""
    position = wari.Position.from_counts([96] + [0] * 11)
    for circle in parsed(svg.board(position)).iter(f"{SPACE}circle"):
        if float(circle.get("r", "")) < 10:
            away = abs(
                complex(float(circle.get("cx", "")) - 140, float(circle.get("cy", "")) - 202)
            )
            assert away + float(circle.get("r", "")) < 39


def test_the_words_for_screen_readers() -> None:
    """Title and description give the whole position."""
    position = wari.Position.parse("1-0-13-3-2-5-0-10-2-1-7-0-2-2-N", rules="abapa")
    root = parsed(svg.board(position, last_move="F"))
    assert root[0].text == "Oware board, North to move, South 2, North 2"
    assert root[1].text == (
        "South: A 1, B 0, C 13, D 3, E 2, F 5. North: a 0, b 10, c 2, d 1, e 7, f 0. Last move: F."
    )
    over = wari.Position.parse("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S", rules="abapa")
    title = parsed(svg.board(over))[0].text
    assert title == "Oware board, the game is over: South 25, North 23"


def test_values_have_signs_and_the_best_is_framed() -> None:
    """One frame, round the best number."""
    root = parsed(svg.board(wari.Position(), values={"A": 1.5, "B": -2, "C": 0, "D": "?"}))
    read = texts(root)
    assert {"+1.5", "\u22122", "0", "?"} <= set(read)
    frames = [node for node in root.iter(f"{SPACE}rect") if node.get("fill") == "#ffffff"]
    assert len(frames) == 1


def test_values_and_words_are_escaped() -> None:
    """A value is text, whatever it holds."""
    assert "<b&" in texts(parsed(svg.board(wari.Position(), values={"A": "<b&"})))
    assert parsed(svg.plot([0, 1], title="a < b & c"))[0].text == "a < b & c"


def test_a_move_as_an_arrow_ends_where_its_last_seed_falls() -> None:
    """Laps skip the origin; clockwise rules turn the arrow."""
    position = wari.Position.parse("12-0-4-0-0-0-0-0-0-0-0-1-18-13-S")
    clockwise = wari.Position.parse(str(position), rules="wari,sowing=clockwise")
    for board, move, ends in ((position, "A", "AB"), (position, "C", "Ca"), (clockwise, "C", "Ce")):
        assert svg.board(board, arrows=[move]) == svg.board(board, arrows=[ends])
    assert svg.board(position, arrows=["A"]) != svg.board(position, arrows=["C"])


def test_the_size_is_the_width() -> None:
    """Height follows."""
    root = parsed(svg.board(wari.Position(), size=360))
    assert (root.get("width"), root.get("height")) == ("360", "150")


@pytest.mark.parametrize(
    "wrong",
    [{"last_move": "G"}, {"last_move": "AB"}, {"arrows": ["Ax"]}, {"values": {"": 1}}, {"size": 0}],
)
def test_what_names_no_pit_is_refused(wrong: dict[str, object]) -> None:
    """As a ValueError of ours."""
    with pytest.raises(wari.InvalidValueError):
        svg.board(wari.Position(), **wrong)  # type: ignore[arg-type]


ODD = "\0\b\t\n\v\f\r\x1f\x7f\ud800\udfff\ufffe\uffff\U00010000"
SHOWN = "\ufffd\ufffd\t\n\ufffd\ufffd\n\ufffd\x7f\ufffd\ufffd\ufffd\ufffd\U00010000"


def test_texts_that_xml_does_not_allow_leave_a_picture_well_formed() -> None:
    """They can be written to a file, too. XML itself reads CR as LF."""
    board = svg.board(wari.Position(), values={"A": ODD})
    assert SHOWN in texts(parsed(board))
    plot = svg.plot([0, 1], marks=[svg.Mark(1, "blunder", ODD)], title=ODD)
    root = parsed(plot)
    assert root[0].text == SHOWN
    assert [node.text for node in root.iter(f"{SPACE}title")][-1] == SHOWN
    assert SHOWN in (root[1].text or "")
    for picture in (board, plot):
        ElementTree.fromstring(picture.encode())


def test_a_pass_as_last_move_or_value_is_no_error() -> None:
    """It has no pit."""
    parsed(svg.board(wari.Position(), last_move="-", values={"-": 1}))


def test_notebooks_show_the_board() -> None:
    """Through the hook they call."""
    assert wari.Position()._repr_svg_() == svg.board(wari.Position())


def luminance(colour: str) -> float:
    """Relative luminance as the web's accessibility guidelines define it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_text_is_readable_on_its_ground() -> None:
    """A contrast of at least 4.5 to 1."""
    marks = [svg.Mark(1, "blunder"), svg.Mark(0, "mistake")]
    for picture in (
        svg.board(wari.Position(), values={"A": 1, "B": 0}),
        svg.plot([0, 2], marks=marks),
    ):
        root = parsed(picture)
        ground = luminance(root.findall(f"{SPACE}rect")[0].get("fill", ""))
        for node in root.iter(f"{SPACE}text"):
            assert (ground + 0.05) / (luminance(node.get("fill", "")) + 0.05) >= 4.5, node.text


def points_of(root: ElementTree.Element, name: str) -> list[list[tuple[float, float]]]:
    """The corners of each line or area of a plot."""
    return [
        [(float(x), float(y)) for x, y in (p.split(",") for p in node.get("points", "").split())]
        for node in root.iter(SPACE + name)
    ]


def test_a_plot_has_a_point_for_each_score_and_a_gap_where_there_is_none() -> None:
    """High is good for South, the middle line is zero."""
    lines = points_of(parsed(svg.plot([0, 2, -2, None, 1])), "polyline")
    assert [len(line) for line in lines] == [3, 1]
    (x0, y0), (x1, y1), (x2, y2) = lines[0]
    assert x0 < x1 < x2
    assert y1 < y0 < y2
    assert y0 - y1 == pytest.approx(y2 - y0)
    assert lines[1][0][0] > x2


def test_the_areas_of_a_plot_meet_where_the_score_crosses_zero() -> None:
    """Each side's area stays on its side of the middle line."""
    south, north = points_of(parsed(svg.plot([1, -3])), "polygon")
    zero = south[0][1]
    assert max(y for _, y in south) <= zero <= min(y for _, y in north)
    crossing = south[0][0] + (south[-1][0] - south[0][0]) / 4
    assert any(x == pytest.approx(crossing, abs=0.1) and y == zero for x, y in south)


def test_marks_have_shapes_words_and_a_legend() -> None:
    """The three kinds look different without colour."""
    marks = [svg.Mark(1, "inaccuracy"), svg.Mark(2, "mistake"), svg.Mark(3, "blunder", "C & all")]
    root = parsed(svg.plot([0, 1, 2, 3], marks=marks))
    assert {"inaccuracy", "mistake", "blunder"} <= set(texts(root))
    groups = [node for node in root.iter(f"{SPACE}g") if node[0].tag == f"{SPACE}title"]
    assert [group[0].text for group in groups] == ["inaccuracy", "mistake", "C & all"]
    assert len({group[1].tag for group in groups}) == 3
    assert "Ply 3: C & all." in (root[1].text or "")


@pytest.mark.parametrize("scores", [[], [None], [0.0], [None, 3], [48.0] * 500])
def test_plots_of_few_or_many_scores(scores: list[float | None]) -> None:
    """Nothing divides by zero."""
    parsed(svg.plot(scores))


@pytest.mark.parametrize(
    ("scores", "marks", "message"),
    [
        ([0], [svg.Mark(0, "oops")], "not 'oops'"),
        ([0], [svg.Mark(1, "blunder")], "no score at ply 1"),
        ([0, None], [svg.Mark(1, "blunder")], "no score at ply 1"),
        ([0], [svg.Mark(-1, "blunder")], "no score at ply -1"),
        ([float("nan")], [], "not nan"),
        ([float("inf")], [], "not inf"),
    ],
)
def test_impossible_plots_are_refused(
    scores: list[float | None], marks: list[svg.Mark], message: str
) -> None:
    """With what is wrong."""
    with pytest.raises(wari.InvalidValueError, match=message):
        svg.plot(scores, marks=marks)
