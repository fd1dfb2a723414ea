"""The arguments of Python and the options of the command line come from the same tables: their names
and usual values agree.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import inspect
import sys
import typing

import pytest

import sluice
from sluice._kinds import evaluated
from sluice import _core, music, proton, slide, stem4d
from sluice.music._separate import _options as separate_options
from sluice.proton._march import march_options

FUNCTIONS = {
    "open": sluice.open,
    "load": sluice.load,
    "slide.open": slide.open,
    "slide.read": slide.Slide.read,
    "slide.convert": slide.convert,
    "stem4d.convert": stem4d.convert,
    "stem4d.references": stem4d.products,
    "stem4d.template": stem4d.fit_template,
    "stem4d.disks": stem4d.plan_disks,
    "stem4d.lattice": stem4d.fit_lattice,
    "stem4d.origins": stem4d.measure_origins,
    "stem4d.surface": stem4d.fit_origins,
    "stem4d.size": stem4d.calibrate,
    "stem4d.calibrate": stem4d.calibrate,
    "stem4d.strain": stem4d.strain,
    "stem4d.library": stem4d.orientation_library,
    "stem4d.orientation": stem4d.orientation,
    "stem4d.patterns": stem4d.patterns_of,
    "stem4d.pattern_file": stem4d.read_patterns,
    "stem4d.probe": stem4d.probe_of,
    "stem4d.stage": stem4d.PtychographyStage,
    "stem4d.ptychography": stem4d.ptychography,
    "stem4d.sweep": stem4d.ptychography_sweep,
    "stem4d.stream": stem4d.live,
    "stem4d.simulator": stem4d.simulate_detector,
    "proton.dense": proton.DenseOptions,
    "proton.physics": march_options,
    "proton.steps": march_options,
    "proton.sobp": proton.spread_out,
    "proton.base_data": proton.base_energy,
    "proton.batch": proton.batch,
    "proton.rbe": proton.rbe_dose,
    "proton.structure_dvh": proton.structure_dvh,
    "proton.dose": proton.dose,
    "proton.patient": proton.dose,
    "proton.plan": proton.dose,
    "music.model": music.Model,
    "music.separate": separate_options,
    "music.song": music.separate_song,
}
UNITS = {" MeV": 1.0, " mm": 1.0, " rad": 1.0}


def text_of(usual):
    """A default as the tables write it."""
    if usual is None or usual == ():
        return ""
    return str(usual).lower() if isinstance(usual, bool) else str(usual)


def same(usual, text):
    """Whether a default is what a text of the table says. Where the table has no text, Python has no
    default, and a list that is usually empty may be needed."""
    if usual is inspect.Parameter.empty:
        return not text
    if text is None:
        return False
    for unit, factor in UNITS.items():
        if text.endswith(unit):
            return float(text.removesuffix(unit)) * factor == usual
    if isinstance(usual, (int, float)) and not isinstance(usual, bool):
        return float(text) == usual
    return text_of(usual) == text


def words_of(function, annotation):
    """The words that an annotation lists."""
    names = inspect.unwrap(function.__init__ if inspect.isclass(function) else function).__globals__
    kind = evaluated(annotation, names)
    parts = (kind, *typing.get_args(kind))
    return sorted({word for one in parts if typing.get_origin(one) is typing.Literal
                   for word in typing.get_args(one) if word})


@pytest.mark.parametrize("table", sorted(FUNCTIONS))
def test_names_and_usual_values_are_those_of_the_table(table):
    known = inspect.signature(FUNCTIONS[table]).parameters
    for name, (text, option, words) in _core.option_tables()[table].items():
        name = option if option in known else name
        assert name in known, f"{table}: {name} is no argument in Python"
        listed = words_of(FUNCTIONS[table], known[name].annotation)
        assert not listed or not words or listed == sorted(words), f"{table}: {name} is one of {words}, in Python {listed}"
        usual = known[name].default
        if isinstance(usual, dataclasses.Field):
            usual = usual.default
        assert same(usual, text), f"{table}: {name} is usually {text!r}, in Python {usual!r}"


def test_every_table_has_its_function():
    assert sorted(_core.option_tables()) == sorted(FUNCTIONS)


@pytest.mark.parametrize("name, value", [("bin_mode", "median"), ("layout", "sparse")])
def test_a_wrong_word_lists_those_that_there_are(name, value):
    with pytest.raises(sluice.InvalidArgument, match="give one of .*"):
        sluice.load("synthetic:stem4d?scan=2x2&detector=8x8", **{name: value})
