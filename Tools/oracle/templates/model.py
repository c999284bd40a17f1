"""The request and the parameters, as templates see them."""

from . import cases as asked, values

MULTIPLE = (
    "request.query.q", "request.query.name", "request.query.empty", "request.query.bare", "request.query.missing",
    "request.headers.x-many", "request.headers.X-One", "request.headers.x-empty", "request.headers.X-Comma",
    "request.headers.missing", "request.cookies.session", "request.cookies.theme", "request.cookies.missing")


# The path prints decoded, unless the stub has a template of it.
def of_lines():
    for name in (
            "id", "url", "path", "pathSegments", "query", "headers", "cookies", "body", "bodyAsBase64", "binary", "multipart",
            "parts", "clientIp", "host", "port", "baseUrl", "scheme", "method", "requestLine"):
        if name != "id":
            for request in ("get", "full", "json", "parts", "path", "put", "root"):
                yield from asked(f"{{{{request.{name}}}}}", request=request)
    yield from asked(
        "{{size request.id}}", "{{matches request.id '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'}}",
        "{{eq request.id request.id}}", "{{request}}", "{{request.missing}}", "{{request.Method}}", "{{request.METHOD}}",
        "{{request.getMethod}}", "{{request.method.name}}", "{{request.method.value}}", "{{request.requestLine.method}}",
        "{{request.requestLine.path}}", "{{request.requestLine.pathSegments.0}}", "{{request.requestLine.query.q}}",
        "{{request.requestLine.url}}", "{{request.requestLine.host}}", "{{request.requestLine.port}}",
        "{{request.requestLine.baseUrl}}", "{{request.requestLine.scheme}}", "{{request.requestLine.clientIp}}", "{{method}}",
        "{{originalRequest.method}}", "{{message.body}}", "{{request.protocol}}", "{{request.bodyAsString}}",
        "{{request.absoluteUrl}}", "{{request.formParameters}}", "{{request.body.length}}", "{{request.url.length}}",
        "{{eq request.method 'GET'}}", "{{eq request.port 8080}}", "{{eq request.path '/one/two%20b/three'}}",
        "{{eq request.path '/one/two b/three'}}", "{{size request.path}}", "{{size request.url}}",
        "{{size request.pathSegments}}", "{{size request.query}}", "{{size request.headers}}", "{{size request.query.q}}",
        "{{size request.query.name}}", "{{size request.query.missing}}", "{{upper request.path}}",
        "{{upper request.query.name}}", "{{upper request.headers.x-many}}", "{{join request.query.q ','}}",
        "{{join request.headers.x-many ','}}", "{{contains request.path 'two'}}", "{{contains request.query.q '2'}}",
        "{{contains request.headers.x-many 'second'}}", "{{toJson request.query}}", "{{toJson request.headers}}",
        "{{toJson request.cookies}}", "{{toJson request.path}}", "{{toJson request.pathSegments}}",
        "{{toJson request.query.q}}", "{{toJson request.query.name}}", "{{toJson request.method}}", "{{toJson request.parts}}",
        "{{toJson request.port}}", "{{toJson request.binary}}", "{{#if request.binary}}a{{else}}b{{/if}}",
        "{{#if request.multipart}}a{{else}}b{{/if}}", "{{#if request.body}}a{{else}}b{{/if}}",
        "{{#if request.cookies}}a{{else}}b{{/if}}", "{{#if request.query.missing}}a{{else}}b{{/if}}",
        "{{#if request.query.empty}}a{{else}}b{{/if}}", "{{#if request.query.bare}}a{{else}}b{{/if}}",
        "{{#if request.headers.x-empty}}a{{else}}b{{/if}}", "{{#request.query.q}}[{{this}}]{{/request.query.q}}",
        "{{#request.query.name}}[{{this}}]{{/request.query.name}}",
        "{{#request.query.missing}}a{{else}}b{{/request.query.missing}}", "{{#with request.query}}{{q}}|{{name}}{{/with}}",
        "{{#with request.query.q}}{{this}}|{{this.[1]}}{{/with}}", "{{lookup request.query 'q'}}",
        "{{lookup request.query 'a.b'}}", "{{lookup request.query 'missing'}}", "{{lookup request.query.q 1}}",
        "{{lookup request.headers 'x-one'}}", "{{lookup request.headers 'X-ONE'}}", "{{lookup request.headers 'missing'}}",
        "{{lookup request.path 1}}", "{{lookup request.pathSegments 1}}", "{{lookup request 'method'}}",
        "{{lookup request 'headers'}}", "{{math request.query.q '+' 1}}", "{{eq request.query.q 1}}",
        "{{eq request.query.q '1'}}", "{{#eq request.query.name 'Jörg M&M'}}a{{else}}b{{/eq}}", request="full")


def of_multiple_values():
    """Negative indices count from the one before the last."""
    for name in MULTIPLE:
        for index in (
                "", ".[0]", ".0", ".[1]", ".1", ".[2]", ".2", ".[3]", ".[-1]", ".-1", ".[-2]", ".[-3]", ".[-4]", ".first",
                ".last", ".size", ".x"):
            if index in ("", ".[0]", ".[-1]", ".first", ".last") or name in ("request.query.q", "request.query.name"):
                yield from asked(f"{{{{{name}{index}}}}}", request="full")
    yield from asked(
        "{{request.query.a.b}}", "{{request.query.[a.b]}}", "{{request.query.[x y]}}", "{{request.query.Q}}",
        "{{request.query.[q].[1]}}", "{{request.query.[q].1}}", "{{request.headers.X-MANY.[1]}}",
        "{{request.headers.[x-many].[1]}}", "{{request.headers.[X-Many].[2]}}", "{{request.headers.x_many}}",
        "{{request.headers.Host}}", "{{request.headers.host}}", "{{request.headers.HOST.[0]}}", "{{request.headers.Cookie}}",
        "{{request.headers.accept}}", "{{request.headers.content-length}}", "{{request.cookies.odd}}",
        "{{request.cookies.session.[1]}}", "{{request.cookies.session.1}}", "{{request.cookies.Session}}",
        "{{request.cookies.theme.[0]}}", "{{request.cookies.size}}", request="full")


def of_their_properties():
    yield from asked(
        *(f"{{{{{name}.{member}}}}}" for name in (
            "request.query.q", "request.query.name", "request.headers.x-many", "request.path", "request.pathSegments",
            "request.headers", "request.query", "request.cookies") for member in (
                "single", "isSingle", "empty", "isEmpty", "length", "size", "toString", "getFirst", "first", "get", "class",
                "values", "keySet")),
        request="full")


def of_paths():
    for index in (".[0]", ".0", ".[1]", ".1", ".[2]", ".2", ".[3]", ".[-1]", ".-1", ".x", ".size", ".first", ".last"):
        yield from asked(f"{{{{request.path{index}}}}}", f"{{{{request.pathSegments{index}}}}}", request="full")
    for name in (".user", ".order-id", ".[order-id]", ".missing", ".0", ".1", ".2", ".3", ".[3]", ".4", ".size", ".[-1]"):
        yield from asked(f"{{{{request.path{name}}}}}", f"{{{{request.pathSegments{name}}}}}", request="path")
    yield from asked(
        "{{#each request.path}}{{@key}}={{this}};{{/each}}", "{{#each request.pathSegments}}{{@index}}={{this}};{{/each}}",
        "{{toJson request.path}}", "{{size request.path}}", "{{upper request.path}}", "{{request.path}}|{{request.path.user}}",
        "{{#if request.path.user}}a{{/if}}", "{{eq request.path.user 42}}", "{{eq request.path.user '42'}}",
        "{{lookup request.path 'user'}}", "{{lookup request.path 'order-id'}}", "{{lookup request.path 3}}",
        "{{request.requestLine.path.user}}", "{{request.query.x}}", "{{#with request.path}}{{user}}|{{this}}{{/with}}",
        request="path")
    yield from asked(
        "{{request.path.0}}", "{{request.path.1}}", "{{size request.pathSegments}}", "{{toJson request.pathSegments}}",
        "{{request.query}}", request="root")
    yield from asked(
        "{{request.path.0}}", "{{request.path}}", "{{size request.path}}", "{{#if request.path}}a{{else}}b{{/if}}",
        "{{#each request.path}}x{{else}}none{{/each}}", "{{toJson request.path}}", "{{toJson request.query}}",
        "{{#if request.query}}a{{else}}b{{/if}}", "{{#if request.headers}}a{{else}}b{{/if}}", "{{toJson request.cookies}}",
        "{{request.cookies}}")


def of_bodies():
    for request in ("json", "xml", "form", "text", "parts", "related"):
        yield from asked(
            "{{request.body}}", "{{request.bodyAsBase64}}", "{{request.binary}}", "{{request.multipart}}",
            "{{size request.body}}", "{{request.headers.Content-Type}}", request=request)
    yield from asked(
        "{{size request.parts}}", "{{request.parts.text.body}}", "{{request.parts.text.bodyAsBase64}}",
        "{{request.parts.text.binary}}", "{{request.parts.text.name}}", "{{request.parts.text.headers.x-part}}",
        "{{request.parts.text.headers.X-PART}}", "{{request.parts.text.headers.Content-Type}}",
        "{{request.parts.text.headers.content-disposition}}", "{{request.parts.text.headers}}", "{{request.parts.text}}",
        "{{request.parts.file.body}}", "{{request.parts.file.binary}}", "{{request.parts.file.bodyAsBase64}}",
        "{{request.parts.file.fileName}}", "{{request.parts.file.filename}}", "{{request.parts.json.body}}",
        "{{request.parts.json.body.a}}", "{{jsonPath request.parts.json.body '$.a'}}", "{{request.parts.missing.body}}",
        "{{request.parts.[text].body}}", "{{request.parts.text.headers.x-part.[0]}}",
        "{{#each request.parts}}{{@key}}={{body}};{{/each}}",
        "{{#each request.parts}}{{name}}:{{headers.content-type}};{{/each}}",
        "{{#each request.parts as |p k|}}{{k}}={{p.body}};{{/each}}", "{{request.parts.0}}", "{{request.parts.part-0.body}}",
        "{{lookup request.parts 'text'}}", "{{#with request.parts.text}}{{body}}|{{name}}|{{binary}}{{/with}}", request="parts")
    yield from asked(
        "{{size request.parts}}", "{{#each request.parts}}{{@key}}={{body}};{{/each}}", "{{request.parts.part-0.body}}",
        "{{request.parts.part-1.body}}", "{{request.parts.part-1.name}}", "{{request.parts.part-0.headers.content-type}}",
        request="related")
    yield from asked("{{#if request.parts}}a{{else}}b{{/if}}", "{{size request.parts}}", "{{request.parts}}", request="json")


def of_parameters():
    yield from asked(
        "{{parameters}}", "{{parameters.a}}", "{{parameters.size}}", "{{#if parameters}}a{{else}}b{{/if}}",
        "{{toJson parameters}}")
    yield from asked(
        "{{parameters.a}}", "{{parameters.b.c}}", "{{parameters.template}}", "{{{parameters.template}}}", "{{parameters}}",
        "{{toJson parameters}}", parameters={"a": 1, "b": {"c": [True, None]}, "template": "{{request.method}}"})
    yield from values(
        "{{toJson parameters.map}}", "{{toJson parameters.huge}}", "{{toJson parameters.exp}}", "{{toJson parameters.whole}}",
        "{{size parameters}}", "{{#each parameters.map}}{{@key}}{{/each}}", "{{parameters.int.class}}",
        "{{parameters.dec.intValue}}", "{{parameters.text.trim}}", "{{parameters.text.toString}}",
        "{{parameters.text.hashCode}}", "{{parameters.text.isEmpty}}", "{{parameters.text.isBlank}}",
        "{{parameters.list.isEmpty}}", "{{parameters.list.hashCode}}", "{{parameters.int.toString}}",
        "{{parameters.yes.booleanValue}}")


def of_odd_requests():
    yield from asked("{{request.method}}", "{{request.parts.a.body}}", request="sameParts")
    yield from asked(
        "{{size request.parts}}", "{{request.parts.a.body}}", "{{request.parts.a.headers.x-n}}",
        "{{request.parts.a.headers.x-n.[1]}}",
        "{{request.parts.[b c].body}}", "{{request.parts.[d.e].body}}", "{{request.parts.[d.e].binary}}",
        "{{request.parts.[b c].binary}}", "{{request.parts.[d.e].headers.content-disposition}}",
        "{{#each request.parts}}{{@key}}={{body}};{{/each}}", "{{request.parts.a}}", "{{request.multipart}}",
        request="oddParts")
    for request in ("brokenParts", "boundless"):
        yield from asked(
            "{{request.multipart}}", "{{request.parts}}", "{{size request.parts}}", "{{request.body}}", request=request)
    yield from asked(
        "{{request.cookies}}", "{{toJson request.cookies}}", "{{request.cookies.a}}", "{{request.cookies.A}}",
        "{{request.cookies.b}}", "{{request.cookies.c}}", "{{request.cookies.e}}", "{{request.cookies.f}}",
        "{{request.cookies.g}}", "{{#each request.cookies}}{{@key}}={{this}};{{/each}}", "{{request.headers}}",
        "{{request.headers.x-utf}}", "{{request.headers.X-Space}}", "[{{request.headers.x-space}}]",
        "{{request.headers.[x.dot]}}", "{{request.headers.x.dot}}", "{{request.headers.1}}", "{{request.headers.[1]}}",
        "{{request.headers.X-Quote}}", "{{toJson request.headers.X-Quote}}", "{{lookup request.headers 'x.dot'}}",
        "{{lookup request.headers 'X-Utf'}}", request="cookies")
    # A body is read as UTF-8 whatever its content type says.
    for request in ("latin", "binary", "bytes"):
        yield from asked(
            "{{request.body}}", "{{request.bodyAsBase64}}", "{{request.binary}}", "{{size request.body}}",
            "{{base64 request.body}}", "{{urlEncode request.body}}", request=request)
    # The base URL leaves out the port that its scheme has anyway.
    for request in ("secure", "secureOther", "secureBare", "swapped"):
        yield from asked(
            "{{request.scheme}}", "{{request.baseUrl}}", "{{request.port}}", "{{request.host}}", "{{request.method}}",
            "{{request.requestLine.baseUrl}}", "{{request.clientIp}}", request=request)
    for request in ("forwarded", "absolute", "coded", "many"):
        yield from asked(
            "{{request.url}}", "{{request.path}}", "{{toJson request.pathSegments}}", "{{request.query}}",
            "{{toJson request.query}}", "{{request.headers}}", "{{request.host}}", "{{request.port}}", "{{request.baseUrl}}",
            "{{request.scheme}}", "{{request.clientIp}}", "{{request.cookies}}", "{{toJson request.cookies}}", request=request)
    yield from asked(
        "{{request.query.[a[0]]}}", "{{request.query.b}}", "{{request.query.c}}", "{{request.query.d}}", "{{request.query.e}}",
        "{{request.query.f}}", "{{request.query.h}}", "{{request.query.i}}", "{{request.query.[]}}", "{{request.path.0}}",
        "{{request.path.1}}", "{{request.path.2}}", "{{request.path.3}}", "{{request.path.4}}", "{{request.pathSegments.4}}",
        "{{size request.path}}", "{{lookup request.query 'a[0]'}}", "{{lookup request.query '[a[0]]'}}", request="coded")
    yield from asked(
        "{{request.headers.b}}", "{{request.headers.B.[1]}}", "{{request.headers.a}}",
        "{{#each request.query}}{{@key}} {{/each}}", "{{#each request.headers}}{{@key}} {{/each}}",
        "{{#each request.cookies}}{{@key}}={{this}} {{/each}}", "{{request.cookies.z.[1]}}", "{{request.cookies.m}}",
        "{{request.headers.cookie.[1]}}", request="many")


def cases():
    for part in (of_odd_requests, of_their_properties, of_lines, of_multiple_values, of_paths, of_bodies, of_parameters):
        yield from part()
