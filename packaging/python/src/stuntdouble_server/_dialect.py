# Made by `make dialect` of Sources/Dialect/Table; do not edit.
"""What a stub may say, as types: mappings in WireMock's form, routes, and all that they name."""

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Scalar = Union[str, float, bool, None]
"""A text, or what stands for one."""

FaultKind = Literal["EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE"]
"""The four ways in which WireMock breaks a response. None of them sends the stub's status, headers or body.
- `EMPTY_RESPONSE`: Closes the connection without a byte of an answer.
- `CONNECTION_RESET_BY_PEER`: Resets the connection (TCP RST) without a byte of an answer.
- `MALFORMED_RESPONSE_CHUNK`: Sends an OK status and a chunked body with garbage in it, then closes.
- `RANDOM_DATA_THEN_CLOSE`: Sends garbage in place of an answer, then closes.
"""

TLSFault = Literal["expired", "notYetValid", "wrongHost", "selfSigned", "untrustedAuthority", "weakKey", "missingIntermediate", "oldVersion", "reset", "stall", "garbage"]
"""What a client meets that begins with TLS. The first ones are defects of the certificate that it is shown.
- `expired`: It was valid until yesterday.
- `notYetValid`: It will be valid from tomorrow on.
- `wrongHost`: It is for another host.
- `selfSigned`: It has issued itself.
- `untrustedAuthority`: It was issued by an authority that nobody trusts.
- `weakKey`: Its key is shorter than any client accepts.
- `missingIntermediate`: The chain lacks the certificate between it and the authority.
- `oldVersion`: Only TLS 1.1 is offered, which today's clients refuse.
- `reset`: The connection is reset.
- `stall`: Nothing comes, until the client leaves.
- `garbage`: Bytes come that are no TLS, and the connection closes.
"""

HTTP2Fault = Literal["noSettings", "garbage"]
"""What a client meets that begins with HTTP/2.
- `noSettings`: The SETTINGS frame never comes with which a server begins.
- `garbage`: Bytes come that are no frame, and the connection closes.
"""

CutEnd = Literal["fin", "rst", "cut", "hang", "garbage"]
"""What may follow the last byte of an answer that is cut."""

HTTP2Error = Literal["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"]
"""The names of the error codes of HTTP/2, from 0 on (RFC 9113 section 7)."""

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

HMACAlgorithm = Literal["sha1", "sha256", "sha384", "sha512"]
"""Algorithms of signatures."""


class Fault(TypedDict, total=False):
    """A fault: what happens to the answer, and when."""

    status: int
    """Answers with this status."""
    kind: "FaultKind"
    """Breaks the connection as WireMock does."""
    neverAnswer: bool
    """true: nothing is sent."""
    delay: "Delay"
    """A further wait."""
    cutAfter: Union[str, int, "ChunkOfCut"]
    """Where the answer ends: after a number of bytes, a part such as 50%, headers, or {chunk: 2}."""
    corrupt: "Corruption"
    """Changes a byte, or some of them."""
    wrongLength: Union[int, str]
    """What is added to Content-Length, such as +5 or -1."""
    duplicateHeader: Union[str, "DuplicatedHeader"]
    """A header that is sent twice."""
    garbagePrefix: Union[str, int]
    """A text, or a number of random bytes, before the answer."""
    dropTrailers: bool
    """true: no trailers."""
    bandwidth: "Rate"
    """The rate at which the answer is sent."""
    slice: "Slice"
    """Sends the answer in pieces."""
    stall: "Stall"
    """Stops in the middle."""
    slowClose: "Duration"
    """Waits before the connection is closed."""
    then: Union["CutEnd", "StreamEnd"]
    """What follows the last byte of an answer that is cut."""
    probability: "Share"
    """How often it acts."""
    first: Union[int, "FirstRequests"]
    """Acts on the first requests only."""
    between: Sequence["Duration"]
    """Acts between two times since the session began."""
    quota: "Quota"
    """Acts once a limit is reached; a 429 if nothing else is said."""
    concurrency: int
    """Acts on more answers at a time; a 503 if nothing else is said."""


class _ChunkOfCut(TypedDict):
    chunk: int


class ChunkOfCut(_ChunkOfCut, total=False):
    """A chunk after which the answer ends."""


class Corruption(TypedDict, total=False):
    """Which bytes change: one, or a part of them."""

    byte: int
    rate: "Share"


class _DuplicatedHeader(TypedDict):
    name: str


class DuplicatedHeader(_DuplicatedHeader, total=False):
    """A header that is sent twice, the second time with another value."""

    value: Scalar


class _Slice(TypedDict):
    size: "Size"
    gap: "Duration"


class Slice(_Slice, total=False):
    """Pieces of this size, and the wait between them."""


_StallMust = TypedDict("_StallMust", {"for": Union[Literal["forever"], "Duration"]})


class Stall(_StallMust, total=False):
    """Stops after some bytes, for a time or for ever."""

    after: "Size"


class StreamEnd(TypedDict, total=False):
    """An end that HTTP/2 has."""

    resetStream: Union["HTTP2Error", int]
    goAway: Union["HTTP2Error", int]
    lastStream: int


class _FirstRequests(TypedDict):
    count: int


class FirstRequests(_FirstRequests, total=False):
    """The first requests, or the first with each value of a header."""

    perHeader: Scalar


class _Quota(TypedDict):
    limit: int
    per: "Duration"


class Quota(_Quota, total=False):
    """A number of requests within a time."""


class SessionFault(Fault, total=False):
    """A fault of a session: of the answers to some requests, or of connections."""

    readSlowly: "Rate"
    """The rate at which requests are read."""
    neverRead: bool
    """true: the body of the request is not read."""
    id: str
    name: Scalar
    """A label."""
    request: "RequestPattern"
    serverName: Scalar
    """The clients that ask for this server (SNI)."""
    refuseNext: int
    """Resets that many connections."""
    listener: Literal["down", "acceptAndStall"]
    """down: connections are refused. acceptAndStall: nothing on them is read."""
    tls: "TLSFault"
    http2: "HTTP2Fault"
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


Delay = Union["Duration", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Distribution"]


TemplatedInt = Union["Int", "Template"]


Hold = Union["HoldOptions", Scalar]
"""The name of a gate at which the response waits until a test releases it, or an object."""


StreamContent = Union["StreamOptions", Sequence["StreamEvent"], None]
"""Events or pieces that are sent in place of a body."""


Early = Union["EarlyResponse", int, Sequence[Union["EarlyResponse", int]], None]


Records = Union[Mapping[str, Mapping[str, Any]], Sequence[Mapping[str, Any]], bool, "BodyFile"]


SchemaDocument = Union[Mapping[str, Any], bool, "BodyFile"]


class _StubCollection(TypedDict):
    mappings: Union[Sequence["StubElement"], None]
    """Mappings in WireMock's form; each may also be an object of routes."""


_StubCollectionMay = TypedDict("_StubCollectionMay", {"$schema": Any}, total=False)


class StubCollection(_StubCollection, _StubCollectionMay, total=False):
    """Several stub mappings. Among equal priorities the last one wins."""

    meta: Any
    uuid: Any
    cors: "Cors"


_StubMappingMay = TypedDict("_StubMappingMay", {"$schema": Any}, total=False)


class StubMapping(_StubMappingMay, total=False):
    """A stub mapping in WireMock's form: the requests that it answers, and its answer."""

    id: "Uuid"
    """The id for the admin API; derived from the file's path and the place in it if absent."""
    uuid: "Uuid"
    """The same as id."""
    name: Scalar
    """A label, shown in reports and in the response header Matched-Stub-Name."""
    request: "RequestPattern"
    response: "StubResponse"
    persistent: "Flag"
    """Whether the mapping is saved to disk when it is added or edited."""
    priority: "Int"
    """Lower numbers win; 5 if absent."""
    scenarioName: Scalar
    """The scenario that it belongs to."""
    requiredScenarioState: Scalar
    """The state of the scenario in which it answers; in every state if absent. The first is Started."""
    newScenarioState: Scalar
    """The state to which it moves the scenario."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    postServeActions: Union[Sequence["Action"], Mapping[str, Any], None]
    """Actions after the answer, such as webhooks of WireMock 2."""
    serveEventListeners: Union[Sequence["Listener"], None]
    """Listeners, such as {name: webhook, parameters: {…}}."""
    insertionIndex: "Int"
    """The position in the order of insertion, in saved files."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching mapping answers."""
    timesLeft: Any
    """What is left of times; shown and never read."""
    ttl: Union["Duration", None]
    """How long the mapping exists, such as 30s."""
    enabled: "Flag"
    """false: be listed, and never answer."""
    responses: Union[Sequence["StubResponse"], Sequence["WeighedResponse"], None]
    """Several responses, one for each request, in place of response."""
    onEnd: Union["End", None]
    """What follows the last of the responses; repeatLast if absent."""
    select: Union["Selection", None]
    """random: draw from the responses by their weight."""
    per: Union["SequenceKey", None]
    """Where requests have the value for each of which the responses are given in turn: path.id, query.page, header.X-User,
    cookie.sid, or a JSONPath of the body.
    """
    resource: "Resource"
    """A collection of records that is served in place of a response."""
    cors: "Cors"


SequenceKey = str


Uuid = Union[str, None]


class Action(TypedDict, total=False):
    """An action: its name and parameters."""

    name: Scalar
    parameters: Union[Mapping[str, Any], None]


class Listener(TypedDict, total=False):
    """A listener: its name, the phases in which it acts, and its parameters."""

    name: Scalar
    requestPhases: Union[Sequence["Phase"], None]
    parameters: Union[Mapping[str, Any], None]


class RequestPattern(TypedDict, total=False):
    """Conditions, all of which must hold for the stub to answer."""

    scheme: Scalar
    host: "Matcher"
    """The host that the request was sent to, without the port."""
    port: "Int"
    """The port that the request was sent to."""
    clientIp: "Matcher"
    """The address that the request came from. An addition to WireMock."""
    url: Scalar
    """Path and query, exactly."""
    urlPattern: Scalar
    """A regular expression for path and query."""
    urlPath: Scalar
    """The path, exactly, with any query."""
    urlPathPattern: Scalar
    """A regular expression for the path."""
    urlPathTemplate: Scalar
    """A template of the path: /users/{id}."""
    method: "MethodCondition"
    headers: Union[Mapping[str, "Matcher"], None]
    """Names and matchers; names compare without regard to letter case."""
    pathParameters: Union[Mapping[str, "Matcher"], None]
    """Variables of urlPathTemplate and matchers."""
    queryParameters: Union[Mapping[str, "Matcher"], None]
    """Names and matchers."""
    formParameters: Union[Mapping[str, "Matcher"], None]
    """Names and matchers of a form, application/x-www-form-urlencoded."""
    cookies: Union[Mapping[str, "Matcher"], None]
    """Names and matchers."""
    basicAuth: "BasicAuth"
    basicAuthCredentials: "BasicAuth"
    bodyPatterns: Union[Sequence["Matcher"], None]
    """Matchers of the body, all of which must hold."""
    customMatcher: "CustomMatcher"
    multipartPatterns: Union[Sequence["MultipartPattern"], None]
    clientCertificate: "ClientCertificate"


class MethodSet(TypedDict, total=False):
    """Several methods, or all but some."""

    oneOf: Sequence[str]
    noneOf: Sequence[str]


class BasicAuth(TypedDict, total=False):
    """A user of basic authentication."""

    username: Scalar
    password: Scalar


class CustomMatcher(TypedDict, total=False):
    """A matcher that an extension provides."""

    name: Scalar
    parameters: Union[Mapping[str, Any], None]


class ClientCertificate(TypedDict, total=False):
    """What the client's certificate says. An addition to WireMock."""

    subject: "Matcher"
    """The name of its owner, as in RFC 2253: CN=alice,O=Example."""
    issuer: "Matcher"
    """The name of the authority that issued it."""
    serialNumber: "Matcher"
    """The serial number in hexadecimal digits."""
    fingerprint: "Matcher"
    """The SHA-256 of its DER form in hexadecimal digits."""
    notBefore: "Matcher"
    """The time from which it is valid."""
    notAfter: "Matcher"
    """The time until which it is valid."""
    alternativeNames: "Matcher"
    """Its alternative names, each with its kind: DNS:alice.example."""
    pem: "Matcher"
    """The certificate in PEM."""


class MultipartPattern(TypedDict, total=False):
    """Conditions for a part of a multipart body."""

    name: Scalar
    """A label; nothing is compared with it."""
    fileName: Scalar
    """The file name; compared beside headers or bodyPatterns."""
    matchingType: Union["MatchingType", None]
    """ALL: every part must satisfy the pattern. ANY: one of them."""
    headers: Union[Mapping[str, "Matcher"], None]
    bodyPatterns: Union[Sequence["Matcher"], None]


class StubResponse(TypedDict, total=False):
    """An answer."""

    status: "TemplatedInt"
    """200 if absent. A template of a number is an addition to WireMock."""
    statusMessage: Scalar
    """The words after the status."""
    body: Scalar
    jsonBody: Any
    """JSON, sent in compact form."""
    base64Body: Scalar
    """Bytes in Base64."""
    bodyFileName: Scalar
    """The path of a file below __files."""
    headers: "HeaderFields"
    additionalProxyRequestHeaders: "HeaderFields"
    """Added to a request that is sent on."""
    removeProxyRequestHeaders: Union[Sequence[Scalar], None]
    """Taken away from a request that is sent on."""
    fixedDelayMilliseconds: "TemplatedInt"
    """The wait before the first byte."""
    delayDistribution: "Distribution"
    """A wait that is drawn for each response."""
    chunkedDribbleDelay: "ChunkedDribbleDelay"
    proxyBaseUrl: Scalar
    """The server that the request is sent on to."""
    proxyUrlPrefixToRemove: Scalar
    """Taken from the beginning of the path before the request is sent on."""
    proxyHttp2: "Flag"
    """true: the server that the request is sent on to is called in HTTP/2. An addition to WireMock."""
    delays: "Delays"
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer."""
    transformers: Union[Sequence[Scalar], None]
    """response-template makes the response a template."""
    transformerParameters: Union[Mapping[str, Any], None]
    """Values that a template finds under parameters."""
    template: "Flag"
    """Whether the response is a template, whatever the transformers say. An addition to WireMock."""
    fromConfiguredStub: "Flag"
    hold: "Hold"
    stream: "StreamContent"
    early: "Early"
    """Informational responses before this one, such as [103]."""
    trailers: "HeaderFields"
    """Header fields after the body."""
    ranges: "Flag"
    """true: requests may ask for parts of the body."""
    conditional: "Flag"
    """true: a client that has this version gets a 304."""
    fallThrough: "Flag"
    """true: if the body file is missing, the next matching stub answers."""


class WeighedResponse(StubResponse, total=False):
    """One of several responses."""

    weight: Union[int, str]
    """How often it is drawn, with select: random."""


class _ChunkedDribbleDelay(TypedDict):
    numberOfChunks: "Int"
    totalDuration: "Int"
    """The sum of the pauses in milliseconds."""


class ChunkedDribbleDelay(_ChunkedDribbleDelay, total=False):
    """Sends the body in pieces."""


class Delays(TypedDict, total=False):
    """The wait before the first byte, and the one before each chunk of the body."""

    firstByte: "Delay"
    perChunk: "Delay"


class _FixedDelay(TypedDict):
    type: Literal["fixed"]


class FixedDelay(_FixedDelay, total=False):
    """A wait of the same length each time."""

    milliseconds: "Int"


class _TypedUniformDelay(TypedDict):
    type: Literal["uniform"]


class TypedUniformDelay(_TypedUniformDelay, total=False):
    """A wait between two bounds, in milliseconds."""

    lower: "Int"
    upper: "Int"


class _TypedLognormalDelay(TypedDict):
    type: Literal["lognormal"]


class TypedLognormalDelay(_TypedLognormalDelay, total=False):
    """A wait like those of real servers: its median in milliseconds, and sigma, its spread."""

    median: Union[float, str, None]
    sigma: Union[float, str, None]
    maxValue: Union[float, str, None]


class _TypedGaussianDelay(TypedDict):
    type: Literal["gaussian"]
    mean: float
    standardDeviation: float


class TypedGaussianDelay(_TypedGaussianDelay, total=False):
    """A normal distribution of waits, in milliseconds."""

    maxValue: float


class _TypedExponentialDelay(TypedDict):
    type: Literal["exponential"]
    mean: float


class TypedExponentialDelay(_TypedExponentialDelay, total=False):
    """Many short waits and few long ones, by their mean in milliseconds."""

    maxValue: float


class _UniformDelay(TypedDict):
    uniform: Sequence["Duration"]
    """The shortest and the longest wait: [50ms, 500ms]."""


class UniformDelay(_UniformDelay, total=False):
    """A wait between two bounds."""


class _LognormalDelay(TypedDict):
    median: "Duration"
    sigma: float
    """The spread, such as 0.4."""


class LognormalDelay(_LognormalDelay, total=False):
    """A wait like those of real servers: many near the median, a few much longer."""

    max: "Duration"


class _GaussianDelay(TypedDict):
    gaussian: Sequence["Duration"]
    """The mean and the standard deviation: [200ms, 50ms]."""


class GaussianDelay(_GaussianDelay, total=False):
    """A normal distribution of waits."""

    max: "Duration"


class _ExponentialDelay(TypedDict):
    exponential: "Duration"
    """The mean."""


class ExponentialDelay(_ExponentialDelay, total=False):
    """Many short waits and few long ones."""

    max: "Duration"


class _HoldOptions(TypedDict):
    gate: Scalar
    """The name of the gate."""


class HoldOptions(_HoldOptions, total=False):
    """Waits at a gate."""

    timeout: "Duration"
    """The time after which it waits no longer."""
    onTimeout: Union[Literal["answer", "fail"], "FaultKind", int]
    """What happens then: the answer, a reset, a fault, or another status."""


class StreamOptions(TypedDict, total=False):
    """A stream with a name under which tests push events, or with several rounds."""

    name: Scalar
    """The name under which events are pushed."""
    events: Sequence["StreamEvent"]
    repeat: Union[Literal["forever"], int]
    """The number of rounds."""


class StreamEvent(TypedDict, total=False):
    """A server-sent event, a piece of a body, or a wait, with the wait before it."""

    after: "Duration"
    """The wait before it."""
    comment: Scalar
    event: Scalar
    """The type of the event."""
    id: Scalar
    retry: Union[int, "Duration"]
    """The time after which a reader comes back."""
    data: Any
    """A text, or JSON."""
    chunk: Scalar
    """A piece that is sent as it is."""
    base64: Scalar
    """A piece in Base64."""
    hold: "Hold"


class EarlyResponse(TypedDict, total=False):
    """An informational response."""

    status: int
    headers: "HeaderFields"


class CorsPolicy(TypedDict, total=False):
    """What pages of other origins may do with the answers."""

    origins: Union[str, Sequence[str]]
    """The origins of the pages, such as https://app.example or http://localhost:*; * for any."""
    credentials: "Flag"
    """true: pages may send cookies."""
    expose: Union[str, Sequence[str]]
    """The response headers that pages may read; all if absent."""


class _Resource(TypedDict):
    name: Scalar
    """The name of the collection."""
    path: str
    """The path of the whole collection."""


class Resource(_Resource, total=False):
    """A collection of records behind two paths, /users and /users/{key}."""

    key: Scalar
    """The field with a record's key; id if absent."""
    data: Union["Records", None]
    """The records to begin with, or the name of a file with them."""
    schema: Union["SchemaDocument", None]
    """The JSON Schema that records from clients must satisfy, or the name of its file."""
    cascade: "Flag"
    """true: who removes a record removes those that belong to it."""
    write: "Flag"
    """true: what requests change is written to the file of data."""


class _PathOperand(TypedDict):
    expression: str


class PathOperand(_PathOperand, total=False):
    """A path, and a matcher of what it finds."""


class _FileOperand(TypedDict):
    file: str


class FileOperand(_FileOperand, total=False):
    """A file below __files."""


_MatcherMay = TypedDict("_MatcherMay", {"and": Sequence["Matcher"], "or": Sequence["Matcher"], "not": "Matcher"}, total=False)


class Matcher(_MatcherMay, total=False):
    """A condition: an operator and its options."""

    equalTo: str
    """The whole text. Option: caseInsensitive."""
    contains: str
    """A text within it."""
    doesNotContain: str
    """No such text within it; a missing value passes."""
    matches: str
    """A regular expression of Java for the whole text."""
    doesNotMatch: str
    """Not the regular expression for the whole text; a missing value passes."""
    binaryEqualTo: Union[str, "FileOperand"]
    """The bytes of a body, in Base64, or a file with them."""
    equalToJson: Any
    """JSON, as a value or as a text. Options: ignoreArrayOrder, ignoreExtraElements."""
    matchesJsonPath: Union[str, Union["PathOperand", Mapping[str, Any]]]
    """A JSONPath that finds something, or an object of expression and a matcher of what it finds."""
    matchesJsonSchema: Any
    """A JSON Schema that the document fulfils. Option: schemaVersion."""
    equalToXml: str
    """An XML document, up to blanks, comments and the order of attributes."""
    matchesXPath: Union[str, Union["PathOperand", Mapping[str, Any]]]
    """An XPath 1.0 that finds something, or an object of expression and a matcher of what it finds."""
    before: str
    """A time that the value is before, such as 2026-01-01T00:00:00Z or now -3 days."""
    after: str
    """A time that the value is after."""
    equalToDateTime: str
    """A time that the value is."""
    equalToNumber: Union[float, str]
    """The value as a number: 1 is 1.0."""
    greaterThanNumber: Union[float, str]
    greaterThanEqualNumber: Union[float, str]
    lessThanNumber: Union[float, str]
    lessThanEqualNumber: Union[float, str]
    absent: Any
    """true: no value. false: any value."""
    anything: Any
    """Any value, and none."""
    matchesPathTemplate: str
    """A template such as /contacts/{id} for the whole text."""
    hasExactly: Sequence["Matcher"]
    """As many matchers as values, each of which one value passes."""
    includes: Sequence["Matcher"]
    """Matchers, each of which one value passes; there may be more values."""
    startsWith: str
    """The start of the text. An addition to WireMock."""
    endsWith: str
    """The end of the text. An addition to WireMock."""
    glob: str
    """A glob for the whole text, such as img/*.png. An addition to WireMock."""
    count: Union[int, "ValueCount"]
    """The number of values. An addition to WireMock."""
    matchesJwt: "Jwt"
    """The claims and the header of a JSON Web Token. An addition to WireMock."""
    matchesGraphql: "Graphql"
    """A GraphQL request. An addition to WireMock."""
    caseInsensitive: Any
    """true: without regard to letter case."""
    ignoreArrayOrder: Any
    """true: the order of arrays does not matter."""
    ignoreExtraElements: Any
    """true: there may be more members and elements."""
    nullsEqualMissing: Any
    """true: a member that is null is as one that is missing."""
    schemaVersion: "SchemaVersion"
    enablePlaceholders: Any
    placeholderOpeningDelimiterRegex: Any
    placeholderClosingDelimiterRegex: Any
    exemptedComparisons: Any
    ignoreOrderOfSameNode: Any
    namespaceAwareness: "NamespaceAwareness"
    xPathNamespaces: Any
    """Prefixes and URIs."""
    actualFormat: Any
    """The format of dates of the request."""
    truncateExpected: Any
    truncateActual: Any
    applyTruncationLast: Any
    expectedOffset: Any
    expectedOffsetUnit: Any


class ValueCount(TypedDict, total=False):
    """A number of values."""

    exactly: int
    atLeast: int
    atMost: int


class Jwt(TypedDict, total=False):
    """The claims and header fields of a token, each a value or a matcher."""

    claims: Mapping[str, Any]
    header: Mapping[str, Any]


class Graphql(TypedDict, total=False):
    """A GraphQL request."""

    operationName: Union[str, None]
    query: str
    """A GraphQL document."""
    variables: Mapping[str, Any]


class Route(TypedDict, total=False):
    """A response of a route. Nothing is an empty 200."""

    when: "When"
    """Further conditions, all of which must hold."""
    name: Scalar
    """A label, shown in reports and in the response header Matched-Stub-Name."""
    priority: "Int"
    """Lower numbers win; 5 if absent."""
    status: Union[int, str, "Template"]
    """200 if absent."""
    statusMessage: Scalar
    """The words after the status."""
    headers: "HeaderFields"
    body: Union[Scalar, bytes]
    """A text; its Content-Type is text/plain unless headers says another."""
    json: Any
    """Any value, sent as JSON. A text that is one expression, {{…}}, becomes its value."""
    base64: Scalar
    """Bytes in Base64."""
    file: "BodyFile"
    """A file below __files; its Content-Type is that of its extension."""
    fallThrough: "Flag"
    """true: if the file is missing, the next matching route answers."""
    template: bool
    """false: send {{…}} as it stands. true: render the content of the file, too."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The wait before the first byte: 120ms, {uniform: [50ms, 500ms]}, {median: 80ms, sigma: 0.4}, {firstByte: 100ms,
    perChunk: 20ms}.
    """
    dribble: "Dribble"
    """Sends the body in pieces."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: {cutAfter: 50%, then: rst}."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    scenario: "Scenario"
    """The states in which the route answers, and to which it leads."""
    capture: Mapping[str, Union[Scalar, Mapping[str, Scalar]]]
    """Names and templates: values that are put into the session's state."""
    cors: "Cors"
    webhook: Union[str, Union["Webhook", Mapping[str, Any]]]
    """A call to somebody else once the response was sent: a URL, or an object."""
    webhooks: Sequence[Union[str, Union["Webhook", Mapping[str, Any]]]]
    """Several of them."""
    hold: "Hold"
    stream: "StreamContent"
    early: "Early"
    """Informational responses before this one, such as [103]."""
    trailers: "HeaderFields"
    """Header fields after the body."""
    ranges: "Flag"
    """true: requests may ask for parts of the body."""
    conditional: "Flag"
    """true: a client that has this version gets a 304."""
    proxy: Union[str, "Template", "RouteProxy"]
    """The server that the request is sent on to: a URL, or an object."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching route answers."""
    ttl: Union["Duration", None]
    """How long the route exists, such as 30s."""
    enabled: "Flag"
    """false: be listed, and never answer."""
    sequence: Union[Sequence["RouteEntry"], "RouteSequence"]
    """Several responses, one for each request; {per: path.id, responses: […]} for each value of a request."""
    onEnd: Union["End", None]
    """What follows the last of a sequence; repeatLast if absent."""
    select: Union["Selection", None]
    """random: draw from the sequence by weight."""
    per: Union["SequenceKey", None]
    """Where requests have the value for each of which the sequence is kept."""
    id: "Uuid"
    """The id for the admin API; derived from the file's path, the key and the place in a list if absent."""


class RouteEntry(TypedDict, total=False):
    """One response of a sequence."""

    status: Union[int, str, "Template"]
    """200 if absent."""
    statusMessage: Scalar
    """The words after the status."""
    headers: "HeaderFields"
    body: Union[Scalar, bytes]
    """A text; its Content-Type is text/plain unless headers says another."""
    json: Any
    """Any value, sent as JSON. A text that is one expression, {{…}}, becomes its value."""
    base64: Scalar
    """Bytes in Base64."""
    file: "BodyFile"
    """A file below __files; its Content-Type is that of its extension."""
    template: bool
    """false: send {{…}} as it stands. true: render the content of the file, too."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The wait before the first byte: 120ms, {uniform: [50ms, 500ms]}, {median: 80ms, sigma: 0.4}, {firstByte: 100ms,
    perChunk: 20ms}.
    """
    dribble: "Dribble"
    """Sends the body in pieces."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: {cutAfter: 50%, then: rst}."""
    hold: "Hold"
    stream: "StreamContent"
    early: "Early"
    """Informational responses before this one, such as [103]."""
    trailers: "HeaderFields"
    """Header fields after the body."""
    ranges: "Flag"
    """true: requests may ask for parts of the body."""
    conditional: "Flag"
    """true: a client that has this version gets a 304."""
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
    """A label, shown in reports and in the response header Matched-Stub-Name."""
    priority: "Int"
    """Lower numbers win; 5 if absent."""
    headers: "HeaderFields"
    template: bool
    """false: send {{…}} as it stands. true: render the content of the file, too."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The wait before the first byte: 120ms, {uniform: [50ms, 500ms]}, {median: 80ms, sigma: 0.4}, {firstByte: 100ms,
    perChunk: 20ms}.
    """
    dribble: "Dribble"
    """Sends the body in pieces."""
    fault: Union["FaultKind", "Fault", Sequence["Fault"], None]
    """Breaks the connection in place of an answer, or changes the answer: {cutAfter: 50%, then: rst}."""
    metadata: Union[Mapping[str, Any], None]
    """An object of your own, for the admin API."""
    scenario: "Scenario"
    """The states in which the route answers, and to which it leads."""
    capture: Mapping[str, Union[Scalar, Mapping[str, Scalar]]]
    """Names and templates: values that are put into the session's state."""
    cors: "Cors"
    webhook: Union[str, Union["Webhook", Mapping[str, Any]]]
    """A call to somebody else once the response was sent: a URL, or an object."""
    webhooks: Sequence[Union[str, Union["Webhook", Mapping[str, Any]]]]
    """Several of them."""
    hold: "Hold"
    early: "Early"
    """Informational responses before this one, such as [103]."""
    trailers: "HeaderFields"
    """Header fields after the body."""
    ranges: "Flag"
    """true: requests may ask for parts of the body."""
    proxy: Union[str, "Template", "RouteProxy"]
    """The server that the request is sent on to: a URL, or an object."""
    times: Union[int, str, None]
    """The number of requests to answer; then the next matching route answers."""
    ttl: Union["Duration", None]
    """How long the route exists, such as 30s."""
    enabled: "Flag"
    """false: be listed, and never answer."""


class Defaults(TypedDict, total=False):
    """Values for all routes of this file; a route's own take precedence."""

    basePath: str
    """Put before the path of each route."""
    headers: "HeaderFields"
    """Headers of each response that has none of that name."""
    delay: Union["Duration", "Delays", "UniformDelay", "LognormalDelay", "GaussianDelay", "ExponentialDelay", "Template"]
    """The delay of each response that has none."""
    conditional: "Flag"
    """true: a client that has the version of a response gets a 304."""
    fallThrough: "Flag"
    """true: each route whose file is missing leaves the request to the next."""
    cors: "Cors"
    redact: Union[Scalar, Sequence[Scalar]]
    """Further names of secrets: of headers, parameters and members."""


class _Dribble(TypedDict):
    chunks: int
    """The number of pieces."""
    over: "Duration"
    """The sum of the pauses."""


class Dribble(_Dribble, total=False):
    """Sends the body in pieces."""


class _Scenario(TypedDict):
    name: Scalar


_ScenarioMay = TypedDict("_ScenarioMay", {"from": Scalar}, total=False)


class Scenario(_Scenario, _ScenarioMay, total=False):
    """A state machine that routes share by its name."""

    to: Scalar
    """The state to which the route moves the scenario."""


class _RouteProxy(TypedDict):
    to: Scalar
    """The URL in front of path and query."""


class RouteProxy(_RouteProxy, total=False):
    """The server that the request is sent on to."""

    removePrefix: Scalar
    """Taken from the beginning of the path."""
    headers: "HeaderFields"
    """Added to the request."""
    removeHeaders: Union[Scalar, Sequence[Scalar]]
    """Not sent on."""
    rewriteHost: "Flag"
    """true: answers name this server where they name the other one."""
    http2: "Flag"
    """true: the server is called in HTTP/2, as gRPC needs it."""


class _Webhook(TypedDict):
    url: Scalar


class Webhook(_Webhook, total=False):
    """A call to somebody else once the response was sent. Its texts are templates."""

    method: Scalar
    """POST with a body, otherwise GET, if absent."""
    headers: "HeaderFields"
    body: Scalar
    base64Body: Scalar
    jsonBody: Any
    bodyFileName: Scalar
    multipart: Union[Sequence["WebhookPart"], None]
    """The parts of a multipart/form-data body."""
    delay: "Delay"
    """The wait before it is sent."""
    retry: Union[int, "Retry"]
    """How often it is sent again if it failed."""
    hmac: "HMAC"
    """A header that signs the body."""
    json: Any
    base64: Scalar
    file: Scalar
    """A file below __files."""


class _WebhookPart(TypedDict):
    name: Scalar


class WebhookPart(_WebhookPart, total=False):
    """A part of the body."""

    fileName: Scalar
    contentType: Scalar
    body: Scalar
    base64Body: Scalar
    jsonBody: Any
    bodyFileName: Scalar


class Retry(TypedDict, total=False):
    """How often it is sent again, and the wait before."""

    times: int
    backoff: Union[int, "Duration"]
    """The first wait; each later one is twice as long."""


class _HMAC(TypedDict):
    secret: Scalar


class HMAC(_HMAC, total=False):
    """A header that signs the body."""

    algorithm: Union["HMACAlgorithm", Scalar]
    header: Scalar
    """X-Signature if absent."""
    format: Literal["hex", "base64"]
    prefix: Scalar
    """What stands before the signature, such as sha256=."""


class When(TypedDict, total=False):
    """Conditions beside the route's key."""

    method: Union["Method", str, Sequence[str], "MethodSet"]
    """Only where the key says ANY."""
    scheme: Literal["http", "https"]
    host: "Condition"
    """The host that the request was sent to, without the port."""
    port: Union[int, str]
    """The port that the request was sent to."""
    clientIp: "Condition"
    """The address that the request came from."""
    headers: Mapping[str, "Conditions"]
    """Names and values or matchers; names compare without regard to letter case."""
    query: Mapping[str, "Conditions"]
    """Names and values or matchers, beside those in the key."""
    form: Mapping[str, "Conditions"]
    """Names and values or matchers of a form."""
    path: Mapping[str, "Condition"]
    """The variables of the key and their values or matchers; ** are named 0, 1, …."""
    cookies: Mapping[str, "Condition"]
    """Names and values or matchers."""
    basicAuth: "RouteBasicAuth"
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
    """Parts of the body."""
    graphql: Union[str, "Graphql"]
    """A GraphQL query, or an object."""
    jwt: "Jwt"
    """The claims and the header of the token in Authorization."""
    custom: Union[str, "CustomMatcher"]
    clientCertificate: "RouteCertificate"


Condition = Union[Scalar, "Matcher"]
"""A value, or a matcher: {contains: json}."""


Conditions = Union[Scalar, "Matcher", Sequence[Union[Scalar, "Matcher"]]]
"""A value, a matcher, or a list of several values."""


class _RouteBasicAuth(TypedDict):
    username: Scalar
    password: Scalar


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
    """The name of the part."""
    file: Scalar
    """The name of its file."""
    every: "Flag"
    """true: every part must be so."""
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
    """Settings for all stubs of a session."""

    fixedDelay: "Int"
    """The wait in milliseconds of each response whose stub has no fixedDelayMilliseconds."""
    delayDistribution: "Distribution"
    """A wait of each response whose stub has no delayDistribution."""
    extended: Union[Mapping[str, Any], None]
    """JSON for your own use."""
    proxyPassThrough: "Flag"
    """Whether requests that no stub matches go on to a proxied server."""
    clock: Union["Clock", None]
    delays: Union["Delays", None]
    """The waits of each response whose stub has none of its own. An addition to WireMock."""
    passThrough: Union["PassThrough", None]
    """Where requests go that no stub and no file answers. An addition to WireMock."""
    timeScale: Union[float, None]
    """The part of each wait that is waited. An addition to WireMock."""


_ClockMay = TypedDict("_ClockMay", {"from": "Time"}, total=False)


class Clock(_ClockMay, total=False):
    """What templates and date matchers call now. An addition to WireMock."""

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
