"""The reasons why the server may differ from llhttp: each rule is a decision of either that the standard allows."""

import re

LLHTTP_METHODS = set(
    """DELETE GET HEAD POST PUT CONNECT OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND
    UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PATCH PURGE MKCALENDAR LINK UNLINK
    SOURCE QUERY""".split()
)
BODY_LIMIT = 100 * 1024 * 1024
RULES = []


def rule(theirs, ours, reason):
    """A rule for a pair of outcomes, llhttp's first: `message`, `error`, `waiting` or `end`. The decorated function
    gets the difference and returns whether the rule applies; its name is the rule's name."""

    def add(applies):
        RULES.append((applies.__name__.replace("_", "-"), reason, theirs.split(), ours.split(), applies))
        return applies

    return add


def explain(difference):
    """The name of the first rule that applies, or None."""
    for name, _, theirs, ours, applies in RULES:
        if difference.theirs.kind in theirs and difference.ours.kind in ours and applies(difference):
            return name
    return None


def values(message, name):
    return [value for field, value in message["headers"] if field.lower() == name]


def is_host(value):
    """Whether a value is `uri-host [":" port]`, or empty; what is in brackets is looked at elsewhere."""
    name = r"(?:[-\w.~!$&'()*+,;=]|%[0-9a-f]{2})+"
    found = re.fullmatch(rf"(?:{name}|\[[0-9a-f:.]+\])(?::(\d*))?", value, re.I | re.A)
    return value == "" or found is not None and int(found[1] or 0) <= 65535


def codings(message):
    return [element.strip(" \t").lower() for value in values(message, "transfer-encoding") for element in value.split(",")]


def path(url):
    without = re.sub(r"^https?://[^/?#]*", "", url, flags=re.I)
    return re.split(r"[?#]", without)[0]


def has_known_form(url):
    return url.startswith("/") or url == "*" or bool(re.match("https?://[^/?#]", url, re.I))


def climbs(url):
    depth = 0
    for segment in path(url)[1:].split("/"):
        dots = re.sub("%2e", ".", segment, flags=re.I)
        depth += -1 if dots == ".." else 0 if dots == "." else 1
        if depth < 0:
            return True
    return False


# ---- Other protocols ------------------------------------------------------------------------------------------------


@rule("error", "end", "a client of TLS can read no answer of HTTP/1.1")
def hello_of_tls(d):
    return d.code == "HPE_INVALID_METHOD" and b"\x16" in d.raw[max(d.offset - 1, 0) : d.offset + 1]


@rule("error", "end", "behind its preface the connection speaks HTTP/2")
def preface_of_http2(d):
    return "PRI" in d.raw.decode("latin-1")[: d.offset + 3] and ("H2" in d.code or "HTTP/2" in d.reason)


# ---- We refuse, llhttp does not ------------------------------------------------------------------------------------


@rule("message waiting", "error", "WireMock's server refuses a path with a % that no two hex digits follow")
def broken_escape(d):
    return d.refused_for("the path has a %") and bool(re.search("%(?![0-9a-fA-F]{2})", path(d.their_message["url"])))


@rule("message waiting", "error", "WireMock's server refuses a path that climbs above its root")
def above_the_root(d):
    return d.refused_for("the path climbs") and climbs(d.their_message["url"])


@rule("message waiting error", "error", "a transfer coding other than chunked is 501: bodies are decoded or refused")
def other_coding(d):
    return d.refused_for("the only supported Transfer-Encoding") and any(coding != "chunked" for coding in codings(d.their_message))


@rule("message waiting error", "error", "HTTP/1.0 knows no Transfer-Encoding: a proxy may have framed it otherwise")
def coding_in_1_0(d):
    return d.refused_for("HTTP/1.0 has no") and d.their_message["versionMinor"] == 0 and bool(codings(d.their_message))


@rule("message waiting error", "error", "an empty Transfer-Encoding is refused (RFC 9112 section 6.1 has no such coding)")
def empty_coding(d):
    return d.refused_for("Transfer-Encoding must name") and not any(codings(d.their_message))


@rule("message waiting", "error", "HTTP/1.1 needs exactly one Host (RFC 9112 section 3.2); llhttp does not look")
def host(d):
    return d.refused_for("HTTP/1.1 needs exactly one Host") and len(values(d.their_message, "host")) != 1


@rule("message waiting error", "error", "a Host is a host with a port (RFC 9112 section 3.2); llhttp does not look")
def invalid_host(d):
    return d.refused_for("the Host header is no host") and not all(map(is_host, values(d.their_message, "host")))


@rule("message waiting error", "error", "the authority of an absolute target is a host with a port, perhaps behind a user")
def target_host(d):
    if not d.refused_for("the authority of the request target is no host"):
        return False
    authority = re.match(r"https?://([^/?#]*)", d.their_message["url"], re.I)[1]
    return authority.endswith("@") or not is_host(authority.rpartition("@")[2])


@rule("message waiting error", "error", "an expectation that nobody can meet is 417 (RFC 9110 section 10.1.1)")
def expectation(d):
    expected = [element.strip(" \t").lower() for value in values(d.their_message, "expect") for element in value.split(",")]
    return d.refused_for("the only expectation") and any(element not in ("", "100-continue") for element in expected)


@rule("message waiting", "error", "another major version is 505; llhttp reads 0.9 and 2.0 as if they were 1.x")
def other_major_version(d):
    return d.refused_for("the supported HTTP versions") and d.their_message["versionMajor"] != 1


@rule("message waiting error", "error", "a request line without a version is refused; llhttp takes it for HTTP/0.9")
def no_version(d):
    if not d.refused_for("the request line does not end"):
        return False
    return (d.their_message["versionMajor"], d.their_message["versionMinor"]) == (0, 9)


@rule("message waiting", "error", "a target is a path, an http or https URL, * or an authority for CONNECT")
def target_form(d):
    return d.refused_for("the request target is not") and not has_known_form(d.their_message["url"])


@rule("message waiting error", "error", "one space stands between the parts of a request line (RFC 9112 section 3)")
def one_space(d):
    if not d.refused_for("the request target is not") and not d.refused_for("the request line does not end"):
        return False
    method, url = (re.escape(d.their_message[part].encode("latin-1")) for part in ("method", "url"))
    two_before, two_behind = method + rb"  +" + url + rb"[ \r\n]", method + b" +" + url + b"  +HTTP/"
    return bool(re.search(two_before + b"|" + two_behind, d.raw))


@rule("message waiting error", "error", "CR alone is refused wherever it stands; llhttp skips it before a request line")
def leading_cr(d):
    method = d.their_message["method"].encode() if d.their_message else b""
    return d.refused_for("the head contains a lone CR") and bool(re.search(rb"\r[\r\n]*" + method + b" ", d.raw))


@rule("waiting", "error", "a body beyond the limit is refused before it comes")
def body_limit(d):
    if not d.refused_for("the request body is larger"):
        return False
    lengths = [int(value) for value in values(d.their_message, "content-length")]
    chunks = [int(size, 16) for size in re.findall(rb"\n([0-9a-fA-F]+)", d.raw)]
    return any(length > BODY_LIMIT for length in lengths or chunks)


@rule("message", "error", "a trailer must not frame or route the message (RFC 9110 section 6.5.1)")
def framing_trailer(d):
    forbidden = {"host", "content-length", "transfer-encoding"}
    return d.refused_for("a trailer field") and any(name.lower() in forbidden for name, _ in d.their_message["trailers"])


# ---- llhttp refuses, we do not -------------------------------------------------------------------------------------


@rule("error", "message waiting error", "any token is a method here; llhttp knows a list")
def any_method(d):
    return d.code == "HPE_INVALID_METHOD" and d.our_head is not None and d.our_head["method"] not in LLHTTP_METHODS


@rule("error", "waiting", "the form of a target is judged when its head is complete")
def late_judgement(d):
    return d.code == "HPE_INVALID_URL" and d.our_head is not None and not has_known_form(d.our_head["url"])


@rule("error", "message waiting", "bytes of 0x80 and more in a target are passed on raw")
def raw_target(d):
    return d.code == "HPE_INVALID_URL" and d.our_head is not None and any(c >= "\x80" for c in d.our_head["url"])


@rule("error", "message waiting", "the authority of an absolute target is passed on unread, and # ends it")
def odd_authority(d):
    odd = re.match(r"https?://[A-Za-z0-9._~%!$&'()*+,;=:@\[\]-]*[^/?]", d.our_head["url"], re.I) if d.our_head else None
    return d.code == "HPE_INVALID_URL" and d.reason == "Unexpected char in url server" and bool(odd)


@rule("error", "message waiting end error", "LF alone ends a line of a head (RFC 9112 section 2.2 allows it)")
def bare_lf(d):
    near = d.raw[max(d.offset - 2, 0) : d.offset + 2]
    return d.code in BARE_LF_CODES and bool(re.search(rb"(^|[^\r])\n", near))


BARE_LF_CODES = {"HPE_CR_EXPECTED", "HPE_INVALID_VERSION", "HPE_INVALID_HEADER_TOKEN", "HPE_STRICT", "HPE_LF_EXPECTED"}
BARE_LF_CODES |= {"HPE_INVALID_CONTENT_LENGTH", "HPE_INVALID_TRANSFER_ENCODING"}


@rule("error", "message waiting", "HTTP/1.2 to 1.9 read as 1.1 (RFC 9110 section 2.5)")
def minor_version(d):
    return d.code == "HPE_INVALID_VERSION" and bool(re.search(rb"HTTP/1\.[2-9]$", d.raw[: d.offset]))


@rule("error", "message waiting", "equal Content-Lengths say the same (RFC 9110 section 8.6 allows it)")
def equal_lengths(d):
    lengths = values(d.our_message, "content-length") if d.our_message else []
    return d.code == "HPE_UNEXPECTED_CONTENT_LENGTH" and len(lengths) > 1 and len({int(value) for value in lengths}) == 1


@rule("error", "message waiting", "white space around a value is no part of it, a tab as little as a space (RFC 9110 5.5)")
def tab_behind_length(d):
    near = rb"(?i)content-length:[ \t]*[0-9]+ *\t[ \t]*$"
    return d.code == "HPE_INVALID_CONTENT_LENGTH" and bool(re.search(near, d.raw[: d.offset + 1]))


@rule("error", "message waiting", "an empty element of a list is no element (RFC 9110 section 5.6.1.2)")
def empty_list_element(d):
    return d.code == "HPE_INVALID_TRANSFER_ENCODING" and d.our_message is not None and "" in codings(d.our_message)


@rule("error", "message waiting", "chunk extensions are skipped unread, whatever visible characters they have")
def chunk_extension(d):
    return d.code == "HPE_STRICT" and d.reason.startswith("Invalid character in chunk extensions")


@rule("error", "end", "what follows a request that closes the connection is dropped unread")
def data_after_close(d):
    return d.code == "HPE_CLOSED_CONNECTION" and d.served > 0 and not d.last_served["keepAlive"]
