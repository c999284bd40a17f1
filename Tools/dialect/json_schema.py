"""The JSON Schema (2020-12) of stub files in all their forms, by which editors complete, explain and check them."""

import json
from typing import Any, Dict, List, Union

from notation import Definition, Dialect
from type_notation import ListOf, Literal, MapOf, OneOf, Pattern, Range, Reference, Type, Words, parts_of

Schema = Dict[str, Any]


class SchemaPrinter:
    """Types as JSON Schema. Of OpenAPI's dialects only the place of definitions differs."""

    def __init__(self, dialect: Dialect, place: str = "#/$defs/") -> None:
        self.dialect = dialect
        self.place = place

    def type(self, type: Type) -> Schema:
        """Literals are one enumeration, plain types one list of them."""
        values: List[str] = []
        types: List[str] = []
        others: List[Schema] = []
        for part in map(self._part, parts_of(type)):
            if list(part) == ["enum"]:
                values += part["enum"]
            elif list(part) == ["type"]:
                types += part["type"] if isinstance(part["type"], list) else [part["type"]]
            else:
                others.append(part)
        if values:
            others.insert(0, {"enum": values})
        # `text` and `null` both allow null; a list of types may not repeat one.
        types = list(dict.fromkeys(types))
        if types:
            others.append({"type": types[0] if len(types) == 1 else types})
        return others[0] if len(others) == 1 else {"anyOf": others}

    def _part(self, type: Type) -> Schema:
        if isinstance(type, Literal):
            return {"enum": [type.text]}
        if isinstance(type, Pattern):
            return {"type": "string", "pattern": type.text}
        if isinstance(type, Words):
            return {"enum": [word for word, _, _ in self.dialect.words[type.name].words]}
        if isinstance(type, Reference):
            return {"$ref": self.place + type.name}
        if isinstance(type, ListOf):
            number = {"minItems": type.least or None, "maxItems": type.most}
            return {"type": "array", "items": self.type(type.elements), **present(number)}
        if isinstance(type, MapOf):
            return {"type": "object", "additionalProperties": self.type(type.values)}
        if isinstance(type, Range):
            return {"type": "integer" if type.is_whole else "number", **bounds(type)}
        if isinstance(type, OneOf):
            return self.type(type)
        if type.name == "any":
            return {}
        if type.name == "text":
            return {"type": ["string", "number", "boolean", "null"]}
        if type.name in ("flag", "int"):
            return {"$ref": self.place + type.name}
        return {"type": type.name}

    def definition(self, definition: Definition) -> Schema:
        if definition.type is not None:
            return self._described(self.type(definition.type), definition.description)
        members = self.dialect.members(definition.name).values()
        whole = self.dialect.inherited_rules(definition)
        excluded = {name: others for one in whole for name, others in one.excluded.items()}
        for names in (names for one in whole for names in one.exclusive):
            for index, name in enumerate(names[:-1]):
                excluded[name] = names[index + 1 :]
        schema: Schema = {"description": unquoted(definition.description), "type": ["object", "null"]}
        schema["properties"] = {one.name: self._described(self.type(one.type), one.description) for one in members}
        if not definition.is_open:
            schema["additionalProperties"] = False
        if excluded:
            schema["dependentSchemas"] = {
                name: {"properties": {other: False for other in others}} for name, others in excluded.items()
            }
        if definition.required:
            schema["required"] = definition.required
        for one in whole:
            schema.update(one.further)
        return schema

    @staticmethod
    def _described(schema: Schema, description: str) -> Schema:
        return {**schema, "description": unquoted(description)} if description else schema


def bounds(type: Range) -> Schema:
    return present({"minimum": _plain(type.least), "maximum": _plain(type.most)})


def _plain(bound: Union[int, float, None]) -> Union[int, float, None]:
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def present(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if value is not None}


# The definitions of stub files stand in these files.
FILES = ("mappings", "matchers", "faults", "routes", "messages")
# Kinds of matchers, and where each stands.
PLACES = {"valueMatcher": "single", "multiValueMatcher": "several", "bodyMatcher": "body", "innerBodyMatcher": "within"}


def stub_schema(dialect: Dialect) -> Schema:
    printer = SchemaPrinter(dialect)
    definitions = {one.name: printer.definition(one) for file in FILES for one in dialect.in_file(file) if "part" not in one.attributes}
    for name, place in PLACES.items():
        allowed = [{"required": [one.name]} for one in dialect["matcher"].members.values() if stands(one.attributes, place)]
        definitions[name] = {"$ref": "#/$defs/matcher", "anyOf": allowed}
    definitions["routes"] = _routes(dialect)
    fields = [name for name in dialect["mapping"].members if name not in ("cors", "$schema")]
    definitions["element"] = {
        "type": "object", "if": {"anyOf": [{"required": [name]} for name in fields]},
        "then": {"$ref": "#/$defs/mapping"}, "else": {"$ref": "#/$defs/routes"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Stunt Double: a file of stubs",
        "if": {"type": "array"},
        "then": {"items": {"$ref": "#/$defs/element"}},
        "else": {
            "type": "object", "if": {"required": ["mappings"]}, "then": {"$ref": "#/$defs/collection"},
            "else": {
                # In `message-mappings/`.
                "if": {"required": ["messageMappings"]}, "then": {"$ref": "#/$defs/messageCollection"},
                "else": {
                    "if": {"anyOf": [{"required": ["trigger"]}, {"required": ["actions"]}]},
                    "then": {"$ref": "#/$defs/messageStub"}, "else": {"$ref": "#/$defs/element"},
                },
            },
        },
        "$defs": definitions,
    }


def unquoted(text: str) -> str:
    """A description without marks of code, which editors show as they stand."""
    return text.replace("`", "")


def stands(attributes: Dict[str, str], place: str) -> bool:
    """Whether an operator may stand at a place; an option stands at none."""
    if "option" in attributes:
        return False
    return place in attributes.get("in", "single several body within").split()


def _routes(dialect: Dialect) -> Schema:
    """An object whose keys are routes."""
    path = r'/([^{}?#]|\{[^{}/?":(\[<\\|=+]+\})*'
    method = r"[!$%&'*+^_`~0-9A-Z-]"
    query = r"(\?([^{}#&]+(=\{[^{}]*\})?(&|$))*)?"
    document = {"anyOf": [{"$ref": "#/$defs/contractDocument"}, {"type": "string"}]}
    sets = {"anyOf": [{"$ref": "#/$defs/sessionFault"}, {"type": "array", "items": {"$ref": "#/$defs/sessionFault"}, "minItems": 1}]}
    return {
        "description": "Routes: METHOD /path, with {variables} and **, and what is answered. The first that matches answers.",
        "properties": {
            "$schema": True, "defaults": {"$ref": "#/$defs/defaults"}, "cors": {"$ref": "#/$defs/cors"},
            "openapi": {
                "description": "OpenAPI documents that are served below the routes: the name of a file, an object, or a list of them.",
                "anyOf": [document, {"type": "array", "items": document, "minItems": 1}],
            },
            "chaos": {
                "description": "Sets of faults by their names, which a session switches on and off.",
                "type": "object", "minProperties": 1, "additionalProperties": sets,
            },
        },
        "patternProperties": {
            r"^(x-|\.)": True,
            rf"^(?!(CRUD|WS)[ \t]){method}+(\|{method}+)*[ \t]+({path}{query}|=?~.+|=/[^#]*)$": {"$ref": "#/$defs/route"},
            rf"^CRUD[ \t]+{path}$": {"$ref": "#/$defs/crud"},
            rf"^WS[ \t]+({path}{query}|=?~.+|=/[^#]*)$": {"$ref": "#/$defs/webSocketRoute"},
        },
        "additionalProperties": False,
    }


def files(dialect: Dialect) -> Dict[str, str]:
    return {"docs/schema/stubs.schema.json": pretty(stub_schema(dialect)) + "\n"}


def pretty(value: Any, margin: str = "") -> str:
    """JSON as the daemon lays it out: lists of plain values on one line."""
    if isinstance(value, dict) and value:
        inner = margin + "  "
        members = (f"{inner}{json.dumps(key, ensure_ascii=False)} : {pretty(one, inner)}" for key, one in value.items())
        return "{\n" + ",\n".join(members) + f"\n{margin}}}"
    if isinstance(value, list) and value:
        return "[ " + ", ".join(pretty(one, margin) for one in value) + " ]"
    if isinstance(value, dict):
        return "{ }"
    return json.dumps(value, ensure_ascii=False)
