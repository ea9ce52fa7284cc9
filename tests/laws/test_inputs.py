"""L12 and L13: any JSON value gives a result or our own error, and codecs keep their claim."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalglot
from converter.codecs import CODECS, Codec
from converter.formats import FORMATS
from registry import gate
from registry.values import same
from tests.converter import samples
from tests.registry import awkward

DOCUMENTS = [samples.document(path) for path in samples.valid() if path.stem == "smallest"]


@given(value=awkward.values(), to=st.sampled_from(FORMATS))
def test_l12_any_value_gives_a_result_or_our_own_error(value: Any, to: str) -> None:
    try:
        evalglot.convert(value, to)
    except evalglot.EvalglotError as error:
        assert str(error)


@st.composite
def spoilt(draw: st.DrawFn) -> Any:
    """A small document with one value replaced, somewhere, by any other."""
    document = json.loads(gate.dump(draw(st.sampled_from(DOCUMENTS))))
    value, key = {"": document}, ""
    while isinstance(value[key], (dict, list)) and value[key] and draw(st.integers(0, 3)):
        value = value[key]
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = draw(st.sampled_from(keys))
    value[key] = draw(awkward.values())
    return document


@given(document=spoilt(), to=st.sampled_from(FORMATS))
def test_l12_a_spoilt_document_gives_a_result_or_our_own_error(document: Any, to: str) -> None:
    try:
        there = evalglot.convert(document, to)
    except evalglot.EvalglotError as error:
        assert str(error)
        return
    source = evalglot.detect(document)
    assert same(evalglot.convert(there, source), document)


DOMAINS = {
    "same": awkward.values(),
    "numbered": st.integers(-(10**17), 10**17),
    "list": st.lists(awkward.values(), max_size=3),
    "strings": st.lists(st.text(), max_size=3),
    "text": st.text(),
    "identifier": st.text(),
    "whole": st.integers(),
    "ordinal": st.integers(1),
    "unit score": st.floats(0, 1),
}


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
@given(data=st.data())
def test_l13_a_codec_brings_its_own_domain_back(codec: Codec, data: st.DataObject) -> None:
    value = data.draw(DOMAINS[codec.name])
    fact = value if codec.read is None else codec.read(value)
    back = fact if codec.write is None else codec.write(fact)
    assert same(back, value)


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
@given(value=awkward.values())
def test_l13_what_a_codec_folds_it_folds_once(codec: Codec, value: Any) -> None:
    if codec.claim == "exact" or codec.name == "unit score" or value is None:
        return
    try:
        fact = value if codec.read is None else codec.read(value)
    except TypeError:
        return  # a value that no schema lets through to this codec
    if fact is None:
        return
    written = fact if codec.write is None else codec.write(fact)
    again = written if codec.read is None or written is None else codec.read(written)
    assert written is None or same(_listed(again), _listed(fact))


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
