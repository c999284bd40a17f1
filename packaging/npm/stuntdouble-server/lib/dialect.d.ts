// Made by `make dialect` of Sources/Dialect/Table; do not edit.

// Without it `Needs` were exported, too.
export {};

/** A text, or what stands for one. */
export type Scalar = string | number | boolean | null;
/** Whatever is a key of it must be there. */
type Needs<Whole, Keys extends keyof Whole> = Keys extends unknown ? Required<Pick<Whole, Keys>> : never;

/**
 * Frames that a server must not send (RFC 6455), in place of a message.
 * - `reservedBits`: A frame with the second reserved bit, which no extension uses.
 * - `opcode`: A frame with the opcode 3, which is reserved.
 * - `masked`: A masked frame, which only clients may send.
 * - `utf8`: A text that is not UTF-8.
 * - `length`: A frame whose length has its highest bit set.
 * - `wideLength`: A frame whose length takes more bytes than needed.
 * - `continuation`: A continuation frame without a started message.
 * - `interrupted`: The beginning of a message, followed by another message.
 * - `longControl`: A ping of 126 bytes.
 * - `partedControl`: A fragmented ping.
 * - `closeCode`: A close frame with the code 1005, which must not be sent.
 * - `notDeflated`: A message marked as compressed that is not compressed.
 */
export type InvalidFrame = "reservedBits" | "opcode" | "masked" | "utf8" | "length" | "wideLength" | "continuation" | "interrupted" | "longControl" | "partedControl" | "closeCode" | "notDeflated";

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
 * Faults at the start of a TLS connection. The first ones are defects of the server's certificate.
 * - `expired`: A certificate that expired yesterday.
 * - `notYetValid`: A certificate that becomes valid tomorrow.
 * - `wrongHost`: A certificate for another host.
 * - `selfSigned`: A self-signed certificate.
 * - `untrustedAuthority`: A certificate from an untrusted authority.
 * - `weakKey`: A certificate whose key is shorter than any client accepts.
 * - `missingIntermediate`: A chain without its intermediate certificate.
 * - `oldVersion`: Only TLS 1.1, which current clients reject.
 * - `reset`: A reset in place of the handshake.
 * - `stall`: No bytes, until the client disconnects.
 * - `garbage`: Bytes that are not TLS, then the end of the connection.
 */
export type TLSFault = "expired" | "notYetValid" | "wrongHost" | "selfSigned" | "untrustedAuthority" | "weakKey" | "missingIntermediate" | "oldVersion" | "reset" | "stall" | "garbage";

/**
 * Faults at the start of an HTTP/2 connection.
 * - `noSettings`: The server's initial SETTINGS frame is never sent, and no answer either.
 * - `garbage`: Bytes that are not a frame, then the end of the connection.
 */
export type HTTP2Fault = "noSettings" | "garbage";

/** How a cut answer may end. */
export type CutEnd = "fin" | "rst" | "cut" | "hang" | "garbage";

/**
 * The error codes of HTTP/2 by their names, from 0 on (RFC 9113 section 7).
 * - `NO_ERROR`: No error: the stream or the connection ends normally.
 * - `PROTOCOL_ERROR`: The peer violates the protocol.
 * - `INTERNAL_ERROR`: An internal error.
 * - `FLOW_CONTROL_ERROR`: The peer exceeded the flow-control window.
 * - `SETTINGS_TIMEOUT`: SETTINGS were not acknowledged in time.
 * - `STREAM_CLOSED`: A frame came for a stream that had ended.
 * - `FRAME_SIZE_ERROR`: A frame has an invalid size.
 * - `REFUSED_STREAM`: The stream was refused before any processing: clients may retry.
 * - `CANCEL`: The stream is no longer needed.
 * - `COMPRESSION_ERROR`: The state of header compression is lost.
 * - `CONNECT_ERROR`: The connection of a CONNECT request was reset.
 * - `ENHANCE_YOUR_CALM`: The peer causes excessive load.
 * - `INADEQUATE_SECURITY`: TLS does not meet the requirements of HTTP/2.
 * - `HTTP_1_1_REQUIRED`: The request must use HTTP/1.1.
 */
export type HTTP2Error = "NO_ERROR" | "PROTOCOL_ERROR" | "INTERNAL_ERROR" | "FLOW_CONTROL_ERROR" | "SETTINGS_TIMEOUT" | "STREAM_CLOSED" | "FRAME_SIZE_ERROR" | "REFUSED_STREAM" | "CANCEL" | "COMPRESSION_ERROR" | "CONNECT_ERROR" | "ENHANCE_YOUR_CALM" | "INADEQUATE_SECURITY" | "HTTP_1_1_REQUIRED";

/**
 * The source of bodies for an OpenAPI document.
 * - `examples`: The document's examples; without one, generated from the schema.
 * - `made`: Generated from the schema.
 */
export type ContractSource = "examples" | "made";

/** The request phases in which a listener can run. */
export type Phase = "BEFORE_MATCH" | "AFTER_MATCH" | "BEFORE_RESPONSE_SENT" | "AFTER_COMPLETE";

/**
 * What follows the last response of a sequence.
 * - `repeatLast`: The last response again, for all further requests.
 * - `loop`: The first response again, and so on.
 * - `notFound`: A 404 that reports the end of the sequence.
 */
export type End = "repeatLast" | "loop" | "notFound";

/**
 * How the next response is selected.
 * - `sequence`: In order.
 * - `random`: At random by weight, from the session's seed.
 */
export type Selection = "sequence" | "random";

/**
 * Which parts must match the pattern.
 * - `ALL`: Every part; there must be at least one.
 * - `ANY`: At least one part.
 */
export type MatchingType = "ALL" | "ANY";

/** Methods suggested by editors; others are allowed. */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE" | "CONNECT" | "ANY";

/**
 * `schemaVersion`: the JSON Schema draft of a schema.
 * - `V4`: Draft 4 (2013).
 * - `V6`: Draft 6 (2017).
 * - `V7`: Draft 7 (2018).
 * - `V201909`: Draft 2019-09.
 * - `V202012`: Draft 2020-12, WireMock's default.
 */
export type SchemaVersion = "V4" | "V6" | "V7" | "V201909" | "V202012";

/**
 * `namespaceAwareness`: how namespaces are compared in XML.
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
 * A unit of `expectedOffsetUnit`, and of an offset such as `now +3 days`.
 * - `seconds`: Seconds.
 * - `minutes`: Minutes of 60 seconds.
 * - `hours`: Hours of 3,600 seconds.
 * - `days`: Calendar days, which keep the time of day.
 * - `months`: Calendar months; a day beyond the end of a month becomes its last day.
 * - `years`: Calendar years; 29 February may become 28 February.
 */
export type DateUnit = "seconds" | "minutes" | "hours" | "days" | "months" | "years";

/**
 * The treatment of requests that violate an OpenAPI document.
 * - `off`: They are not checked.
 * - `warn`: They are answered, and reported in the journal, the log and the report.
 * - `enforce`: They are rejected with all reasons.
 */
export type ContractCheck = "off" | "warn" | "enforce";

/** Algorithms of signatures. */
export type HMACAlgorithm = "sha1" | "sha256" | "sha384" | "sha512";

/** A fault: its effects on the answer, and its conditions. */
export interface Fault {
    /** Answers with this status and a line of text instead of the response. */
    status?: number;
    /** Sends one of WireMock's faults instead of the response, such as `EMPTY_RESPONSE`. */
    kind?: FaultKind;
    /** `true`: sends nothing; the connection stays open until the client closes it. */
    neverAnswer?: boolean;
    /** A wait before the first byte, in addition to the stub's: `200ms`, or a distribution, in short notation or with a `type`. */
    delay?: Delay;
    /**
     * Ends the answer: after a number of bytes of the body (`1337`), after a share of it (`50%`), after the `headers`, before
     * them (`nothing`), or after some whole chunks (`{chunk: 2}`); an unchunked body is one chunk.
     */
    cutAfter?: "nothing" | "headers" | `${number}%` | number | ChunkOfCut;
    /** Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`). */
    corrupt?: Corruption;
    /**
     * Adds `+5` or `-1` to the `Content-Length`, which replaces chunked coding. If the body is shorter than it says, the
     * connection closes after the body; if it is longer, the whole body is sent.
     */
    wrongLength?: number | `${"" | "+" | "-"}${number}`;
    /** Sends a header twice (`ETag`), the second time with another value if there is one: `{name: Content-Length, value: "5"}`. */
    duplicateHeader?: string | DuplicatedHeader;
    /** Sends a text, or a number of random bytes, before the status line. */
    garbagePrefix?: string | number;
    /** Announces the trailers, but never sends them. */
    dropTrailers?: boolean;
    /** Sends the body at a rate, such as `3KB/s`; the head is sent at once. */
    bandwidth?: Rate;
    /**
     * Sends the body in slices with a pause between them: `{size: 100, gap: 20ms}`. With chunked coding, each slice is a
     * chunk.
     */
    slice?: Slice;
    /** Pauses after some bytes of the body: `{after: 100, for: 10s}`; `for: forever` waits until the client disconnects. */
    stall?: Stall;
    /** Sends the whole answer, keeps the connection open for that long without answering further requests, then closes it. */
    slowClose?: Duration;
    /**
     * How an answer cut by `cutAfter` ends: `fin`, the default, closes the connection normally, `rst` resets it; `cut`,
     * `hang`, `garbage`, `{resetStream: CANCEL}` and `{goAway: NO_ERROR}` are ends of TLS and HTTP/2.
     */
    then?: CutEnd | StreamEnd;
    /** Applies with this probability: `0.05`, or `5%`. */
    probability?: Share;
    /**
     * Applies to the first requests only: `2`, or `{count: 2, perHeader: Idempotency-Key}` for each value of a header;
     * requests without the header share one count.
     */
    first?: number | FirstRequests;
    /** Applies between two times, measured from the start or last reset of the session: `[5s, 10s]`. */
    between?: ReadonlyArray<Duration>;
    /**
     * Applies to the requests beyond a limit, `{limit: 10, per: 1m}`; by default answers 429. A period starts with the first
     * request after the previous period.
     */
    quota?: Quota;
    /** Applies to requests that arrive while that many answers are in progress; by default answers 503. */
    concurrency?: number;
}

/** A chunk after which the answer ends. */
export interface ChunkOfCut {
    /** The number of whole chunks before the end. */
    chunk: number;
}

/** The bytes to change: a single one, or each with a probability. */
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
    /** Its second value; by default the first one again. */
    value?: Scalar;
}

/** Slices of this size, with a pause between them. */
export interface Slice {
    /** The number of bytes in a slice. */
    size: Size;
    /** The pause between two slices. */
    gap: Duration;
}

/** A pause after some bytes, for a time or forever. */
export interface Stall {
    /** The number of bytes of the body before it. */
    after?: Size;
    /** The length of the pause. */
    for: "forever" | Duration;
}

/** An end specific to HTTP/2. */
export interface StreamEnd {
    /** Resets the stream with this code. */
    resetStream?: HTTP2Error | number;
    /** Sends GOAWAY with this code, and the connection closes. */
    goAway?: HTTP2Error | number;
    /** The last stream id in GOAWAY; by default that of the answer. */
    lastStream?: number;
}

/** The first requests, or the first with each value of a header. */
export interface FirstRequests {
    /** The number of requests. */
    count: number;
    /** A header; requests are counted separately for each of its values. */
    perHeader?: Scalar;
}

/** A number of requests within a time. */
export interface Quota {
    /** The number of unaffected requests in each period. */
    limit: number;
    /** The length of a period. */
    per: Duration;
}

/** A fault of a session: for the answers to some requests, or for connections. */
export interface SessionFault extends Fault {
    /** The rate at which requests are read. */
    readSlowly?: Rate;
    /** true: request bodies are not read. */
    neverRead?: boolean;
    /** The id for its removal; by default generated. */
    id?: string;
    /** A label. */
    name?: Scalar;
    /** The requests whose answers it affects; by default all. */
    request?: RequestPattern;
    /** A fault of messages sent on WebSockets that these requests have opened. Not combinable with other effects. */
    messages?: MessageFault;
    /** The server name (SNI) of the affected clients; by default all clients. */
    serverName?: Scalar;
    /** Resets that many connections as soon as they are accepted. */
    refuseNext?: number;
    /** down: connections are refused. acceptAndStall: connections are accepted, but never read. */
    listener?: "down" | "acceptAndStall";
    /** The fault at the start of a TLS connection. */
    tls?: TLSFault;
    /** The fault at the start of an HTTP/2 connection. */
    http2?: HTTP2Fault;
    /** The requests as a route key: GET /api/**. */
    route?: `${string} ${string}`;
}

/** A fault of messages sent on a WebSocket: its effects and its conditions. */
export interface MessageFault {
    /** The affected messages; by default all. */
    message?: MessagePattern;
    /** The message is never sent. */
    drop?: boolean;
    /** A wait before it is sent, in addition to its own delay: `200ms`, or a distribution. Later messages wait, too. */
    delay?: Delay;
    /** `true`: it is sent after the next message, for which it waits up to a second, or up to a duration given here. */
    reorder?: boolean | Duration;
    /** It is sent twice. */
    duplicate?: boolean;
    /**
     * Changes the byte at an offset, counted from 0 (`{byte: 10}`), or each byte with a probability (`{rate: 1%}`). A text
     * stays UTF-8.
     */
    corrupt?: Corruption;
    /**
     * Ends the connection in the middle of the frame: after a number of bytes of the message (`10`), after a share of it
     * (`50%`), after the `headers` of the frame, before them (`nothing`); or after a complete frame with that many bytes of it
     * (`{fragment: 10}`).
     */
    cutAfter?: "nothing" | "headers" | `${number}%` | number | FragmentOfCut;
    /** Sends an invalid frame instead, such as `reservedBits`. */
    invalidFrame?: InvalidFrame;
    /** The connection is closed after it, without a close frame. */
    noCloseFrame?: boolean;
    /** The connection is reset after it. */
    reset?: boolean;
    /** Nothing is sent after it; the connection stays open. */
    hang?: boolean;
    /** Applies with this probability: `0.05`, or `5%`. */
    probability?: Share;
    /** Applies to the first messages only. */
    first?: number;
    /** Applies between two times, measured from the start or last reset of the session: `[5s, 10s]`. */
    between?: ReadonlyArray<Duration>;
}

/** A frame with the beginning of a message, after which the connection ends. */
export interface FragmentOfCut {
    /** The number of bytes in it. */
    fragment: number;
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

/** Names and values; a list holds several values of one name. */
export type HeaderFields = { [name: string]: Scalar | ReadonlyArray<Scalar> } | null;

export type MethodCondition = Method | (string & {}) | MethodSet | null;

/** The CORS policy: true, false, an origin, a list of origins, or an object. */
export type Cors = boolean | CorsPolicy | string | ReadonlyArray<string> | null;

/** A random delay for each response: a constant, or a distribution, in milliseconds. */
export type Distribution = FixedDelay | TypedUniformDelay | TypedLognormalDelay | TypedGaussianDelay | TypedExponentialDelay | null;

export type Delay = Duration | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Distribution;

export type TemplatedInt = Int | Template;

/** The name of a gate that holds the response until a test releases it, or an object. */
export type Hold = HoldOptions | Scalar;

/** Events or chunks to stream in place of a body. */
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
    /** Metadata of WireMock's lists; ignored. */
    meta?: unknown;
    /** Ignored. */
    uuid?: unknown;
    /** The CORS policy of all these stubs. */
    cors?: Cors;
    [key: `x-${string}` | `.${string}`]: unknown;
}

/** A WireMock stub mapping: the requests that it answers, and its answer. */
export interface StubMapping {
    /**
     * The id for the admin API, a UUID; by default derived from the file's path and the position in it, and random for a stub
     * without a file.
     */
    id?: Uuid;
    /** The same as `id`. */
    uuid?: Uuid;
    /** A label, shown in reports and in the response header `Matched-Stub-Name`. */
    name?: Scalar;
    /** The requests that it answers; by default all. */
    request?: RequestPattern;
    /** The answer; by default an empty 200. */
    response?: StubResponse;
    /** Whether the mapping is saved to disk when it is added or edited, and its file is deleted when it is removed. */
    persistent?: Flag;
    /** The priority; lower numbers win; by default 5. */
    priority?: Int;
    /** The scenario that it belongs to. */
    scenarioName?: Scalar;
    /** The scenario state in which it answers; by default any. The initial state is `Started`. */
    requiredScenarioState?: Scalar;
    /** The state that it sets; by default the state stays. */
    newScenarioState?: Scalar;
    /** An object of your own, for the admin API. */
    metadata?: object | null;
    /** Actions after the answer: webhooks of WireMock 2. */
    postServeActions?: ReadonlyArray<Action> | object | null;
    /** Listeners: `webhook` calls a URL, `recordState` and `deleteState` change the session's state; others have no effect. */
    serveEventListeners?: ReadonlyArray<Listener> | null;
    /** The position in insertion order; only in files written by the daemon. */
    insertionIndex?: Int;
    /** The number of requests to answer; then the next matching mapping answers. An addition to WireMock. */
    times?: number | `${number}` | null;
    /** The remaining number of `times`; shown, but not read. */
    timesLeft?: unknown;
    /** How long the mapping exists, such as `30s`. An addition to WireMock. */
    ttl?: Duration | null;
    /** Whether it answers; with `false` it is only listed. An addition to WireMock. */
    enabled?: Flag;
    /** Several responses, one for each request, in place of `response`. An addition to WireMock. */
    responses?: ReadonlyArray<StubResponse> | ReadonlyArray<WeighedResponse> | null;
    /** What follows the last response: `repeatLast`, the default, `loop` or `notFound`. An addition to WireMock. */
    onEnd?: End | null;
    /** `random`: picks a response at random, by weight. An addition to WireMock. */
    select?: Selection | null;
    /**
     * The request value by which sequences are kept separately: `path.id`, `query.page`, `header.X-User`, `cookie.sid`, or a
     * JSONPath of the body. An addition to WireMock.
     */
    per?: SequenceKey | null;
    /** A collection of records that is served in place of a response. An addition to WireMock. */
    resource?: Resource;
    /**
     * The CORS policy, as in a route. The admin API shows it as `metadata.stuntdouble.cors`, which is accepted as well. An
     * addition to WireMock.
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
    /** The parameters of the action. */
    parameters?: object | null;
}

/** A listener: its name, the phases in which it runs, and its parameters. */
export interface Listener {
    /** The name: `webhook`, `recordState` or `deleteState`. */
    name?: "webhook" | "recordState" | Scalar;
    /** The request phases in which it runs. */
    requestPhases?: ReadonlyArray<Phase> | null;
    /** The parameters of the listener. */
    parameters?: object | null;
}

/** WireMock's request pattern: conditions, all of which must hold for the stub to answer. */
export interface RequestPattern {
    /** The scheme: `https` if the request came over TLS or its target is an absolute `https` URL, otherwise `http`. */
    scheme?: "http" | "https" | Scalar;
    /** The requested host from the `Host` header, without the port. */
    host?: ValueMatcher;
    /** The requested port from the `Host` header, or the scheme's default. */
    port?: Int;
    /** The client's address, or the value of `X-Forwarded-For` if present. */
    clientIp?: ValueMatcher;
    /** The exact path and query. */
    url?: Scalar;
    /** A regular expression for all of path and query. */
    urlPattern?: Scalar;
    /** The exact path, with any query. */
    urlPath?: Scalar;
    /** A regular expression for all of the path. */
    urlPathPattern?: Scalar;
    /** A path template, such as `/users/{id}`; `**` matches anything. */
    urlPathTemplate?: Scalar;
    /** `GET`, …; `ANY`, the default, matches every method. `{oneOf: […]}` and `{noneOf: […]}` are from WireMock 4. */
    method?: MethodCondition;
    /** Names and matchers; names compare case-insensitively. */
    headers?: { [name: string]: MultiValueMatcher } | null;
    /** Variables of `urlPathTemplate`, not decoded, with matchers. */
    pathParameters?: { [name: string]: ValueMatcher } | null;
    /** Decoded query parameters with matchers; names are case-sensitive. */
    queryParameters?: { [name: string]: MultiValueMatcher } | null;
    /** Form fields with matchers, if the `Content-Type` is `application/x-www-form-urlencoded`. */
    formParameters?: { [name: string]: MultiValueMatcher } | null;
    /** Names and matchers; values are not decoded, and surrounding quotes are removed. */
    cookies?: { [name: string]: ValueMatcher } | null;
    /** `Authorization: Basic …` of this user, `{username, password}`; written as `basicAuthCredentials`. */
    basicAuth?: BasicAuth;
    /** The same as `basicAuth`. */
    basicAuthCredentials?: BasicAuth;
    /** Matchers of the body, all of which must hold. */
    bodyPatterns?: ReadonlyArray<BodyMatcher> | null;
    /** A matcher of an extension, `{name, parameters}`; an unknown name never matches. */
    customMatcher?: CustomMatcher;
    /** Patterns of the parts of a `multipart/…` body. */
    multipartPatterns?: ReadonlyArray<MultipartPattern> | null;
    /**
     * Matchers for the client certificate: `subject`, `issuer`, `serialNumber`, `fingerprint`, `notBefore`, `notAfter`,
     * `alternativeNames` and `pem`. An addition to WireMock.
     */
    clientCertificate?: ClientCertificate;
}

/** A set of methods, or all except some. */
export interface MethodSet {
    /** The allowed methods. */
    oneOf?: ReadonlyArray<string>;
    /** The excluded methods. */
    noneOf?: ReadonlyArray<string>;
}

/** The user of basic authentication. Accepted as basicAuth, and written as basicAuthCredentials, as in WireMock. */
export interface BasicAuth {
    /** The user name as written. */
    username?: Scalar;
    /** The password as written. */
    password?: Scalar;
}

/** A matcher provided by an extension of the server. A stub with an unknown name never matches. */
export interface CustomMatcher {
    /** The name of the matcher; without one nothing matches. */
    name?: Scalar;
    /** The parameters of the matcher. */
    parameters?: object | null;
}

/** Fields of the client certificate. An addition to WireMock. */
export interface ClientCertificate {
    /** The subject in RFC 2253 notation: CN=alice,O=Example. */
    subject?: ValueMatcher;
    /** The issuer in the same notation. */
    issuer?: ValueMatcher;
    /** The serial number in hexadecimal digits. */
    serialNumber?: ValueMatcher;
    /** The SHA-256 of the DER encoding in lower-case hexadecimal digits. */
    fingerprint?: ValueMatcher;
    /** The start of its validity, such as 2026-01-31T09:30:00Z. */
    notBefore?: ValueMatcher;
    /** The end of its validity. */
    notAfter?: ValueMatcher;
    /** Its alternative names, each with its type: DNS:alice.example. */
    alternativeNames?: MultiValueMatcher;
    /** The certificate in PEM. */
    pem?: ValueMatcher;
}

/** Conditions for one part of a multipart body, or for every part. Without headers and bodyPatterns, any part matches. */
export interface MultipartPattern {
    /** A label; to test a part's name, match its `Content-Disposition`. */
    name?: Scalar;
    /** The file name in `Content-Disposition`; used only beside `headers` or `bodyPatterns`. */
    fileName?: Scalar;
    /** `ANY`, the default: at least one part must match. `ALL`: every part must. */
    matchingType?: MatchingType | null;
    /** Names and matchers of the part's headers. */
    headers?: { [name: string]: MultiValueMatcher } | null;
    /** Matchers of the part's content. */
    bodyPatterns?: ReadonlyArray<BodyMatcher> | null;
}

/** The answer of a stub: WireMock's response definition. */
export interface StubResponse {
    /** The status; by default 200. A template of a number is an addition to WireMock. */
    status?: TemplatedInt;
    /** The reason phrase; by default the standard one. */
    statusMessage?: Scalar;
    /** A text. */
    body?: Scalar;
    /** Any value, sent as compact JSON. */
    jsonBody?: unknown;
    /** Bytes in Base64. */
    base64Body?: Scalar;
    /** The path of a file below `__files`. */
    bodyFileName?: Scalar;
    /** Names and values; a list becomes several header lines. */
    headers?: HeaderFields;
    /** Headers added to a forwarded request. */
    additionalProxyRequestHeaders?: HeaderFields;
    /** Headers removed from a forwarded request; names compare case-insensitively. */
    removeProxyRequestHeaders?: ReadonlyArray<Scalar> | null;
    /** The delay before the first byte. A template of a number or a duration is an addition to WireMock. */
    fixedDelayMilliseconds?: TemplatedInt;
    /** A random delay for each response, added to the fixed one. */
    delayDistribution?: Distribution;
    /** Sends the body in chunks over a time: `{numberOfChunks, totalDuration}`, in milliseconds. */
    chunkedDribbleDelay?: ChunkedDribbleDelay;
    /** The server to forward the request to. */
    proxyBaseUrl?: Scalar;
    /** A prefix removed from the path of a forwarded request: with `/v1`, `/v1/orders` becomes `/orders`. */
    proxyUrlPrefixToRemove?: Scalar;
    /**
     * Uses HTTP/2 for the forwarded request, as gRPC requires. With `https` the server may still choose HTTP/1.1. An addition
     * to WireMock.
     */
    proxyHttp2?: Flag;
    /** The delays before the first byte and before each chunk: `{firstByte, perChunk}`. An addition to WireMock. */
    delays?: Delays;
    /**
     * Breaks the connection in place of an answer, by a name such as `EMPTY_RESPONSE`. An object, or a list of objects, is one
     * of our own faults, an addition to WireMock.
     */
    fault?: FaultKind | Fault | ReadonlyArray<Fault> | null;
    /**
     * Transformers of WireMock: `response-template` makes the response a template, `proxied-hostname-rewrite` rewrites host
     * names in answers of other servers to this one; other names have no effect.
     */
    transformers?: ReadonlyArray<Scalar> | null;
    /** Values available to the template under `parameters`. */
    transformerParameters?: object | null;
    /**
     * Whether `{{…}}` in the body, the headers, the status message and the delay is rendered for each request, regardless of
     * the transformers. An addition to WireMock.
     */
    template?: Flag;
    /** Written by WireMock; not read. */
    fromConfiguredStub?: Flag;
    /** Holds the response at a gate until a test releases it. An addition to WireMock. */
    hold?: Hold;
    /** Events or chunks in place of a body. An addition to WireMock. */
    stream?: StreamContent;
    /** The operation of an OpenAPI document that answers: its status, headers and body. An addition to WireMock. */
    openapi?: Contract;
    /** Informational responses before this one, such as `[103]`. An addition to WireMock. */
    early?: Early;
    /** Header fields after the body, which is then sent in chunks. An addition to WireMock. */
    trailers?: HeaderFields;
    /** Supports range requests with `Range`. An addition to WireMock. */
    ranges?: Flag;
    /** Answers 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. An addition to WireMock. */
    conditional?: Flag;
    /** Leaves requests to the next matching stub while the body file is missing. An addition to WireMock. */
    fallThrough?: Flag;
}

/** One of several responses. */
export interface WeighedResponse extends StubResponse {
    /** The weight in a random choice, with select: random. */
    weight?: number | `${number}`;
}

/** Sends the body in equal chunks, with a pause before each. */
export interface ChunkedDribbleDelay {
    /** The number of chunks. */
    numberOfChunks: Int;
    /** The sum of all pauses, in milliseconds. */
    totalDuration: Int;
}

/** The delays before the first byte and before each chunk of the body. An addition to WireMock's delays. */
export interface Delays {
    /** The delay before the first byte. */
    firstByte?: Delay;
    /** The delay before each chunk, sampled for each one. */
    perChunk?: Delay;
}

/** A constant delay, in milliseconds. */
export interface FixedDelay {
    type: "fixed";
    /** The delay. */
    milliseconds?: Int;
}

/** A uniformly distributed delay between two bounds, in milliseconds. */
export interface TypedUniformDelay {
    type: "uniform";
    /** The minimum delay. */
    lower?: Int;
    /** The maximum delay. */
    upper?: Int;
}

/** A log-normally distributed delay, as of real servers: many near the median, a few much longer. In milliseconds. */
export interface TypedLognormalDelay {
    type: "lognormal";
    /** The median: half of the delays are shorter. */
    median?: number | string | null;
    /** The spread, such as 0.4. */
    sigma?: number | string | null;
    /** The maximum delay; by default unlimited. */
    maxValue?: number | string | null;
}

/** A normally distributed delay, never below 0, in milliseconds. An addition to WireMock's distributions. */
export interface TypedGaussianDelay {
    type: "gaussian";
    /** The mean delay. */
    mean: number;
    /** The standard deviation of the delay. */
    standardDeviation: number;
    /** The maximum delay; by default unlimited. */
    maxValue?: number;
}

/**
 * An exponentially distributed delay: many short ones, few long ones. In milliseconds. An addition to WireMock's
 * distributions.
 */
export interface TypedExponentialDelay {
    type: "exponential";
    /** The mean delay. */
    mean: number;
    /** The maximum delay; by default unlimited. */
    maxValue?: number;
}

/** A uniformly distributed delay between two bounds. */
export interface UniformDelay {
    /** The minimum and maximum delay: [50ms, 500ms]. */
    uniform: ReadonlyArray<Duration>;
}

/** A log-normally distributed delay, as of real servers: many near the median, a few much longer. */
export interface LognormalDelay {
    /** The median: half of the delays are shorter. */
    median: Duration;
    /** The spread, such as 0.4. */
    sigma: number;
    /** The maximum delay; by default unlimited. */
    max?: Duration;
}

/** A normally distributed delay. */
export interface GaussianDelay {
    /** The mean and the standard deviation: [200ms, 50ms]. */
    gaussian: ReadonlyArray<Duration>;
    /** The maximum delay; by default unlimited. */
    max?: Duration;
}

/** An exponentially distributed delay: many short ones, few long ones. */
export interface ExponentialDelay {
    /** The mean. */
    exponential: Duration;
    /** The maximum delay; by default unlimited. */
    max?: Duration;
}

/** Holds a response, or the rest of a stream, until a test releases it. An addition to WireMock's responses. */
export interface HoldOptions {
    /** The name of the gate. */
    gate: Scalar;
    /** The maximum time to hold it. */
    timeout?: Duration;
    /** The action at the timeout: the answer, a reset, a fault, or another status. */
    onTimeout?: "answer" | "fail" | FaultKind | number;
}

/**
 * A stream in place of a body: events, optionally with a name under which tests push more, or in several rounds. An addition
 * to WireMock's responses.
 */
export interface StreamOptions {
    /** The name under which a test pushes further events; the stream then stays open after its own. */
    name?: Scalar;
    /** The events, chunks and holds, in order. */
    events?: ReadonlyArray<StreamEvent>;
    /** How often they are sent: a number, or `forever`; by default once. */
    repeat?: number | "forever";
}

/** A server-sent event, a chunk of the body, or a hold, with the gap before it. */
export interface StreamEvent {
    /** The gap before it, such as `1s`, from the end of the previous item. */
    after?: Duration;
    /** A comment, which clients ignore; each line becomes a comment line. */
    comment?: Scalar;
    /** The event type; clients use `message` by default. */
    event?: Scalar;
    /** The id, which a reconnecting client sends as `Last-Event-ID`. */
    id?: Scalar;
    /** The reconnection time for clients: milliseconds, or a duration such as `3s`. */
    retry?: number | Duration;
    /** A text, each line of which becomes a `data:` line; or any other JSON, sent on one line. */
    data?: unknown;
    /** A chunk of the body, sent unchanged. */
    chunk?: Scalar;
    /** A chunk of the body, in Base64. */
    base64?: Scalar;
    /** Holds the rest at a gate. */
    hold?: Hold;
}

/** An informational response, sent before the response itself (RFC 9110, section 15.2). An addition to WireMock's responses. */
export interface EarlyResponse {
    /** The status, from 100 to 199 but not 101. */
    status?: number;
    /** The header fields, such as Link. */
    headers?: HeaderFields;
}

/** The CORS policy of a stub, a file or a folder. An addition to WireMock's mappings. */
export interface CorsPolicy {
    /** The allowed origins, such as https://app.example or http://localhost:*; * for any. */
    origins?: string | ReadonlyArray<string>;
    /** true: pages may send cookies and credentials. Browsers then treat * literally. */
    credentials?: Flag;
    /** The response headers that pages may read; by default all. */
    expose?: string | ReadonlyArray<string>;
}

/**
 * A collection of records at two paths, /users and /users/{key}, served by a stub in place of a response. An addition to
 * WireMock's mappings.
 */
export interface Resource {
    /** The name of the collection, shared by the resources of a session. */
    name: Scalar;
    /** The path of the collection: /users, or /users/{userId}/posts for a collection per user. */
    path: string;
    /** The field that holds a record's key; by default id. */
    key?: Scalar;
    /** The initial records, or the name of their file; by default none, or those of another resource of the collection. */
    data?: Records | null;
    /** The JSON Schema that records from clients must satisfy, or the name of its file. */
    schema?: SchemaDocument | null;
    /** true: removing a record also removes dependent records of other collections. */
    cascade?: Flag;
    /** true: changes by requests are written back to the file in data. */
    write?: Flag;
}

/**
 * The answer of an operation in an OpenAPI document, from its examples or generated from its schemas. An addition to
 * WireMock's responses.
 */
export interface ContractAnswer {
    /** Its `operationId`, or its method and path: `GET /pets/{petId}`. */
    operation: Scalar;
    /** The name of the document, such as the file's path in the folder; needed only if several documents have the operation. */
    document?: Scalar;
    /** The status; by default the lowest success status. */
    code?: number | string;
    /** The name of the example. */
    example?: Scalar;
    /** The source of the body: `examples`, the default, or `made`. */
    answers?: ContractSource;
}

/** A path, and a matcher for its result. */
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
    /** Exactly this text; with `caseInsensitive`, ignoring case. */
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
    /** JSON with at least one result for a path; as an object of `expression` and a matcher, a result that matches. */
    matchesJsonPath?: string | PathOperand;
    /** JSON that is valid by this schema. */
    matchesJsonSchema?: unknown;
    /**
     * XML that equals this, ignoring space between elements, comments, and the order of attributes and of differently named
     * elements.
     */
    equalToXml?: string;
    /** XML with at least one result for an XPath 1.0; as an object of `expression` and a matcher, a result that matches. */
    matchesXPath?: string | PathOperand;
    /** A date that the value precedes, such as `2026-01-01T00:00:00Z` or `now -3 days`. */
    before?: string;
    /** A date that the value follows. */
    after?: string;
    /** A date that the value equals, in any notation. */
    equalToDateTime?: string;
    /** A number equal to this one: 1 equals 1.0. */
    equalToNumber?: number | string;
    /** A number greater than this one. */
    greaterThanNumber?: number | string;
    /** A number of at least this one. */
    greaterThanEqualNumber?: number | string;
    /** A number less than this one. */
    lessThanNumber?: number | string;
    /** A number of at most this one. */
    lessThanEqualNumber?: number | string;
    /** `true`: no value. `false` or `no`: any value. */
    absent?: unknown;
    /** Any value, or none. */
    anything?: unknown;
    /** Two or more matchers, all of which must match. */
    and?: ReadonlyArray<InnerBodyMatcher>;
    /** Two or more matchers, at least one of which must match. */
    or?: ReadonlyArray<InnerBodyMatcher>;
    /** A matcher that must not match. */
    not?: InnerBodyMatcher;
    /** A path template, such as `/users/{id}`, for the whole text. */
    matchesPathTemplate?: string;
    /** Exactly one matching value for each of these matchers. */
    hasExactly?: ReadonlyArray<ValueMatcher>;
    /** At least one matching value for each of these matchers; there may be more values. */
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
    /** `true`: ignores case. */
    caseInsensitive?: unknown;
    /** `true`: ignores the order of arrays. */
    ignoreArrayOrder?: unknown;
    /** `true`: allows further members and elements. */
    ignoreExtraElements?: unknown;
    /** `true`: treats a null member as missing. */
    nullsEqualMissing?: unknown;
    /** The draft of JSON Schema: `V4`, `V6`, `V7`, `V201909`, or `V202012`, the default. */
    schemaVersion?: SchemaVersion;
    /**
     * `true`: `${xmlunit.ignore}`, `${xmlunit.isNumber}`, `${xmlunit.isDateTime}` and `${xmlunit.matchesRegex(…)}` are
     * wildcards.
     */
    enablePlaceholders?: unknown;
    /** The start of a placeholder, in place of `${`. */
    placeholderOpeningDelimiterRegex?: unknown;
    /** The end of a placeholder, in place of `}`. */
    placeholderClosingDelimiterRegex?: unknown;
    /** Kinds of difference to ignore, such as `NAMESPACE_URI`, `ATTR_VALUE` or `TEXT_VALUE`. */
    exemptedComparisons?: unknown;
    /** `true`: elements with the same name may come in any order. */
    ignoreOrderOfSameNode?: unknown;
    /** How namespaces are compared: `STRICT`, the default, `LEGACY` or `NONE`. */
    namespaceAwareness?: NamespaceAwareness;
    /** Prefixes of the path and their URIs; without them namespaces are ignored. */
    xPathNamespaces?: unknown;
    /** The format of the request's date: a pattern of Java's `DateTimeFormatter`, `unix` for seconds, `epoch` for milliseconds. */
    actualFormat?: unknown;
    /** Truncates a relative expected date (`now`) to a boundary, such as `first day of month`. */
    truncateExpected?: unknown;
    /** Truncates the request's date to a boundary. */
    truncateActual?: unknown;
    /** `true`: truncates after adding the offset instead of before. */
    applyTruncationLast?: unknown;
    /** The amount of an offset from `now`, with `expectedOffsetUnit`. */
    expectedOffset?: unknown;
    /** The unit of an offset from `now`, with `expectedOffset`. */
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

/** Conditions on a message, and on the request that opened its channel. */
export interface MessagePattern {
    /** The request that opened the channel. */
    channel?: RequestPattern;
    /** A matcher for the message. */
    body?: BodyMatcher;
}

/** A response of a route; without a value, an empty 200. */
export interface Route {
    /** Further conditions, all of which must hold. */
    when?: When;
    /** A label, shown in reports and in the response header `Matched-Stub-Name`. */
    name?: Scalar;
    /** An integer; lower numbers win; by default 5. */
    priority?: Int;
    /** 100 to 999, or a template of a number from 200; by default 200. */
    status?: number | `${number}` | Template;
    /** The reason phrase. */
    statusMessage?: Scalar;
    /** Names and values; a list becomes several header lines. */
    headers?: HeaderFields;
    /** A text; its `Content-Type` is `text/plain` unless set in `headers`. */
    body?: Scalar | Uint8Array;
    /** Any value, sent as compact JSON. A string that is a single expression, `{{…}}`, becomes the expression's value. */
    json?: unknown;
    /** Bytes in Base64. */
    base64?: Scalar;
    /** A file below `__files`; its `Content-Type` follows from its extension. */
    file?: BodyFile;
    /** `true`: if the file is missing, the next matching route answers. */
    fallThrough?: Flag;
    /** `false`: sends `{{…}}` literally. `true`: also renders the content of the file. */
    template?: boolean;
    /**
     * The delay before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte: 100ms,
     * perChunk: 20ms}`.
     */
    delay?: Duration | Delays | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Template;
    /** Sends the body in chunks over a time. */
    dribble?: Dribble;
    /** Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`. */
    fault?: FaultKind | Fault | ReadonlyArray<Fault> | null;
    /** An object of your own, for the admin API. */
    metadata?: object | null;
    /** The state of a scenario in which the route answers, and the state that it sets. */
    scenario?: Scenario;
    /** Names and templates of values to store in the session's state. */
    capture?: { [name: string]: Scalar | { [name: string]: Scalar } };
    /** The CORS policy. */
    cors?: Cors;
    /** A webhook to call after the response was sent: a URL, or an object. */
    webhook?: string | Webhook;
    /** Several webhooks. */
    webhooks?: ReadonlyArray<string | Webhook>;
    /** Holds the response at a gate until a test releases it. */
    hold?: Hold;
    /** Events or chunks in place of a body. */
    stream?: StreamContent;
    /** The operation of an OpenAPI document that answers. */
    openapi?: Contract;
    /** Informational responses before this one, such as `[103]`. */
    early?: Early;
    /** Header fields after the body, which is then sent in chunks. */
    trailers?: HeaderFields;
    /** Supports range requests with `Range`. */
    ranges?: Flag;
    /** Answers 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. */
    conditional?: Flag;
    /** The server to forward the request to: a URL, or an object. */
    proxy?: string | Template | RouteProxy;
    /** The number of requests to answer; then the next matching route answers. */
    times?: number | `${number}` | null;
    /** How long the route exists, such as `30s`. */
    ttl?: Duration | null;
    /** Whether it answers; with `false` it is only listed. */
    enabled?: Flag;
    /** Several responses, one for each request; `{per: path.id, responses: […]}` for each value of a request. */
    sequence?: ReadonlyArray<RouteEntry> | RouteSequence;
    /** What follows the last response of a sequence: `repeatLast`, the default, `loop` or `notFound`. */
    onEnd?: End | null;
    /** `random`: picks a response at random, by weight. */
    select?: Selection | null;
    /** The request value by which sequences are kept separately, such as `path.id`. */
    per?: SequenceKey | null;
    /** A UUID for the admin API; by default derived from the file's path, the key and the position in a list. */
    id?: Uuid;
}

/** One response of a sequence. */
export interface RouteEntry {
    /** 100 to 999, or a template of a number from 200; by default 200. */
    status?: number | `${number}` | Template;
    /** The reason phrase. */
    statusMessage?: Scalar;
    /** Names and values; a list becomes several header lines. */
    headers?: HeaderFields;
    /** A text; its `Content-Type` is `text/plain` unless set in `headers`. */
    body?: Scalar | Uint8Array;
    /** Any value, sent as compact JSON. A string that is a single expression, `{{…}}`, becomes the expression's value. */
    json?: unknown;
    /** Bytes in Base64. */
    base64?: Scalar;
    /** A file below `__files`; its `Content-Type` follows from its extension. */
    file?: BodyFile;
    /** `false`: sends `{{…}}` literally. `true`: also renders the content of the file. */
    template?: boolean;
    /**
     * The delay before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte: 100ms,
     * perChunk: 20ms}`.
     */
    delay?: Duration | Delays | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Template;
    /** Sends the body in chunks over a time. */
    dribble?: Dribble;
    /** Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`. */
    fault?: FaultKind | Fault | ReadonlyArray<Fault> | null;
    /** Holds the response at a gate until a test releases it. */
    hold?: Hold;
    /** Events or chunks in place of a body. */
    stream?: StreamContent;
    /** The operation of an OpenAPI document that answers. */
    openapi?: Contract;
    /** Informational responses before this one, such as `[103]`. */
    early?: Early;
    /** Header fields after the body, which is then sent in chunks. */
    trailers?: HeaderFields;
    /** Supports range requests with `Range`. */
    ranges?: Flag;
    /** Answers 304 to a client that has this version, by `If-None-Match` or `If-Modified-Since`. */
    conditional?: Flag;
    /** The server to forward the request to: a URL, or an object. */
    proxy?: string | Template | RouteProxy;
    /** The weight in a random choice, with select: random. */
    weight?: number | `${number}`;
}

/** Several responses, and their order. */
export interface RouteSequence {
    /** What follows the last response; by default repeatLast. */
    onEnd?: End | null;
    /** random: picks a response at random, by weight. */
    select?: Selection | null;
    /**
     * The request value by which sequences are kept separately: path.id, query.page, header.X-User, cookie.sid, or a JSONPath
     * of the body.
     */
    per?: SequenceKey | null;
    /** The responses. */
    responses: ReadonlyArray<RouteEntry>;
}

/** A collection of records: the list and its records, with all their methods. */
export interface RouteResource {
    /** The initial records, or the name of their file. */
    data?: Records;
    /** The field that holds a record's key; by default id. */
    key?: Scalar;
    /** The JSON Schema that records from clients must satisfy, or the name of its file. */
    schema?: SchemaDocument;
    /** The name of the collection; by default taken from the path. */
    collection?: Scalar;
    /** true: removing a record also removes its dependent records. */
    cascade?: Flag;
    /** true: changes by requests are written back to the file in data. */
    write?: Flag;
    /** Further conditions, all of which must hold. */
    when?: When;
    /** A label, shown in reports and in the response header `Matched-Stub-Name`. */
    name?: Scalar;
    /** An integer; lower numbers win; by default 5. */
    priority?: Int;
    /** Names and values; a list becomes several header lines. */
    headers?: HeaderFields;
    /** `false`: sends `{{…}}` literally. `true`: also renders the content of the file. */
    template?: boolean;
    /**
     * The delay before the first byte: `120ms`, `{uniform: [50ms, 500ms]}`, `{median: 80ms, sigma: 0.4}`, `{firstByte: 100ms,
     * perChunk: 20ms}`.
     */
    delay?: Duration | Delays | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Template;
    /** Sends the body in chunks over a time. */
    dribble?: Dribble;
    /** Breaks the connection in place of an answer, or changes the answer: `{cutAfter: 50%, then: rst}`. */
    fault?: FaultKind | Fault | ReadonlyArray<Fault> | null;
    /** An object of your own, for the admin API. */
    metadata?: object | null;
    /** The state of a scenario in which the route answers, and the state that it sets. */
    scenario?: Scenario;
    /** Names and templates of values to store in the session's state. */
    capture?: { [name: string]: Scalar | { [name: string]: Scalar } };
    /** The CORS policy. */
    cors?: Cors;
    /** A webhook to call after the response was sent: a URL, or an object. */
    webhook?: string | Webhook;
    /** Several webhooks. */
    webhooks?: ReadonlyArray<string | Webhook>;
    /** Holds the response at a gate until a test releases it. */
    hold?: Hold;
    /** Informational responses before this one, such as `[103]`. */
    early?: Early;
    /** Header fields after the body, which is then sent in chunks. */
    trailers?: HeaderFields;
    /** Supports range requests with `Range`. */
    ranges?: Flag;
    /** The server to forward the request to: a URL, or an object. */
    proxy?: string | Template | RouteProxy;
    /** The number of requests to answer; then the next matching route answers. */
    times?: number | `${number}` | null;
    /** How long the route exists, such as `30s`. */
    ttl?: Duration | null;
    /** Whether it answers; with `false` it is only listed. */
    enabled?: Flag;
}

/** Defaults for all routes of this file; a route's own values take precedence. */
export interface Defaults {
    /** The path prefix of each route; a trailing slash is ignored. */
    basePath?: string;
    /** Headers added to each response without a header of the same name. */
    headers?: HeaderFields;
    /** The delay of each response without its own. */
    delay?: Duration | Delays | UniformDelay | LognormalDelay | GaussianDelay | ExponentialDelay | Template;
    /** `true`: a client that has the version of a response gets a 304. */
    conditional?: Flag;
    /** `true`: a route whose file is missing leaves the request to the next matching one. */
    fallThrough?: Flag;
    /** The CORS policy of each route without its own. */
    cors?: Cors;
    /**
     * Additional names of secrets, such as `[iban, X-Card]`, for the whole server, its log and reports, and for recordings
     * into the folder.
     */
    redact?: Scalar | ReadonlyArray<Scalar>;
}

/** Sends the body in chunks over a time. */
export interface Dribble {
    /** The number of chunks. */
    chunks: number;
    /** The sum of the pauses. */
    over: Duration;
}

/** A named state machine shared by routes. */
export interface Scenario {
    /** The scenario's name. */
    name: Scalar;
    /** The state in which the route answers; by default any. The initial state is `Started`. */
    from?: Scalar;
    /** The state that the route sets; by default unchanged. */
    to?: Scalar;
}

/** The server to forward requests to, and options. WireMock has the same as fields of a response. */
export interface RouteProxy {
    /** The URL to which path and query are appended. */
    to: Scalar;
    /** A prefix to remove from the path. */
    removePrefix?: Scalar;
    /** Headers to add to the request. */
    headers?: HeaderFields;
    /** The names of headers to remove from the request. */
    removeHeaders?: Scalar | ReadonlyArray<Scalar>;
    /** true: host names in answers are rewritten to this server's. */
    rewriteHost?: Flag;
    /** true: uses HTTP/2, as gRPC requires. */
    http2?: Flag;
}

/** A webhook to call after the response was sent. Its texts are templates. */
export interface Webhook {
    /** The method; by default POST with a body, otherwise GET. */
    method?: Scalar;
    /** The URL to call. */
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
    /** The delay before it is sent. */
    delay?: Delay;
    /** How often a failed call is repeated. */
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

/** How often a failed call is repeated, and the wait before. */
export interface Retry {
    /** The maximum number of retries; by default 3. */
    times?: number;
    /** The wait before the first retry; it doubles for each further one. */
    backoff?: number | Duration;
}

/** A header that signs the body. */
export interface HMAC {
    /** The key of the signature. */
    secret: Scalar;
    /** The hash; by default sha256. */
    algorithm?: HMACAlgorithm | Scalar;
    /** The name of the header; by default X-Signature. */
    header?: Scalar;
    /** The encoding of the signature; by default hex. */
    format?: "hex" | "base64";
    /** A prefix for the signature, such as sha256=. */
    prefix?: Scalar;
}

/** Conditions in addition to the route's key. */
export interface When {
    /** A method, a list of methods, or `{noneOf: […]}`; only if the key says `ANY`. */
    method?: Method | (string & {}) | ReadonlyArray<string> | MethodSet;
    /** `http` or `https`. */
    scheme?: "http" | "https";
    /** The requested host, without the port. */
    host?: Condition;
    /** The requested port. */
    port?: number | `${number}`;
    /** The client's address, or the value of `X-Forwarded-For` if present. */
    clientIp?: Condition;
    /** Names and values or matchers; names compare case-insensitively. */
    headers?: { [name: string]: Conditions };
    /** Names and values or matchers, in addition to those in the key. */
    query?: { [name: string]: Conditions };
    /** Names and values or matchers of a form, `application/x-www-form-urlencoded`. */
    form?: { [name: string]: Conditions };
    /** The variables of the key with values or matchers; `**` are named `0`, `1`, …. */
    path?: { [name: string]: Condition };
    /** Names and values or matchers. */
    cookies?: { [name: string]: Condition };
    /** A user of basic authentication, `{username, password}`. */
    basicAuth?: RouteBasicAuth;
    /** A text, a matcher, JSON, or a list of these; all must match. */
    body?: unknown;
    /** This JSON, with members in any order. */
    json?: unknown;
    /** A path that must have a result, a list of paths, or an object with paths and expected results. */
    jsonPath?: unknown;
    /** JSON that is valid by this schema. */
    jsonSchema?: unknown;
    /** This XML. */
    xml?: string;
    /** An XPath that must have a result, a list, or an object with paths and expected results. */
    xPath?: unknown;
    /** Parts of the body: one, or a list. */
    multipart?: RoutePart | ReadonlyArray<RoutePart>;
    /** A GraphQL query, or `{operationName, query, variables}`. */
    graphql?: string | Graphql;
    /**
     * The claims and header of the token in `Authorization`, without verification of its signature: `{claims: {…}, header:
     * {…}}`.
     */
    jwt?: Jwt;
    /** A custom matcher by its name, or `{name, parameters}`. */
    custom?: string | CustomMatcher;
    /** Conditions on the client certificate: `{subject: {contains: CN=alice}}`; `alternativeNames` may be a list. */
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

/** Conditions on the client certificate. */
export interface RouteCertificate {
    /** The subject in RFC 2253 notation: CN=alice,O=Example. */
    subject?: Condition;
    /** The issuer in the same notation. */
    issuer?: Condition;
    /** The serial number in hexadecimal digits. */
    serialNumber?: Condition;
    /** The SHA-256 of the DER encoding in hexadecimal digits. */
    fingerprint?: Condition;
    /** The start of its validity. */
    notBefore?: Condition;
    /** The end of its validity. */
    notAfter?: Condition;
    /** Its alternative names, each with its type: DNS:alice.example. */
    alternativeNames?: Conditions;
    /** The certificate in PEM. */
    pem?: Condition;
}

/** A part of a multipart body. */
export interface RoutePart {
    /** The part's name in `Content-Disposition`. */
    name?: Scalar;
    /** The file name in `Content-Disposition`. */
    file?: Scalar;
    /** `true`: every part must match. */
    every?: Flag;
    /** Names and values or matchers; names compare case-insensitively. */
    headers?: { [name: string]: Conditions };
    /** A text, a matcher, JSON, or a list of these; all must match. */
    body?: unknown;
    /** This JSON, with members in any order. */
    json?: unknown;
    /** A path that must have a result, a list of paths, or an object with paths and expected results. */
    jsonPath?: unknown;
    /** JSON that is valid by this schema. */
    jsonSchema?: unknown;
    /** This XML. */
    xml?: string;
    /** An XPath that must have a result, a list, or an object with paths and expected results. */
    xPath?: unknown;
}

/** Settings for all stubs of a session: WireMock's global settings. */
export interface Settings {
    /** The delay in milliseconds of each response whose stub has no `fixedDelayMilliseconds`. */
    fixedDelay?: Int;
    /** A random delay for each response whose stub has no `delayDistribution`. */
    delayDistribution?: Distribution;
    /** JSON for your own use. */
    extended?: object | null;
    /** Whether proxy requests that match no stub are forwarded to the requested server. */
    proxyPassThrough?: Flag;
    /** The time that templates and date matchers call now; by default the real time. An addition to WireMock. */
    clock?: Clock | null;
    /** The delays of each response whose stub has no `delays`. An addition to WireMock. */
    delays?: Delays | null;
    /** The factor on each delay; by default the daemon's. An addition to WireMock. */
    timeScale?: number | null;
    /**
     * The server to which requests without a stub or file are forwarded; by default they are answered with a mismatch report.
     * An addition to WireMock.
     */
    passThrough?: PassThrough | null;
    /**
     * The treatment of requests that violate an OpenAPI document; by default the document's, or else the daemon's. An addition
     * to WireMock.
     */
    openapiValidate?: ContractCheck | null;
}

/** The clock of templates and date matchers. An addition to WireMock's settings. */
export interface Clock {
    /** A fixed time. */
    frozen?: Time;
    /** The offset from the real time, such as -3 days or 2h. */
    offset?: string;
    /** The time at which it starts; by default the real one. */
    from?: Time;
    /** The speed, as a multiple of real time. */
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
