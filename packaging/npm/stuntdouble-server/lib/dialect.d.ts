// Made by `make dialect` of Sources/Dialect/Table; do not edit.

// Without it `Needs` were exported, too.
export {};

/** A text, or what stands for one. */
export type Scalar = string | number | boolean | null;
/** Whatever is a key of it must be there. */
type Needs<Whole, Keys extends keyof Whole> = Keys extends unknown ? Required<Pick<Whole, Keys>> : never;

/**
 * The four ways in which WireMock breaks a response. None of them sends the stub's status, headers or body.
 * - `EMPTY_RESPONSE`: The connection closes without a byte of an answer.
 * - `CONNECTION_RESET_BY_PEER`: The connection is reset (TCP RST) without a byte of an answer.
 * - `MALFORMED_RESPONSE_CHUNK`: A status of 200 and `Transfer-Encoding: chunked` come, 36 bytes that are not a chunk, then the
 * end.
 * - `RANDOM_DATA_THEN_CLOSE`: The same 36 bytes come without a status, then the end.
 */
export type FaultKind = "EMPTY_RESPONSE" | "CONNECTION_RESET_BY_PEER" | "MALFORMED_RESPONSE_CHUNK" | "RANDOM_DATA_THEN_CLOSE";

/**
 * What a client meets that begins with TLS. The first ones are defects of the certificate that it is shown.
 * - `expired`: A certificate that was valid until yesterday.
 * - `notYetValid`: A certificate that will be valid from tomorrow on.
 * - `wrongHost`: A certificate for another host.
 * - `selfSigned`: A certificate that has issued itself.
 * - `untrustedAuthority`: A certificate of an authority that nobody trusts.
 * - `weakKey`: A certificate whose key is shorter than any client accepts.
 * - `missingIntermediate`: A chain without the certificate between this one and its authority.
 * - `oldVersion`: Only TLS 1.1, which today's clients refuse.
 * - `reset`: A reset in place of the handshake.
 * - `stall`: Nothing, until the client leaves.
 * - `garbage`: Bytes that are no TLS, and then the end of the connection.
 */
export type TLSFault = "expired" | "notYetValid" | "wrongHost" | "selfSigned" | "untrustedAuthority" | "weakKey" | "missingIntermediate" | "oldVersion" | "reset" | "stall" | "garbage";

/**
 * What a client meets that begins with HTTP/2.
 * - `noSettings`: The SETTINGS frame with which a server begins never comes, nor an answer.
 * - `garbage`: Bytes that are no frame, and then the end of the connection.
 */
export type HTTP2Fault = "noSettings" | "garbage";

/** What may follow the last byte of an answer that is cut. */
export type CutEnd = "fin" | "rst" | "cut" | "hang" | "garbage";

/**
 * The error codes of HTTP/2 by their names, from 0 on (RFC 9113 section 7).
 * - `NO_ERROR`: Nothing is wrong: the stream or the connection ends in order.
 * - `PROTOCOL_ERROR`: The other end does not keep to the protocol.
 * - `INTERNAL_ERROR`: Something went wrong within.
 * - `FLOW_CONTROL_ERROR`: More bytes came than there was a window for.
 * - `SETTINGS_TIMEOUT`: SETTINGS were not acknowledged in time.
 * - `STREAM_CLOSED`: A frame came for a stream that had ended.
 * - `FRAME_SIZE_ERROR`: A frame has a size that it must not have.
 * - `REFUSED_STREAM`: The stream is refused before anything was done: clients may try again.
 * - `CANCEL`: The stream is no longer needed.
 * - `COMPRESSION_ERROR`: The state of header compression is lost.
 * - `CONNECT_ERROR`: The connection behind a CONNECT was reset.
 * - `ENHANCE_YOUR_CALM`: The other end does too much.
 * - `INADEQUATE_SECURITY`: TLS is not as HTTP/2 wants it.
 * - `HTTP_1_1_REQUIRED`: The request is to be made by HTTP/1.1.
 */
export type HTTP2Error = "NO_ERROR" | "PROTOCOL_ERROR" | "INTERNAL_ERROR" | "FLOW_CONTROL_ERROR" | "SETTINGS_TIMEOUT" | "STREAM_CLOSED" | "FRAME_SIZE_ERROR" | "REFUSED_STREAM" | "CANCEL" | "COMPRESSION_ERROR" | "CONNECT_ERROR" | "ENHANCE_YOUR_CALM" | "INADEQUATE_SECURITY" | "HTTP_1_1_REQUIRED";

/**
 * Where the bodies of an OpenAPI document's answers come from.
 * - `examples`: Examples of the document; what has none is made from its schema.
 * - `made`: Made from the schema.
 */
export type ContractSource = "examples" | "made";

/** The phases of a request in which a listener acts. */
export type Phase = "BEFORE_MATCH" | "AFTER_MATCH" | "BEFORE_RESPONSE_SENT" | "AFTER_COMPLETE";

/**
 * The answers that follow the last response.
 * - `repeatLast`: The last response again, for all further requests.
 * - `loop`: The first response again, and so on.
 * - `notFound`: A 404 that says that the sequence is over.
 */
export type End = "repeatLast" | "loop" | "notFound";

/**
 * The way in which the next response is found.
 * - `sequence`: In order.
 * - `random`: Drawn by weight from the session's seed.
 */
export type Selection = "sequence" | "random";

/**
 * The parts that must satisfy the pattern.
 * - `ALL`: Every part, of which there must be one at least.
 * - `ANY`: At least one part.
 */
export type MatchingType = "ALL" | "ANY";

/** Methods that editors propose; others are allowed. */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE" | "CONNECT" | "ANY";

/**
 * `schemaVersion`: the draft of JSON Schema that a schema is written in.
 * - `V4`: Draft 4 (2013).
 * - `V6`: Draft 6 (2017).
 * - `V7`: Draft 7 (2018).
 * - `V201909`: Draft 2019-09.
 * - `V202012`: Draft 2020-12, WireMock's default.
 */
export type SchemaVersion = "V4" | "V6" | "V7" | "V201909" | "V202012";

/**
 * `namespaceAwareness`: how far namespaces count when XML is compared.
 * - `STRICT`: Prefixes must be declared; namespaces are compared, prefixes are not. The default.
 * - `LEGACY`: Prefixes need no declaration; elements compare by local name and default namespace, attributes as written.
 * - `NONE`: Names are compared as written, and namespace declarations as attributes.
 */
export type NamespaceAwareness = "STRICT" | "LEGACY" | "NONE";

/**
 * A value of `truncateExpected` and `truncateActual`.
 * - `first second of minute`: The start of the minute: seconds become 0.
 * - `first minute of hour`: The start of the hour: minutes and seconds become 0.
 * - `first hour of day`: Midnight at the start of the day.
 * - `first day of month`: Midnight at the start of the month.
 * - `first day of next month`: Midnight at the start of the next month.
 * - `last day of month`: Midnight at the start of the month's last day.
 * - `first day of year`: Midnight at the start of the year.
 * - `first day of next year`: Midnight at the start of the next year.
 * - `last day of year`: Midnight at the start of 31 December.
 */
export type Truncation = "first second of minute" | "first minute of hour" | "first hour of day" | "first day of month" | "first day of next month" | "last day of month" | "first day of year" | "first day of next year" | "last day of year";

/**
 * A unit of `expectedOffsetUnit`, and of a distance such as `now +3 days`.
 * - `seconds`: Seconds.
 * - `minutes`: Minutes of 60 seconds.
 * - `hours`: Hours of 3,600 seconds.
 * - `days`: Days of the calendar, which keep the time of day.
 * - `months`: Months of the calendar; a day that the month does not have becomes its last.
 * - `years`: Years of the calendar; 29 February may become 28 February.
 */
export type DateUnit = "seconds" | "minutes" | "hours" | "days" | "months" | "years";

/**
 * What happens to requests that an OpenAPI document does not allow.
 * - `off`: Nothing.
 * - `warn`: They are answered, and the journal, the log and the report tell.
 * - `enforce`: They are refused with every reason.
 */
export type ContractCheck = "off" | "warn" | "enforce";

/** Algorithms of signatures. */
export type HMACAlgorithm = "sha1" | "sha256" | "sha384" | "sha512";

/** A fault: what happens to the answer, and when. */
export interface Fault {
    /** Answers with this status and a line of text instead of the response. */
    status?: number;
    /** Sends one of WireMock's faults instead of the response, such as `EMPTY_RESPONSE`. */
    kind?: FaultKind;
    /** `true`: sends nothing until the client leaves. */
    neverAnswer?: boolean;
    /** Waits before the first byte, besides the wait of the stub: `200ms`, or a distribution in short or with a `type`. */
    delay?: Delay;
    /**
     * Ends the answer: after a number of bytes of the body (`1337`), after a part of it (`50%`), after the `headers`, before
     * them (`nothing`), or after some whole chunks (`{chunk: 2}`); a body that is sent at once is one chunk.
     */
    cutAfter?: "nothing" | "headers" | `${number}%` | number | ChunkOfCut;
    /** Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`). */
    corrupt?: Corruption;
    /**
     * Adds `+5` or `-1` to the `Content-Length`, which takes the place of chunks. After a body that is too short the
     * connection closes; one that is too long is sent as a whole.
     */
    wrongLength?: number | `${"" | "+" | "-"}${number}`;
    /** Sends a header twice (`ETag`), the second time with another value if there is one: `{name: Content-Length, value: "5"}`. */
    duplicateHeader?: string | DuplicatedHeader;
    /** Sends a text, or a number of random bytes, before the status line. */
    garbagePrefix?: string | number;
    /** The trailers that the answer announces never come. */
    dropTrailers?: boolean;
    /** The body at a rate, such as `3KB/s`; the head comes at once. */
    bandwidth?: Rate;
    /**
     * Sends the body in pieces of some bytes with a pause between them: `{size: 100, gap: 20ms}`. A piece is a chunk if there
     * are chunks.
     */
    slice?: Slice;
    /** Stops after some bytes of the body: `{after: 100, for: 10s}`; `for: forever` stops until the client leaves. */
    stall?: Stall;
    /** The whole answer, then a connection that stays open that long, answers no more, and closes. */
    slowClose?: Duration;
    /**
     * What follows the last byte of an answer that `cutAfter` ends: `fin`, if absent, closes the connection in order, `rst`
     * resets it; `cut`, `hang`, `garbage`, `{resetStream: CANCEL}` and `{goAway: NO_ERROR}` are ends of TLS and HTTP/2.
     */
    then?: CutEnd | StreamEnd;
    /** Acts with a probability: `0.05`, or `5%`. */
    probability?: Share;
    /**
     * Acts on the first requests, and then no more: `2`, or `{count: 2, perHeader: Idempotency-Key}` for each value of a
     * header; requests without the header have one value.
     */
    first?: number | FirstRequests;
    /** Acts between two times since the session began or was last reset: `[5s, 10s]`. */
    between?: ReadonlyArray<Duration>;
    /**
     * Acts on the requests beyond a limit, `{limit: 10, per: 1m}`, with a 429 if nothing else is said. A period begins with
     * the first request after the last one.
     */
    quota?: Quota;
    /** Acts on requests that come while that many answers are under way, with a 503 if nothing else is said. */
    concurrency?: number;
}

/** A chunk after which the answer ends. */
export interface ChunkOfCut {
    /** The number of whole chunks before the end. */
    chunk: number;
}

/** The bytes that change: one, or a part of them. */
export interface Corruption {
    /** The offset of the byte, counted from 0. */
    byte?: number;
    /** The probability with which each byte changes. */
    rate?: Share;
}

/** A header that is sent twice, the second time with another value. */
export interface DuplicatedHeader {
    /** Its name. */
    name: string;
    /** Its second value; the first one again if absent. */
    value?: Scalar;
}

/** Pieces of this size, and the wait between them. */
export interface Slice {
    /** The number of bytes of a piece. */
    size: Size;
    /** The wait between two pieces. */
    gap: Duration;
}

/** Stops after some bytes, for a time or for ever. */
export interface Stall {
    /** The number of bytes of the body before it. */
    after?: Size;
    /** How long nothing comes. */
    for: "forever" | Duration;
}

/** An end that HTTP/2 has. */
export interface StreamEnd {
    /** Resets the stream with this code. */
    resetStream?: HTTP2Error | number;
    /** Sends GOAWAY with this code, and the connection closes. */
    goAway?: HTTP2Error | number;
    /** The id of the last stream that GOAWAY names; that of the answer if absent. */
    lastStream?: number;
}

/** The first requests, or the first with each value of a header. */
export interface FirstRequests {
    /** The number of requests. */
    count: number;
    /** The header for each value of which requests are counted apart. */
    perHeader?: Scalar;
}

/** A number of requests within a time. */
export interface Quota {
    /** The number of requests that are left alone in each period. */
    limit: number;
    /** The length of a period. */
    per: Duration;
}

/** A fault of a session: of the answers to some requests, or of connections. */
export interface SessionFault extends Fault {
    /** The rate at which requests are read. */
    readSlowly?: Rate;
    /** true: the body of the request is not read. */
    neverRead?: boolean;
    /** The id by which it is removed; made by the session if absent. */
    id?: string;
    /** A label. */
    name?: Scalar;
    /** The requests whose answers it changes; all if absent. */
    request?: RequestPattern;
    /** The clients that it meets, by the name of the server that they ask for (SNI); all if absent. */
    serverName?: Scalar;
    /** Resets that many connections as soon as they are made. */
    refuseNext?: number;
    /** down: connections are refused. acceptAndStall: nothing on them is read. */
    listener?: "down" | "acceptAndStall";
    /** What a client meets that begins with TLS. */
    tls?: TLSFault;
    /** What a client meets that begins with HTTP/2. */
    http2?: HTTP2Fault;
    /** The requests as the key of a route: GET /api/**. */
    route?: `${string} ${string}`;
}

export type Flag = "true" | "false" | "" | boolean | number | null;

export type Int = `${number}` | "" | number | null;

/** A duration with its unit: 120ms, 1.5s, 2m or 1h. */
export type Duration = `${number}${"" | " "}${"ms" | "s" | "m" | "h"}`;

/** A number of bytes, or a size with its unit: 3KB, 64KiB. */
export type Size = `${number}${"" | " "}${"B" | "kB" | "KB" | "MB" | "GB" | "KiB" | "MiB" | "GiB" | "bit" | "kbit" | "Kbit" | "Mbit" | "Gbit"}` | number;

/** A rate with its unit: 500B/s, 3KB/s, 1MiB/s, 2Mbit/s. */
export type Rate = `${Size & string}/s`;

/** A number from 0 to 1, or a percentage such as 5%. */
export type Share = `${number}%` | number;

/** A template, {{…}}. */
export type Template = string;

/** A path below __files. */
export type BodyFile = string;

/** Names and values; several values of one name are a list. */
export type HeaderFields = { [name: string]: Scalar | ReadonlyArray<Scalar> } | null;

export type MethodCondition = Method | (string & {}) | MethodSet | null;

/** What pages of other origins may do with the answers: true, false, an origin, a list of them, or an object. */
export type Cors = boolean | CorsPolicy | string | ReadonlyArray<string> | null;

/** A wait that is drawn for each response: a length, or a distribution of lengths, in milliseconds. */
export type Distribution = FixedDelay | TypedUniformDelay | TypedLognormalDelay | TypedGaussianDelay | TypedExponentialDelay | null;

export type Delay = Duration | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Distribution;

export type TemplatedInt = Int | Template;

/** The name of a gate at which the response waits until a test releases it, or an object. */
export type Hold = HoldOptions | Scalar;

/** Events or pieces that are sent in place of a body. */
export type StreamContent = StreamOptions | ReadonlyArray<StreamEvent> | null;

export type Early = EarlyResponse | number | ReadonlyArray<EarlyResponse | number> | null;

/** The operation of an OpenAPI document that answers, or an object. */
export type Contract = ContractAnswer | Scalar;

export type Records = { [name: string]: object } | ReadonlyArray<object> | boolean | BodyFile;

export type SchemaDocument = object | boolean | BodyFile;

/** Several stub mappings. Among equal priorities the last one wins. */
export interface StubCollection {
    "$schema"?: unknown;
    /** Mappings in WireMock's form; each may also be an object of routes. */
    mappings: ReadonlyArray<StubElement> | null;
    /** What WireMock's lists have beside the mappings; passed over. */
    meta?: unknown;
    /** Passed over. */
    uuid?: unknown;
    /** What pages of other origins may do with the answers of all these stubs. */
    cors?: Cors;
    [key: `x-${string}` | `.${string}`]: unknown;
}

/** A stub mapping in WireMock's form: the requests that it answers, and its answer. */
export interface StubMapping {
    /**
     * The id for the admin API, a UUID; derived from the file's path and the place in it if absent, and random for a stub of
     * no file.
     */
    id?: Uuid;
    /** The same as `id`. */
    uuid?: Uuid;
    /** A label, shown in reports and in the response header `Matched-Stub-Name`. */
    name?: Scalar;
    /** Which requests it answers; all if absent. */
    request?: RequestPattern;
    /** The answer; an empty 200 if absent. */
    response?: StubResponse;
    /** Whether the mapping is saved to disk when it is added or edited, and its file is deleted when it is removed. */
    persistent?: Flag;
    /** The priority: lower numbers win; 5 if absent. */
    priority?: Int;
    /** The scenario that it belongs to. */
    scenarioName?: Scalar;
    /** The state of the scenario in which it answers; in every state if absent. The first is `Started`. */
    requiredScenarioState?: Scalar;
    /** The state to which it moves the scenario; it stays where it is if absent. */
    newScenarioState?: Scalar;
    /** An object of your own, for the admin API. */
    metadata?: object | null;
    /** Actions after the answer: webhooks of WireMock 2. */
    postServeActions?: ReadonlyArray<Action> | object | null;
    /**
     * Listeners: `webhook` calls somebody back, `recordState` and `deleteState` change the session's state; others have no
     * effect.
     */
    serveEventListeners?: ReadonlyArray<Listener> | null;
    /** The position in the order of insertion; only in files that the daemon writes. */
    insertionIndex?: Int;
    /** The number of requests to answer; then the next matching mapping answers. An addition to WireMock. */
    times?: number | `${number}` | null;
    /** What is left of `times`; shown and never read. */
    timesLeft?: unknown;
    /** How long the mapping exists, such as `30s`. An addition to WireMock. */
    ttl?: Duration | null;
    /** Whether it answers; `false`: it is only listed. An addition to WireMock. */
    enabled?: Flag;
    /** Several responses, one for each request, in place of `response`. An addition to WireMock. */
    responses?: ReadonlyArray<StubResponse> | ReadonlyArray<WeighedResponse> | null;
    /** What follows the last of the responses: `repeatLast` if absent, `loop` or `notFound`. An addition to WireMock. */
    onEnd?: End | null;
    /** `random`: draws from the responses by their weight. An addition to WireMock. */
    select?: Selection | null;
    /**
     * Where requests have the value for each of which the responses are given in turn: `path.id`, `query.page`,
     * `header.X-User`, `cookie.sid`, or a JSONPath of the body. An addition to WireMock.
     */
    per?: SequenceKey | null;
    /** A collection of records that is served in place of a response. An addition to WireMock. */
    resource?: Resource;
    /**
     * What pages of other origins may do with the answers, as in a route. The admin API shows it as
     * `metadata.stuntdouble.cors`, which is read as well. An addition to WireMock.
     */
    cors?: Cors;
    "$schema"?: unknown;
    [key: `x-${string}` | `.${string}`]: unknown;
}

export type SequenceKey = string;

export type Uuid = string | null;

/** An action: its name and parameters. */
export interface Action {
    /** The name, such as `webhook`. */
    name?: Scalar;
    /** What the action is told. */
    parameters?: object | null;
}

/** A listener: its name, the phases in which it acts, and its parameters. */
export interface Listener {
    /** The name: `webhook`, `recordState` or `deleteState`. */
    name?: "webhook" | "recordState" | Scalar;
    /** The phases of a request in which it acts. */
    requestPhases?: ReadonlyArray<Phase> | null;
    /** What the listener is told. */
    parameters?: object | null;
}

/** WireMock's request pattern: conditions, all of which must hold for the stub to answer. */
export interface RequestPattern {
    /** The scheme: `https` if the request came over TLS or its target is a whole `https` URL, or else `http`. */
    scheme?: "http" | "https" | Scalar;
    /** The host that the request was sent to, by its header `Host`, without the port. */
    host?: ValueMatcher;
    /** The port that the request was sent to, in `Host`, or the scheme's. */
    port?: Int;
    /** The address that the request came from, or the text of `X-Forwarded-For` if the request has that. */
    clientIp?: ValueMatcher;
    /** Path and query, exactly. */
    url?: Scalar;
    /** A regular expression for all of path and query. */
    urlPattern?: Scalar;
    /** The path, exactly, with any query. */
    urlPath?: Scalar;
    /** A regular expression for all of the path. */
    urlPathPattern?: Scalar;
    /** A template of the path, such as `/users/{id}`; `**` is anything. */
    urlPathTemplate?: Scalar;
    /** `GET`, …; `ANY` or absent: every method. `{oneOf: […]}` and `{noneOf: […]}` are of WireMock 4. */
    method?: MethodCondition;
    /** Names and matchers; names compare without regard to letter case. */
    headers?: { [name: string]: MultiValueMatcher } | null;
    /** Variables of `urlPathTemplate`, undecoded, and matchers. */
    pathParameters?: { [name: string]: ValueMatcher } | null;
    /** Names and matchers of the query, decoded; names compare with case. */
    queryParameters?: { [name: string]: MultiValueMatcher } | null;
    /** Names and matchers of a form, if `Content-Type` says `application/x-www-form-urlencoded`. */
    formParameters?: { [name: string]: MultiValueMatcher } | null;
    /** Names and matchers; values are undecoded, and without quotes around them. */
    cookies?: { [name: string]: ValueMatcher } | null;
    /** `Authorization: Basic …` of this user, `{username, password}`; written as `basicAuthCredentials`. */
    basicAuth?: BasicAuth;
    /** The same as `basicAuth`. */
    basicAuthCredentials?: BasicAuth;
    /** Matchers of the body, all of which must hold. */
    bodyPatterns?: ReadonlyArray<BodyMatcher> | null;
    /** A matcher of an extension, `{name, parameters}`; a name that the daemon does not know never matches. */
    customMatcher?: CustomMatcher;
    /** Patterns of the parts of a `multipart/…` body. */
    multipartPatterns?: ReadonlyArray<MultipartPattern> | null;
    /**
     * What the client's certificate says: `subject`, `issuer`, `serialNumber`, `fingerprint`, `notBefore`, `notAfter`,
     * `alternativeNames` and `pem` with their matchers. An addition to WireMock.
     */
    clientCertificate?: ClientCertificate;
}

/** Several methods, or all but some. */
export interface MethodSet {
    /** The methods, one of which the request has. */
    oneOf?: ReadonlyArray<string>;
    /** The methods, none of which the request has. */
    noneOf?: ReadonlyArray<string>;
}

/** The user of basic authentication. It is read as basicAuth, and written as basicAuthCredentials, as in WireMock. */
export interface BasicAuth {
    /** The user name as written. */
    username?: Scalar;
    /** The password as written. */
    password?: Scalar;
}

/** A matcher that an extension of the server provides. A stub with an unknown name never matches. */
export interface CustomMatcher {
    /** The name by which the server knows it; without one nothing matches. */
    name?: Scalar;
    /** The parameters of the matcher. */
    parameters?: object | null;
}

/** What the client's certificate says. An addition to WireMock. */
export interface ClientCertificate {
    /** The name of its owner, as in RFC 2253: CN=alice,O=Example. */
    subject?: ValueMatcher;
    /** The name of the authority that issued it. */
    issuer?: ValueMatcher;
    /** The serial number in hexadecimal digits. */
    serialNumber?: ValueMatcher;
    /** The SHA-256 of its DER form in lower-case hexadecimal digits. */
    fingerprint?: ValueMatcher;
    /** The time from which it is valid, such as 2026-01-31T09:30:00Z. */
    notBefore?: ValueMatcher;
    /** The time until which it is valid. */
    notAfter?: ValueMatcher;
    /** Its alternative names, each with its kind: DNS:alice.example. */
    alternativeNames?: MultiValueMatcher;
    /** The certificate in PEM. */
    pem?: ValueMatcher;
}

/** Conditions for one part of a multipart body, or for every part. Without headers and bodyPatterns any part satisfies them. */
export interface MultipartPattern {
    /** A label; to test a part's name, match its `Content-Disposition`. */
    name?: Scalar;
    /** The file name in `Content-Disposition`; it counts only beside `headers` or `bodyPatterns`. */
    fileName?: Scalar;
    /** `ANY`, if absent: a part must match. `ALL`: every part must. */
    matchingType?: MatchingType | null;
    /** Names and matchers of the part's headers. */
    headers?: { [name: string]: MultiValueMatcher } | null;
    /** Matchers of the part's content. */
    bodyPatterns?: ReadonlyArray<BodyMatcher> | null;
}

/** The answer of a stub: WireMock's response definition. */
export interface StubResponse {
    /** The status; 200 if absent. A template of a number is an addition to WireMock. */
    status?: TemplatedInt;
    /** The words after the status; the usual ones if absent. */
    statusMessage?: Scalar;
    /** A text. */
    body?: Scalar;
    /** Any value, sent as compact JSON. */
    jsonBody?: unknown;
    /** Bytes in Base64. */
    base64Body?: Scalar;
    /** The path of a file below `__files`. */
    bodyFileName?: Scalar;
    /** Names and values; a list of values is several header lines. */
    headers?: HeaderFields;
    /** Headers that are added to a request that is sent on. */
    additionalProxyRequestHeaders?: HeaderFields;
    /** Takes headers out of the request that is sent on; names compare without case. */
    removeProxyRequestHeaders?: ReadonlyArray<Scalar> | null;
    /** The wait before the first byte. A template of a number or a duration is an addition to WireMock. */
    fixedDelayMilliseconds?: TemplatedInt;
    /** A wait that is drawn for each response, added to the fixed one. */
    delayDistribution?: Distribution;
    /** Sends the body in pieces: `{numberOfChunks, totalDuration}`, in milliseconds. */
    chunkedDribbleDelay?: ChunkedDribbleDelay;
    /** The server that the request is sent on to. */
    proxyBaseUrl?: Scalar;
    /** Takes a text from the beginning of the path before the request is sent on: with `/v1`, `/v1/orders` becomes `/orders`. */
    proxyUrlPrefixToRemove?: Scalar;
    /**
     * Calls the server that the request is sent on to in HTTP/2, as those of gRPC need it. With `https` it may still choose
     * HTTP/1.1. An addition to WireMock.
     */
    proxyHttp2?: Flag;
    /** The wait before the first byte, and the one before each chunk: `{firstByte, perChunk}`. An addition to WireMock. */
    delays?: Delays;
    /**
     * Breaks the connection in place of an answer, by a name such as `EMPTY_RESPONSE`. An object, or a list of them, is a
     * fault of our own, an addition to WireMock.
     */
    fault?: FaultKind | Fault | ReadonlyArray<Fault> | null;
    /**
     * Transformers of WireMock: `response-template` makes the response a template, `proxied-hostname-rewrite` makes answers of
     * other servers name this one; other names say nothing.
     */
    transformers?: ReadonlyArray<Scalar> | null;
    /** Values that a template finds under `parameters`. */
    transformerParameters?: object | null;
    /**
     * Whether `{{…}}` in the body, the headers, the status message and the delay is filled in for each request, whatever the
     * transformers say. An addition to WireMock.
     */
    template?: Flag;
    /** Written by WireMock, and never read. */
    fromConfiguredStub?: Flag;
    /** Waits at a gate until a test lets the response go. An addition to WireMock. */
    hold?: Hold;
    /** Events or pieces in place of a body. An addition to WireMock. */
    stream?: StreamContent;
    /** The operation of an OpenAPI document that answers: its status, its header fields and its body. An addition to WireMock. */
    openapi?: Contract;
    /** Informational responses before this one, such as `[103]`. An addition to WireMock. */
    early?: Early;
    /** Header fields after the body, which is then sent in chunks. An addition to WireMock. */
    trailers?: HeaderFields;
    /** Lets requests ask for parts of the body with `Range`. An addition to WireMock. */
    ranges?: Flag;
    /** Sends a 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. An addition to WireMock. */
    conditional?: Flag;
    /** Leaves requests to the next stub that matches as long as the body file is missing. An addition to WireMock. */
    fallThrough?: Flag;
}

/** One of several responses. */
export interface WeighedResponse extends StubResponse {
    /** How often it is drawn, with select: random. */
    weight?: number | `${number}`;
}

/** Sends the body in equal chunks, with a pause before each. */
export interface ChunkedDribbleDelay {
    /** The number of chunks. */
    numberOfChunks: Int;
    /** The sum of all pauses, in milliseconds. */
    totalDuration: Int;
}

/** The wait before the first byte, and the one before each chunk of the body. An addition to WireMock's delays. */
export interface Delays {
    /** The wait before the first byte. */
    firstByte?: Delay;
    /** The wait before each chunk, drawn anew for each. */
    perChunk?: Delay;
}

/** A wait of the same length each time, in milliseconds. */
export interface FixedDelay {
    type: "fixed";
    /** The length of the wait. */
    milliseconds?: Int;
}

/** A wait between two bounds, each as likely as any other, in milliseconds. */
export interface TypedUniformDelay {
    type: "uniform";
    /** The shortest wait. */
    lower?: Int;
    /** The longest wait. */
    upper?: Int;
}

/** A wait like those of real servers: many near the median, a few much longer. In milliseconds. */
export interface TypedLognormalDelay {
    type: "lognormal";
    /** Half of the waits are shorter. */
    median?: number | string | null;
    /** The spread, such as 0.4. */
    sigma?: number | string | null;
    /** The longest wait; without a limit if absent. */
    maxValue?: number | string | null;
}

/** A normal distribution of waits, never below 0, in milliseconds. An addition to WireMock's distributions. */
export interface TypedGaussianDelay {
    type: "gaussian";
    /** The mean of the waits. */
    mean: number;
    /** The spread of the waits about their mean. */
    standardDeviation: number;
    /** The longest wait; without a limit if absent. */
    maxValue?: number;
}

/** Many short waits and few long ones, in milliseconds. An addition to WireMock's distributions. */
export interface TypedExponentialDelay {
    type: "exponential";
    /** The mean of the waits. */
    mean: number;
    /** The longest wait; without a limit if absent. */
    maxValue?: number;
}

/** A wait between two bounds. */
export interface UniformDelay {
    /** The shortest and the longest wait: [50ms, 500ms]. */
    uniform: ReadonlyArray<Duration>;
}

/** A wait like those of real servers: many near the median, a few much longer. */
export interface LognormalDelay {
    /** Half of the waits are shorter. */
    median: Duration;
    /** The spread, such as 0.4. */
    sigma: number;
    /** The longest wait; without a limit if absent. */
    max?: Duration;
}

/** A normal distribution of waits. */
export interface GaussianDelay {
    /** The mean and the standard deviation: [200ms, 50ms]. */
    gaussian: ReadonlyArray<Duration>;
    /** The longest wait; without a limit if absent. */
    max?: Duration;
}

/** Many short waits and few long ones. */
export interface ExponentialDelay {
    /** The mean. */
    exponential: Duration;
    /** The longest wait; without a limit if absent. */
    max?: Duration;
}

/** Keeps a response, or the rest of a stream, back until a test lets it go. An addition to WireMock's responses. */
export interface HoldOptions {
    /** The name of the gate. */
    gate: Scalar;
    /** The time after which it waits no longer. */
    timeout?: Duration;
    /** What happens then: the answer, a reset, a fault, or another status. */
    onTimeout?: "answer" | "fail" | FaultKind | number;
}

/**
 * Pieces that a response sends in place of a body: events under a name to which tests push more, or several rounds of them. An
 * addition to WireMock's responses.
 */
export interface StreamOptions {
    /** The name under which a test pushes further events; the stream then stays open after its own. */
    name?: Scalar;
    /** The events, pieces and waits, in their order. */
    events?: ReadonlyArray<StreamEvent>;
    /** How often they are sent: a number, or `forever`; once if absent. */
    repeat?: number | "forever";
}

/** A server-sent event, a piece of a body, or a wait, with the wait before it. */
export interface StreamEvent {
    /** The wait before it, such as `1s`, from the end of what was sent before. */
    after?: Duration;
    /** A text that clients skip, a line for each of its lines. */
    comment?: Scalar;
    /** The type; clients take none as `message`. */
    event?: Scalar;
    /** The id, which a client that comes back sends as `Last-Event-ID`. */
    id?: Scalar;
    /** The time after which a client that was cut off comes back: milliseconds, or a duration such as `3s`. */
    retry?: number | Duration;
    /** A text, of which each line becomes a `data:` line; or any other JSON, sent in one line. */
    data?: unknown;
    /** A piece of the body, sent as it is. */
    chunk?: Scalar;
    /** A piece of the body, in Base64. */
    base64?: Scalar;
    /** Waits at a gate with the rest. */
    hold?: Hold;
}

/** An informational response, sent before the response itself (RFC 9110, section 15.2). An addition to WireMock's responses. */
export interface EarlyResponse {
    /** The status, from 100 to 199 but not 101. */
    status?: number;
    /** The header fields, such as Link. */
    headers?: HeaderFields;
}

/** What pages of other origins may do with the answers of a stub, a file or a folder. An addition to WireMock's mappings. */
export interface CorsPolicy {
    /** The origins of the pages, such as https://app.example or http://localhost:*; * for any. */
    origins?: string | ReadonlyArray<string>;
    /** true: pages may send cookies and credentials. Browsers take * for a name then. */
    credentials?: Flag;
    /** The response headers that pages may read; all if absent. */
    expose?: string | ReadonlyArray<string>;
}

/**
 * A collection of records behind two paths, /users and /users/{key}, which a stub serves in place of a response. An addition
 * to WireMock's mappings.
 */
export interface Resource {
    /** The name of the collection, which the resources of one session share. */
    name: Scalar;
    /** The path of the whole collection: /users, or /users/{userId}/posts for those of each user. */
    path: string;
    /** The field with a record's key; id if absent. */
    key?: Scalar;
    /**
     * The records to begin with, or the name of a file with them; none, or those that another resource of the collection
     * declares, if absent.
     */
    data?: Records | null;
    /** The JSON Schema that records from clients must satisfy, or the name of its file. */
    schema?: SchemaDocument | null;
    /** true: who removes a record removes those of other collections that belong to it. */
    cascade?: Flag;
    /** true: what requests change is written to the file of data. */
    write?: Flag;
}

/**
 * An answer of an operation of an OpenAPI document, by its examples or made from its schemas. An addition to WireMock's
 * responses.
 */
export interface ContractAnswer {
    /** Its `operationId`, or its method and path: `GET /pets/{petId}`. */
    operation: Scalar;
    /**
     * The name of its document, such as the file's path in the folder; needed only if several documents have such an
     * operation.
     */
    document?: Scalar;
    /** The status; the lowest success if absent. */
    code?: number | string;
    /** The name of the example. */
    example?: Scalar;
    /** Where the body comes from: `examples` if absent, or `made`. */
    answers?: ContractSource;
}

/** A path, and a matcher of what it finds. */
export interface PathOperand extends Matcher {
    /** The path. */
    expression: string;
    [key: string]: unknown;
}

/** A file below __files. */
export interface FileOperand {
    /** The path of the file. */
    file: string;
}

/** A condition: an operator and its options. */
export interface Matcher {
    /** Exactly this text; with `caseInsensitive`, without regard to letter case. */
    equalTo?: string;
    /** A text that contains this one. */
    contains?: string;
    /** A text that does not contain this one, or none. */
    doesNotContain?: string;
    /** A regular expression of Java for the whole text. */
    matches?: string;
    /** A text that a regular expression of Java does not match as a whole, or none. */
    doesNotMatch?: string;
    /** The bytes of a body, in Base64, or `{file: …}`, a file below `__files` with them. */
    binaryEqualTo?: string | FileOperand;
    /** JSON that equals this, given as a value or as a text; placeholders accept many values. */
    equalToJson?: unknown;
    /** JSON in which a path finds something; as an object of `expression` and a matcher, something that matches. */
    matchesJsonPath?: string | PathOperand;
    /** JSON that this schema allows. */
    matchesJsonSchema?: unknown;
    /**
     * XML that equals this, up to space between elements, comments, and the order of attributes and of differently named
     * elements.
     */
    equalToXml?: string;
    /** XML in which an XPath 1.0 finds something; as an object of `expression` and a matcher, something that matches. */
    matchesXPath?: string | PathOperand;
    /** A date that the value is before, such as `2026-01-01T00:00:00Z` or `now -3 days`. */
    before?: string;
    /** A date that the value is after. */
    after?: string;
    /** A date that the value is, however it is written. */
    equalToDateTime?: string;
    /** A number equal to this one: 1 is 1.0. */
    equalToNumber?: number | string;
    /** A number greater than this one. */
    greaterThanNumber?: number | string;
    /** A number of at least this one. */
    greaterThanEqualNumber?: number | string;
    /** A number less than this one. */
    lessThanNumber?: number | string;
    /** A number of at most this one. */
    lessThanEqualNumber?: number | string;
    /** `true`: no value. `false` or `no`: any value, whatever it is. */
    absent?: unknown;
    /** Any value, and none. */
    anything?: unknown;
    /** Matchers that all pass, two or more. */
    and?: ReadonlyArray<InnerBodyMatcher>;
    /** Matchers, two or more, one of which passes at least. */
    or?: ReadonlyArray<InnerBodyMatcher>;
    /** A matcher that does not pass. */
    not?: InnerBodyMatcher;
    /** A template of a path, such as `/users/{id}`, for the whole text. */
    matchesPathTemplate?: string;
    /** As many matchers as values, each of which one value passes. */
    hasExactly?: ReadonlyArray<ValueMatcher>;
    /** Matchers, each of which one value passes; there may be more values. */
    includes?: ReadonlyArray<ValueMatcher>;
    /** A text that begins with this one. An addition to WireMock. */
    startsWith?: string;
    /** A text that ends with this one. An addition to WireMock. */
    endsWith?: string;
    /** A glob for the whole text, such as `img/*.png`. An addition to WireMock. */
    glob?: string;
    /** This many values: a number, or an object with `atLeast`, `atMost` or `exactly`. An addition to WireMock. */
    count?: number | ValueCount;
    /** A JSON Web Token with these `claims` and this `header`. An addition to WireMock. */
    matchesJwt?: Jwt;
    /** A GraphQL request with this `operationName`, `query` or `variables`; bodies only. An addition to WireMock. */
    matchesGraphql?: Graphql;
    /** `true`: without regard to letter case. */
    caseInsensitive?: unknown;
    /** `true`: the order of arrays does not matter. */
    ignoreArrayOrder?: unknown;
    /** `true`: there may be more members and elements. */
    ignoreExtraElements?: unknown;
    /** `true`: a member that is null is as one that is missing. */
    nullsEqualMissing?: unknown;
    /** The draft of JSON Schema: `V4`, `V6`, `V7`, `V201909`, or `V202012` if absent. */
    schemaVersion?: SchemaVersion;
    /**
     * `true`: `${xmlunit.ignore}`, `${xmlunit.isNumber}`, `${xmlunit.isDateTime}` and `${xmlunit.matchesRegex(…)}` stand for
     * many texts.
     */
    enablePlaceholders?: unknown;
    /** What begins a placeholder, in place of `${`. */
    placeholderOpeningDelimiterRegex?: unknown;
    /** What ends a placeholder, in place of `}`. */
    placeholderClosingDelimiterRegex?: unknown;
    /** Kinds of difference that do not count, such as `NAMESPACE_URI`, `ATTR_VALUE` or `TEXT_VALUE`. */
    exemptedComparisons?: unknown;
    /** `true`: elements with the same name may come in any order. */
    ignoreOrderOfSameNode?: unknown;
    /** How far namespaces count: `STRICT` if absent, `LEGACY` or `NONE`. */
    namespaceAwareness?: NamespaceAwareness;
    /** Prefixes of the path and their URIs; without them namespaces do not count. */
    xPathNamespaces?: unknown;
    /** The format of the request's date: a pattern of Java's `DateTimeFormatter`, `unix` for seconds, `epoch` for milliseconds. */
    actualFormat?: unknown;
    /** Moves `now` to a boundary, such as `first day of month`. */
    truncateExpected?: unknown;
    /** The same for the request's date. */
    truncateActual?: unknown;
    /** `true`: truncates after the offset, not before. */
    applyTruncationLast?: unknown;
    /** The number of a distance from `now`, with `expectedOffsetUnit`. */
    expectedOffset?: unknown;
    /** The unit of a distance from `now`, with `expectedOffset`. */
    expectedOffsetUnit?: unknown;
    [key: string]: unknown;
}

/** A number of values. */
export interface ValueCount {
    /** This many. */
    exactly?: number;
    /** At least this many. */
    atLeast?: number;
    /** At most this many. */
    atMost?: number;
}

/** The claims and header fields of a token, each a value or a matcher. */
export interface Jwt {
    /** Claims by their names, each with its value or a matcher. */
    claims?: object;
    /** Fields of the header by their names, each with its value or a matcher. */
    header?: object;
}

/** A GraphQL request. */
export interface Graphql {
    /** The name of the operation; null for none. */
    operationName?: string | null;
    /** A GraphQL document. */
    query?: string;
    /** The variables of the request. */
    variables?: object;
}

/** A response of a route. Nothing is an empty 200. */
export interface Route {
    /** Further conditions, all of which must hold. */
    when?: When;
    /** A label, shown in reports and in the response header `Matched-Stub-Name`. */
    name?: Scalar;
    /** An integer; lower numbers win; 5 if absent. */
    priority?: Int;
    /** 100 to 999, or a template of a number from 200 on; 200 if absent. */
    status?: number | `${number}` | Template;
    /** The words after the status. */
    statusMessage?: Scalar;
    /** Names and values; a list of values becomes several header lines. */
    headers?: HeaderFields;
    /** A text; its `Content-Type` is `text/plain` unless `headers` says another. */
    body?: Scalar | Uint8Array;
    /** Any value, sent as compact JSON. A text that is one expression, `{{…}}`, becomes its value. */
    json?: unknown;
    /** Bytes in Base64. */
    base64?: Scalar;
    /** A file below `__files`; its `Content-Type` is that of its extension. */
    file?: BodyFile;
    /** `true`: if the file is missing, the next matching route answers. */
    fallThrough?: Flag;
    /** `false`: sends `{{…}}` as it stands. `true`: renders the content of the file, too. */
    template?: boolean;
    /**
     * The wait before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte: 100ms,
     * perChunk: 20ms}`.
     */
    delay?: Duration | Delays | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Template;
    /** Sends the body in pieces. */
    dribble?: Dribble;
    /** Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`. */
    fault?: FaultKind | Fault | ReadonlyArray<Fault> | null;
    /** An object of your own, for the admin API. */
    metadata?: object | null;
    /** The states of a scenario in which the route answers, and to which it leads. */
    scenario?: Scenario;
    /** Names and templates: values that are put into the session's state. */
    capture?: { [name: string]: Scalar | { [name: string]: Scalar } };
    /** What pages of other origins may do with the answers. */
    cors?: Cors;
    /** A call to somebody else once the response was sent: a URL, or an object. */
    webhook?: string | Webhook;
    /** Several of them. */
    webhooks?: ReadonlyArray<string | Webhook>;
    /** Waits at a gate until a test lets the response go. */
    hold?: Hold;
    /** Events or pieces in place of a body. */
    stream?: StreamContent;
    /** The operation of an OpenAPI document that answers. */
    openapi?: Contract;
    /** Informational responses before this one, such as `[103]`. */
    early?: Early;
    /** Header fields after the body, which is then sent in chunks. */
    trailers?: HeaderFields;
    /** Lets requests ask for parts of the body with `Range`. */
    ranges?: Flag;
    /** Sends a 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. */
    conditional?: Flag;
    /** The server that the request is sent on to: a URL, or an object. */
    proxy?: string | Template | RouteProxy;
    /** The number of requests to answer; then the next matching route answers. */
    times?: number | `${number}` | null;
    /** How long the route exists, such as `30s`. */
    ttl?: Duration | null;
    /** Whether it answers; `false`: it is only listed. */
    enabled?: Flag;
    /** Several responses, one for each request; `{per: path.id, responses: […]}` for each value of a request. */
    sequence?: ReadonlyArray<RouteEntry> | RouteSequence;
    /** What follows the last of a sequence: `repeatLast` if absent, `loop` or `notFound`. */
    onEnd?: End | null;
    /** `random`: draws from the sequence by weight. */
    select?: Selection | null;
    /** Where requests have the value for each of which the sequence is kept, such as `path.id`. */
    per?: SequenceKey | null;
    /** A UUID for the admin API; derived from the file's path, the key and the place in a list if absent. */
    id?: Uuid;
}

/** One response of a sequence. */
export interface RouteEntry {
    /** 100 to 999, or a template of a number from 200 on; 200 if absent. */
    status?: number | `${number}` | Template;
    /** The words after the status. */
    statusMessage?: Scalar;
    /** Names and values; a list of values becomes several header lines. */
    headers?: HeaderFields;
    /** A text; its `Content-Type` is `text/plain` unless `headers` says another. */
    body?: Scalar | Uint8Array;
    /** Any value, sent as compact JSON. A text that is one expression, `{{…}}`, becomes its value. */
    json?: unknown;
    /** Bytes in Base64. */
    base64?: Scalar;
    /** A file below `__files`; its `Content-Type` is that of its extension. */
    file?: BodyFile;
    /** `false`: sends `{{…}}` as it stands. `true`: renders the content of the file, too. */
    template?: boolean;
    /**
     * The wait before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte: 100ms,
     * perChunk: 20ms}`.
     */
    delay?: Duration | Delays | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Template;
    /** Sends the body in pieces. */
    dribble?: Dribble;
    /** Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`. */
    fault?: FaultKind | Fault | ReadonlyArray<Fault> | null;
    /** Waits at a gate until a test lets the response go. */
    hold?: Hold;
    /** Events or pieces in place of a body. */
    stream?: StreamContent;
    /** The operation of an OpenAPI document that answers. */
    openapi?: Contract;
    /** Informational responses before this one, such as `[103]`. */
    early?: Early;
    /** Header fields after the body, which is then sent in chunks. */
    trailers?: HeaderFields;
    /** Lets requests ask for parts of the body with `Range`. */
    ranges?: Flag;
    /** Sends a 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. */
    conditional?: Flag;
    /** The server that the request is sent on to: a URL, or an object. */
    proxy?: string | Template | RouteProxy;
    /** How often it is drawn, with select: random. */
    weight?: number | `${number}`;
}

/** Several responses, and how they follow one another. */
export interface RouteSequence {
    /** What follows the last; repeatLast if absent. */
    onEnd?: End | null;
    /** random: draw from the responses by weight. */
    select?: Selection | null;
    /**
     * Where requests have the value for each of which the sequence is kept: path.id, query.page, header.X-User, cookie.sid, or
     * a JSONPath of the body.
     */
    per?: SequenceKey | null;
    /** The responses. */
    responses: ReadonlyArray<RouteEntry>;
}

/** A collection of records: a list, and each of its records, with all their methods. */
export interface RouteResource {
    /** The records to begin with, or the name of a file with them. */
    data?: Records;
    /** The field with a record's key; id if absent. */
    key?: Scalar;
    /** The JSON Schema that records from clients must satisfy, or the name of its file. */
    schema?: SchemaDocument;
    /** The name of the collection; that of the path if absent. */
    collection?: Scalar;
    /** true: who removes a record removes those that belong to it. */
    cascade?: Flag;
    /** true: what requests change is written to the file of data. */
    write?: Flag;
    /** Further conditions, all of which must hold. */
    when?: When;
    /** A label, shown in reports and in the response header `Matched-Stub-Name`. */
    name?: Scalar;
    /** An integer; lower numbers win; 5 if absent. */
    priority?: Int;
    /** Names and values; a list of values becomes several header lines. */
    headers?: HeaderFields;
    /** `false`: sends `{{…}}` as it stands. `true`: renders the content of the file, too. */
    template?: boolean;
    /**
     * The wait before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte: 100ms,
     * perChunk: 20ms}`.
     */
    delay?: Duration | Delays | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Template;
    /** Sends the body in pieces. */
    dribble?: Dribble;
    /** Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`. */
    fault?: FaultKind | Fault | ReadonlyArray<Fault> | null;
    /** An object of your own, for the admin API. */
    metadata?: object | null;
    /** The states of a scenario in which the route answers, and to which it leads. */
    scenario?: Scenario;
    /** Names and templates: values that are put into the session's state. */
    capture?: { [name: string]: Scalar | { [name: string]: Scalar } };
    /** What pages of other origins may do with the answers. */
    cors?: Cors;
    /** A call to somebody else once the response was sent: a URL, or an object. */
    webhook?: string | Webhook;
    /** Several of them. */
    webhooks?: ReadonlyArray<string | Webhook>;
    /** Waits at a gate until a test lets the response go. */
    hold?: Hold;
    /** Informational responses before this one, such as `[103]`. */
    early?: Early;
    /** Header fields after the body, which is then sent in chunks. */
    trailers?: HeaderFields;
    /** Lets requests ask for parts of the body with `Range`. */
    ranges?: Flag;
    /** The server that the request is sent on to: a URL, or an object. */
    proxy?: string | Template | RouteProxy;
    /** The number of requests to answer; then the next matching route answers. */
    times?: number | `${number}` | null;
    /** How long the route exists, such as `30s`. */
    ttl?: Duration | null;
    /** Whether it answers; `false`: it is only listed. */
    enabled?: Flag;
}

/** Values for all routes of this file; a route's own take precedence. */
export interface Defaults {
    /** Put before the path of each route; a slash at its end does not count. */
    basePath?: string;
    /** Headers of each response that has none of that name. */
    headers?: HeaderFields;
    /** The delay of each response that has none. */
    delay?: Duration | Delays | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Template;
    /** `true`: a client that has the version of a response gets a 304. */
    conditional?: Flag;
    /** `true`: each route whose file is missing leaves the request to the next. */
    fallThrough?: Flag;
    /** What pages of other origins may do with each route that does not say. */
    cors?: Cors;
    /**
     * Further names of secrets, such as `[iban, X-Card]`: for all of the server, its log and reports, and for recordings into
     * the folder.
     */
    redact?: Scalar | ReadonlyArray<Scalar>;
}

/** Sends the body in pieces. */
export interface Dribble {
    /** The number of pieces. */
    chunks: number;
    /** The sum of the pauses. */
    over: Duration;
}

/** A state machine that routes share by its name. */
export interface Scenario {
    /** The scenario's name. */
    name: Scalar;
    /** The state in which the route answers; in every state if absent. The first is `Started`. */
    from?: Scalar;
    /** The state to which the route moves the scenario; unchanged if absent. */
    to?: Scalar;
}

/** Where requests are sent on to, and how. WireMock has the same in the fields of a response. */
export interface RouteProxy {
    /** The URL in front of path and query. */
    to: Scalar;
    /** Taken from the beginning of the path. */
    removePrefix?: Scalar;
    /** Fields that are added to the request. */
    headers?: HeaderFields;
    /** The names of fields of the request that are not sent on. */
    removeHeaders?: Scalar | ReadonlyArray<Scalar>;
    /** true: answers name this server where they name the other one. */
    rewriteHost?: Flag;
    /** true: the server is called in HTTP/2, as gRPC needs it. */
    http2?: Flag;
}

/** A call to somebody else once the response was sent. Its texts are templates. */
export interface Webhook {
    /** POST with a body, otherwise GET, if absent. */
    method?: Scalar;
    /** The URL that is called. */
    url: Scalar;
    /** Names and values of the headers. */
    headers?: HeaderFields;
    /** A text. */
    body?: Scalar;
    /** Bytes in Base64. */
    base64Body?: Scalar;
    /** Any value, sent as compact JSON. */
    jsonBody?: unknown;
    /** The path of a file below `__files`. */
    bodyFileName?: Scalar;
    /** The parts of a multipart/form-data body. */
    multipart?: ReadonlyArray<WebhookPart> | null;
    /** The wait before it is sent. */
    delay?: Delay;
    /** How often it is sent again if it failed. */
    retry?: number | Retry;
    /** A header that signs the body. */
    hmac?: HMAC;
    /** The same as `jsonBody`. */
    json?: unknown;
    /** The same as `base64Body`. */
    base64?: Scalar;
    /** The same as `bodyFileName`. */
    file?: Scalar;
    [key: string]: unknown;
}

/** A part of the body. */
export interface WebhookPart {
    /** The name of the part. */
    name: Scalar;
    /** The name of its file. */
    fileName?: Scalar;
    /** Its content type. */
    contentType?: Scalar;
    /** A text. */
    body?: Scalar;
    /** Bytes in Base64. */
    base64Body?: Scalar;
    /** Any value, sent as compact JSON. */
    jsonBody?: unknown;
    /** The path of a file below `__files`. */
    bodyFileName?: Scalar;
}

/** How often it is sent again, and the wait before. */
export interface Retry {
    /** The most attempts after the first one; 3 if absent. */
    times?: number;
    /** The first wait; each later one is twice as long. */
    backoff?: number | Duration;
}

/** A header that signs the body. */
export interface HMAC {
    /** The key of the signature. */
    secret: Scalar;
    /** The hash: sha256 if absent. */
    algorithm?: HMACAlgorithm | Scalar;
    /** X-Signature if absent. */
    header?: Scalar;
    /** How the signature is written: hex if absent. */
    format?: "hex" | "base64";
    /** What stands before the signature, such as sha256=. */
    prefix?: Scalar;
}

/** Conditions beside the route's key. */
export interface When {
    /** A method, a list of them, or `{noneOf: […]}`; only where the key says `ANY`. */
    method?: Method | (string & {}) | ReadonlyArray<string> | MethodSet;
    /** `http` or `https`. */
    scheme?: "http" | "https";
    /** The host that the request was sent to, without the port. */
    host?: Condition;
    /** The port that the request was sent to. */
    port?: number | `${number}`;
    /** The address that the request came from, or the text of `X-Forwarded-For` if the request has that. */
    clientIp?: Condition;
    /** Names and values or matchers; names compare without regard to letter case. */
    headers?: { [name: string]: Conditions };
    /** Names and values or matchers, beside those in the key. */
    query?: { [name: string]: Conditions };
    /** Names and values or matchers of a form, `application/x-www-form-urlencoded`. */
    form?: { [name: string]: Conditions };
    /** The variables of the key and their values or matchers; `**` are named `0`, `1`, …. */
    path?: { [name: string]: Condition };
    /** Names and values or matchers. */
    cookies?: { [name: string]: Condition };
    /** A user of basic authentication, `{username, password}`. */
    basicAuth?: RouteBasicAuth;
    /** A text, a matcher, JSON, or a list of these, all of which must hold. */
    body?: unknown;
    /** This JSON, whatever the order of its members. */
    json?: unknown;
    /** A path that finds something, a list of paths, or an object of paths and what they find. */
    jsonPath?: unknown;
    /** JSON that this schema allows. */
    jsonSchema?: unknown;
    /** This XML. */
    xml?: string;
    /** An XPath that finds something, a list, or an object of paths and what they find. */
    xPath?: unknown;
    /** Parts of the body: one, or a list. */
    multipart?: RoutePart | ReadonlyArray<RoutePart>;
    /** A GraphQL query, or `{operationName, query, variables}`. */
    graphql?: string | Graphql;
    /** The claims and the header of the token in `Authorization`, which is read and not verified: `{claims: {…}, header: {…}}`. */
    jwt?: Jwt;
    /** A custom matcher by its name, or `{name, parameters}`. */
    custom?: string | CustomMatcher;
    /** What the client's certificate says: `{subject: {contains: CN=alice}}`; `alternativeNames` may be a list. */
    clientCertificate?: RouteCertificate;
}

/** A value, or a matcher: {contains: json}. */
export type Condition = Scalar | ValueMatcher;

/** A value, a matcher, or a list of several values. */
export type Conditions = Scalar | MultiValueMatcher | ReadonlyArray<Scalar | ValueMatcher>;

/** A user of basic authentication. */
export interface RouteBasicAuth {
    /** The user name. */
    username: Scalar;
    /** The password. */
    password: Scalar;
}

/** What the client's certificate says. */
export interface RouteCertificate {
    /** The name of its owner, as in RFC 2253: CN=alice,O=Example. */
    subject?: Condition;
    /** The name of the authority that issued it. */
    issuer?: Condition;
    /** The serial number in hexadecimal digits. */
    serialNumber?: Condition;
    /** The SHA-256 of its DER form in hexadecimal digits. */
    fingerprint?: Condition;
    /** The time from which it is valid. */
    notBefore?: Condition;
    /** The time until which it is valid. */
    notAfter?: Condition;
    /** Its alternative names, each with its kind: DNS:alice.example. */
    alternativeNames?: Conditions;
    /** The certificate in PEM. */
    pem?: Condition;
}

/** A part of a multipart body. */
export interface RoutePart {
    /** The part's name in `Content-Disposition`. */
    name?: Scalar;
    /** The name of its file there. */
    file?: Scalar;
    /** `true`: all parts must satisfy the pattern. */
    every?: Flag;
    /** Names and values or matchers; names compare without regard to letter case. */
    headers?: { [name: string]: Conditions };
    /** A text, a matcher, JSON, or a list of these, all of which must hold. */
    body?: unknown;
    /** This JSON, whatever the order of its members. */
    json?: unknown;
    /** A path that finds something, a list of paths, or an object of paths and what they find. */
    jsonPath?: unknown;
    /** JSON that this schema allows. */
    jsonSchema?: unknown;
    /** This XML. */
    xml?: string;
    /** An XPath that finds something, a list, or an object of paths and what they find. */
    xPath?: unknown;
}

/** Settings for all stubs of a session: WireMock's global settings. */
export interface Settings {
    /** The wait in milliseconds of each response whose stub has no `fixedDelayMilliseconds`. */
    fixedDelay?: Int;
    /** A wait that is drawn for each response whose stub has no `delayDistribution`. */
    delayDistribution?: Distribution;
    /** JSON for your own use. */
    extended?: object | null;
    /** Whether requests that no stub matches go on to the server that a client of the proxy asks for. */
    proxyPassThrough?: Flag;
    /** The time that templates and date matchers call now; the real time if absent. An addition to WireMock. */
    clock?: Clock | null;
    /** The waits of each response whose stub has no `delays`. An addition to WireMock. */
    delays?: Delays | null;
    /** The part of each wait that is waited; that of the daemon if absent. An addition to WireMock. */
    timeScale?: number | null;
    /** Where requests go that no stub and no file answers; a report answers them if absent. An addition to WireMock. */
    passThrough?: PassThrough | null;
    /**
     * What happens to requests that an OpenAPI document does not allow; what the document says, or the daemon, if absent. An
     * addition to WireMock.
     */
    openapiValidate?: ContractCheck | null;
}

/** What templates and date matchers call now. An addition to WireMock's settings. */
export interface Clock {
    /** A time at which it stands still. */
    frozen?: Time;
    /** What it is before or behind the real time, such as -3 days or 2h. */
    offset?: string;
    /** The time at which it begins; the real one if absent. */
    from?: Time;
    /** How many times as fast it runs. */
    rate?: number;
}

/** A time with its zone, such as 2026-03-01T12:00:00Z. */
export type Time = string;

export type PassThrough = string | RouteProxy;

export type ValueMatcher = Matcher & Needs<Matcher, "equalTo" | "contains" | "doesNotContain" | "matches" | "doesNotMatch" | "equalToJson" | "matchesJsonPath" | "matchesJsonSchema" | "equalToXml" | "matchesXPath" | "before" | "after" | "equalToDateTime" | "equalToNumber" | "greaterThanNumber" | "greaterThanEqualNumber" | "lessThanNumber" | "lessThanEqualNumber" | "absent" | "anything" | "and" | "or" | "not" | "matchesPathTemplate" | "startsWith" | "endsWith" | "glob" | "matchesJwt">;

export type MultiValueMatcher = Matcher & Needs<Matcher, "equalTo" | "contains" | "doesNotContain" | "matches" | "doesNotMatch" | "equalToJson" | "matchesJsonPath" | "matchesJsonSchema" | "equalToXml" | "matchesXPath" | "before" | "after" | "equalToDateTime" | "equalToNumber" | "greaterThanNumber" | "greaterThanEqualNumber" | "lessThanNumber" | "lessThanEqualNumber" | "absent" | "anything" | "and" | "or" | "not" | "matchesPathTemplate" | "hasExactly" | "includes" | "startsWith" | "endsWith" | "glob" | "count" | "matchesJwt">;

export type BodyMatcher = Matcher & Needs<Matcher, "equalTo" | "contains" | "doesNotContain" | "matches" | "doesNotMatch" | "binaryEqualTo" | "equalToJson" | "matchesJsonPath" | "matchesJsonSchema" | "equalToXml" | "matchesXPath" | "before" | "after" | "equalToDateTime" | "equalToNumber" | "greaterThanNumber" | "greaterThanEqualNumber" | "lessThanNumber" | "lessThanEqualNumber" | "absent" | "anything" | "and" | "or" | "not" | "matchesPathTemplate" | "startsWith" | "endsWith" | "glob" | "matchesJwt" | "matchesGraphql">;

export type InnerBodyMatcher = Matcher & Needs<Matcher, "equalTo" | "contains" | "doesNotContain" | "matches" | "doesNotMatch" | "equalToJson" | "matchesJsonPath" | "matchesJsonSchema" | "equalToXml" | "matchesXPath" | "before" | "after" | "equalToDateTime" | "equalToNumber" | "greaterThanNumber" | "greaterThanEqualNumber" | "lessThanNumber" | "lessThanEqualNumber" | "absent" | "anything" | "and" | "or" | "not" | "matchesPathTemplate" | "startsWith" | "endsWith" | "glob" | "matchesJwt" | "matchesGraphql">;

/** Routes by their keys, METHOD /path, as a file has them. */
export interface Routes {
    $schema?: unknown;
    /** Values for all of these routes. */
    defaults?: Defaults;
    cors?: Cors;
    /** OpenAPI documents that are served below the routes. */
    openapi?: string | ContractDocument | ReadonlyArray<string | ContractDocument>;
    /** Sets of faults by their names, which a session switches on and off. */
    chaos?: { [name: string]: SessionFault | ReadonlyArray<SessionFault> };
    [key: `${string} ${string}`]: Route | ReadonlyArray<Route> | RouteResource | string | null;
    [key: `x-${string}`]: any;
}

/** A stub mapping in WireMock's form, or routes. */
export type StubElement = StubMapping | Routes;
