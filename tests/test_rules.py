"""Rules: axes, presets, text, and what Python expects of a value."""

import copy
import pickle
import re
from typing import Any

import pytest
import wari
from bridge import all_rules, core_rules
from hypothesis import given
from hypothesis import strategies as st
from reference.rules import AXES, PRESETS, Rules

any_rules = st.builds(Rules, **{name: st.sampled_from(values) for name, values in AXES.items()})


def test_the_names_are_those_of_the_reference() -> None:
    """Axes, values and presets, in order."""
    assert list(wari.AXES) == list(AXES)
    for name, values in AXES.items():
        assert set(wari.AXES[name].values) == set(values)
        assert all(wari.AXES[name].values.values())
        assert wari.AXES[name].question
    assert list(PRESETS) == list(wari.PRESETS)
    assert wari.PRESET_ORIGINS.keys() == PRESETS.keys()


def test_where_a_preset_is_met_is_said_in_words() -> None:
    """Never by a number that a reader cannot look up, and for each preset in its own words."""
    for words in wari.PRESET_ORIGINS.values():
        assert not re.search(r"\d|document", words), words
    assert len(set(wari.PRESET_ORIGINS.values())) == len(PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_those_of_the_reference(preset: str) -> None:
    """Axis by axis, and by name and text."""
    rules = wari.Rules.preset(preset)
    assert rules == core_rules(PRESETS[preset])
    assert rules.name == str(rules) == preset
    for name in AXES:
        value = getattr(rules, name)
        assert value == getattr(PRESETS[preset], name)
        assert type(value) is type(getattr(PRESETS[preset], name))


def test_changed_presets_are_all_different() -> None:
    """Equality, hash, text and name distinguish rules."""
    found = [core_rules(rules) for rules in all_rules()]
    assert len(set(found)) == len({str(rules) for rules in found}) == len(found)
    assert sum(rules.name is not None for rules in found) == len(PRESETS)


@given(any_rules)
def test_round_trips(reference: Rules) -> None:
    """Text, repr, dict, pickle and copy give equal rules again."""
    rules = core_rules(reference)
    assert wari.Rules.parse(str(rules)) == rules
    assert eval(repr(rules)) == rules
    assert wari.Rules.from_dict(rules.to_dict()) == rules
    assert wari.Rules(**rules.to_dict()) == rules
    assert {name: getattr(rules, name) for name in AXES} == rules.to_dict()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(rules, protocol))
        assert again == rules
        assert hash(again) == hash(rules)
    assert copy.copy(rules) == copy.deepcopy(rules) == rules


def test_parse_and_replace() -> None:
    """A name and changes, by comma or space; changes alone start from the default."""
    expected = wari.Rules.preset("abapa").replace(grand_slam="forbidden", majority=False)
    assert wari.Rules.parse("abapa,grand_slam=forbidden,majority=false") == expected
    assert wari.Rules.parse(" abapa grand_slam=forbidden  majority=false ") == expected
    assert wari.Rules.parse("seeds_per_pit=3") == wari.Rules(seeds_per_pit=3)
    assert wari.Rules() == wari.Rules.preset("wari") == wari.Rules.parse("wari")
    assert expected != wari.Rules.preset("abapa")
    assert expected != "abapa"


@pytest.mark.parametrize(
    "text",
    [
        "abapa,grand_slam=keep_last",
        "abapa,repetition=split",
        "wari,stuck=end",
        "awari,remainder=split",
    ],
)
def test_the_most_played_of_equally_near_presets_names_rules(text: str) -> None:
    """With slams that keep the last pit, abapa and nostarve are equally near."""
    assert str(wari.Rules.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("", "rules", "''"),
        ("kalah", "rules", "'kalah'"),
        ("wari abapa", "rules", "'abapa'"),
        ("grand_slam", "rules", "'grand_slam'"),
        ("abapa,colour=red", "rules", "'colour'"),
        ("abapa,grand_slam=maybe", "grand_slam", "'maybe'"),
        ("abapa,majority=yes", "majority", "'yes'"),
        ("abapa,seeds_per_pit=0", "seeds_per_pit", "'0'"),
        ("abapa,seeds_per_pit=9", "seeds_per_pit", "'9'"),
        ("abapa,seeds_per_pit=99999999999999999999", "seeds_per_pit", "99999999999999999999"),
        ("wari,feeding=", "feeding", "''"),
        ("w\xe4ri", "rules", "xe4"),
        ("\ud800", "rules", "ud800"),
    ],
)
def test_bad_text(text: str, field: str, value: str) -> None:
    """The message names the field and the value."""
    with pytest.raises(wari.InvalidValueError, match=f"^{field}: .*") as raised:
        wari.Rules.parse(text)
    assert raised.value.field == field
    assert value in str(raised.value)


@pytest.mark.parametrize(
    ("axis", "value"),
    [
        ("grand_slam", "maybe"),
        ("grand_slam", 3),
        ("grand_slam", None),
        ("majority", 1),
        ("majority", "true"),
        ("seeds_per_pit", 9),
        ("seeds_per_pit", 0),
        ("seeds_per_pit", -1),
        ("seeds_per_pit", "4"),
        ("seeds_per_pit", True),
        ("seeds_per_pit", 4.0),
        pytest.param("seeds_per_pit", 10**5000, id="seeds_per_pit-huge"),
        ("feeding", "r\xe9quired"),
    ],
)
def test_bad_axis_value(axis: str, value: Any) -> None:
    """A value must be one of the axis, of the right type."""
    for change in (wari.Rules, wari.Rules().replace):
        with pytest.raises(ValueError, match=f"^{axis}: "):
            change(**{axis: value})


def test_bad_dicts() -> None:
    """Unknown and missing axes are named."""
    full = wari.Rules().to_dict()
    with pytest.raises(wari.InvalidValueError, match="unknown axis 'colour'"):
        wari.Rules.from_dict({**full, "colour": "red"})
    del full["sowing"]
    with pytest.raises(wari.InvalidValueError, match="'sowing' is missing"):
        wari.Rules.from_dict(full)
    with pytest.raises(wari.InvalidValueError, match="unknown axis 'colour'"):
        wari.Rules(colour="red")
    with pytest.raises(wari.InvalidValueError, match="^rules: unknown preset 'kalah'"):
        wari.Rules.preset("kalah")


def test_immutable() -> None:
    """A value cannot be changed in place."""
    rules = wari.Rules()
    with pytest.raises(AttributeError, match="replace"):
        rules.majority = False  # type: ignore[misc]
    with pytest.raises(AttributeError):
        rules.colour = "red"
    assert rules == wari.Rules()
    rules.to_dict()["majority"] = False
    assert rules.majority is True
