# Made by `make dialect` of Sources/Dialect/Table; do not edit.
"""What a stub may say, as types: mappings in WireMock's form, routes, and all that they name."""

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Scalar = Union[str, float, bool, None]
"""A text, or what stands for one."""

InvalidFrame = Literal["reservedBits", "opcode", "masked", "utf8", "length", "wideLength", "continuation", "interrupted", "longControl", "partedControl", "closeCode", "notDeflated"]
"""Frames that a server must not send (RFC 6455), in place of a message.
- `reservedBits`: A frame with the second reserved bit, which no extension uses.
- `opcode`: A frame with the opcode 3, which is reserved.
- `masked`: A masked frame, which only clients may send.
- `utf8`: A text that is not UTF-8.
- `length`: A frame whose length has its highest bit set.
- `wideLength`: A frame whose length takes more bytes than needed.
- `continuation`: A continuation frame without a started message.
- `interrupted`: The beginning of a message, followed by another message.
- `longControl`: A ping of 126 bytes.
- `partedControl`: A fragmented ping.
- `closeCode`: A close frame with the code 1005, which must not be sent.
- `notDeflated`: A message marked as compressed that is not compressed.
"""

FaultKind = Literal["EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE"]
"""The four ways in which WireMock breaks a response. None of them sends the stub's status, headers or body.
- `EMPTY_RESPONSE`: The connection closes without a byte of an answer.
- `CONNECTION_RESET_BY_PEER`: The connection is reset (TCP RST) without a byte of an answer.
- `MALFORMED_RESPONSE_CHUNK`: A status of 200 and `Transfer-Encoding: chunked` come, 36 bytes that are not a chunk, then
the end.
- `RANDOM_DATA_THEN_CLOSE`: The same 36 bytes come without a status, then the end.
"""

TLSFault = Literal["expired", "notYetValid", "wrongHost", "selfSigned", "untrustedAuthority", "weakKey", "missingIntermediate", "oldVersion", "reset", "stall", "garbage"]
"""Faults at the start of a TLS connection. The first ones are defects of the server's certificate.
- `expired`: A certificate that expired yesterday.
- `notYetValid`: A certificate that becomes valid tomorrow.
- `wrongHost`: A certificate for another host.
- `selfSigned`: A self-signed certificate.
- `untrustedAuthority`: A certificate from an untrusted authority.
- `weakKey`: A certificate whose key is shorter than any client accepts.
- `missingIntermediate`: A chain without its intermediate certificate.
- `oldVersion`: Only TLS 1.1, which current clients reject.
- `reset`: A reset in place of the handshake.
- `stall`: No bytes, until the client disconnects.
- `garbage`: Bytes that are not TLS, then the end of the connection.
"""

HTTP2Fault = Literal["noSettings", "garbage"]
"""Faults at the start of an HTTP/2 connection.
- `noSettings`: The server's initial SETTINGS frame is never sent, and no answer either.
- `garbage`: Bytes that are not a frame, then the end of the connection.
"""

CutEnd = Literal["fin", "rst", "cut", "hang", "garbage"]
"""How a cut answer may end."""

HTTP2Error = Literal["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"]
"""The error codes of HTTP/2 by their names, from 0 on (RFC 9113 section 7).
- `NO_ERROR`: No error: the stream or the connection ends normally.
- `PROTOCOL_ERROR`: The peer violates the protocol.
- `INTERNAL_ERROR`: An internal error.
- `FLOW_CONTROL_ERROR`: The peer exceeded the flow-control window.
- `SETTINGS_TIMEOUT`: SETTINGS were not acknowledged in time.
- `STREAM_CLOSED`: A frame came for a stream that had ended.
- `FRAME_SIZE_ERROR`: A frame has an invalid size.
- `REFUSED_STREAM`: The stream was refused before any processing: clients may retry.
- `CANCEL`: The stream is no longer needed.
- `COMPRESSION_ERROR`: The state of header compression is lost.
- `CONNECT_ERROR`: The connection of a CONNECT request was reset.
- `ENHANCE_YOUR_CALM`: The peer causes excessive load.
- `INADEQUATE_SECURITY`: TLS does not meet the requirements of HTTP/2.
- `HTTP_1_1_REQUIRED`: The request must use HTTP/1.1.
"""

ContractSource = Literal["examples", "made"]
"""The source of bodies for an OpenAPI document.
- `examples`: The document's examples; without one, generated from the schema.
- `made`: Generated from the schema.
"""

Phase = Literal["BEFORE_MATCH", "AFTER_MATCH", "BEFORE_RESPONSE_SENT", "AFTER_COMPLETE"]
"""The request phases in which a listener can run."""

End = Literal["repeatLast", "loop", "notFound"]
"""What follows the last response of a sequence.
- `repeatLast`: The last response again, for all further requests.
- `loop`: The first response again, and so on.
- `notFound`: A 404 that reports the end of the sequence.
"""

Selection = Literal["sequence", "random"]
"""How the next response is selected.
- `sequence`: In order.
- `random`: At random by weight, from the session's seed.
"""

MatchingType = Literal["ALL", "ANY"]
"""Which parts must match the pattern.
- `ALL`: Every part; there must be at least one.
- `ANY`: At least one part.
"""

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY"]
"""Methods suggested by editors; others are allowed."""

SchemaVersion = Literal["V4", "V6", "V7", "V201909", "V202012"]
"""`schemaVersion`: the JSON Schema draft of a schema.
- `V4`: Draft 4 (2013).
- `V6`: Draft 6 (2017).
- `V7`: Draft 7 (2018).
- `V201909`: Draft 2019-09.
- `V202012`: Draft 2020-12, WireMock's default.
"""

NamespaceAwareness = Literal["STRICT", "LEGACY", "NONE"]
"""`namespaceAwareness`: how namespaces are compared in XML.
- `STRICT`: Prefixes must be declared; namespaces are compared, prefixes are not. The default.
- `LEGACY`: Prefixes need no declaration; elements compare by local name and default namespace, attributes as written.
- `NONE`: Names are compared as written, and namespace declarations as attributes.
"""

Truncation = Literal["first second of minute", "first minute of hour", "first hour of day", "first day of month", "first day of next month", "last day of month", "first day of year", "first day of next year", "last day of year"]
"""A value of `truncateExpected` and `truncateActual`.
- `first second of minute`: The start of the minute: seconds become 0.
- `first minute of hour`: The start of the hour: minutes and seconds become 0.
- `first hour of day`: Midnight at the start of the day.
- `first day of month`: Midnight at the start of the month.
- `first day of next month`: Midnight at the start of the next month.
- `last day of month`: Midnight at the start of the month's last day.
- `first day of year`: Midnight at the start of the year.
- `first day of next year`: Midnight at the start of the next year.
- `last day of year`: Midnight at the start of 31 December.
"""

DateUnit = Literal["seconds", "minutes", "hours", "days", "months", "years"]
"""A unit of `expectedOffsetUnit`, and of an offset such as `now +3 days`.
- `seconds`: Seconds.
- `minutes`: Minutes of 60 seconds.
- `hours`: Hours of 3,600 seconds.
- `days`: Calendar days, which keep the time of day.
- `months`: Calendar months; a day beyond the end of a month becomes its last day.
- `years`: Calendar years; 29 February may become 28 February.
"""

ContractCheck = Literal["off", "warn", "enforce"]
"""The treatment of requests that violate an OpenAPI document.
- `off`: They are not checked.
- `warn`: They are answered, and reported in the journal, the log and the report.
- `enforce`: They are rejected with all reasons.
"""

HMACAlgorithm = Literal["sha1", "sha256", "sha384", "sha512"]
"""Algorithms of signatures."""


class Fault(TypedDict, total=False):
    """A fault: its effects on the answer, and its conditions."""

    status: int
    """Answers with this status and a line of text instead of the response."""
    kind: "FaultKind"
    """Sends one of WireMock's faults instead of the response, such as `EMPTY_RESPONSE`."""
    neverAnswer: bool
    """`true`: sends nothing; the connection stays open until the client closes it."""
    delay: "Delay"
    """A wait before the first byte, in addition to the stub's: `200ms`, or a distribution, in short notation or with a
    `type`.
    """
    cutAfter: Union[str, int, "ChunkOfCut"]
    """Ends the answer: after a number of bytes of the body (`1337`), after a share of it (`50%`), after the `headers`,
    before them (`nothing`), or after some whole chunks (`{chunk: 2}`); an unchunked body is one chunk.
    """
    corrupt: "Corruption"
    """Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`)."""
    wrongLength: Union[int, str]
    """Adds `+5` or `-1` to the `Content-Length`, which replaces chunked coding. If the body is shorter than it says, the
    connection closes after the body; if it is longer, the whole body is sent.
    """
    duplicateHeader: Union[str, "DuplicatedHeader"]
    """Sends a header twice (`ETag`), the second time with another value if there is one: `{name: Content-Length, value:
    "5"}`.
    """
    garbagePrefix: Union[str, int]
    """Sends a text, or a number of random bytes, before the status line."""
    dropTrailers: bool
    """Announces the trailers, but never sends them."""
    bandwidth: "Rate"
    """Sends the body at a rate, such as `3KB/s`; the head is sent at once."""
    slice: "Slice"
    """Sends the body in slices with a pause between them: `{size: 100, gap: 20ms}`. With chunked coding, each slice is a
    chunk.
    """
    stall: "Stall"
    """Pauses after some bytes of the body: `{after: 100, for: 10s}`; `for: forever` waits until the client disconnects."""
    slowClose: "Duration"
    """Sends the whole answer, keeps the connection open for that long without answering further requests, then closes it."""
    then: Union["CutEnd", "StreamEnd"]
    """How an answer cut by `cutAfter` ends: `fin`, the default, closes the connection normally, `rst` resets it; `cut`,
    `hang`, `garbage`, `{resetStream: CANCEL}` and `{goAway: NO_ERROR}` are ends of TLS and HTTP/2.
    """
    probability: "Share"
    """Applies with this probability: `0.05`, or `5%`."""
    first: Union[int, "FirstRequests"]
    """Applies to the first requests only: `2`, or `{count: 2, perHeader: Idempotency-Key}` for each value of a header;
    requests without the header share one count.
    """
    between: Sequence["Duration"]
    """Applies between two times, measured from the start or last reset of the session: `[5s, 10s]`."""
    quota: "Quota"
    """Applies to the requests beyond a limit, `{limit: 10, per: 1m}`; by default answers 429. A period starts with the
    first request after the previous period.
    """
    concurrency: int
    """Applies to requests that arrive while that many answers are in progress; by default answers 503."""


class _ChunkOfCut(TypedDict):
    chunk: int
    """The number of whole chunks before the end."""


class ChunkOfCut(_ChunkOfCut, total=False):
    """A chunk after which the answer ends."""


class Corruption(TypedDict, total=False):
    """The bytes to change: a single one, or each with a probability."""

    byte: int
    """The offset of the byte, counted from 0."""
    rate: "Share"
    """The probability with which each byte changes."""


class _DuplicatedHeader(TypedDict):
    name: str
    """Its name."""


class DuplicatedHeader(_DuplicatedHeader, total=False):
    """A header that is sent twice, the second time with another value."""

    value: Scalar
    """Its second value; by default the first one again."""


class _Slice(TypedDict):
    size: "Size"
    """The number of bytes in a slice."""
    gap: "Duration"
    """The pause between two slices."""


class Slice(_Slice, total=False):
    """Slices of this size, with a pause between them."""


_StallMust = TypedDict("_StallMust", {"for": Union[Literal["forever"], "Duration"]})


class Stall(_StallMust, total=False):
    """A pause after some bytes, for a time or forever."""

    after: "Size"
    """The number of bytes of the body before it."""


class StreamEnd(TypedDict, total=False):
    """An end specific to HTTP/2."""

    resetStream: Union["HTTP2Error", int]
    """Resets the stream with this code."""
    goAway: Union["HTTP2Error", int]
    """Sends GOAWAY with this code, and the connection closes."""
    lastStream: int
    """The last stream id in GOAWAY; by default that of the answer."""


class _FirstRequests(TypedDict):
    count: int
    """The number of requests."""


class FirstRequests(_FirstRequests, total=False):
    """The first requests, or the first with each value of a header."""

    perHeader: Scalar
    """A header; requests are counted separately for each of its values."""


class _Quota(TypedDict):
    limit: int
    """The number of unaffected requests in each period."""
    per: "Duration"
    """The length of a period."""


class Quota(_Quota, total=False):
    """A number of requests within a time."""


class SessionFault(Fault, total=False):
    """A fault of a session: for the answers to some requests, or for connections."""

    readSlowly: "Rate"
    """The rate at which requests are read."""
    neverRead: bool
    """true: request bodies are not read."""
    id: str
    """The id for its removal; by default generated."""
    name: Scalar
    """A label."""
    request: "RequestPattern"
    """The requests whose answers it affects; by default all."""
    messages: "MessageFault"
    """A fault of messages sent on WebSockets that these requests have opened. Not combinable with other effects."""
    serverName: Scalar
    """The server name (SNI) of the affected clients; by default all clients."""
    refuseNext: int
    """Resets that many connections as soon as they are accepted."""
    listener: Literal["down", "acceptAndStall"]
    """down: connections are refused. acceptAndStall: connections are accepted, but never read."""
    tls: "TLSFault"
    """The fault at the start of a TLS connection."""
    http2: "HTTP2Fault"
    """The fault at the start of an HTTP/2 connection."""
    route: str
    """The requests as a route key: GET /api/**."""


class MessageFault(TypedDict, total=False):
    """A fault of messages sent on a WebSocket: its effects and its conditions."""

    message: "MessagePattern"
    """The affected messages; by default all."""
    drop: bool
    """The message is never sent."""
    delay: "Delay"
    """A wait before it is sent, in addition to its own delay: `200ms`, or a distribution. Later messages wait, too."""
    reorder: Union[bool, "Duration"]
    """`true`: it is sent after the next message, for which it waits up to a second, or up to a duration given here."""
    duplicate: bool
    """It is sent twice."""
    corrupt: "Corruption"
    """Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`). A text
    stays UTF-8.
    """
    cutAfter: Union[str, int, "FragmentOfCut"]
    """Ends the connection in the middle of the frame: after a number of bytes of the message (`10`), after a share of it
    (`50%`), after the `headers` of the frame, before them (`nothing`); or after a complete frame with that many bytes
    of it (`{fragment: 10}`).
    """
    invalidFrame: "InvalidFrame"
    """Sends an invalid frame instead, such as `reservedBits`."""
    noCloseFrame: bool
    """The connection is closed after it, without a close frame."""
    reset: bool
    """The connection is reset after it."""
    hang: bool
    """Nothing is sent after it; the connection stays open."""
    probability: "Share"
    """Applies with this probability: `0.05`, or `5%`."""
    first: int
    """Applies to the first messages only."""
    between: Sequence["Duration"]
    """Applies between two times, measured from the start or last reset of the session: `[5s, 10s]`."""


class _FragmentOfCut(TypedDict):
    fragment: int
    """The number of bytes in it."""


class FragmentOfCut(_FragmentOfCut, total=False):
    """A frame with the beginning of a message, after which the connection ends."""


Flag = Union[str, bool, int, None]


Int = Union[str, float, None]


Duration = str
"""A duration with its unit: 120ms, 1.5s, 2m or 1h."""


Size = Union[str, int]
"""A number of bytes, or a size with its unit: 3KB, 64KiB."""


Rate = str
"""A rate with its unit: 500B/s, 3KB/s, 1MiB/s, 2Mbit/s."""


Share = Union[str, float]
"""A number from 0 to 1, or a percentage such as 5%."""


Template = str
"""A template, {{…}}."""


BodyFile = str
"""A path below __files."""


HeaderFields = Union[Mapping[str, Union[Scalar, Sequence[Scalar]]], None]
"""Names and values; a list holds several values of one name."""


MethodCondition = Union["Method", str, "MethodSet", None]


Cors = Union[bool, "CorsPolicy", str, Sequence[str], None]
"""The CORS policy: true, false, an origin, a list of origins, or an object."""


Distribution = Union["FixedDelay", "TypedUniformDelay", "TypedLognormalDelay", "TypedGaussianDelay", "TypedExponentialDelay", None]
"""A random delay for each response: a constant, or a distribution, in milliseconds."""


Delay = Union["Duration", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Distribution"]


TemplatedInt = Union["Int", "Template"]


Hold = Union["HoldOptions", Scalar]
"""The name of a gate that holds the response until a test releases it, or an object."""


StreamContent = Union["StreamOptions", Sequence["StreamEvent"], None]
"""Events or chunks to stream in place of a body."""


Early = Union["EarlyResponse", int, Sequence[Union["EarlyResponse", int]], None]


Contract = Union["ContractAnswer", Scalar]
"""The operation of an OpenAPI document that answers, or an object."""


Records = Union[Mapping[str, Mapping[str, Any]], Sequence[Mapping[str, Any]], bool, "BodyFile"]


SchemaDocument = Union[Mapping[str, Any], bool, "BodyFile"]


class _StubCollection(TypedDict):
    mappings: Union[Sequence["StubElement"], None]
    """Mappings in WireMock's form; each may also be an object of routes."""


_StubCollectionMay = TypedDict("_StubCollectionMay", {"$schema": Any}, total=False)


class StubCollection(_StubCollection, _StubCollectionMay, total=False):
    """Several stub mappings. Among equal priorities the last one wins."""

    meta: Any
    """Metadata of WireMock's lists; ignored."""
    uuid: Any
    """Ignored."""
    cors: "Cors"
    """The CORS policy of all these stubs."""


_StubMappingMay = TypedDict("_StubMappingMay", {"$schema": Any}, total=False)


class StubMapping(_StubMappingMay, total=False):
    """A WireMock stub mapping: the requests that it answers, and its answer."""

    id: "Uuid"
    """The id for the admin API, a UUID; by default derived from the file's path and the position in it, and random for a
    stub without a file.
    """
    uuid: "Uuid"
    """The same as `id`."""
    name: Scalar
    """A label, shown in reports and in the response header `Matched-Stub-Name`."""
    request: "RequestPattern"
    """The requests that it answers; by default all."""
    response: "StubResponse"
    """The answer; by default an empty 200."""
    persistent: "Flag"
    """Whether the mapping is saved to disk when it is added or edited, and its file is deleted when it is removed."""
    priority: "Int"
    """The priority; lower numbers win; by default 5."""
    scenarioName: Scalar
    """The scenario that it belongs to."""
    requiredScenarioState: Scalar
    """The scenario state in which it answers; by default any. The initial state is `Started`."""
    newScenarioState: Scalar
    """The state that it sets; by default the state stays."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    postServeActions: Union[Sequence["Action"], Mapping[str, Any], None]
    """Actions after the answer: webhooks of WireMock 2."""
    serveEventListeners: Union[Sequence["Listener"], None]
    """Listeners: `webhook` calls a URL, `recordState` and `deleteState` change the session's state; others have no effect."""
    insertionIndex: "Int"
    """The position in insertion order; only in files written by the daemon."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching mapping answers. An addition to WireMock."""
    timesLeft: Any
    """The remaining number of `times`; shown, but not read."""
    ttl: Union["Duration", None]
    """How long the mapping exists, such as `30s`. An addition to WireMock."""
    enabled: "Flag"
    """Whether it answers; with `false` it is only listed. An addition to WireMock."""
    responses: Union[Sequence["StubResponse"], Sequence["WeighedResponse"], None]
    """Several responses, one for each request, in place of `response`. An addition to WireMock."""
    onEnd: Union["End", None]
    """What follows the last response: `repeatLast`, the default, `loop` or `notFound`. An addition to WireMock."""
    select: Union["Selection", None]
    """`random`: picks a response at random, by weight. An addition to WireMock."""
    per: Union["SequenceKey", None]
    """The request value by which sequences are kept separately: `path.id`, `query.page`, `header.X-User`, `cookie.sid`, or
    a JSONPath of the body. An addition to WireMock.
    """
    resource: "Resource"
    """A collection of records that is served in place of a response. An addition to WireMock."""
    cors: "Cors"
    """The CORS policy, as in a route. The admin API shows it as `metadata.stuntdouble.cors`, which is accepted as well. An
    addition to WireMock.
    """


SequenceKey = str


Uuid = Union[str, None]


class Action(TypedDict, total=False):
    """An action: its name and parameters."""

    name: Scalar
    """The name, such as `webhook`."""
    parameters: Union[Mapping[str, Any], None]
    """The parameters of the action."""


class Listener(TypedDict, total=False):
    """A listener: its name, the phases in which it runs, and its parameters."""

    name: Scalar
    """The name: `webhook`, `recordState` or `deleteState`."""
    requestPhases: Union[Sequence["Phase"], None]
    """The request phases in which it runs."""
    parameters: Union[Mapping[str, Any], None]
    """The parameters of the listener."""


class RequestPattern(TypedDict, total=False):
    """WireMock's request pattern: conditions, all of which must hold for the stub to answer."""

    scheme: Scalar
    """The scheme: `https` if the request came over TLS or its target is an absolute `https` URL, otherwise `http`."""
    host: "Matcher"
    """The requested host from the `Host` header, without the port."""
    port: "Int"
    """The requested port from the `Host` header, or the scheme's default."""
    clientIp: "Matcher"
    """The client's address, or the value of `X-Forwarded-For` if present."""
    url: Scalar
    """The exact path and query."""
    urlPattern: Scalar
    """A regular expression for all of path and query."""
    urlPath: Scalar
    """The exact path, with any query."""
    urlPathPattern: Scalar
    """A regular expression for all of the path."""
    urlPathTemplate: Scalar
    """A path template, such as `/users/{id}`; `**` matches anything."""
    method: "MethodCondition"
    """`GET`, …; `ANY`, the default, matches every method. `{oneOf: […]}` and `{noneOf: […]}` are from WireMock 4."""
    headers: Union[Mapping[str, "Matcher"], None]
    """Names and matchers; names compare case-insensitively."""
    pathParameters: Union[Mapping[str, "Matcher"], None]
    """Variables of `urlPathTemplate`, not decoded, with matchers."""
    queryParameters: Union[Mapping[str, "Matcher"], None]
    """Decoded query parameters with matchers; names are case-sensitive."""
    formParameters: Union[Mapping[str, "Matcher"], None]
    """Form fields with matchers, if the `Content-Type` is `application/x-www-form-urlencoded`."""
    cookies: Union[Mapping[str, "Matcher"], None]
    """Names and matchers; values are not decoded, and surrounding quotes are removed."""
    basicAuth: "BasicAuth"
    """`Authorization: Basic …` of this user, `{username, password}`; written as `basicAuthCredentials`."""
    basicAuthCredentials: "BasicAuth"
    """The same as `basicAuth`."""
    bodyPatterns: Union[Sequence["Matcher"], None]
    """Matchers of the body, all of which must hold."""
    customMatcher: "CustomMatcher"
    """A matcher of an extension, `{name, parameters}`; an unknown name never matches."""
    multipartPatterns: Union[Sequence["MultipartPattern"], None]
    """Patterns of the parts of a `multipart/…` body."""
    clientCertificate: "ClientCertificate"
    """Matchers for the client certificate: `subject`, `issuer`, `serialNumber`, `fingerprint`, `notBefore`, `notAfter`,
    `alternativeNames` and `pem`. An addition to WireMock.
    """


class MethodSet(TypedDict, total=False):
    """A set of methods, or all except some."""

    oneOf: Sequence[str]
    """The allowed methods."""
    noneOf: Sequence[str]
    """The excluded methods."""


class BasicAuth(TypedDict, total=False):
    """The user of basic authentication. Accepted as basicAuth, and written as basicAuthCredentials, as in WireMock."""

    username: Scalar
    """The user name as written."""
    password: Scalar
    """The password as written."""


class CustomMatcher(TypedDict, total=False):
    """A matcher provided by an extension of the server. A stub with an unknown name never matches."""

    name: Scalar
    """The name of the matcher; without one nothing matches."""
    parameters: Union[Mapping[str, Any], None]
    """The parameters of the matcher."""


class ClientCertificate(TypedDict, total=False):
    """Fields of the client certificate. An addition to WireMock."""

    subject: "Matcher"
    """The subject in RFC 2253 notation: CN=alice,O=Example."""
    issuer: "Matcher"
    """The issuer in the same notation."""
    serialNumber: "Matcher"
    """The serial number in hexadecimal digits."""
    fingerprint: "Matcher"
    """The SHA-256 of the DER encoding in lower-case hexadecimal digits."""
    notBefore: "Matcher"
    """The start of its validity, such as 2026-01-31T09:30:00Z."""
    notAfter: "Matcher"
    """The end of its validity."""
    alternativeNames: "Matcher"
    """Its alternative names, each with its type: DNS:alice.example."""
    pem: "Matcher"
    """The certificate in PEM."""


class MultipartPattern(TypedDict, total=False):
    """Conditions for one part of a multipart body, or for every part. Without headers and bodyPatterns, any part matches."""

    name: Scalar
    """A label; to test a part's name, match its `Content-Disposition`."""
    fileName: Scalar
    """The file name in `Content-Disposition`; used only beside `headers` or `bodyPatterns`."""
    matchingType: Union["MatchingType", None]
    """`ANY`, the default: at least one part must match. `ALL`: every part must."""
    headers: Union[Mapping[str, "Matcher"], None]
    """Names and matchers of the part's headers."""
    bodyPatterns: Union[Sequence["Matcher"], None]
    """Matchers of the part's content."""


class StubResponse(TypedDict, total=False):
    """The answer of a stub: WireMock's response definition."""

    status: "TemplatedInt"
    """The status; by default 200. A template of a number is an addition to WireMock."""
    statusMessage: Scalar
    """The reason phrase; by default the standard one."""
    body: Scalar
    """A text."""
    jsonBody: Any
    """Any value, sent as compact JSON."""
    base64Body: Scalar
    """Bytes in Base64."""
    bodyFileName: Scalar
    """The path of a file below `__files`."""
    headers: "HeaderFields"
    """Names and values; a list becomes several header lines."""
    additionalProxyRequestHeaders: "HeaderFields"
    """Headers added to a forwarded request."""
    removeProxyRequestHeaders: Union[Sequence[Scalar], None]
    """Headers removed from a forwarded request; names compare case-insensitively."""
    fixedDelayMilliseconds: "TemplatedInt"
    """The delay before the first byte. A template of a number or a duration is an addition to WireMock."""
    delayDistribution: "Distribution"
    """A random delay for each response, added to the fixed one."""
    chunkedDribbleDelay: "ChunkedDribbleDelay"
    """Sends the body in chunks over a time: `{numberOfChunks, totalDuration}`, in milliseconds."""
    proxyBaseUrl: Scalar
    """The server to forward the request to."""
    proxyUrlPrefixToRemove: Scalar
    """A prefix removed from the path of a forwarded request: with `/v1`, `/v1/orders` becomes `/orders`."""
    proxyHttp2: "Flag"
    """Uses HTTP/2 for the forwarded request, as gRPC requires. With `https` the server may still choose HTTP/1.1. An
    addition to WireMock.
    """
    delays: "Delays"
    """The delays before the first byte and before each chunk: `{firstByte, perChunk}`. An addition to WireMock."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, by a name such as `EMPTY_RESPONSE`. An object, or a list of objects, is
    one of our own faults, an addition to WireMock.
    """
    transformers: Union[Sequence[Scalar], None]
    """Transformers of WireMock: `response-template` makes the response a template, `proxied-hostname-rewrite` rewrites
    host names in answers of other servers to this one; other names have no effect.
    """
    transformerParameters: Union[Mapping[str, Any], None]
    """Values available to the template under `parameters`."""
    template: "Flag"
    """Whether `{{…}}` in the body, the headers, the status message and the delay is rendered for each request, regardless
    of the transformers. An addition to WireMock.
    """
    fromConfiguredStub: "Flag"
    """Written by WireMock; not read."""
    hold: "Hold"
    """Holds the response at a gate until a test releases it. An addition to WireMock."""
    stream: "StreamContent"
    """Events or chunks in place of a body. An addition to WireMock."""
    openapi: "Contract"
    """The operation of an OpenAPI document that answers: its status, headers and body. An addition to WireMock."""
    early: "Early"
    """Informational responses before this one, such as `[103]`. An addition to WireMock."""
    trailers: "HeaderFields"
    """Header fields after the body, which is then sent in chunks. An addition to WireMock."""
    ranges: "Flag"
    """Supports range requests with `Range`. An addition to WireMock."""
    conditional: "Flag"
    """Answers 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. An addition to WireMock."""
    fallThrough: "Flag"
    """Leaves requests to the next matching stub while the body file is missing. An addition to WireMock."""


class WeighedResponse(StubResponse, total=False):
    """One of several responses."""

    weight: Union[int, str]
    """The weight in a random choice, with select: random."""


class _ChunkedDribbleDelay(TypedDict):
    numberOfChunks: "Int"
    """The number of chunks."""
    totalDuration: "Int"
    """The sum of all pauses, in milliseconds."""


class ChunkedDribbleDelay(_ChunkedDribbleDelay, total=False):
    """Sends the body in equal chunks, with a pause before each."""


class Delays(TypedDict, total=False):
    """The delays before the first byte and before each chunk of the body. An addition to WireMock's delays."""

    firstByte: "Delay"
    """The delay before the first byte."""
    perChunk: "Delay"
    """The delay before each chunk, sampled for each one."""


class _FixedDelay(TypedDict):
    type: Literal["fixed"]


class FixedDelay(_FixedDelay, total=False):
    """A constant delay, in milliseconds."""

    milliseconds: "Int"
    """The delay."""


class _TypedUniformDelay(TypedDict):
    type: Literal["uniform"]


class TypedUniformDelay(_TypedUniformDelay, total=False):
    """A uniformly distributed delay between two bounds, in milliseconds."""

    lower: "Int"
    """The minimum delay."""
    upper: "Int"
    """The maximum delay."""


class _TypedLognormalDelay(TypedDict):
    type: Literal["lognormal"]


class TypedLognormalDelay(_TypedLognormalDelay, total=False):
    """A log-normally distributed delay, as of real servers: many near the median, a few much longer. In milliseconds."""

    median: Union[float, str, None]
    """The median: half of the delays are shorter."""
    sigma: Union[float, str, None]
    """The spread, such as 0.4."""
    maxValue: Union[float, str, None]
    """The maximum delay; by default unlimited."""


class _TypedGaussianDelay(TypedDict):
    type: Literal["gaussian"]
    mean: float
    """The mean delay."""
    standardDeviation: float
    """The standard deviation of the delay."""


class TypedGaussianDelay(_TypedGaussianDelay, total=False):
    """A normally distributed delay, never below 0, in milliseconds. An addition to WireMock's distributions."""

    maxValue: float
    """The maximum delay; by default unlimited."""


class _TypedExponentialDelay(TypedDict):
    type: Literal["exponential"]
    mean: float
    """The mean delay."""


class TypedExponentialDelay(_TypedExponentialDelay, total=False):
    """An exponentially distributed delay: many short ones, few long ones. In milliseconds. An addition to WireMock's
    distributions.
    """

    maxValue: float
    """The maximum delay; by default unlimited."""


class _UniformDelay(TypedDict):
    uniform: Sequence["Duration"]
    """The minimum and maximum delay: [50ms, 500ms]."""


class UniformDelay(_UniformDelay, total=False):
    """A uniformly distributed delay between two bounds."""


class _LognormalDelay(TypedDict):
    median: "Duration"
    """The median: half of the delays are shorter."""
    sigma: float
    """The spread, such as 0.4."""


class LognormalDelay(_LognormalDelay, total=False):
    """A log-normally distributed delay, as of real servers: many near the median, a few much longer."""

    max: "Duration"
    """The maximum delay; by default unlimited."""


class _GaussianDelay(TypedDict):
    gaussian: Sequence["Duration"]
    """The mean and the standard deviation: [200ms, 50ms]."""


class GaussianDelay(_GaussianDelay, total=False):
    """A normally distributed delay."""

    max: "Duration"
    """The maximum delay; by default unlimited."""


class _ExponentialDelay(TypedDict):
    exponential: "Duration"
    """The mean."""


class ExponentialDelay(_ExponentialDelay, total=False):
    """An exponentially distributed delay: many short ones, few long ones."""

    max: "Duration"
    """The maximum delay; by default unlimited."""


class _HoldOptions(TypedDict):
    gate: Scalar
    """The name of the gate."""


class HoldOptions(_HoldOptions, total=False):
    """Holds a response, or the rest of a stream, until a test releases it. An addition to WireMock's responses."""

    timeout: "Duration"
    """The maximum time to hold it."""
    onTimeout: Union[Literal["answer", "fail"], "FaultKind", int]
    """The action at the timeout: the answer, a reset, a fault, or another status."""


class StreamOptions(TypedDict, total=False):
    """A stream in place of a body: events, optionally with a name under which tests push more, or in several rounds. An
    addition to WireMock's responses.
    """

    name: Scalar
    """The name under which a test pushes further events; the stream then stays open after its own."""
    events: Sequence["StreamEvent"]
    """The events, chunks and holds, in order."""
    repeat: Union[Literal["forever"], int]
    """How often they are sent: a number, or `forever`; by default once."""


class StreamEvent(TypedDict, total=False):
    """A server-sent event, a chunk of the body, or a hold, with the gap before it."""

    after: "Duration"
    """The gap before it, such as `1s`, from the end of the previous item."""
    comment: Scalar
    """A comment, which clients ignore; each line becomes a comment line."""
    event: Scalar
    """The event type; clients use `message` by default."""
    id: Scalar
    """The id, which a reconnecting client sends as `Last-Event-ID`."""
    retry: Union[int, "Duration"]
    """The reconnection time for clients: milliseconds, or a duration such as `3s`."""
    data: Any
    """A text, each line of which becomes a `data:` line; or any other JSON, sent on one line."""
    chunk: Scalar
    """A chunk of the body, sent unchanged."""
    base64: Scalar
    """A chunk of the body, in Base64."""
    hold: "Hold"
    """Holds the rest at a gate."""


class EarlyResponse(TypedDict, total=False):
    """An informational response, sent before the response itself (RFC 9110, section 15.2). An addition to WireMock's
    responses.
    """

    status: int
    """The status, from 100 to 199 but not 101."""
    headers: "HeaderFields"
    """The header fields, such as Link."""


class CorsPolicy(TypedDict, total=False):
    """The CORS policy of a stub, a file or a folder. An addition to WireMock's mappings."""

    origins: Union[str, Sequence[str]]
    """The allowed origins, such as https://app.example or http://localhost:*; * for any."""
    credentials: "Flag"
    """true: pages may send cookies and credentials. Browsers then treat * literally."""
    expose: Union[str, Sequence[str]]
    """The response headers that pages may read; by default all."""


class _Resource(TypedDict):
    name: Scalar
    """The name of the collection, shared by the resources of a session."""
    path: str
    """The path of the collection: /users, or /users/{userId}/posts for a collection per user."""


class Resource(_Resource, total=False):
    """A collection of records at two paths, /users and /users/{key}, served by a stub in place of a response. An addition
    to WireMock's mappings.
    """

    key: Scalar
    """The field that holds a record's key; by default id."""
    data: Union["Records", None]
    """The initial records, or the name of their file; by default none, or those of another resource of the collection."""
    schema: Union["SchemaDocument", None]
    """The JSON Schema that records from clients must satisfy, or the name of its file."""
    cascade: "Flag"
    """true: removing a record also removes dependent records of other collections."""
    write: "Flag"
    """true: changes by requests are written back to the file in data."""


class _ContractAnswer(TypedDict):
    operation: Scalar
    """Its `operationId`, or its method and path: `GET /pets/{petId}`."""


class ContractAnswer(_ContractAnswer, total=False):
    """The answer of an operation in an OpenAPI document, from its examples or generated from its schemas. An addition to
    WireMock's responses.
    """

    document: Scalar
    """The name of the document, such as the file's path in the folder; needed only if several documents have the
    operation.
    """
    code: Union[int, str]
    """The status; by default the lowest success status."""
    example: Scalar
    """The name of the example."""
    answers: "ContractSource"
    """The source of the body: `examples`, the default, or `made`."""


class _PathOperand(TypedDict):
    expression: str
    """The path."""


class PathOperand(_PathOperand, total=False):
    """A path, and a matcher for its result."""


class _FileOperand(TypedDict):
    file: str
    """The path of the file."""


class FileOperand(_FileOperand, total=False):
    """A file below __files."""


_MatcherMay = TypedDict("_MatcherMay", {"and": Sequence["Matcher"], "or": Sequence["Matcher"], "not": "Matcher"}, total=False)


class Matcher(_MatcherMay, total=False):
    """A condition: an operator and its options."""

    equalTo: str
    """Exactly this text; with `caseInsensitive`, ignoring case."""
    contains: str
    """A text that contains this one."""
    doesNotContain: str
    """A text that does not contain this one, or none."""
    matches: str
    """A regular expression of Java for the whole text."""
    doesNotMatch: str
    """A text that a regular expression of Java does not match as a whole, or none."""
    binaryEqualTo: Union[str, "FileOperand"]
    """The bytes of a body, in Base64, or `{file: …}`, a file below `__files` with them."""
    equalToJson: Any
    """JSON that equals this, given as a value or as a text; placeholders accept many values."""
    matchesJsonPath: Union[str, Union["PathOperand", Mapping[str, Any]]]
    """JSON with at least one result for a path; as an object of `expression` and a matcher, a result that matches."""
    matchesJsonSchema: Any
    """JSON that is valid by this schema."""
    equalToXml: str
    """XML that equals this, ignoring space between elements, comments, and the order of attributes and of differently
    named elements.
    """
    matchesXPath: Union[str, Union["PathOperand", Mapping[str, Any]]]
    """XML with at least one result for an XPath 1.0; as an object of `expression` and a matcher, a result that matches."""
    before: str
    """A date that the value precedes, such as `2026-01-01T00:00:00Z` or `now -3 days`."""
    after: str
    """A date that the value follows."""
    equalToDateTime: str
    """A date that the value equals, in any notation."""
    equalToNumber: Union[float, str]
    """A number equal to this one: 1 equals 1.0."""
    greaterThanNumber: Union[float, str]
    """A number greater than this one."""
    greaterThanEqualNumber: Union[float, str]
    """A number of at least this one."""
    lessThanNumber: Union[float, str]
    """A number less than this one."""
    lessThanEqualNumber: Union[float, str]
    """A number of at most this one."""
    absent: Any
    """`true`: no value. `false` or `no`: any value."""
    anything: Any
    """Any value, or none."""
    matchesPathTemplate: str
    """A path template, such as `/users/{id}`, for the whole text."""
    hasExactly: Sequence["Matcher"]
    """Exactly one matching value for each of these matchers."""
    includes: Sequence["Matcher"]
    """At least one matching value for each of these matchers; there may be more values."""
    startsWith: str
    """A text that begins with this one. An addition to WireMock."""
    endsWith: str
    """A text that ends with this one. An addition to WireMock."""
    glob: str
    """A glob for the whole text, such as `img/*.png`. An addition to WireMock."""
    count: Union[int, "ValueCount"]
    """This many values: a number, or an object with `atLeast`, `atMost` or `exactly`. An addition to WireMock."""
    matchesJwt: "Jwt"
    """A JSON Web Token with these `claims` and this `header`. An addition to WireMock."""
    matchesGraphql: "Graphql"
    """A GraphQL request with this `operationName`, `query` or `variables`; bodies only. An addition to WireMock."""
    caseInsensitive: Any
    """`true`: ignores case."""
    ignoreArrayOrder: Any
    """`true`: ignores the order of arrays."""
    ignoreExtraElements: Any
    """`true`: allows further members and elements."""
    nullsEqualMissing: Any
    """`true`: treats a null member as missing."""
    schemaVersion: "SchemaVersion"
    """The draft of JSON Schema: `V4`, `V6`, `V7`, `V201909`, or `V202012`, the default."""
    enablePlaceholders: Any
    """`true`: `${xmlunit.ignore}`, `${xmlunit.isNumber}`, `${xmlunit.isDateTime}` and `${xmlunit.matchesRegex(…)}` are
    wildcards.
    """
    placeholderOpeningDelimiterRegex: Any
    """The start of a placeholder, in place of `${`."""
    placeholderClosingDelimiterRegex: Any
    """The end of a placeholder, in place of `}`."""
    exemptedComparisons: Any
    """Kinds of difference to ignore, such as `NAMESPACE_URI`, `ATTR_VALUE` or `TEXT_VALUE`."""
    ignoreOrderOfSameNode: Any
    """`true`: elements with the same name may come in any order."""
    namespaceAwareness: "NamespaceAwareness"
    """How namespaces are compared: `STRICT`, the default, `LEGACY` or `NONE`."""
    xPathNamespaces: Any
    """Prefixes of the path and their URIs; without them namespaces are ignored."""
    actualFormat: Any
    """The format of the request's date: a pattern of Java's `DateTimeFormatter`, `unix` for seconds, `epoch` for
    milliseconds.
    """
    truncateExpected: Any
    """Truncates a relative expected date (`now`) to a boundary, such as `first day of month`."""
    truncateActual: Any
    """Truncates the request's date to a boundary."""
    applyTruncationLast: Any
    """`true`: truncates after adding the offset instead of before."""
    expectedOffset: Any
    """The amount of an offset from `now`, with `expectedOffsetUnit`."""
    expectedOffsetUnit: Any
    """The unit of an offset from `now`, with `expectedOffset`."""


class ValueCount(TypedDict, total=False):
    """A number of values."""

    exactly: int
    """This many."""
    atLeast: int
    """At least this many."""
    atMost: int
    """At most this many."""


class Jwt(TypedDict, total=False):
    """The claims and header fields of a token, each a value or a matcher."""

    claims: Mapping[str, Any]
    """Claims by their names, each with its value or a matcher."""
    header: Mapping[str, Any]
    """Fields of the header by their names, each with its value or a matcher."""


class Graphql(TypedDict, total=False):
    """A GraphQL request."""

    operationName: Union[str, None]
    """The name of the operation; null for none."""
    query: str
    """A GraphQL document."""
    variables: Mapping[str, Any]
    """The variables of the request."""


class MessagePattern(TypedDict, total=False):
    """Conditions on a message, and on the request that opened its channel."""

    channel: "RequestPattern"
    """The request that opened the channel."""
    body: "Matcher"
    """A matcher for the message."""


class Route(TypedDict, total=False):
    """A response of a route; without a value, an empty 200."""

    when: "When"
    """Further conditions, all of which must hold."""
    name: Scalar
    """A label, shown in reports and in the response header `Matched-Stub-Name`."""
    priority: "Int"
    """An integer; lower numbers win; by default 5."""
    status: Union[int, str, "Template"]
    """100 to 999, or a template of a number from 200; by default 200."""
    statusMessage: Scalar
    """The reason phrase."""
    headers: "HeaderFields"
    """Names and values; a list becomes several header lines."""
    body: Union[Scalar, bytes]
    """A text; its `Content-Type` is `text/plain` unless set in `headers`."""
    json: Any
    """Any value, sent as compact JSON. A string that is a single expression, `{{…}}`, becomes the expression's value."""
    base64: Scalar
    """Bytes in Base64."""
    file: "BodyFile"
    """A file below `__files`; its `Content-Type` follows from its extension."""
    fallThrough: "Flag"
    """`true`: if the file is missing, the next matching route answers."""
    template: bool
    """`false`: sends `{{…}}` literally. `true`: also renders the content of the file."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The delay before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte:
    100ms, perChunk: 20ms}`.
    """
    dribble: "Dribble"
    """Sends the body in chunks over a time."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    scenario: "Scenario"
    """The state of a scenario in which the route answers, and the state that it sets."""
    capture: Mapping[str, Union[Scalar, Mapping[str, Scalar]]]
    """Names and templates of values to store in the session's state."""
    cors: "Cors"
    """The CORS policy."""
    webhook: Union[str, Union["Webhook", Mapping[str, Any]]]
    """A webhook to call after the response was sent: a URL, or an object."""
    webhooks: Sequence[Union[str, Union["Webhook", Mapping[str, Any]]]]
    """Several webhooks."""
    hold: "Hold"
    """Holds the response at a gate until a test releases it."""
    stream: "StreamContent"
    """Events or chunks in place of a body."""
    openapi: "Contract"
    """The operation of an OpenAPI document that answers."""
    early: "Early"
    """Informational responses before this one, such as `[103]`."""
    trailers: "HeaderFields"
    """Header fields after the body, which is then sent in chunks."""
    ranges: "Flag"
    """Supports range requests with `Range`."""
    conditional: "Flag"
    """Answers 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`."""
    proxy: Union[str, "Template", "RouteProxy"]
    """The server to forward the request to: a URL, or an object."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching route answers."""
    ttl: Union["Duration", None]
    """How long the route exists, such as `30s`."""
    enabled: "Flag"
    """Whether it answers; with `false` it is only listed."""
    sequence: Union[Sequence["RouteEntry"], "RouteSequence"]
    """Several responses, one for each request; `{per: path.id, responses: […]}` for each value of a request."""
    onEnd: Union["End", None]
    """What follows the last response of a sequence: `repeatLast`, the default, `loop` or `notFound`."""
    select: Union["Selection", None]
    """`random`: picks a response at random, by weight."""
    per: Union["SequenceKey", None]
    """The request value by which sequences are kept separately, such as `path.id`."""
    id: "Uuid"
    """A UUID for the admin API; by default derived from the file's path, the key and the position in a list."""


class RouteEntry(TypedDict, total=False):
    """One response of a sequence."""

    status: Union[int, str, "Template"]
    """100 to 999, or a template of a number from 200; by default 200."""
    statusMessage: Scalar
    """The reason phrase."""
    headers: "HeaderFields"
    """Names and values; a list becomes several header lines."""
    body: Union[Scalar, bytes]
    """A text; its `Content-Type` is `text/plain` unless set in `headers`."""
    json: Any
    """Any value, sent as compact JSON. A string that is a single expression, `{{…}}`, becomes the expression's value."""
    base64: Scalar
    """Bytes in Base64."""
    file: "BodyFile"
    """A file below `__files`; its `Content-Type` follows from its extension."""
    template: bool
    """`false`: sends `{{…}}` literally. `true`: also renders the content of the file."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The delay before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte:
    100ms, perChunk: 20ms}`.
    """
    dribble: "Dribble"
    """Sends the body in chunks over a time."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`."""
    hold: "Hold"
    """Holds the response at a gate until a test releases it."""
    stream: "StreamContent"
    """Events or chunks in place of a body."""
    openapi: "Contract"
    """The operation of an OpenAPI document that answers."""
    early: "Early"
    """Informational responses before this one, such as `[103]`."""
    trailers: "HeaderFields"
    """Header fields after the body, which is then sent in chunks."""
    ranges: "Flag"
    """Supports range requests with `Range`."""
    conditional: "Flag"
    """Answers 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`."""
    proxy: Union[str, "Template", "RouteProxy"]
    """The server to forward the request to: a URL, or an object."""
    weight: Union[int, str]
    """The weight in a random choice, with select: random."""


class _RouteSequence(TypedDict):
    responses: Sequence["RouteEntry"]
    """The responses."""


class RouteSequence(_RouteSequence, total=False):
    """Several responses, and their order."""

    onEnd: Union["End", None]
    """What follows the last response; by default repeatLast."""
    select: Union["Selection", None]
    """random: picks a response at random, by weight."""
    per: Union["SequenceKey", None]
    """The request value by which sequences are kept separately: path.id, query.page, header.X-User, cookie.sid, or a
    JSONPath of the body.
    """


class RouteResource(TypedDict, total=False):
    """A collection of records: the list and its records, with all their methods."""

    data: "Records"
    """The initial records, or the name of their file."""
    key: Scalar
    """The field that holds a record's key; by default id."""
    schema: "SchemaDocument"
    """The JSON Schema that records from clients must satisfy, or the name of its file."""
    collection: Scalar
    """The name of the collection; by default taken from the path."""
    cascade: "Flag"
    """true: removing a record also removes its dependent records."""
    write: "Flag"
    """true: changes by requests are written back to the file in data."""
    when: "When"
    """Further conditions, all of which must hold."""
    name: Scalar
    """A label, shown in reports and in the response header `Matched-Stub-Name`."""
    priority: "Int"
    """An integer; lower numbers win; by default 5."""
    headers: "HeaderFields"
    """Names and values; a list becomes several header lines."""
    template: bool
    """`false`: sends `{{…}}` literally. `true`: also renders the content of the file."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The delay before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte:
    100ms, perChunk: 20ms}`.
    """
    dribble: "Dribble"
    """Sends the body in chunks over a time."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    scenario: "Scenario"
    """The state of a scenario in which the route answers, and the state that it sets."""
    capture: Mapping[str, Union[Scalar, Mapping[str, Scalar]]]
    """Names and templates of values to store in the session's state."""
    cors: "Cors"
    """The CORS policy."""
    webhook: Union[str, Union["Webhook", Mapping[str, Any]]]
    """A webhook to call after the response was sent: a URL, or an object."""
    webhooks: Sequence[Union[str, Union["Webhook", Mapping[str, Any]]]]
    """Several webhooks."""
    hold: "Hold"
    """Holds the response at a gate until a test releases it."""
    early: "Early"
    """Informational responses before this one, such as `[103]`."""
    trailers: "HeaderFields"
    """Header fields after the body, which is then sent in chunks."""
    ranges: "Flag"
    """Supports range requests with `Range`."""
    proxy: Union[str, "Template", "RouteProxy"]
    """The server to forward the request to: a URL, or an object."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching route answers."""
    ttl: Union["Duration", None]
    """How long the route exists, such as `30s`."""
    enabled: "Flag"
    """Whether it answers; with `false` it is only listed."""


class Defaults(TypedDict, total=False):
    """Defaults for all routes of this file; a route's own values take precedence."""

    basePath: str
    """The path prefix of each route; a trailing slash is ignored."""
    headers: "HeaderFields"
    """Headers added to each response without a header of the same name."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The delay of each response without its own."""
    conditional: "Flag"
    """`true`: a client that has the version of a response gets a 304."""
    fallThrough: "Flag"
    """`true`: a route whose file is missing leaves the request to the next matching one."""
    cors: "Cors"
    """The CORS policy of each route without its own."""
    redact: Union[Scalar, Sequence[Scalar]]
    """Additional names of secrets, such as `[iban, X-Card]`, for the whole server, its log and reports, and for recordings
    into the folder.
    """


class _Dribble(TypedDict):
    chunks: int
    """The number of chunks."""
    over: "Duration"
    """The sum of the pauses."""


class Dribble(_Dribble, total=False):
    """Sends the body in chunks over a time."""


class _Scenario(TypedDict):
    name: Scalar
    """The scenario's name."""


_ScenarioMay = TypedDict("_ScenarioMay", {"from": Scalar}, total=False)


class Scenario(_Scenario, _ScenarioMay, total=False):
    """A named state machine shared by routes."""

    to: Scalar
    """The state that the route sets; by default unchanged."""


class _RouteProxy(TypedDict):
    to: Scalar
    """The URL to which path and query are appended."""


class RouteProxy(_RouteProxy, total=False):
    """The server to forward requests to, and options. WireMock has the same as fields of a response."""

    removePrefix: Scalar
    """A prefix to remove from the path."""
    headers: "HeaderFields"
    """Headers to add to the request."""
    removeHeaders: Union[Scalar, Sequence[Scalar]]
    """The names of headers to remove from the request."""
    rewriteHost: "Flag"
    """true: host names in answers are rewritten to this server's."""
    http2: "Flag"
    """true: uses HTTP/2, as gRPC requires."""


class _Webhook(TypedDict):
    url: Scalar
    """The URL to call."""


class Webhook(_Webhook, total=False):
    """A webhook to call after the response was sent. Its texts are templates."""

    method: Scalar
    """The method; by default POST with a body, otherwise GET."""
    headers: "HeaderFields"
    """Names and values of the headers."""
    body: Scalar
    """A text."""
    base64Body: Scalar
    """Bytes in Base64."""
    jsonBody: Any
    """Any value, sent as compact JSON."""
    bodyFileName: Scalar
    """The path of a file below `__files`."""
    multipart: Union[Sequence["WebhookPart"], None]
    """The parts of a multipart/form-data body."""
    delay: "Delay"
    """The delay before it is sent."""
    retry: Union[int, "Retry"]
    """How often a failed call is repeated."""
    hmac: "HMAC"
    """A header that signs the body."""
    json: Any
    """The same as `jsonBody`."""
    base64: Scalar
    """The same as `base64Body`."""
    file: Scalar
    """The same as `bodyFileName`."""


class _WebhookPart(TypedDict):
    name: Scalar
    """The name of the part."""


class WebhookPart(_WebhookPart, total=False):
    """A part of the body."""

    fileName: Scalar
    """The name of its file."""
    contentType: Scalar
    """Its content type."""
    body: Scalar
    """A text."""
    base64Body: Scalar
    """Bytes in Base64."""
    jsonBody: Any
    """Any value, sent as compact JSON."""
    bodyFileName: Scalar
    """The path of a file below `__files`."""


class Retry(TypedDict, total=False):
    """How often a failed call is repeated, and the wait before."""

    times: int
    """The maximum number of retries; by default 3."""
    backoff: Union[int, "Duration"]
    """The wait before the first retry; it doubles for each further one."""


class _HMAC(TypedDict):
    secret: Scalar
    """The key of the signature."""


class HMAC(_HMAC, total=False):
    """A header that signs the body."""

    algorithm: Union["HMACAlgorithm", Scalar]
    """The hash; by default sha256."""
    header: Scalar
    """The name of the header; by default X-Signature."""
    format: Literal["hex", "base64"]
    """The encoding of the signature; by default hex."""
    prefix: Scalar
    """A prefix for the signature, such as sha256=."""


class When(TypedDict, total=False):
    """Conditions in addition to the route's key."""

    method: Union["Method", str, Sequence[str], "MethodSet"]
    """A method, a list of methods, or `{noneOf: […]}`; only if the key says `ANY`."""
    scheme: Literal["http", "https"]
    """`http` or `https`."""
    host: "Condition"
    """The requested host, without the port."""
    port: Union[int, str]
    """The requested port."""
    clientIp: "Condition"
    """The client's address, or the value of `X-Forwarded-For` if present."""
    headers: Mapping[str, "Conditions"]
    """Names and values or matchers; names compare case-insensitively."""
    query: Mapping[str, "Conditions"]
    """Names and values or matchers, in addition to those in the key."""
    form: Mapping[str, "Conditions"]
    """Names and values or matchers of a form, `application/x-www-form-urlencoded`."""
    path: Mapping[str, "Condition"]
    """The variables of the key with values or matchers; `**` are named `0`, `1`, …."""
    cookies: Mapping[str, "Condition"]
    """Names and values or matchers."""
    basicAuth: "RouteBasicAuth"
    """A user of basic authentication, `{username, password}`."""
    body: Any
    """A text, a matcher, JSON, or a list of these; all must match."""
    json: Any
    """This JSON, with members in any order."""
    jsonPath: Any
    """A path that must have a result, a list of paths, or an object with paths and expected results."""
    jsonSchema: Any
    """JSON that is valid by this schema."""
    xml: str
    """This XML."""
    xPath: Any
    """An XPath that must have a result, a list, or an object with paths and expected results."""
    multipart: Union["RoutePart", Sequence["RoutePart"]]
    """Parts of the body: one, or a list."""
    graphql: Union[str, "Graphql"]
    """A GraphQL query, or `{operationName, query, variables}`."""
    jwt: "Jwt"
    """The claims and header of the token in `Authorization`, without verification of its signature: `{claims: {…}, header:
    {…}}`.
    """
    custom: Union[str, "CustomMatcher"]
    """A custom matcher by its name, or `{name, parameters}`."""
    clientCertificate: "RouteCertificate"
    """Conditions on the client certificate: `{subject: {contains: CN=alice}}`; `alternativeNames` may be a list."""


Condition = Union[Scalar, "Matcher"]
"""A value, or a matcher: {contains: json}."""


Conditions = Union[Scalar, "Matcher", Sequence[Union[Scalar, "Matcher"]]]
"""A value, a matcher, or a list of several values."""


class _RouteBasicAuth(TypedDict):
    username: Scalar
    """The user name."""
    password: Scalar
    """The password."""


class RouteBasicAuth(_RouteBasicAuth, total=False):
    """A user of basic authentication."""


class RouteCertificate(TypedDict, total=False):
    """Conditions on the client certificate."""

    subject: "Condition"
    """The subject in RFC 2253 notation: CN=alice,O=Example."""
    issuer: "Condition"
    """The issuer in the same notation."""
    serialNumber: "Condition"
    """The serial number in hexadecimal digits."""
    fingerprint: "Condition"
    """The SHA-256 of the DER encoding in hexadecimal digits."""
    notBefore: "Condition"
    """The start of its validity."""
    notAfter: "Condition"
    """The end of its validity."""
    alternativeNames: "Conditions"
    """Its alternative names, each with its type: DNS:alice.example."""
    pem: "Condition"
    """The certificate in PEM."""


class RoutePart(TypedDict, total=False):
    """A part of a multipart body."""

    name: Scalar
    """The part's name in `Content-Disposition`."""
    file: Scalar
    """The file name in `Content-Disposition`."""
    every: "Flag"
    """`true`: every part must match."""
    headers: Mapping[str, "Conditions"]
    """Names and values or matchers; names compare case-insensitively."""
    body: Any
    """A text, a matcher, JSON, or a list of these; all must match."""
    json: Any
    """This JSON, with members in any order."""
    jsonPath: Any
    """A path that must have a result, a list of paths, or an object with paths and expected results."""
    jsonSchema: Any
    """JSON that is valid by this schema."""
    xml: str
    """This XML."""
    xPath: Any
    """An XPath that must have a result, a list, or an object with paths and expected results."""


class Settings(TypedDict, total=False):
    """Settings for all stubs of a session: WireMock's global settings."""

    fixedDelay: "Int"
    """The delay in milliseconds of each response whose stub has no `fixedDelayMilliseconds`."""
    delayDistribution: "Distribution"
    """A random delay for each response whose stub has no `delayDistribution`."""
    extended: Union[Mapping[str, Any], None]
    """JSON for your own use."""
    proxyPassThrough: "Flag"
    """Whether proxy requests that match no stub are forwarded to the requested server."""
    clock: Union["Clock", None]
    """The time that templates and date matchers call now; by default the real time. An addition to WireMock."""
    delays: Union["Delays", None]
    """The delays of each response whose stub has no `delays`. An addition to WireMock."""
    timeScale: Union[float, None]
    """The factor on each delay; by default the daemon's. An addition to WireMock."""
    passThrough: Union["PassThrough", None]
    """The server to which requests without a stub or file are forwarded; by default they are answered with a mismatch
    report. An addition to WireMock.
    """
    openapiValidate: Union["ContractCheck", None]
    """The treatment of requests that violate an OpenAPI document; by default the document's, or else the daemon's. An
    addition to WireMock.
    """


_ClockMay = TypedDict("_ClockMay", {"from": "Time"}, total=False)


class Clock(_ClockMay, total=False):
    """The clock of templates and date matchers. An addition to WireMock's settings."""

    frozen: "Time"
    """A fixed time."""
    offset: str
    """The offset from the real time, such as -3 days or 2h."""
    rate: float
    """The speed, as a multiple of real time."""


Time = str
"""A time with its zone, such as 2026-03-01T12:00:00Z."""


PassThrough = Union[str, "RouteProxy"]


class RouteMembers(Route, total=False):
    """What may stand beside a route's key: a response, or a collection of records."""

    data: "Records"
    """The initial records, or the name of their file."""
    key: Scalar
    """The field that holds a record's key; by default id."""
    schema: "SchemaDocument"
    """The JSON Schema that records from clients must satisfy, or the name of its file."""
    collection: Scalar
    """The name of the collection; by default taken from the path."""
    cascade: "Flag"
    """true: removing a record also removes its dependent records."""
    write: "Flag"
    """true: changes by requests are written back to the file in data."""


Routes = Mapping[str, Union[Route, Sequence[Route], RouteResource, Defaults, CorsPolicy, bool, str, None]]
"""Routes by their keys, METHOD /path, as a file has them, with its `defaults` and `cors`."""

StubElement = Union[StubMapping, Routes]
"""A stub mapping in WireMock's form, or routes."""
