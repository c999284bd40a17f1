"""What may stand in parentheses, or in lines that begin with a point, and what each says.

Behind the type of a member, where what it says does not follow from the type. As a property in Swift:

    name x        the property's name, or `no` if there is none
    swift T = x   its type
    what x        what is expected in place of a number that is out of range
    by f          the function that makes its value of a JSON value: `reader.f` or a static one, whose nil is `optional`
    read f        the method that reads it, or `no`
    as f          the function that makes JSON of the value
    write x       the property with its JSON, or `no`
    with          it is read by what the caller tells about the place
    boxed         kept in a box, since few have it
    access x      its access, if not that of the type

As an operator of matchers, of which each has a `test`, or is `plain`:

    test T        the type in a file of its own that compiles it
    plain         it is compiled in PatternCompiler+Values.swift
    option x      it is none, but an option of some; what is no `flag`, or no `text`, has no effect, as in WireMock
    options a b   those that it has
    in a b        where it may stand, if not everywhere: `single`, `several`, `body`, `within`
    absence       a missing value may pass, whatever the operand
    path          the operand is spelt as clients send paths, in a condition of a path
    example       the operand itself passes
    one           one value alone passes, however it is written
    number        the operand is a number

As a member of routes: `of mapping` or `of response` if it is read as the one of that name there.

As a change of answers by a fault, for swift_faults.py: `change`, or `cases` and perhaps `make`, or `rule` for what
is no change of a body. And elsewhere:

    ours          WireMock does not have it, which its description ends with
    kit x         its word in the Swift kit; its own name without x
    api T         its type in the document of the admin API
    word x        its word in the Swift kit, which is written by hand
    bytes         clients may give bytes for it
    default x     what is meant if it is absent; also `format`, `minLength`, `maxLength`
    in x          of a parameter of calls: `header`, if not `query`
    explode x     of a parameter of calls

Behind the name of a definition. As a type in Swift:

    swift T       the type; of `name = type` one that is written by hand, with `T.read(value, &reader)` and `json`
    hand          an object's type is written by hand, too
    java x        unknown members are reported as WireMock does of this `JavaClass`; `java` alone: of one that is passed on
    with x: T     what the caller tells about the place, which members with `with` are read by
    blank         null is passed over, whatever the name; with `skipsNull` that of a known member is
    index f       the method of the reader that finds the index of a member and reports unknown ones
    empty         anybody may make one without members
    example x     it is read as an object like this one, which has all required members; `refused x` is what is said of another
                  value, `nonEmpty` refuses an object without members, `orNull` finds nothing in null, and `finish` calls
                  `finish(object, &reader)` with what has no problem until then
    made a, b!    members of which anybody may make one, `b` always and `_ c` without its name
    groups a b    the names of the members with `a` in parentheses, as `aNames`
    order a b     members that are written first
    asWritten     its JSON is what it was read from
    short a b     properties besides which a short one has none: `isShort`
    ownJSON       its JSON is made by hand; with `ownEquality` it is compared by hand, too
    named         members are read by their names, too
    readOnly      it is never written
    union x       an enumeration of objects that the member x tells apart, for swift_unions.py
    names T       an enumeration of the names of its members
    by f          the function that makes a value, if not `T.read`; `as f` makes its JSON, and `optional` says that it may make nothing
    access x      the access of the type, `in x` its folder, and `uses M` another module that its properties need
    changes a b   the order of changes, for swift_faults.py

And elsewhere:

    kit T         the type in the Swift kit for the names of its members
    api T         its name in the document of the admin API; also `format`, `default`, `minLength`, `maxLength`
    type T        its name in the types for Python and TypeScript
    part          others have its members: no schema has it by itself

Behind the name of words:

    swift T       their type in Swift, which `package` keeps within the package
    kit T         their type in the Swift kit: with `codes` that has numbers, with `model` a property of the other type
    api T         their name in the document of the admin API
    type T        their name in the types for Python and TypeScript
"""

import difflib
import re
from typing import Callable, Dict, Iterable, List

# Behind `ownJSON` and `default` stand others of their kind.
_PARTS = re.split(r"\nBehind the name of (?:a definition|words)\b", __doc__)
_KNOWN = [set(re.findall(r"^    (\w+)", part, re.M)) | set(re.findall(r"`(\w\w+)\b", part)) for part in _PARTS]
OF_MEMBERS, OF_DEFINITIONS, OF_WORDS = (known - {"no"} for known in _KNOWN)


def check(attributes: Iterable[str], known: Iterable[str], fail: Callable[[str], None]) -> None:
    for name in attributes:
        if name not in known:
            fail(f"nothing is called ({name}){meant(name, known)}")


def meant(name: str, known: Iterable[str]) -> str:
    """The name that another one nearly is, as the end of a message."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""
