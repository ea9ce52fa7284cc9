"""How does a JUnit XML file look as one JSON document, and back?

The document says all that canonical XML says, but for white space between the elements of suites
and tests, and comments.

    {"testcases": [test, ...], "root": element, "suites": [suite, ...], "x-evalglot": {}}

An element is `{"tag", "attributes", "properties", "content"}`: content is a list of texts and
elements, and properties are those that come first, if they are as usual (`<properties>` with names
and values alone). A test has no tag; a suite has one, and neither has the tests and suites that are
in it. Where those stood, they say themselves:

* `suite`: the number of the suite that a test or suite is in; none is the root;
* `at`: behind how many of the other things in it; none: as many as its suite's `lead` says, or as
  come before the first text or output;
* `after`: behind how many tests a suite stands; none: behind all.

A `flakyFailure` or `rerunFailure` in a test (Maven Surefire) tells of another attempt at it, so it
is a test of its own with `rerun`, the place in its test where it stood: before the one that it is
in, if that passed in the end; after it, if it had failed before.

What a conversion carries is the JSON of a last property `x-evalglot`, in `properties` of its own.
"""

from __future__ import annotations

from typing import IO

from registry import slices
from registry.errors import Damaged, NotJson
from registry.junitreading import Reader
from registry.junitwriting import Writer
from registry.text import Buffer
from registry.xml import parse


def read(data: Buffer, file: str, out: IO[bytes]) -> None:
    """Write the document that an XML file holds.

    Raises Damaged where it is broken, NotJson where nothing of it can be told, and UnknownFormat
    where it is no JUnit XML.
    """
    reader = Reader(out, file)
    out.write(b'{"testcases":[')
    try:
        parse(data, file, reader)
    except NotJson as error:
        raise Damaged(**vars(error)) if reader.begun else error from None
    reader.close()


def write(data: Buffer, out: IO[bytes]) -> None:
    """Write the XML that says a document of junit@1, which is valid.

    Raises OutputError where it has names that XML does not take, or nests too deep.
    """
    writer = Writer(slices.index(data, ("testcases",)))
    for piece in writer.pieces():
        out.write(piece.encode("utf-8"))
