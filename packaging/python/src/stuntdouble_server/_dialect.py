# Made by `make dialect` of Sources/Dialect/Table; do not edit.
"""What a stub may say, as types: mappings in WireMock's form, routes, and all that they name."""

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Scalar = Union[str, float, bool, None]
"""A text, or what stands for one."""

FaultKind = Literal["EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE"]
"""The four ways in which WireMock breaks a response. None of them sends the stub's status, headers or body.
- `EMPTY_RESPONSE`: The connection closes without a byte of an answer.
- `CONNECTION_RESET_BY_PEER`: The connection is reset (TCP RST) without a byte of an answer.
- `MALFORMED_RESPONSE_CHUNK`: A status of 200 and `Transfer-Encoding: chunked` come, 36 bytes that are not a chunk, then
the end.
- `RANDOM_DATA_THEN_CLOSE`: The same 36 bytes come without a status, then the end.
"""

TLSFault = Literal["expired", "notYetValid", "wrongHost", "selfSigned", "untrustedAuthority", "weakKey", "missingIntermediate", "oldVersion", "reset", "stall", "garbage"]
"""What a client meets that begins with TLS. The first ones are defects of the certificate that it is shown.
- `expired`: A certificate that was valid until yesterday.
- `notYetValid`: A certificate that will be valid from tomorrow on.
- `wrongHost`: A certificate for another host.
- `selfSigned`: A certificate that has issued itself.
- `untrustedAuthority`: A certificate of an authority that nobody trusts.
- `weakKey`: A certificate whose key is shorter than any client accepts.
- `missingIntermediate`: A chain without the certificate between this one and its authority.
- `oldVersion`: Only TLS 1.1, which today's clients refuse.
- `reset`: A reset in place of the handshake.
- `stall`: Nothing, until the client leaves.
- `garbage`: Bytes that are no TLS, and then the end of the connection.
"""

HTTP2Fault = Literal["noSettings", "garbage"]
"""What a client meets that begins with HTTP/2.
- `noSettings`: The SETTINGS frame with which a server begins never comes, nor an answer.
- `garbage`: Bytes that are no frame, and then the end of the connection.
"""

CutEnd = Literal["fin", "rst", "cut", "hang", "garbage"]
"""What may follow the last byte of an answer that is cut."""

HTTP2Error = Literal["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"]
"""The error codes of HTTP/2 by their names, from 0 on (RFC 9113 section 7).
- `NO_ERROR`: Nothing is wrong: the stream or the connection ends in order.
- `PROTOCOL_ERROR`: The other end does not keep to the protocol.
- `INTERNAL_ERROR`: Something went wrong within.
- `FLOW_CONTROL_ERROR`: More bytes came than there was a window for.
- `SETTINGS_TIMEOUT`: SETTINGS were not acknowledged in time.
- `STREAM_CLOSED`: A frame came for a stream that had ended.
- `FRAME_SIZE_ERROR`: A frame has a size that it must not have.
- `REFUSED_STREAM`: The stream is refused before anything was done: clients may try again.
- `CANCEL`: The stream is no longer needed.
- `COMPRESSION_ERROR`: The state of header compression is lost.
- `CONNECT_ERROR`: The connection behind a CONNECT was reset.
- `ENHANCE_YOUR_CALM`: The other end does too much.
- `INADEQUATE_SECURITY`: TLS is not as HTTP/2 wants it.
- `HTTP_1_1_REQUIRED`: The request is to be made by HTTP/1.1.
"""

ContractSource = Literal["examples", "made"]
"""Where the bodies of an OpenAPI document's answers come from.
- `examples`: Examples of the document; what has none is made from its schema.
- `made`: Made from the schema.
"""

Phase = Literal["BEFORE_MATCH", "AFTER_MATCH", "BEFORE_RESPONSE_SENT", "AFTER_COMPLETE"]
"""The phases of a request in which a listener acts."""

End = Literal["repeatLast", "loop", "notFound"]
"""The answers that follow the last response.
- `repeatLast`: The last response again, for all further requests.
- `loop`: The first response again, and so on.
- `notFound`: A 404 that says that the sequence is over.
"""

Selection = Literal["sequence", "random"]
"""The way in which the next response is found.
- `sequence`: In order.
- `random`: Drawn by weight from the session's seed.
"""

MatchingType = Literal["ALL", "ANY"]
"""The parts that must satisfy the pattern.
- `ALL`: Every part, of which there must be one at least.
- `ANY`: At least one part.
"""

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY"]
"""Methods that editors propose; others are allowed."""

SchemaVersion = Literal["V4", "V6", "V7", "V201909", "V202012"]
"""`schemaVersion`: the draft of JSON Schema that a schema is written in.
- `V4`: Draft 4 (2013).
- `V6`: Draft 6 (2017).
- `V7`: Draft 7 (2018).
- `V201909`: Draft 2019-09.
- `V202012`: Draft 2020-12, WireMock's default.
"""

NamespaceAwareness = Literal["STRICT", "LEGACY", "NONE"]
"""`namespaceAwareness`: how far namespaces count when XML is compared.
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
"""A unit of `expectedOffsetUnit`, and of a distance such as `now +3 days`.
- `seconds`: Seconds.
- `minutes`: Minutes of 60 seconds.
- `hours`: Hours of 3,600 seconds.
- `days`: Days of the calendar, which keep the time of day.
- `months`: Months of the calendar; a day that the month does not have becomes its last.
- `years`: Years of the calendar; 29 February may become 28 February.
"""

ContractCheck = Literal["off", "warn", "enforce"]
"""What happens to requests that an OpenAPI document does not allow.
- `off`: Nothing.
- `warn`: They are answered, and the journal, the log and the report tell.
- `enforce`: They are refused with every reason.
"""

HMACAlgorithm = Literal["sha1", "sha256", "sha384", "sha512"]
"""Algorithms of signatures."""


class Fault(TypedDict, total=False):
    """A fault: what happens to the answer, and when."""

    status: int
    """Answers with this status and a line of text instead of the response."""
    kind: "FaultKind"
    """Sends one of WireMock's faults instead of the response, such as `EMPTY_RESPONSE`."""
    neverAnswer: bool
    """`true`: sends nothing until the client leaves."""
    delay: "Delay"
    """Waits before the first byte, besides the wait of the stub: `200ms`, or a distribution in short or with a `type`."""
    cutAfter: Union[str, int, "ChunkOfCut"]
    """Ends the answer: after a number of bytes of the body (`1337`), after a part of it (`50%`), after the `headers`,
    before them (`nothing`), or after some whole chunks (`{chunk: 2}`); a body that is sent at once is one chunk.
    """
    corrupt: "Corruption"
    """Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`)."""
    wrongLength: Union[int, str]
    """Adds `+5` or `-1` to the `Content-Length`, which takes the place of chunks. After a body that is too short the
    connection closes; one that is too long is sent as a whole.
    """
    duplicateHeader: Union[str, "DuplicatedHeader"]
    """Sends a header twice (`ETag`), the second time with another value if there is one: `{name: Content-Length, value:
    "5"}`.
    """
    garbagePrefix: Union[str, int]
    """Sends a text, or a number of random bytes, before the status line."""
    dropTrailers: bool
    """The trailers that the answer announces never come."""
    bandwidth: "Rate"
    """The body at a rate, such as `3KB/s`; the head comes at once."""
    slice: "Slice"
    """Sends the body in pieces of some bytes with a pause between them: `{size: 100, gap: 20ms}`. A piece is a chunk if
    there are chunks.
    """
    stall: "Stall"
    """Stops after some bytes of the body: `{after: 100, for: 10s}`; `for: forever` stops until the client leaves."""
    slowClose: "Duration"
    """The whole answer, then a connection that stays open that long, answers no more, and closes."""
    then: Union["CutEnd", "StreamEnd"]
    """What follows the last byte of an answer that `cutAfter` ends: `fin`, if absent, closes the connection in order,
    `rst` resets it; `cut`, `hang`, `garbage`, `{resetStream: CANCEL}` and `{goAway: NO_ERROR}` are ends of TLS and
    HTTP/2.
    """
    probability: "Share"
    """Acts with a probability: `0.05`, or `5%`."""
    first: Union[int, "FirstRequests"]
    """Acts on the first requests, and then no more: `2`, or `{count: 2, perHeader: Idempotency-Key}` for each value of a
    header; requests without the header have one value.
    """
    between: Sequence["Duration"]
    """Acts between two times since the session began or was last reset: `[5s, 10s]`."""
    quota: "Quota"
    """Acts on the requests beyond a limit, `{limit: 10, per: 1m}`, with a 429 if nothing else is said. A period begins
    with the first request after the last one.
    """
    concurrency: int
    """Acts on requests that come while that many answers are under way, with a 503 if nothing else is said."""


class _ChunkOfCut(TypedDict):
    chunk: int
    """The number of whole chunks before the end."""


class ChunkOfCut(_ChunkOfCut, total=False):
    """A chunk after which the answer ends."""


class Corruption(TypedDict, total=False):
    """The bytes that change: one, or a part of them."""

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
    """Its second value; the first one again if absent."""


class _Slice(TypedDict):
    size: "Size"
    """The number of bytes of a piece."""
    gap: "Duration"
    """The wait between two pieces."""


class Slice(_Slice, total=False):
    """Pieces of this size, and the wait between them."""


_StallMust = TypedDict("_StallMust", {"for": Union[Literal["forever"], "Duration"]})


class Stall(_StallMust, total=False):
    """Stops after some bytes, for a time or for ever."""

    after: "Size"
    """The number of bytes of the body before it."""


class StreamEnd(TypedDict, total=False):
    """An end that HTTP/2 has."""

    resetStream: Union["HTTP2Error", int]
    """Resets the stream with this code."""
    goAway: Union["HTTP2Error", int]
    """Sends GOAWAY with this code, and the connection closes."""
    lastStream: int
    """The id of the last stream that GOAWAY names; that of the answer if absent."""


class _FirstRequests(TypedDict):
    count: int
    """The number of requests."""


class FirstRequests(_FirstRequests, total=False):
    """The first requests, or the first with each value of a header."""

    perHeader: Scalar
    """The header for each value of which requests are counted apart."""


class _Quota(TypedDict):
    limit: int
    """The number of requests that are left alone in each period."""
    per: "Duration"
    """The length of a period."""


class Quota(_Quota, total=False):
    """A number of requests within a time."""


class SessionFault(Fault, total=False):
    """A fault of a session: of the answers to some requests, or of connections."""

    readSlowly: "Rate"
    """The rate at which requests are read."""
    neverRead: bool
    """true: the body of the request is not read."""
    id: str
    """The id by which it is removed; made by the session if absent."""
    name: Scalar
    """A label."""
    request: "RequestPattern"
    """The requests whose answers it changes; all if absent."""
    serverName: Scalar
    """The clients that it meets, by the name of the server that they ask for (SNI); all if absent."""
    refuseNext: int
    """Resets that many connections as soon as they are made."""
    listener: Literal["down", "acceptAndStall"]
    """down: connections are refused. acceptAndStall: nothing on them is read."""
    tls: "TLSFault"
    """What a client meets that begins with TLS."""
    http2: "HTTP2Fault"
    """What a client meets that begins with HTTP/2."""
    route: str
    """The requests as the key of a route: GET /api/**."""


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
"""Names and values; several values of one name are a list."""


MethodCondition = Union["Method", str, "MethodSet", None]


Cors = Union[bool, "CorsPolicy", str, Sequence[str], None]
"""What pages of other origins may do with the answers: true, false, an origin, a list of them, or an object."""


Distribution = Union["FixedDelay", "TypedUniformDelay", "TypedLognormalDelay", "TypedGaussianDelay", "TypedExponentialDelay", None]
"""A wait that is drawn for each response: a length, or a distribution of lengths, in milliseconds."""


Delay = Union["Duration", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Distribution"]


TemplatedInt = Union["Int", "Template"]


Hold = Union["HoldOptions", Scalar]
"""The name of a gate at which the response waits until a test releases it, or an object."""


StreamContent = Union["StreamOptions", Sequence["StreamEvent"], None]
"""Events or pieces that are sent in place of a body."""


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
    """What WireMock's lists have beside the mappings; passed over."""
    uuid: Any
    """Passed over."""
    cors: "Cors"
    """What pages of other origins may do with the answers of all these stubs."""


_StubMappingMay = TypedDict("_StubMappingMay", {"$schema": Any}, total=False)


class StubMapping(_StubMappingMay, total=False):
    """A stub mapping in WireMock's form: the requests that it answers, and its answer."""

    id: "Uuid"
    """The id for the admin API, a UUID; derived from the file's path and the place in it if absent, and random for a stub
    of no file.
    """
    uuid: "Uuid"
    """The same as `id`."""
    name: Scalar
    """A label, shown in reports and in the response header `Matched-Stub-Name`."""
    request: "RequestPattern"
    """Which requests it answers; all if absent."""
    response: "StubResponse"
    """The answer; an empty 200 if absent."""
    persistent: "Flag"
    """Whether the mapping is saved to disk when it is added or edited, and its file is deleted when it is removed."""
    priority: "Int"
    """The priority: lower numbers win; 5 if absent."""
    scenarioName: Scalar
    """The scenario that it belongs to."""
    requiredScenarioState: Scalar
    """The state of the scenario in which it answers; in every state if absent. The first is `Started`."""
    newScenarioState: Scalar
    """The state to which it moves the scenario; it stays where it is if absent."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    postServeActions: Union[Sequence["Action"], Mapping[str, Any], None]
    """Actions after the answer: webhooks of WireMock 2."""
    serveEventListeners: Union[Sequence["Listener"], None]
    """Listeners: `webhook` calls somebody back, `recordState` and `deleteState` change the session's state; others have no
    effect.
    """
    insertionIndex: "Int"
    """The position in the order of insertion; only in files that the daemon writes."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching mapping answers. An addition to WireMock."""
    timesLeft: Any
    """What is left of `times`; shown and never read."""
    ttl: Union["Duration", None]
    """How long the mapping exists, such as `30s`. An addition to WireMock."""
    enabled: "Flag"
    """Whether it answers; `false`: it is only listed. An addition to WireMock."""
    responses: Union[Sequence["StubResponse"], Sequence["WeighedResponse"], None]
    """Several responses, one for each request, in place of `response`. An addition to WireMock."""
    onEnd: Union["End", None]
    """What follows the last of the responses: `repeatLast` if absent, `loop` or `notFound`. An addition to WireMock."""
    select: Union["Selection", None]
    """`random`: draws from the responses by their weight. An addition to WireMock."""
    per: Union["SequenceKey", None]
    """Where requests have the value for each of which the responses are given in turn: `path.id`, `query.page`,
    `header.X-User`, `cookie.sid`, or a JSONPath of the body. An addition to WireMock.
    """
    resource: "Resource"
    """A collection of records that is served in place of a response. An addition to WireMock."""
    cors: "Cors"
    """What pages of other origins may do with the answers, as in a route. The admin API shows it as
    `metadata.stuntdouble.cors`, which is read as well. An addition to WireMock.
    """


SequenceKey = str


Uuid = Union[str, None]


class Action(TypedDict, total=False):
    """An action: its name and parameters."""

    name: Scalar
    """The name, such as `webhook`."""
    parameters: Union[Mapping[str, Any], None]
    """What the action is told."""


class Listener(TypedDict, total=False):
    """A listener: its name, the phases in which it acts, and its parameters."""

    name: Scalar
    """The name: `webhook`, `recordState` or `deleteState`."""
    requestPhases: Union[Sequence["Phase"], None]
    """The phases of a request in which it acts."""
    parameters: Union[Mapping[str, Any], None]
    """What the listener is told."""


class RequestPattern(TypedDict, total=False):
    """WireMock's request pattern: conditions, all of which must hold for the stub to answer."""

    scheme: Scalar
    """The scheme: `https` if the request came over TLS or its target is a whole `https` URL, or else `http`."""
    host: "Matcher"
    """The host that the request was sent to, by its header `Host`, without the port."""
    port: "Int"
    """The port that the request was sent to, in `Host`, or the scheme's."""
    clientIp: "Matcher"
    """The address that the request came from, or the text of `X-Forwarded-For` if the request has that."""
    url: Scalar
    """Path and query, exactly."""
    urlPattern: Scalar
    """A regular expression for all of path and query."""
    urlPath: Scalar
    """The path, exactly, with any query."""
    urlPathPattern: Scalar
    """A regular expression for all of the path."""
    urlPathTemplate: Scalar
    """A template of the path, such as `/users/{id}`; `**` is anything."""
    method: "MethodCondition"
    """`GET`, …; `ANY` or absent: every method. `{oneOf: […]}` and `{noneOf: […]}` are of WireMock 4."""
    headers: Union[Mapping[str, "Matcher"], None]
    """Names and matchers; names compare without regard to letter case."""
    pathParameters: Union[Mapping[str, "Matcher"], None]
    """Variables of `urlPathTemplate`, undecoded, and matchers."""
    queryParameters: Union[Mapping[str, "Matcher"], None]
    """Names and matchers of the query, decoded; names compare with case."""
    formParameters: Union[Mapping[str, "Matcher"], None]
    """Names and matchers of a form, if `Content-Type` says `application/x-www-form-urlencoded`."""
    cookies: Union[Mapping[str, "Matcher"], None]
    """Names and matchers; values are undecoded, and without quotes around them."""
    basicAuth: "BasicAuth"
    """`Authorization: Basic …` of this user, `{username, password}`; written as `basicAuthCredentials`."""
    basicAuthCredentials: "BasicAuth"
    """The same as `basicAuth`."""
    bodyPatterns: Union[Sequence["Matcher"], None]
    """Matchers of the body, all of which must hold."""
    customMatcher: "CustomMatcher"
    """A matcher of an extension, `{name, parameters}`; a name that the daemon does not know never matches."""
    multipartPatterns: Union[Sequence["MultipartPattern"], None]
    """Patterns of the parts of a `multipart/…` body."""
    clientCertificate: "ClientCertificate"
    """What the client's certificate says: `subject`, `issuer`, `serialNumber`, `fingerprint`, `notBefore`, `notAfter`,
    `alternativeNames` and `pem` with their matchers. An addition to WireMock.
    """


class MethodSet(TypedDict, total=False):
    """Several methods, or all but some."""

    oneOf: Sequence[str]
    """The methods, one of which the request has."""
    noneOf: Sequence[str]
    """The methods, none of which the request has."""


class BasicAuth(TypedDict, total=False):
    """The user of basic authentication. It is read as basicAuth, and written as basicAuthCredentials, as in WireMock."""

    username: Scalar
    """The user name as written."""
    password: Scalar
    """The password as written."""


class CustomMatcher(TypedDict, total=False):
    """A matcher that an extension of the server provides. A stub with an unknown name never matches."""

    name: Scalar
    """The name by which the server knows it; without one nothing matches."""
    parameters: Union[Mapping[str, Any], None]
    """The parameters of the matcher."""


class ClientCertificate(TypedDict, total=False):
    """What the client's certificate says. An addition to WireMock."""

    subject: "Matcher"
    """The name of its owner, as in RFC 2253: CN=alice,O=Example."""
    issuer: "Matcher"
    """The name of the authority that issued it."""
    serialNumber: "Matcher"
    """The serial number in hexadecimal digits."""
    fingerprint: "Matcher"
    """The SHA-256 of its DER form in lower-case hexadecimal digits."""
    notBefore: "Matcher"
    """The time from which it is valid, such as 2026-01-31T09:30:00Z."""
    notAfter: "Matcher"
    """The time until which it is valid."""
    alternativeNames: "Matcher"
    """Its alternative names, each with its kind: DNS:alice.example."""
    pem: "Matcher"
    """The certificate in PEM."""


class MultipartPattern(TypedDict, total=False):
    """Conditions for one part of a multipart body, or for every part. Without headers and bodyPatterns any part satisfies
    them.
    """

    name: Scalar
    """A label; to test a part's name, match its `Content-Disposition`."""
    fileName: Scalar
    """The file name in `Content-Disposition`; it counts only beside `headers` or `bodyPatterns`."""
    matchingType: Union["MatchingType", None]
    """`ANY`, if absent: a part must match. `ALL`: every part must."""
    headers: Union[Mapping[str, "Matcher"], None]
    """Names and matchers of the part's headers."""
    bodyPatterns: Union[Sequence["Matcher"], None]
    """Matchers of the part's content."""


class StubResponse(TypedDict, total=False):
    """The answer of a stub: WireMock's response definition."""

    status: "TemplatedInt"
    """The status; 200 if absent. A template of a number is an addition to WireMock."""
    statusMessage: Scalar
    """The words after the status; the usual ones if absent."""
    body: Scalar
    """A text."""
    jsonBody: Any
    """Any value, sent as compact JSON."""
    base64Body: Scalar
    """Bytes in Base64."""
    bodyFileName: Scalar
    """The path of a file below `__files`."""
    headers: "HeaderFields"
    """Names and values; a list of values is several header lines."""
    additionalProxyRequestHeaders: "HeaderFields"
    """Headers that are added to a request that is sent on."""
    removeProxyRequestHeaders: Union[Sequence[Scalar], None]
    """Takes headers out of the request that is sent on; names compare without case."""
    fixedDelayMilliseconds: "TemplatedInt"
    """The wait before the first byte. A template of a number or a duration is an addition to WireMock."""
    delayDistribution: "Distribution"
    """A wait that is drawn for each response, added to the fixed one."""
    chunkedDribbleDelay: "ChunkedDribbleDelay"
    """Sends the body in pieces: `{numberOfChunks, totalDuration}`, in milliseconds."""
    proxyBaseUrl: Scalar
    """The server that the request is sent on to."""
    proxyUrlPrefixToRemove: Scalar
    """Takes a text from the beginning of the path before the request is sent on: with `/v1`, `/v1/orders` becomes
    `/orders`.
    """
    proxyHttp2: "Flag"
    """Calls the server that the request is sent on to in HTTP/2, as those of gRPC need it. With `https` it may still
    choose HTTP/1.1. An addition to WireMock.
    """
    delays: "Delays"
    """The wait before the first byte, and the one before each chunk: `{firstByte, perChunk}`. An addition to WireMock."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, by a name such as `EMPTY_RESPONSE`. An object, or a list of them, is a
    fault of our own, an addition to WireMock.
    """
    transformers: Union[Sequence[Scalar], None]
    """Transformers of WireMock: `response-template` makes the response a template, `proxied-hostname-rewrite` makes
    answers of other servers name this one; other names say nothing.
    """
    transformerParameters: Union[Mapping[str, Any], None]
    """Values that a template finds under `parameters`."""
    template: "Flag"
    """Whether `{{…}}` in the body, the headers, the status message and the delay is filled in for each request, whatever
    the transformers say. An addition to WireMock.
    """
    fromConfiguredStub: "Flag"
    """Written by WireMock, and never read."""
    hold: "Hold"
    """Waits at a gate until a test lets the response go. An addition to WireMock."""
    stream: "StreamContent"
    """Events or pieces in place of a body. An addition to WireMock."""
    openapi: "Contract"
    """The operation of an OpenAPI document that answers: its status, its header fields and its body. An addition to
    WireMock.
    """
    early: "Early"
    """Informational responses before this one, such as `[103]`. An addition to WireMock."""
    trailers: "HeaderFields"
    """Header fields after the body, which is then sent in chunks. An addition to WireMock."""
    ranges: "Flag"
    """Lets requests ask for parts of the body with `Range`. An addition to WireMock."""
    conditional: "Flag"
    """Sends a 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. An addition to WireMock."""
    fallThrough: "Flag"
    """Leaves requests to the next stub that matches as long as the body file is missing. An addition to WireMock."""


class WeighedResponse(StubResponse, total=False):
    """One of several responses."""

    weight: Union[int, str]
    """How often it is drawn, with select: random."""


class _ChunkedDribbleDelay(TypedDict):
    numberOfChunks: "Int"
    """The number of chunks."""
    totalDuration: "Int"
    """The sum of all pauses, in milliseconds."""


class ChunkedDribbleDelay(_ChunkedDribbleDelay, total=False):
    """Sends the body in equal chunks, with a pause before each."""


class Delays(TypedDict, total=False):
    """The wait before the first byte, and the one before each chunk of the body. An addition to WireMock's delays."""

    firstByte: "Delay"
    """The wait before the first byte."""
    perChunk: "Delay"
    """The wait before each chunk, drawn anew for each."""


class _FixedDelay(TypedDict):
    type: Literal["fixed"]


class FixedDelay(_FixedDelay, total=False):
    """A wait of the same length each time, in milliseconds."""

    milliseconds: "Int"
    """The length of the wait."""


class _TypedUniformDelay(TypedDict):
    type: Literal["uniform"]


class TypedUniformDelay(_TypedUniformDelay, total=False):
    """A wait between two bounds, each as likely as any other, in milliseconds."""

    lower: "Int"
    """The shortest wait."""
    upper: "Int"
    """The longest wait."""


class _TypedLognormalDelay(TypedDict):
    type: Literal["lognormal"]


class TypedLognormalDelay(_TypedLognormalDelay, total=False):
    """A wait like those of real servers: many near the median, a few much longer. In milliseconds."""

    median: Union[float, str, None]
    """Half of the waits are shorter."""
    sigma: Union[float, str, None]
    """The spread, such as 0.4."""
    maxValue: Union[float, str, None]
    """The longest wait; without a limit if absent."""


class _TypedGaussianDelay(TypedDict):
    type: Literal["gaussian"]
    mean: float
    """The mean of the waits."""
    standardDeviation: float
    """The spread of the waits about their mean."""


class TypedGaussianDelay(_TypedGaussianDelay, total=False):
    """A normal distribution of waits, never below 0, in milliseconds. An addition to WireMock's distributions."""

    maxValue: float
    """The longest wait; without a limit if absent."""


class _TypedExponentialDelay(TypedDict):
    type: Literal["exponential"]
    mean: float
    """The mean of the waits."""


class TypedExponentialDelay(_TypedExponentialDelay, total=False):
    """Many short waits and few long ones, in milliseconds. An addition to WireMock's distributions."""

    maxValue: float
    """The longest wait; without a limit if absent."""


class _UniformDelay(TypedDict):
    uniform: Sequence["Duration"]
    """The shortest and the longest wait: [50ms, 500ms]."""


class UniformDelay(_UniformDelay, total=False):
    """A wait between two bounds."""


class _LognormalDelay(TypedDict):
    median: "Duration"
    """Half of the waits are shorter."""
    sigma: float
    """The spread, such as 0.4."""


class LognormalDelay(_LognormalDelay, total=False):
    """A wait like those of real servers: many near the median, a few much longer."""

    max: "Duration"
    """The longest wait; without a limit if absent."""


class _GaussianDelay(TypedDict):
    gaussian: Sequence["Duration"]
    """The mean and the standard deviation: [200ms, 50ms]."""


class GaussianDelay(_GaussianDelay, total=False):
    """A normal distribution of waits."""

    max: "Duration"
    """The longest wait; without a limit if absent."""


class _ExponentialDelay(TypedDict):
    exponential: "Duration"
    """The mean."""


class ExponentialDelay(_ExponentialDelay, total=False):
    """Many short waits and few long ones."""

    max: "Duration"
    """The longest wait; without a limit if absent."""


class _HoldOptions(TypedDict):
    gate: Scalar
    """The name of the gate."""


class HoldOptions(_HoldOptions, total=False):
    """Keeps a response, or the rest of a stream, back until a test lets it go. An addition to WireMock's responses."""

    timeout: "Duration"
    """The time after which it waits no longer."""
    onTimeout: Union[Literal["answer", "fail"], "FaultKind", int]
    """What happens then: the answer, a reset, a fault, or another status."""


class StreamOptions(TypedDict, total=False):
    """Pieces that a response sends in place of a body: events under a name to which tests push more, or several rounds of
    them. An addition to WireMock's responses.
    """

    name: Scalar
    """The name under which a test pushes further events; the stream then stays open after its own."""
    events: Sequence["StreamEvent"]
    """The events, pieces and waits, in their order."""
    repeat: Union[Literal["forever"], int]
    """How often they are sent: a number, or `forever`; once if absent."""


class StreamEvent(TypedDict, total=False):
    """A server-sent event, a piece of a body, or a wait, with the wait before it."""

    after: "Duration"
    """The wait before it, such as `1s`, from the end of what was sent before."""
    comment: Scalar
    """A text that clients skip, a line for each of its lines."""
    event: Scalar
    """The type; clients take none as `message`."""
    id: Scalar
    """The id, which a client that comes back sends as `Last-Event-ID`."""
    retry: Union[int, "Duration"]
    """The time after which a client that was cut off comes back: milliseconds, or a duration such as `3s`."""
    data: Any
    """A text, of which each line becomes a `data:` line; or any other JSON, sent in one line."""
    chunk: Scalar
    """A piece of the body, sent as it is."""
    base64: Scalar
    """A piece of the body, in Base64."""
    hold: "Hold"
    """Waits at a gate with the rest."""


class EarlyResponse(TypedDict, total=False):
    """An informational response, sent before the response itself (RFC 9110, section 15.2). An addition to WireMock's
    responses.
    """

    status: int
    """The status, from 100 to 199 but not 101."""
    headers: "HeaderFields"
    """The header fields, such as Link."""


class CorsPolicy(TypedDict, total=False):
    """What pages of other origins may do with the answers of a stub, a file or a folder. An addition to WireMock's
    mappings.
    """

    origins: Union[str, Sequence[str]]
    """The origins of the pages, such as https://app.example or http://localhost:*; * for any."""
    credentials: "Flag"
    """true: pages may send cookies and credentials. Browsers take * for a name then."""
    expose: Union[str, Sequence[str]]
    """The response headers that pages may read; all if absent."""


class _Resource(TypedDict):
    name: Scalar
    """The name of the collection, which the resources of one session share."""
    path: str
    """The path of the whole collection: /users, or /users/{userId}/posts for those of each user."""


class Resource(_Resource, total=False):
    """A collection of records behind two paths, /users and /users/{key}, which a stub serves in place of a response. An
    addition to WireMock's mappings.
    """

    key: Scalar
    """The field with a record's key; id if absent."""
    data: Union["Records", None]
    """The records to begin with, or the name of a file with them; none, or those that another resource of the collection
    declares, if absent.
    """
    schema: Union["SchemaDocument", None]
    """The JSON Schema that records from clients must satisfy, or the name of its file."""
    cascade: "Flag"
    """true: who removes a record removes those of other collections that belong to it."""
    write: "Flag"
    """true: what requests change is written to the file of data."""


class _ContractAnswer(TypedDict):
    operation: Scalar
    """Its `operationId`, or its method and path: `GET /pets/{petId}`."""


class ContractAnswer(_ContractAnswer, total=False):
    """An answer of an operation of an OpenAPI document, by its examples or made from its schemas. An addition to
    WireMock's responses.
    """

    document: Scalar
    """The name of its document, such as the file's path in the folder; needed only if several documents have such an
    operation.
    """
    code: Union[int, str]
    """The status; the lowest success if absent."""
    example: Scalar
    """The name of the example."""
    answers: "ContractSource"
    """Where the body comes from: `examples` if absent, or `made`."""


class _PathOperand(TypedDict):
    expression: str
    """The path."""


class PathOperand(_PathOperand, total=False):
    """A path, and a matcher of what it finds."""


class _FileOperand(TypedDict):
    file: str
    """The path of the file."""


class FileOperand(_FileOperand, total=False):
    """A file below __files."""


_MatcherMay = TypedDict("_MatcherMay", {"and": Sequence["Matcher"], "or": Sequence["Matcher"], "not": "Matcher"}, total=False)


class Matcher(_MatcherMay, total=False):
    """A condition: an operator and its options."""

    equalTo: str
    """Exactly this text; with `caseInsensitive`, without regard to letter case."""
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
    """JSON in which a path finds something; as an object of `expression` and a matcher, something that matches."""
    matchesJsonSchema: Any
    """JSON that this schema allows."""
    equalToXml: str
    """XML that equals this, up to space between elements, comments, and the order of attributes and of differently named
    elements.
    """
    matchesXPath: Union[str, Union["PathOperand", Mapping[str, Any]]]
    """XML in which an XPath 1.0 finds something; as an object of `expression` and a matcher, something that matches."""
    before: str
    """A date that the value is before, such as `2026-01-01T00:00:00Z` or `now -3 days`."""
    after: str
    """A date that the value is after."""
    equalToDateTime: str
    """A date that the value is, however it is written."""
    equalToNumber: Union[float, str]
    """A number equal to this one: 1 is 1.0."""
    greaterThanNumber: Union[float, str]
    """A number greater than this one."""
    greaterThanEqualNumber: Union[float, str]
    """A number of at least this one."""
    lessThanNumber: Union[float, str]
    """A number less than this one."""
    lessThanEqualNumber: Union[float, str]
    """A number of at most this one."""
    absent: Any
    """`true`: no value. `false` or `no`: any value, whatever it is."""
    anything: Any
    """Any value, and none."""
    matchesPathTemplate: str
    """A template of a path, such as `/users/{id}`, for the whole text."""
    hasExactly: Sequence["Matcher"]
    """As many matchers as values, each of which one value passes."""
    includes: Sequence["Matcher"]
    """Matchers, each of which one value passes; there may be more values."""
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
    """`true`: without regard to letter case."""
    ignoreArrayOrder: Any
    """`true`: the order of arrays does not matter."""
    ignoreExtraElements: Any
    """`true`: there may be more members and elements."""
    nullsEqualMissing: Any
    """`true`: a member that is null is as one that is missing."""
    schemaVersion: "SchemaVersion"
    """The draft of JSON Schema: `V4`, `V6`, `V7`, `V201909`, or `V202012` if absent."""
    enablePlaceholders: Any
    """`true`: `${xmlunit.ignore}`, `${xmlunit.isNumber}`, `${xmlunit.isDateTime}` and `${xmlunit.matchesRegex(…)}` stand
    for many texts.
    """
    placeholderOpeningDelimiterRegex: Any
    """What begins a placeholder, in place of `${`."""
    placeholderClosingDelimiterRegex: Any
    """What ends a placeholder, in place of `}`."""
    exemptedComparisons: Any
    """Kinds of difference that do not count, such as `NAMESPACE_URI`, `ATTR_VALUE` or `TEXT_VALUE`."""
    ignoreOrderOfSameNode: Any
    """`true`: elements with the same name may come in any order."""
    namespaceAwareness: "NamespaceAwareness"
    """How far namespaces count: `STRICT` if absent, `LEGACY` or `NONE`."""
    xPathNamespaces: Any
    """Prefixes of the path and their URIs; without them namespaces do not count."""
    actualFormat: Any
    """The format of the request's date: a pattern of Java's `DateTimeFormatter`, `unix` for seconds, `epoch` for
    milliseconds.
    """
    truncateExpected: Any
    """Moves `now` to a boundary, such as `first day of month`."""
    truncateActual: Any
    """The same for the request's date."""
    applyTruncationLast: Any
    """`true`: truncates after the offset, not before."""
    expectedOffset: Any
    """The number of a distance from `now`, with `expectedOffsetUnit`."""
    expectedOffsetUnit: Any
    """The unit of a distance from `now`, with `expectedOffset`."""


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


class Route(TypedDict, total=False):
    """A response of a route. Nothing is an empty 200."""

    when: "When"
    """Further conditions, all of which must hold."""
    name: Scalar
    """A label, shown in reports and in the response header `Matched-Stub-Name`."""
    priority: "Int"
    """An integer; lower numbers win; 5 if absent."""
    status: Union[int, str, "Template"]
    """100 to 999, or a template of a number from 200 on; 200 if absent."""
    statusMessage: Scalar
    """The words after the status."""
    headers: "HeaderFields"
    """Names and values; a list of values becomes several header lines."""
    body: Union[Scalar, bytes]
    """A text; its `Content-Type` is `text/plain` unless `headers` says another."""
    json: Any
    """Any value, sent as compact JSON. A text that is one expression, `{{…}}`, becomes its value."""
    base64: Scalar
    """Bytes in Base64."""
    file: "BodyFile"
    """A file below `__files`; its `Content-Type` is that of its extension."""
    fallThrough: "Flag"
    """`true`: if the file is missing, the next matching route answers."""
    template: bool
    """`false`: sends `{{…}}` as it stands. `true`: renders the content of the file, too."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The wait before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte:
    100ms, perChunk: 20ms}`.
    """
    dribble: "Dribble"
    """Sends the body in pieces."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    scenario: "Scenario"
    """The states of a scenario in which the route answers, and to which it leads."""
    capture: Mapping[str, Union[Scalar, Mapping[str, Scalar]]]
    """Names and templates: values that are put into the session's state."""
    cors: "Cors"
    """What pages of other origins may do with the answers."""
    webhook: Union[str, Union["Webhook", Mapping[str, Any]]]
    """A call to somebody else once the response was sent: a URL, or an object."""
    webhooks: Sequence[Union[str, Union["Webhook", Mapping[str, Any]]]]
    """Several of them."""
    hold: "Hold"
    """Waits at a gate until a test lets the response go."""
    stream: "StreamContent"
    """Events or pieces in place of a body."""
    openapi: "Contract"
    """The operation of an OpenAPI document that answers."""
    early: "Early"
    """Informational responses before this one, such as `[103]`."""
    trailers: "HeaderFields"
    """Header fields after the body, which is then sent in chunks."""
    ranges: "Flag"
    """Lets requests ask for parts of the body with `Range`."""
    conditional: "Flag"
    """Sends a 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`."""
    proxy: Union[str, "Template", "RouteProxy"]
    """The server that the request is sent on to: a URL, or an object."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching route answers."""
    ttl: Union["Duration", None]
    """How long the route exists, such as `30s`."""
    enabled: "Flag"
    """Whether it answers; `false`: it is only listed."""
    sequence: Union[Sequence["RouteEntry"], "RouteSequence"]
    """Several responses, one for each request; `{per: path.id, responses: […]}` for each value of a request."""
    onEnd: Union["End", None]
    """What follows the last of a sequence: `repeatLast` if absent, `loop` or `notFound`."""
    select: Union["Selection", None]
    """`random`: draws from the sequence by weight."""
    per: Union["SequenceKey", None]
    """Where requests have the value for each of which the sequence is kept, such as `path.id`."""
    id: "Uuid"
    """A UUID for the admin API; derived from the file's path, the key and the place in a list if absent."""


class RouteEntry(TypedDict, total=False):
    """One response of a sequence."""

    status: Union[int, str, "Template"]
    """100 to 999, or a template of a number from 200 on; 200 if absent."""
    statusMessage: Scalar
    """The words after the status."""
    headers: "HeaderFields"
    """Names and values; a list of values becomes several header lines."""
    body: Union[Scalar, bytes]
    """A text; its `Content-Type` is `text/plain` unless `headers` says another."""
    json: Any
    """Any value, sent as compact JSON. A text that is one expression, `{{…}}`, becomes its value."""
    base64: Scalar
    """Bytes in Base64."""
    file: "BodyFile"
    """A file below `__files`; its `Content-Type` is that of its extension."""
    template: bool
    """`false`: sends `{{…}}` as it stands. `true`: renders the content of the file, too."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The wait before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte:
    100ms, perChunk: 20ms}`.
    """
    dribble: "Dribble"
    """Sends the body in pieces."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`."""
    hold: "Hold"
    """Waits at a gate until a test lets the response go."""
    stream: "StreamContent"
    """Events or pieces in place of a body."""
    openapi: "Contract"
    """The operation of an OpenAPI document that answers."""
    early: "Early"
    """Informational responses before this one, such as `[103]`."""
    trailers: "HeaderFields"
    """Header fields after the body, which is then sent in chunks."""
    ranges: "Flag"
    """Lets requests ask for parts of the body with `Range`."""
    conditional: "Flag"
    """Sends a 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`."""
    proxy: Union[str, "Template", "RouteProxy"]
    """The server that the request is sent on to: a URL, or an object."""
    weight: Union[int, str]
    """How often it is drawn, with select: random."""


class _RouteSequence(TypedDict):
    responses: Sequence["RouteEntry"]
    """The responses."""


class RouteSequence(_RouteSequence, total=False):
    """Several responses, and how they follow one another."""

    onEnd: Union["End", None]
    """What follows the last; repeatLast if absent."""
    select: Union["Selection", None]
    """random: draw from the responses by weight."""
    per: Union["SequenceKey", None]
    """Where requests have the value for each of which the sequence is kept: path.id, query.page, header.X-User,
    cookie.sid, or a JSONPath of the body.
    """


class RouteResource(TypedDict, total=False):
    """A collection of records: a list, and each of its records, with all their methods."""

    data: "Records"
    """The records to begin with, or the name of a file with them."""
    key: Scalar
    """The field with a record's key; id if absent."""
    schema: "SchemaDocument"
    """The JSON Schema that records from clients must satisfy, or the name of its file."""
    collection: Scalar
    """The name of the collection; that of the path if absent."""
    cascade: "Flag"
    """true: who removes a record removes those that belong to it."""
    write: "Flag"
    """true: what requests change is written to the file of data."""
    when: "When"
    """Further conditions, all of which must hold."""
    name: Scalar
    """A label, shown in reports and in the response header `Matched-Stub-Name`."""
    priority: "Int"
    """An integer; lower numbers win; 5 if absent."""
    headers: "HeaderFields"
    """Names and values; a list of values becomes several header lines."""
    template: bool
    """`false`: sends `{{…}}` as it stands. `true`: renders the content of the file, too."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The wait before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte:
    100ms, perChunk: 20ms}`.
    """
    dribble: "Dribble"
    """Sends the body in pieces."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    scenario: "Scenario"
    """The states of a scenario in which the route answers, and to which it leads."""
    capture: Mapping[str, Union[Scalar, Mapping[str, Scalar]]]
    """Names and templates: values that are put into the session's state."""
    cors: "Cors"
    """What pages of other origins may do with the answers."""
    webhook: Union[str, Union["Webhook", Mapping[str, Any]]]
    """A call to somebody else once the response was sent: a URL, or an object."""
    webhooks: Sequence[Union[str, Union["Webhook", Mapping[str, Any]]]]
    """Several of them."""
    hold: "Hold"
    """Waits at a gate until a test lets the response go."""
    early: "Early"
    """Informational responses before this one, such as `[103]`."""
    trailers: "HeaderFields"
    """Header fields after the body, which is then sent in chunks."""
    ranges: "Flag"
    """Lets requests ask for parts of the body with `Range`."""
    proxy: Union[str, "Template", "RouteProxy"]
    """The server that the request is sent on to: a URL, or an object."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching route answers."""
    ttl: Union["Duration", None]
    """How long the route exists, such as `30s`."""
    enabled: "Flag"
    """Whether it answers; `false`: it is only listed."""


class Defaults(TypedDict, total=False):
    """Values for all routes of this file; a route's own take precedence."""

    basePath: str
    """Put before the path of each route; a slash at its end does not count."""
    headers: "HeaderFields"
    """Headers of each response that has none of that name."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The delay of each response that has none."""
    conditional: "Flag"
    """`true`: a client that has the version of a response gets a 304."""
    fallThrough: "Flag"
    """`true`: each route whose file is missing leaves the request to the next."""
    cors: "Cors"
    """What pages of other origins may do with each route that does not say."""
    redact: Union[Scalar, Sequence[Scalar]]
    """Further names of secrets, such as `[iban, X-Card]`: for all of the server, its log and reports, and for recordings
    into the folder.
    """


class _Dribble(TypedDict):
    chunks: int
    """The number of pieces."""
    over: "Duration"
    """The sum of the pauses."""


class Dribble(_Dribble, total=False):
    """Sends the body in pieces."""


class _Scenario(TypedDict):
    name: Scalar
    """The scenario's name."""


_ScenarioMay = TypedDict("_ScenarioMay", {"from": Scalar}, total=False)


class Scenario(_Scenario, _ScenarioMay, total=False):
    """A state machine that routes share by its name."""

    to: Scalar
    """The state to which the route moves the scenario; unchanged if absent."""


class _RouteProxy(TypedDict):
    to: Scalar
    """The URL in front of path and query."""


class RouteProxy(_RouteProxy, total=False):
    """Where requests are sent on to, and how. WireMock has the same in the fields of a response."""

    removePrefix: Scalar
    """Taken from the beginning of the path."""
    headers: "HeaderFields"
    """Fields that are added to the request."""
    removeHeaders: Union[Scalar, Sequence[Scalar]]
    """The names of fields of the request that are not sent on."""
    rewriteHost: "Flag"
    """true: answers name this server where they name the other one."""
    http2: "Flag"
    """true: the server is called in HTTP/2, as gRPC needs it."""


class _Webhook(TypedDict):
    url: Scalar
    """The URL that is called."""


class Webhook(_Webhook, total=False):
    """A call to somebody else once the response was sent. Its texts are templates."""

    method: Scalar
    """POST with a body, otherwise GET, if absent."""
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
    """The wait before it is sent."""
    retry: Union[int, "Retry"]
    """How often it is sent again if it failed."""
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
    """How often it is sent again, and the wait before."""

    times: int
    """The most attempts after the first one; 3 if absent."""
    backoff: Union[int, "Duration"]
    """The first wait; each later one is twice as long."""


class _HMAC(TypedDict):
    secret: Scalar
    """The key of the signature."""


class HMAC(_HMAC, total=False):
    """A header that signs the body."""

    algorithm: Union["HMACAlgorithm", Scalar]
    """The hash: sha256 if absent."""
    header: Scalar
    """X-Signature if absent."""
    format: Literal["hex", "base64"]
    """How the signature is written: hex if absent."""
    prefix: Scalar
    """What stands before the signature, such as sha256=."""


class When(TypedDict, total=False):
    """Conditions beside the route's key."""

    method: Union["Method", str, Sequence[str], "MethodSet"]
    """A method, a list of them, or `{noneOf: […]}`; only where the key says `ANY`."""
    scheme: Literal["http", "https"]
    """`http` or `https`."""
    host: "Condition"
    """The host that the request was sent to, without the port."""
    port: Union[int, str]
    """The port that the request was sent to."""
    clientIp: "Condition"
    """The address that the request came from, or the text of `X-Forwarded-For` if the request has that."""
    headers: Mapping[str, "Conditions"]
    """Names and values or matchers; names compare without regard to letter case."""
    query: Mapping[str, "Conditions"]
    """Names and values or matchers, beside those in the key."""
    form: Mapping[str, "Conditions"]
    """Names and values or matchers of a form, `application/x-www-form-urlencoded`."""
    path: Mapping[str, "Condition"]
    """The variables of the key and their values or matchers; `**` are named `0`, `1`, …."""
    cookies: Mapping[str, "Condition"]
    """Names and values or matchers."""
    basicAuth: "RouteBasicAuth"
    """A user of basic authentication, `{username, password}`."""
    body: Any
    """A text, a matcher, JSON, or a list of these, all of which must hold."""
    json: Any
    """This JSON, whatever the order of its members."""
    jsonPath: Any
    """A path that finds something, a list of paths, or an object of paths and what they find."""
    jsonSchema: Any
    """JSON that this schema allows."""
    xml: str
    """This XML."""
    xPath: Any
    """An XPath that finds something, a list, or an object of paths and what they find."""
    multipart: Union["RoutePart", Sequence["RoutePart"]]
    """Parts of the body: one, or a list."""
    graphql: Union[str, "Graphql"]
    """A GraphQL query, or `{operationName, query, variables}`."""
    jwt: "Jwt"
    """The claims and the header of the token in `Authorization`, which is read and not verified: `{claims: {…}, header:
    {…}}`.
    """
    custom: Union[str, "CustomMatcher"]
    """A custom matcher by its name, or `{name, parameters}`."""
    clientCertificate: "RouteCertificate"
    """What the client's certificate says: `{subject: {contains: CN=alice}}`; `alternativeNames` may be a list."""


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
    """What the client's certificate says."""

    subject: "Condition"
    """The name of its owner, as in RFC 2253: CN=alice,O=Example."""
    issuer: "Condition"
    """The name of the authority that issued it."""
    serialNumber: "Condition"
    """The serial number in hexadecimal digits."""
    fingerprint: "Condition"
    """The SHA-256 of its DER form in hexadecimal digits."""
    notBefore: "Condition"
    """The time from which it is valid."""
    notAfter: "Condition"
    """The time until which it is valid."""
    alternativeNames: "Conditions"
    """Its alternative names, each with its kind: DNS:alice.example."""
    pem: "Condition"
    """The certificate in PEM."""


class RoutePart(TypedDict, total=False):
    """A part of a multipart body."""

    name: Scalar
    """The part's name in `Content-Disposition`."""
    file: Scalar
    """The name of its file there."""
    every: "Flag"
    """`true`: all parts must satisfy the pattern."""
    headers: Mapping[str, "Conditions"]
    """Names and values or matchers; names compare without regard to letter case."""
    body: Any
    """A text, a matcher, JSON, or a list of these, all of which must hold."""
    json: Any
    """This JSON, whatever the order of its members."""
    jsonPath: Any
    """A path that finds something, a list of paths, or an object of paths and what they find."""
    jsonSchema: Any
    """JSON that this schema allows."""
    xml: str
    """This XML."""
    xPath: Any
    """An XPath that finds something, a list, or an object of paths and what they find."""


class Settings(TypedDict, total=False):
    """Settings for all stubs of a session: WireMock's global settings."""

    fixedDelay: "Int"
    """The wait in milliseconds of each response whose stub has no `fixedDelayMilliseconds`."""
    delayDistribution: "Distribution"
    """A wait that is drawn for each response whose stub has no `delayDistribution`."""
    extended: Union[Mapping[str, Any], None]
    """JSON for your own use."""
    proxyPassThrough: "Flag"
    """Whether requests that no stub matches go on to the server that a client of the proxy asks for."""
    clock: Union["Clock", None]
    """The time that templates and date matchers call now; the real time if absent. An addition to WireMock."""
    delays: Union["Delays", None]
    """The waits of each response whose stub has no `delays`. An addition to WireMock."""
    timeScale: Union[float, None]
    """The part of each wait that is waited; that of the daemon if absent. An addition to WireMock."""
    passThrough: Union["PassThrough", None]
    """Where requests go that no stub and no file answers; a report answers them if absent. An addition to WireMock."""
    openapiValidate: Union["ContractCheck", None]
    """What happens to requests that an OpenAPI document does not allow; what the document says, or the daemon, if absent.
    An addition to WireMock.
    """


_ClockMay = TypedDict("_ClockMay", {"from": "Time"}, total=False)


class Clock(_ClockMay, total=False):
    """What templates and date matchers call now. An addition to WireMock's settings."""

    frozen: "Time"
    """A time at which it stands still."""
    offset: str
    """What it is before or behind the real time, such as -3 days or 2h."""
    rate: float
    """How many times as fast it runs."""


Time = str
"""A time with its zone, such as 2026-03-01T12:00:00Z."""


PassThrough = Union[str, "RouteProxy"]


class RouteMembers(Route, total=False):
    """What may stand beside a route's key: a response, or a collection of records."""

    data: "Records"
    """The records to begin with, or the name of a file with them."""
    key: Scalar
    """The field with a record's key; id if absent."""
    schema: "SchemaDocument"
    """The JSON Schema that records from clients must satisfy, or the name of its file."""
    collection: Scalar
    """The name of the collection; that of the path if absent."""
    cascade: "Flag"
    """true: who removes a record removes those that belong to it."""
    write: "Flag"
    """true: what requests change is written to the file of data."""


Routes = Mapping[str, Union[Route, Sequence[Route], RouteResource, Defaults, CorsPolicy, bool, str, None]]
"""Routes by their keys, METHOD /path, as a file has them, with its `defaults` and `cors`."""

StubElement = Union[StubMapping, Routes]
"""A stub mapping in WireMock's form, or routes."""
