"""Compares the daemon's verdicts on requests with those of openapi-core."""

import base64
import json
import random
import re

import mutated
import requests
import values
import wire
from openapi_core import OpenAPI
from openapi_core.contrib.requests import RequestsOpenAPIRequest

HOST = "http://judged.example.org"
REFUSALS = (400, 401, 403, 404, 405, 406, 413, 415, 422)


class Judge:
    """Reads a document with openapi-core. Its servers are replaced by one with the path under which operations are asked."""

    def __init__(self, description):
        document = json.loads(json.dumps(description.json))
        for path in document.get("paths", {}).values():
            if isinstance(path, dict):
                path.pop("servers", None)
                for operation in path.values():
                    if isinstance(operation, dict):
                        operation.pop("servers", None)
        bases = {operation.base for operation in description.operations}
        if len(bases) != 1:
            raise ValueError("operations of several servers")
        document["servers"] = [{"url": HOST + bases.pop()}]
        named = {
            schema["$id"]: f"#/components/schemas/{name}"
            for name, schema in ((document.get("components") or {}).get("schemas") or {}).items()
            if isinstance(schema, dict) and "$id" in schema
        }
        self.core = OpenAPI.from_dict(
            without_names(document, named), base_uri=document.get("$self") or description.path.resolve().as_uri()
        )

    def errors(self, request, extra, query):
        """The errors of openapi-core for a request; an empty list if there is none."""
        content = request.content()
        target = request.operation.base + request.target()
        prepared = requests.Request(
            request.method,
            HOST + target + query,
            headers=request.headers() | extra,
            data=content[0] if content else None,
        ).prepare()
        asked = RequestsOpenAPIRequest(prepared)
        asked.parameters.cookie = {
            name: value
            for name, _, value in (part.partition("=") for part in prepared.headers.get("Cookie", "").split("; "))
            if name
        }
        return list(self.core.iter_request_errors(asked))


def without_names(value, named):
    """A document whose references by `$id`, which openapi-core does not find, lead to the places of the schemas."""
    if isinstance(value, list):
        return [without_names(item, named) for item in value]
    if not isinstance(value, dict):
        return value
    found = {key: without_names(item, named) for key, item in value.items()}
    if found.get("$ref") in named:
        found["$ref"] = named[found["$ref"]]
    if found.get("$id") in named:
        del found["$id"]
    return found


def credentials(description, operation):
    """The header fields and the query with valid credentials."""
    schemes = (
        (description.json.get("components") or {}).get("securitySchemes")
        or description.json.get("securityDefinitions")
        or {}
    )
    wanted = operation.node.get("security", description.json.get("security")) or [{}]
    fields, query = {}, []
    for name in wanted[0]:
        scheme = schemes.get(name) or {}
        kind = scheme.get("type")
        if kind == "apiKey" and scheme.get("in") == "query":
            query.append(f"{scheme['name']}=secret")
        elif kind == "apiKey":
            if scheme.get("in") == "cookie":
                fields["Cookie"] = f"{scheme['name']}=secret"
            else:
                fields[scheme["name"]] = "secret"
        elif kind == "basic" or str(scheme.get("scheme")).lower() == "basic":
            fields["Authorization"] = "Basic " + base64.b64encode(b"ann:secret").decode()
        else:
            fields["Authorization"] = "Bearer secret"
    return fields, "&".join(query)


def reasons(error):
    """The daemon's violations that explain this error: pairs of a place and a name or pointers."""
    name = type(error).__name__
    cause = error.__cause__
    if hasattr(error, "location"):
        return [(error.location, error.name)]
    if "Security" in name:
        return [("security", None)]
    if "Path" in name:
        return [("path", None)]
    if "Operation" in name:
        return [("method", None)]
    if type(cause).__name__ == "MediaTypeNotFound" or name == "MediaTypeNotFound":
        return [("content type", None), ("body", None)]
    if hasattr(cause, "schema_errors"):
        return [
            ("body", "/" + "/".join(map(str, leaf.absolute_path)) if leaf.absolute_path else "")
            for leaf in leaves(cause.schema_errors)
        ]
    return [("body", None), ("content type", None)]


def leaves(errors):
    for error in errors:
        yield error
        yield from leaves(error.context or [])


def explained(error, violations):
    """Whether the daemon has a violation for the reason of an error."""
    for place, name in reasons(error):
        for violation in violations:
            if violation["in"] != place:
                continue
            if place == "body" and name is not None:
                pointer = violation.get("pointer", "")
                if pointer == name or pointer.startswith(name + "/") or name.startswith(pointer + "/"):
                    return True
            elif name is None or str(violation.get("name", "")).lower() == name.lower():
                return True
    return False


def keywords(error):
    """The keywords of schemas by which openapi-core found an error, and what the daemon calls them where it says it more
    exactly; an empty set if it is not one of a schema."""
    exact = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum", "oneOf": "discriminator"}
    found = set()
    while error is not None:
        found |= {leaf.validator for leaf in leaves(getattr(error, "schema_errors", None) or [])}
        error = error.__cause__
    return found | {exact[keyword] for keyword in found & exact.keys()}


def violations_of(status, headers, body):
    """The daemon's violations; None if it accepted the request."""
    if "problem+json" not in headers.get("Content-Type", ""):
        return None
    try:
        found = json.loads(body)
    except ValueError:
        return None
    return found.get("violations") if isinstance(found, dict) else None


def has_verdict(description, request, name, errors):
    """Whether openapi-core understands a request: it asks nobody for OAuth, reads no labels, takes parts of forms for bytes."""
    schemes = (description.json.get("components") or {}).get("securitySchemes") or {}
    if name == "no credentials" and any(
        one.get("type") not in ("apiKey", "http") for one in schemes.values() if isinstance(one, dict)
    ):
        return False
    if request.operation.method not in ("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"):
        return False
    # An answer to HEAD has no body that says why, and variables of one segment can be read in several ways.
    if request.method == "HEAD" or re.search(r"\}[^/]+\{", request.operation.path):
        return False
    styles = {one.style for one in request.operation.parameters if one.where != "query" or one.style != "form"}
    if not styles <= {"simple", "form"} or not request.operation.path.isascii():
        return False
    if any(
        one.where == "cookie" and isinstance(request.values.get(("cookie", one.name)), list)
        for one in request.operation.parameters
    ):
        return False
    return not (
        errors
        and request.kind
        and request.raw is None
        and not re.fullmatch(r"application/(json|x-www-form-urlencoded)", request.kind)
    )


def compare(served, description, figures, given):
    """Sends valid requests and requests with one error; yields differing verdicts, and reasons that the daemon does not give."""
    try:
        judge = Judge(description)
    except Exception:  # it reads fewer documents than there are
        figures["documents the judge refuses"] += 1
        return
    maker, chosen = values.Maker(description), random.Random(given.seed)
    asked = list(description.operations)
    chosen.shuffle(asked)
    for operation in asked[: given.limit]:
        requests = [wire.made(operation, maker), wire.made(operation, maker, whole=False)]
        sent = set()
        for request in requests:
            if request is None:
                continue
            for name, one, fields, query in cases(description, operation, request, chosen, given.changes):
                key = one.method, one.target(), str(one.headers()), one.content(), str(fields)
                if key not in sent:
                    sent.add(key)
                    yield from one_case(
                        served, judge, description, name, one, fields, query, figures, given.requests // 2
                    )


def cases(description, operation, request, chosen, changes):
    """A valid request, others with one thing wrong, and valid ones with a change or two: a name, the request, and the fields
    and the query of credentials."""
    fields, query = credentials(description, operation)
    yield "valid", request, fields, query
    wrong, fine = list(mutated.mutations(description, request)), list(mutated.harmless(description, request))
    chosen.shuffle(fine)
    for name, one in fine[:8]:
        fine += [(f"{name}, {more}", other) for more, other in mutated.harmless(description, one)]
    for others in (wrong, fine):
        chosen.shuffle(others)
        for name, one in others[:changes]:
            yield name, one, fields, query
    for name, one in mutated.elsewhere(request)[: 1 if len(description.operations) > 3 else 2]:
        yield name, one, fields, query
    if operation.secured:
        yield "no credentials", request, {}, ""


def one_case(served, judge, description, name, request, fields, query, figures, half):
    query = ("&" if "?" in request.target() else "?") + query if query else ""
    headers = request.headers()
    if "Cookie" in fields and "Cookie" in headers:
        fields = fields | {"Cookie": headers["Cookie"] + "; " + fields["Cookie"]}
    try:
        errors = judge.errors(request, fields, query)
    except Exception:  # the judge's own trouble
        figures["cases without a verdict of the judge"] += 1
        return
    if not has_verdict(description, request, name, errors):
        figures["cases without a verdict of the judge"] += 1
        return
    if figures["invalid ones" if errors else "valid ones"] >= half:
        return
    content = request.content()
    answer = served.ask(
        request.method, request.operation.base + request.target() + query, headers | fields, content and content[0]
    )
    violations = violations_of(*answer)
    figures["requests"] += 1
    figures["invalid ones" if errors else "valid ones"] += 1
    where = f"{request.operation} ({name}: {request.target()[:100]}{query} {(content or [b''])[0][:120]!r})"
    if bool(errors) != bool(violations):
        what = "ours takes it" if violations is None else f"ours refuses it: {json.dumps(violations)[:300]}"
        said = "; ".join(f"{type(e).__name__}: {told(e)}" for e in errors) or "valid"
        yield where, "verdict", f"{what} ({answer[0]}); openapi-core: {said[:400]}"
        return
    figures["equal verdicts"] += 1
    for error in errors:
        if not explained(error, violations):
            yield (
                where,
                "reason",
                f"{type(error).__name__}: {told(error)}; ours: {json.dumps(violations)[:300]}",
            )
            return
        known = keywords(error)
        # JSON that cannot be read has no schema, for us.
        if known and request.raw is None and not known & {violation.get("keyword") for violation in violations}:
            yield where, "keyword", f"{type(error).__name__}: {sorted(map(str, known))}; ours: {json.dumps(violations)[:300]}"
            return
        figures["keywords found"] += bool(known)
    figures["reasons found"] += bool(errors)


def told(error):
    """An error as text; some errors of openapi-core cannot be printed."""
    try:
        return f"{error} {str(error.__cause__)[:250]}"
    except (AttributeError, UnicodeDecodeError):
        return "an error without words"
