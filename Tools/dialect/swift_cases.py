"""Cases for the tests of the Swift kit: each word that swift_kit.py prints, with the JSON that it is in a mapping."""

from typing import Dict, Iterator, Tuple

from notation import Dialect
from swift_kit import FAULTS, MATCHERS, chosen, shape
from swift_words import HEAD, identifier, literal

PATH = "Tests/Kit/StuntDoubleClientTests/Language/Generated/PrintedCases.swift"
# What a word is given by the parameters that it has, and the value of its member.
SAMPLES = {
    "": ("", "true"),
    "_ text: String": ('("/x")', '"/x"'),
    "_ number: Double": ("(-2.5)", "-2.5"),
    "_ rate: Stub.Rate": ("(.kilobytes(3))", '"3000B/s"'),
    "_ duration: Duration": ("(.seconds(2))", '"2s"'),
}


def files(dialect: Dialect) -> Dict[str, str]:
    out = HEAD + "import SDJSON\nimport StuntDoubleClient\n\n/// The words that are printed, each with the JSON that it is in a mapping.\nenum PrintedCases {\n"
    for name, type, cases in (("matchers", "Matcher", _matchers(dialect)), ("faults", "Fault", _faults(dialect))):
        out += f"    static let {name}: [{type}Case] = [\n"
        out += "".join(f"        {type}Case(.{value}, [{literal(member)}: {json}]),\n" for value, member, json in cases)
        out += "    ]\n"
    return {PATH: out + "}\n"}


def _matchers(dialect: Dialect) -> Iterator[Tuple[str, str, str]]:
    for member, name in chosen(dialect["matcher"]):
        given, json = SAMPLES[shape(MATCHERS, member)[0]]
        yield name + given, member.name, json


def _faults(dialect: Dialect) -> Iterator[Tuple[str, str, str]]:
    for words in dialect.words.values():
        if words.attributes.get("kit") == "Stub.Fault.Kind":
            yield from ((identifier(words.kit[text]), "kind", literal(text)) for text, _, _ in words.words)
    for member, name in chosen(dialect["fault"]):
        given, json = SAMPLES[shape(FAULTS, member)[0]]
        yield name + given, member.name, json
