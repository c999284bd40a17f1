"""The OpenAPI document of the admin API, which the daemon serves and from which clients are generated.

It has all calls, and a schema of each definition whose name begins with a capital or that says one, `(api Name)`. Other
definitions stand where they are used. A schema says what the daemon writes; what it reads besides, such as a number as a
text or null for what is absent, is left to the schema of stub files. Objects that stand in answers are open, so that a
client can read those of newer daemons.
"""

import json
import re
from typing import Any, Dict, List, Optional, Set

from calls import Answer, Call, Content
from json_schema import PLACES, Schema, bounds, present
from notation import Definition, Dialect, walk
from type_notation import (
    Inline, ListOf, Literal, MapOf, Member, OneOf, Pattern, Range, Reference, Type, Word, Words, parts_of, read_type,
)

# What members and definitions may say of themselves in parentheses, word for word.
KEYWORDS = ("format", "default", "minLength", "maxLength")
# What is written where the reader takes more.
WRITTEN = {"text": "string", "flag": "boolean", "int": "integer"}
# No schema of OpenAPI 3.0 that refers to another admits null but this one.
NULL: Schema = {"type": "object", "nullable": True, "enum": [None]}
SECURITY = {
    "basic": {"type": "http", "scheme": "basic", "description": "`--admin-api-basic-auth`"},
    "token": {"type": "http", "scheme": "bearer", "description": "`--admin-token`"},
}


def reference(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


class OpenAPIPrinter:
    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        # The names of schemas by those of definitions and lists, with their marks.
        self.names: Dict[str, str] = {}
        # Types that a definition gives a name, which stands for them everywhere.
        self.named: Dict[Type, str] = {}
        for one in dialect.definitions.values():
            name = one.attributes.get("api") or (one.name if one.name[0].isupper() else None)
            if name:
                self.names["#" + one.name] = name
            if name and one.type and any(isinstance(part, (Reference, Words)) for part in walk(one.type)):
                self.named[one.type] = name
        for words in dialect.words.values():
            if "api" in words.attributes:
                self.names["@" + words.name] = words.attributes["api"]
        self.answered = self._answered()
        # Of the schema that is printed: its name, whether null is something else than absence, and whether other members
        # are refused.
        self.current = ""
        self.has_null = False
        self.is_closed = False

    def _answered(self) -> Set[str]:
        """The definitions that answers are made of."""
        found: Set[str] = set()
        types = [type for call in self.dialect.calls.all for type in call.answer_types()]
        while types:
            for part in walk(types.pop()):
                name = _name(part) if isinstance(part, Reference) else None
                if isinstance(part, Inline):
                    definition = part.definition
                elif name and name not in found:
                    found.add(name)
                    definition = self.dialect[name]
                else:
                    continue
                types += [one.type for one in self.dialect.members_of(definition).values()]
                types += [definition.type] if definition.type else []
                types += [Reference(definition.parent)] if definition.parent else []
        return found

    # Schemas

    def schemas(self) -> Dict[str, Schema]:
        found: Dict[str, Schema] = {}
        for mark, name in self.names.items():
            if mark[0] == "@":
                found[name] = self._words(mark[1:])
                continue
            definition = self.dialect[mark[1:]]
            self.has_null = definition.is_answer
            self.is_closed = not definition.is_answer and definition.name not in self.answered
            self.current = name
            found[name] = self._definition(definition)
        self.current = ""
        return dict(sorted(found.items()))

    def _definition(self, definition: Definition) -> Schema:
        keywords = _keywords(definition.attributes)
        if "format" in keywords:
            return {"type": "string", **keywords}
        if definition.type is None:
            return self._object(definition)
        schema = {**self._union(definition.type), **keywords, **self._discriminator(definition)}
        return {**schema, "description": definition.description} if definition.description else schema

    def _discriminator(self, definition: Definition) -> Schema:
        """What tells the objects of a union apart."""
        key = definition.attributes.get("union")
        if key is None:
            return {}
        objects = [self.dialect[one.name] for one in parts_of(definition.type) if isinstance(one, Reference)]
        mapping = {one.members[key].type.text: f"#/components/schemas/{self.names['#' + one.name]}" for one in objects}
        return {"discriminator": {"propertyName": key, "mapping": mapping}}

    def _object(self, definition: Definition) -> Schema:
        members = self.dialect.members_of(definition)
        description = {"description": definition.description} if definition.description else {}
        parent = self.names.get(f"#{definition.parent}")
        if parent and all(name.startswith("#") for _, name in definition.taken):
            inherited = self.dialect.members(definition.parent or "")
            own = {name: one for name, one in members.items() if name not in inherited or name in definition.members}
            return {**description, "allOf": [reference("schemas", parent), self._properties(definition, own)]}
        return {**self._properties(definition, members), **description}

    def _properties(self, definition: Definition, members: Dict[str, Member]) -> Schema:
        required = [one.name for one in members.values() if not one.is_optional] if definition.is_answer else []
        required = required or definition.required
        schema: Schema = {"type": "object"}
        if required:
            schema["required"] = required
        if members:
            schema["properties"] = {one.name: self._member(one) for one in members.values()}
        if self.is_closed and not definition.is_open:
            schema["additionalProperties"] = False
        known = ("minProperties", "maxProperties", "additionalProperties")
        return {**schema, **{key: value for key, value in definition.further.items() if key in known}}

    def _member(self, member: Member) -> Schema:
        schema = self.type(read_type(member.attributes["api"]) if "api" in member.attributes else member.type)
        keywords = _keywords(member.attributes)
        if "$ref" in schema:
            return {"allOf": [schema], **keywords} if keywords else schema
        schema = {**schema, **keywords}
        return {**schema, "description": member.description} if member.description else schema

    def type(self, type: Type) -> Schema:
        return self._named(type) or self._union(type)

    def _named(self, type: Type) -> Optional[Schema]:
        name = self.named.get(type)
        return reference("schemas", name) if name and name != self.current else None

    def _union(self, type: Type) -> Schema:
        """The alternatives without those that only the reader takes, literals as one enumeration."""
        parts = [part for part in parts_of(type) if part != Word("null")]
        if any(part in (Word("string"), Word("text")) for part in parts):
            parts = [part for part in parts if not isinstance(part, (Literal, Pattern, Words))]
        if any(isinstance(part, Range) or part in (Word("integer"), Word("number"), Word("int")) for part in parts):
            parts = [part for part in parts if not (isinstance(part, Pattern) and part.text == "^[0-9]+$")]
        if Word("any") in parts:
            parts = [Word("any")]
        values = [part.text for part in parts if isinstance(part, Literal)]
        parts = [part for part in parts if not isinstance(part, Literal)]
        found: List[Schema] = [{"type": "string", "enum": values}] if values else []
        whole = self._named(OneOf(tuple(parts)))
        found += [whole] if whole else map(self._part, parts)
        is_nullable = self.has_null and Word("null") in parts_of(type)
        if len(found) == 1 and is_nullable and "type" in found[0]:
            return {**found[0], "nullable": True}
        found += [NULL] if is_nullable else []
        return found[0] if len(found) == 1 else {"anyOf": found}

    def _part(self, type: Type) -> Schema:
        named = self._named(type)
        if named:
            return named
        if isinstance(type, Pattern):
            return {"type": "string", "pattern": type.text}
        if isinstance(type, Words):
            name = self.names.get("@" + type.name)
            return reference("schemas", name) if name else self._words(type.name)
        if isinstance(type, Reference) and type.name in WRITTEN:
            return {"type": WRITTEN[type.name]}
        if isinstance(type, Reference):
            name = self.names.get("#" + _name(type))
            return reference("schemas", name) if name else self._definition(self.dialect[type.name])
        if isinstance(type, ListOf):
            number = {"minItems": type.least or None, "maxItems": type.most}
            return {"type": "array", **present(number), "items": self.type(type.elements)}
        if isinstance(type, MapOf):
            return {"type": "object", "additionalProperties": self.type(type.values)}
        if isinstance(type, Range):
            return {"type": "integer" if type.is_whole else "number", **bounds(type)}
        if isinstance(type, Inline):
            return self._object(type.definition)
        assert isinstance(type, Word)
        return {"nullable": True} if type.name == "any" else {"type": WRITTEN.get(type.name, type.name)}

    def _words(self, name: str) -> Schema:
        return {"type": "string", "enum": [word for word, _, _ in self.dialect.words[name].words]}

    # Calls

    def paths(self) -> Dict[str, Any]:
        parameters = self.dialect.calls.parameters
        groups = [name for name, _, _ in self.dialect.words["groups"].words]
        paths: Dict[str, Any] = {}
        for call in sorted(self.dialect.calls.all, key=lambda call: groups.index(call.group)):
            path = re.sub(r"\{(\w+)\}", lambda found: parameters[found[1]].name, call.path)
            shared = [reference("parameters", name) for name in call.variables]
            operations = paths.setdefault(path, {"parameters": shared} if shared else {})
            operations[call.method.lower()] = self._operation(call)
        return paths

    def _operation(self, call: Call) -> Dict[str, Any]:
        parameters = [reference("parameters", name) for name in call.shared]
        parameters += [self._parameter(one, one.name) for one in call.parameters]
        answers: Dict[str, Answer] = {}
        for name in call.variables + call.shared:
            answers.update(self.dialect.calls.parameters[name].answers)
        answers = {**self.dialect.calls.every.answers, **answers, **call.answers}
        operation: Dict[str, Any] = {"tags": [call.group], "operationId": call.name, "summary": call.summary}
        if parameters:
            operation["parameters"] = parameters
        if call.body:
            operation["requestBody"] = {"required": call.needs_body, "content": self._content(call.body)}
        operation["responses"] = {status: self._answer(answer) for status, answer in sorted(answers.items())}
        return operation

    def _answer(self, answer: Answer) -> Dict[str, Any]:
        found: Dict[str, Any] = {"description": answer.description}
        if answer.headers:
            found["headers"] = {
                one.name: _described({"required": True, "schema": self.type(one.type)}, one) for one in answer.headers
            }
        if answer.content:
            found["content"] = self._content(answer.content)
        return found

    def _content(self, content: Content) -> Dict[str, Any]:
        is_binary = {"application/octet-stream": {"type": "string", "format": "binary"}}
        return {media: {"schema": is_binary.get(media) or self.type(type)} for media, type in content}

    def parameters(self) -> Dict[str, Any]:
        return {key: self._parameter(one.member, one.name) for key, one in self.dialect.calls.parameters.items()}

    def _parameter(self, member: Member, name: str) -> Dict[str, Any]:
        place = "path" if name.startswith("{") else member.attributes.get("in", "query")
        parameter = _described({"name": name.strip("{}"), "in": place}, member)
        if place == "path":
            parameter["required"] = True
        if "explode" in member.attributes:
            parameter["explode"] = json.loads(member.attributes["explode"])
        return {**parameter, "schema": {**self.type(member.type), **_keywords(member.attributes)}}

    def document(self) -> Dict[str, Any]:
        every = self.dialect.calls.every
        return {
            "openapi": "3.0.0",
            "info": {"title": every.name, "description": every.summary, "version": ""},
            "servers": [{"url": "/"}],
            "tags": [{"name": name, "description": text} for name, _, text in self.dialect.words["groups"].words],
            "security": [{}, *({name: []} for name in SECURITY)],
            "paths": self.paths(),
            "components": {
                "parameters": dict(sorted(self.parameters().items())), "schemas": self.schemas(),
                "securitySchemes": SECURITY,
            },
        }


def _name(type: Reference) -> str:
    """The name of a definition; all matchers are one schema."""
    return "matcher" if type.name in PLACES else type.name


def _keywords(attributes: Dict[str, str]) -> Schema:
    return {key: _value(attributes[key]) for key in KEYWORDS if key in attributes}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _described(value: Dict[str, Any], member: Member) -> Dict[str, Any]:
    return {**value, "description": member.description} if member.description else value


def laid_out(value: Any, margin: str = "", before: int = 0) -> str:
    """JSON in lines of 120 characters: what fits on one line stands on it."""
    line = json.dumps(value, ensure_ascii=False)
    if len(margin) + before + len(line) <= 119 or not isinstance(value, (dict, list)) or not value:
        return line
    inner = margin + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + laid_out(one, inner) for one in value) + f"\n{margin}]"
    members = ((json.dumps(key, ensure_ascii=False) + ": ", one) for key, one in value.items())
    return "{\n" + ",\n".join(inner + key + laid_out(one, inner, len(key)) for key, one in members) + f"\n{margin}}}"


def files(dialect: Dialect) -> Dict[str, str]:
    return {"Sources/Admin/CResources/openapi.json": laid_out(OpenAPIPrinter(dialect).document()) + "\n"}
