"""Bodies of every kind with patterns that test them: text, JSON, XML, bytes, forms and parts."""

import gzip
import urllib.parse

from matchers import documents, texts
from matchers.fields import encoded, multi_value_matcher

TYPES = {"json": ["application/json", "application/json; charset=utf-8", "application/vnd.api+json", "text/plain", None],
         "xml": ["application/xml", "text/xml; charset=utf-8", None], "text": ["text/plain", "text/plain;charset=UTF-8", None]}


def sealed(rng, draft, content):
    """The body, sometimes compressed; the header and the bytes may disagree."""
    form = rng.random()
    if form < 0.08:
        draft.headers.append(["Content-Encoding", rng.choice(["gzip", "gzip", "GZIP", "x-gzip"])])
        content = gzip.compress(content, mtime=0)
    elif form < 0.1:
        content = gzip.compress(content, mtime=0)
    draft.body = content


def typed(rng, draft, kind):
    media = rng.choice(TYPES[kind])
    if media:
        draft.headers.append(["Content-Type", media])
    draft.method = rng.choice(["POST", "POST", "PUT", "PATCH", "DELETE"])


def several(rng, make):
    """One pattern, or several that must all match."""
    return [make() for _ in range(rng.choice([1, 1, 1, 2, 3]))]


def nested(rng, make):
    """A matcher made by `make`, alone or within others."""
    form = rng.random()
    if form < 0.08:
        return {"and": [make(), make()]}
    if form < 0.16:
        return {"or": [make(), make()]}
    if form < 0.22:
        return {"not": make()}
    return make()


def json_body(rng):
    value = documents.catalogue(rng) if rng.random() < 0.5 else documents.json_value(rng)
    patterns = several(rng, lambda: nested(rng, lambda: documents.json_matcher(rng, value)))
    def fill(draft):
        typed(rng, draft, "json")
        near = value if rng.random() < 0.65 else documents.changed_json(rng, value)
        text = documents.json_text(rng, near)
        if rng.random() < 0.06:
            text = documents.broken(rng, text)
        if rng.random() < 0.97:
            sealed(rng, draft, text.encode())
    return {"bodyPatterns": patterns}, fill


def xml_body(rng):
    tree = documents.element(rng)
    patterns = several(rng, lambda: nested(rng, lambda: documents.xml_matcher(rng, tree)))
    def fill(draft):
        typed(rng, draft, "xml")
        text = documents.xml_document(rng, tree if rng.random() < 0.7 else documents.changed_xml(rng, tree))
        if rng.random() < 0.06:
            text = rng.choice([text[:-2], "", "plain", "{}", text + text, text.replace("<", "<!-- note --><", 1)])
        sealed(rng, draft, text.encode())
    return {"bodyPatterns": patterns}, fill


def text_body(rng):
    text = texts.word(rng, wide=True)
    patterns = several(rng, lambda: texts.text_matcher(rng, text if rng.random() < 0.9 else None))
    if rng.random() < 0.2:
        date = texts.date(rng)
        matcher, text = texts.date_matcher(rng, date)
        patterns = [matcher]
    def fill(draft):
        typed(rng, draft, "text")
        content = text if rng.random() < 0.65 else texts.changed(rng, text)
        charset = rng.choice([None] * 5 + ["ISO-8859-1", "iso-8859-1", "UTF-16", "utf-16le", "US-ASCII", "windows-1252", '"utf-8"'])
        data = content.encode()
        if charset:
            draft.headers[:] = [["Content-Type", f"text/plain; charset={charset}"]]
            try:
                data = content.encode(charset.strip('"'))
            except UnicodeEncodeError:
                pass
        if rng.random() < 0.93:
            sealed(rng, draft, data)
    return {"bodyPatterns": patterns}, fill


def binary_body(rng):
    content = rng.choice([b"\0\1\2\xff", b"\x89PNG\r\n", b"plain", b"", b"\x1f\x8b", b"\xff\xfe\x00"])
    patterns = several(rng, lambda: texts.binary_matcher(rng, content))
    def fill(draft):
        draft.method = "POST"
        if rng.random() < 0.5:
            draft.headers.append(["Content-Type", rng.choice(["application/octet-stream", "image/png"])])
        sealed(rng, draft, rng.choice([content, content, content, content + b"\0", b""]))
    return {"bodyPatterns": patterns}, fill


def form_body(rng):
    name = rng.choice(["k", "user", "a b", "ü"])
    matcher, draw = multi_value_matcher(rng)
    def fill(draft):
        draft.method = rng.choice(["POST", "POST", "PUT", "GET"])
        if rng.random() < 0.93:
            draft.headers.append(["Content-Type", rng.choice(
                ["application/x-www-form-urlencoded"] * 4 + ["application/x-www-form-urlencoded; charset=utf-8",
                                                            "Application/X-WWW-Form-Urlencoded", "text/plain"])])
        pairs = [encoded(rng, name, value) for value in draw()]
        if rng.random() < 0.3:
            pairs.append(rng.choice(["other=1", "x", "", "=1"]))
        if rng.random() < 0.2:
            draft.query.append(f"{urllib.parse.quote(name)}=from%20query")
        draft.body = "&".join(pairs).encode()
    return {"formParameters": {name: matcher}}, fill


PARTS = [("text", "text/plain", b"hello"), ("data", "application/json", b'{"a": 1, "b": [1, 2]}'), ("file", "application/octet-stream", b"\0\1\xff"),
         ("xml", "application/xml", b"<a><b>1</b></a>"), ("text", None, b"hello"), ("empty", "text/plain", b""),
         ("wide", "text/plain; charset=ISO-8859-1", "é".encode("latin-1"))]

CONTENTS = {
    "text": [{"equalTo": "hello"}, {"contains": "ell"}, {"matches": "h.*o"}, {"binaryEqualTo": "aGVsbG8="}, {"not": {"equalTo": "x"}}],
    "data": [{"equalToJson": '{"b":[1,2],"a":1}'}, {"matchesJsonPath": "$.a"}, {"matchesJsonPath": {"expression": "$.b[1]", "equalTo": "2"}},
             {"matchesJsonSchema": {"required": ["a"]}}, {"equalToJson": {"a": 1}, "ignoreExtraElements": True}],
    "file": [{"binaryEqualTo": "AAH/"}, {"doesNotContain": "x"}, {"matches": "(?s).*"}],
    "xml": [{"equalToXml": "<a><b>1</b></a>"}, {"matchesXPath": "//b"}, {"matchesXPath": {"expression": "//b/text()", "equalTo": "1"}}],
    "empty": [{"absent": True}, {"equalTo": ""}, {"binaryEqualTo": ""}, {"matches": ".*"}],
    "wide": [{"equalTo": "é"}, {"contains": "é"}, {"binaryEqualTo": "6Q=="}],
}


def multipart_body(rng):
    parts = rng.sample(PARTS, rng.choice([1, 1, 2, 2, 3]))
    patterns = [part_pattern(rng, rng.choice(parts)) for _ in range(rng.choice([1, 1, 1, 2]))]
    def fill(draft):
        fill_parts(rng, draft, parts if rng.random() < 0.7 else rng.sample(PARTS, rng.choice([0, 1, 2])))
    return {"multipartPatterns": patterns}, fill


def part_pattern(rng, part):
    """A pattern that `part` should satisfy."""
    name, media, _ = part
    pattern = {}
    if rng.random() < 0.5:
        pattern["name"] = rng.choice([name, name, "none"])
    if rng.random() < 0.1:
        pattern["fileName"] = rng.choice(["a.bin", "b.txt"])
    if rng.random() < 0.6:
        pattern["matchingType"] = rng.choice(["ANY", "ANY", "ALL"])
    if rng.random() < 0.5:
        pattern["headers"] = rng.choice([
            {"Content-Disposition": {"contains": f'name="{name}"'}}, {"Content-Type": {"contains": media or "text"}},
            {"content-type": {"equalTo": media or "x"}}, {"X-Part": {"absent": True}}, {"X-Part": {"equalTo": "1"}},
            {"Content-Disposition": {"matches": ".*form-data.*"}, "Content-Type": {"doesNotContain": "image"}},
            {"content-disposition": {"equalTo": f'form-data; name="{name}"'}}])
    if rng.random() < 0.7:
        pattern["bodyPatterns"] = [rng.choice(CONTENTS[name if rng.random() < 0.85 else "text"]) for _ in range(rng.choice([1, 1, 2]))]
    return pattern


def fill_parts(rng, draft, parts):
    draft.method = rng.choice(["POST", "POST", "PUT"])
    boundary = rng.choice(["xyz", "----WebKitFormBoundaryAbC123", "a b", "x'y"])
    shown = f'"{boundary}"' if " " in boundary or "'" in boundary or rng.random() < 0.2 else boundary
    media = rng.choice(["multipart/form-data"] * 8 + ["multipart/mixed", "Multipart/Form-Data", "multipart/related"])
    kind = f"{media}; boundary={shown}" if rng.random() < 0.97 else rng.choice(["text/plain", "multipart/form-data; boundary=other"])
    draft.headers.append(["Content-Type", kind])
    lines = [b"a preamble"] if rng.random() < 0.06 else []
    for name, media, content in parts:
        disposition = f'Content-Disposition: form-data; name="{name}"'
        if name == "file" or rng.random() < 0.1:
            disposition += f'; filename="{rng.choice(["a.bin", "a.bin", "b.txt", ""])}"'
        head = [disposition] + ([f"Content-Type: {media}"] if media else []) + (["X-Part: 1"] if rng.random() < 0.2 else [])
        rng.shuffle(head)
        lines += [b"--" + boundary.encode()] + [field.encode() for field in head] + [b"", content]
    lines.append(b"--" + boundary.encode() + (b"--" if rng.random() < 0.97 else b""))
    if rng.random() < 0.9:
        lines.append(b"")
    draft.body = b"\r\n".join(lines)


EVERY = [json_body] * 6 + [xml_body] * 4 + [text_body] * 3 + [binary_body, form_body, form_body, multipart_body, multipart_body, multipart_body]
