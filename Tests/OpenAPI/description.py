"""An OpenAPI document as operations, with schemas for third-party validators."""

import json
import pathlib
import re
from urllib.parse import unquote, urldefrag, urljoin

import yaml
from jsonschema import Draft202012Validator
from openapi_schema_validator import OAS30ReadValidator, OAS30WriteValidator
from referencing import Registry, Specification
from referencing.jsonschema import DRAFT202012

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
# Deep, so that references out of the folder are noticed.
ROOT = "http://document/of/a/folder/within/others/"


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML 1.2: only true and false are booleans, and a date is a string."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, test) for tag, test in resolvers if not tag.endswith((":bool", ":timestamp", ":int"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))


def load(path):
    """The value of a file, with string keys."""
    text = pathlib.Path(path).read_text(encoding="utf-8-sig")
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(json.dumps(yaml.load(text, Loader)))


class Schema:
    """A schema, and the URI to which references in it are relative."""

    def __init__(self, value, uri):
        self.value, self.uri = value, uri

    def __getitem__(self, key):
        return Schema(self.value[key], self.uri)

    def get(self, key, default=None):
        return self.value.get(key, default) if isinstance(self.value, dict) else default


class Parameter:
    """A parameter; its style is that of 3.x."""

    def __init__(self, name, where, required, schema, style, explode, content=None):
        self.name, self.where, self.required, self.schema = name, where, required, schema
        self.style, self.explode, self.content = style, explode, content


class Answer:
    """A declared response: contents are (schema, schema of items) by content type; `examples` are names."""

    def __init__(self, contents, headers, examples=()):
        self.contents, self.headers, self.examples = contents, headers, examples


class Operation:
    """A method on a path. Bodies are schemas by content type; answers are by status as the document writes it."""

    def __init__(self, method, path, node):
        self.method, self.path, self.node = method.upper(), path, node
        self.base, self.parameters, self.bodies, self.body_required, self.answers = "", [], {}, False, {}
        self.secured = False

    def __str__(self):
        return f"{self.method} {self.path}"


class Description:
    """A document with the documents that it refers to. Leaves out operations that cannot be read."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.json = load(path)
        self.version = str(self.json.get("openapi") or self.json.get("swagger"))[:3]
        self.root = urljoin(ROOT + self.path.name, str(self.json.get("$self", "")))
        self.documents = {self.root: self.json}
        self.registry = Registry(retrieve=self._resource).with_resource(self.root, self._wrapped(self.json))
        if self.is_new:
            self._name(self.json, self.root)
        self.operations = list(self._operations())

    @property
    def is_new(self):
        """Whether its schemas are those of JSON Schema 2020-12."""
        return self.version in ("3.1", "3.2")

    def validator(self, schema, of_answer=True):
        """The validator of a schema."""
        kind = Draft202012Validator if self.is_new else OAS30ReadValidator if of_answer else OAS30WriteValidator
        return kind(
            schema.value,
            registry=self.registry,
            format_checker=kind.FORMAT_CHECKER,
            _resolver=self.registry.resolver(schema.uri),
        )

    def followed(self, node):
        """The target of a node's reference, through others; None if there is none."""
        for _ in range(30):
            reference = node.get("$ref")
            if not isinstance(reference, str):
                return node
            uri, fragment = urldefrag(urljoin(node.uri, reference))
            value = self._document(uri)
            for token in fragment.split("/")[1:]:
                token = unquote(token).replace("~1", "/").replace("~0", "~")
                if isinstance(value, list) and token.isdigit() and int(token) < len(value):
                    value = value[int(token)]
                elif isinstance(value, dict) and token in value:
                    value = value[token]
                else:
                    return None
            if value is None or fragment and not fragment.startswith("/"):
                return None
            node = Schema(value, uri)
        return None

    def _wrapped(self, value):
        return (DRAFT202012 if self.is_new else Specification.OPAQUE).create_resource(value)

    def _name(self, value, uri):
        """Registers schemas by their `$id`."""
        if isinstance(value, dict):
            if isinstance(value.get("$id"), str):
                uri = urljoin(uri, value["$id"])
                self.documents.setdefault(uri, value)
                self.registry = self.registry.with_resource(uri, self._wrapped(value))
            for key, inner in value.items():
                if key not in ("example", "examples", "default", "const", "enum"):
                    self._name(inner, uri)
        elif isinstance(value, list):
            for inner in value:
                self._name(inner, uri)

    def _document(self, uri):
        if uri not in self.documents and uri.startswith(ROOT):
            file = self.path.parent / unquote(uri[len(ROOT) :])
            try:
                self.documents[uri] = load(file) if file.is_file() else None
            except (ValueError, yaml.YAMLError):
                self.documents[uri] = None
        return self.documents.get(uri)

    def _resource(self, uri):
        value = self._document(uri)
        if value is None:
            raise LookupError(uri)
        return self._wrapped(value)

    def _operations(self):
        paths = self.json.get("paths")
        for path, item in (paths if isinstance(paths, dict) else {}).items():
            if not path.startswith("/"):
                continue
            own = Schema(item, self.root)
            item = self.followed(own)
            if item is None or not isinstance(item.value, dict):
                continue
            found = [(name, item) for name in METHODS if name in item.value]
            more = item.get("additionalOperations") if self.version == "3.2" else None
            if isinstance(more, dict):
                found += [(name, item["additionalOperations"]) for name in more]
            for name, holder in found:
                try:
                    yield self._operation(name, path, item, holder[name])
                except (TypeError, KeyError, ValueError, AttributeError):
                    pass

    def _operation(self, method, path, item, node):
        operation = Operation(method, path, node)
        operation.base = self._base(item, node)
        security = node.get("security", self.json.get("security"))
        operation.secured = bool(security) and {} not in security
        given = {}
        for holder in (item, node):
            for index in range(len(holder.get("parameters") or [])):
                parameter = self.followed(holder["parameters"][index])
                given[parameter.value["name"], parameter.value["in"]] = parameter
        (self._read_old if self.version == "2.0" else self._read_new)(operation, list(given.values()))
        return operation

    def _base(self, item, node):
        if self.version == "2.0":
            return str(self.json.get("basePath") or "").rstrip("/")
        servers = node.get("servers") or item.get("servers") or self.json.get("servers") or [{"url": "/"}]
        url = servers[0].get("url", "/")
        for name, variable in (servers[0].get("variables") or {}).items():
            url = url.replace("{" + name + "}", str(variable.get("default", "")))
        url = re.sub(r"^[a-zA-Z][a-zA-Z0-9+.-]*://[^/]*|^//[^/]*", "", url)
        return ("/" + url.strip("/")).rstrip("/")

    def _read_new(self, operation, parameters):
        for node in parameters:
            where = node.value["in"]
            style = node.get("style", "form" if where in ("query", "cookie") else "simple")
            contents = node.get("content") or {}
            content = next(iter(contents), None)
            schema = node["content"][content].get("schema") if content else node.get("schema")
            operation.parameters.append(
                Parameter(
                    node.value["name"], where, bool(node.get("required")),
                    None if schema is None else Schema(schema, node.uri),
                    style, node.get("explode", style == "form"), content,
                )
            )  # fmt: skip
        body = node_of(self, operation.node, "requestBody")
        if body is not None:
            operation.body_required = bool(body.get("required"))
            operation.bodies = {type: pair[0] for type, pair in self._contents(body).items()}
        for code in operation.node.get("responses") or {}:
            answer = self.followed(operation.node["responses"][code])
            if answer is not None and not code.startswith("x-"):
                headers = {}
                for name in answer.get("headers") or {}:
                    header = self.followed(answer["headers"][name])
                    schema = header and header.get("schema")
                    headers[name] = None if schema is None else Schema(schema, header.uri)
                contents = [self.followed(answer["content"][kind]) for kind in answer.get("content") or {}]
                names = {name: None for one in contents if one is not None for name in one.get("examples") or {}}
                operation.answers[str(code).upper()] = Answer(self._contents(answer), headers, list(names))

    def _contents(self, node):
        found = {}
        for type in node.get("content") or {}:
            content = self.followed(node["content"][type])
            if content is not None:
                found[type] = tuple(
                    content[key] if content.get(key) is not None else None for key in ("schema", "itemSchema")
                )
        return found

    def _read_old(self, operation, parameters):
        consumes = operation.node.get("consumes") or self.json.get("consumes") or []
        produces = operation.node.get("produces") or self.json.get("produces") or ["application/json"]
        form, needed = {}, []
        for node in parameters:
            where = node.value["in"]
            if where == "body":
                operation.body_required = bool(node.get("required"))
                schema = node["schema"] if node.get("schema") is not None else None
                operation.bodies = {type: schema for type in consumes or ["application/json"]}
                continue
            schema = {
                key: value for key, value in node.value.items() if key not in ("required", "name", "in", "default")
            }
            if where == "formData":
                form[node.value["name"]] = {"type": "string"} if schema.get("type") == "file" else schema
                needed += [node.value["name"]] if node.get("required") else []
                continue
            format = node.get("collectionFormat", "csv")
            style = {"ssv": "spaceDelimited", "pipes": "pipeDelimited", "tsv": "tabDelimited"}.get(
                format, "form" if where == "query" else "simple"
            )
            operation.parameters.append(
                Parameter(
                    node.value["name"],
                    where,
                    bool(node.get("required")),
                    Schema(schema, node.uri),
                    style,
                    format == "multi",
                )
            )
        if form:
            types = [type for type in consumes if "form" in type] or ["application/x-www-form-urlencoded"]
            schema = Schema(
                {"type": "object", "properties": form, "required": needed}
                if needed
                else {"type": "object", "properties": form},
                self.root,
            )
            operation.bodies, operation.body_required = {type: schema for type in types}, bool(needed)
        for code in operation.node.get("responses") or {}:
            answer = self.followed(operation.node["responses"][code])
            if answer is not None and not code.startswith("x-"):
                schema = answer["schema"] if answer.get("schema") is not None else None
                headers = {
                    name: Schema({key: value for key, value in header.items() if key != "default"}, answer.uri)
                    for name, header in (answer.get("headers") or {}).items()
                }
                contents = {type: (schema, None) for type in produces} if schema else {}
                operation.answers[str(code).upper()] = Answer(contents, headers)


def node_of(description, node, key):
    """The member of a node, references followed; None without one."""
    return description.followed(node[key]) if node.get(key) is not None else None
