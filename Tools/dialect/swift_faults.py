"""What faults do to answers: `FaultRule.Change`, and how a fault that is read becomes changes.

A member of `fault` with `change` is a case of its name with what is read of it: nothing for a flag, the members of an
object. One with `cases a(T) b(U)` says its cases itself: it is read as one of them, or `make x` makes one, and
`ownJSON`, which is written by hand, gives its value. Changes are made in the order of `. changes a b`, then of the table.
"""

from typing import Dict, List

from notation import Dialect
from swift_models import Model
from swift_words import HEAD, MODEL, doc, literal, sentence
from type_notation import Member, NotationError, Reference


def files(dialect: Dialect) -> Dict[str, str]:
    fault = dialect["fault"]
    changes = [one for one in fault.members.values() if {"change", "cases"} & one.attributes.keys()]
    for one in fault.members.values():
        if "action" in one.attributes and not {"change", "cases", "rule"} & one.attributes.keys():
            raise NotationError(f"{one.place}: an action does nothing without (change), or (rule) for one that `rule` makes by hand")
    order = fault.attributes["changes"].split()
    changes.sort(key=lambda one: order.index(one.name) if one.name in order else len(order))
    return {f"{MODEL}/FaultRule+Change.swift": _text(dialect, changes)}


def _text(dialect: Dialect, changes: List[Member]) -> str:
    model = Model(dialect, dialect["sessionFault"])
    cases, names, values, made = "", "", "", ""
    for one in changes:
        field = next(field for field in model.fields if field.member is one)
        if "cases" in one.attributes:
            found = one.attributes["cases"].replace(") ", ")|").split("|")
            cases += "".join(doc(sentence(one.description), "        ") + f"        case {case}\n" for case in found)
            head = ", ".join("." + case.partition("(")[0] for case in found)
            names += f"            case {head}: {literal(one.name)}\n"
            values += f"            case {head}: ownJSON\n"
            made += f"            {one.attributes.get('make', field.name)},\n"
            continue
        cases += doc(sentence(one.description), "        ") + f"        case {one.name}"
        names += f"            case .{one.name}: {literal(one.name)}\n"
        inner = dialect[one.type.name] if isinstance(one.type, Reference) else None
        if field.type == "Bool":
            cases += "\n"
            values += f"            case .{one.name}: true\n"
            made += f"            {one.name} ? .{one.name} : nil,\n"
        elif inner and inner.type is None:
            parts = [(part.name, part.type) for part in Model(dialect, inner).fields]
            cases += f"({', '.join(f'{name}: {type}' for name, type in parts)})\n"
            given = ", ".join(f"{name}: {name}" for name, _ in parts)
            values += f"            case .{one.name}({', '.join(f'let {name}' for name, _ in parts)}): {field.type.rstrip('?')}({given}).json\n"
            made += f"            {one.name}.map {{ .{one.name}({', '.join(f'{name}: $0.{name}' for name, _ in parts)}) }},\n"
        else:
            cases += f"({field.type.rstrip('?')})\n"
            values += f"            case .{one.name}(let value): {model.written('value', field)}\n"
            made += f"            {one.name}.map {{ .{one.name}($0) }},\n"
    return HEAD + f"""
package import SDJSON

extension FaultRule {{
    /// A change of an answer. Offsets count bytes of the body, from 0.
    public enum Change: Sendable, Hashable {{
{cases}
        /// The name of its key.
        public var name: String {{
            switch self {{
{names}            }}
        }}

        /// The value of its key.
        package var json: JSONValue {{
            switch self {{
{values}            }}
        }}
    }}
}}

extension FaultDraft {{
    /// The changes of an answer, in the order in which they are made.
    var changes: [FaultRule.Change] {{
        let all: [FaultRule.Change?] = [
{made}        ]
        return all.compactMap(\\.self)
    }}
}}
"""
