public import SDJSON

/// WireMock's response definition: the answer of a stub.
public struct ResponseDefinition: Sendable, Hashable {
    /// The status code.
    public var status: Int = 200
    /// The template of a status in place of a number: an addition to WireMock's field `status`.
    public var statusTemplate: String?
    /// The words after the status; nil for the usual ones.
    public var statusMessage: String?
    /// The headers in the order of the document, one entry per name; several values are several header lines.
    public var headers: [ResponseHeader] = []
    /// A text. Of several bodies the first of `body`, `jsonBody`, `base64Body` and `bodyFileName` counts.
    public var body: String?
    /// JSON, sent in compact form.
    public var jsonBody: JSONValue?
    /// Bytes in Base64.
    public var base64Body: String?
    /// The path of a file under `__files`.
    public var bodyFileName: String?
    /// The wait before the first byte, in milliseconds.
    public var fixedDelayMilliseconds: Int?
    /// The template of a fixed delay in place of a number: an addition to WireMock's field `fixedDelayMilliseconds`.
    public var fixedDelayTemplate: String?
    /// A delay drawn for each response, added to the fixed one.
    public var delayDistribution: DelayDistribution?
    /// The body in pieces, over a time.
    public var chunkedDribbleDelay: DribbleDelay?
    /// One of WireMock's faults, in place of status, headers and body.
    public var fault: Fault?
    /// The faults that `fault` states as an object, or as a list of them.
    public var faults: FaultPlan?
    /// The delays before the first byte and before each chunk; an addition.
    public var delays: ResponseDelays?
    /// The server that the request is sent on to.
    public var proxyBaseUrl: String?
    /// The text that is taken from the beginning of the path before the request is sent on.
    public var proxyUrlPrefixToRemove: String?
    /// The headers that are added before the request is sent on.
    public var additionalProxyRequestHeaders: [ResponseHeader] = []
    /// The names of headers that are removed before the request is sent on.
    public var removeProxyRequestHeaders: [String] = []
    /// Whether the server that the request is sent on to is called in HTTP/2; nil counts as false. An addition to WireMock's
    /// fields.
    public var proxyHttp2: Bool?
    /// The names of transformers; `response-template` makes the response a template.
    public var transformers: [String] = []
    /// The values that a template finds under `parameters`.
    public var transformerParameters: JSONObject?
    /// Whether the response is a template, whatever its transformers and the daemon's options say; nil if these decide.
    /// An addition to WireMock's fields.
    public var template: Bool?
    /// Whether a string of the JSON body that is nothing but an expression becomes a number, boolean or null where the
    /// expression's value is one: the parameter `keepTypes` of the transformer, which the shorthand sets.
    public var keepsTypes: Bool { transformerParameters?["keepTypes"]?.boolValue == true }
    /// False in the answer to an unmatched request, nil otherwise.
    public var fromConfiguredStub: Bool?

    // Additions to WireMock's responses.

    /// The gate at which the response waits before anything is sent.
    public var hold: GateHold?
    /// The pieces that are sent in place of a body.
    public var stream: StreamDefinition?
    /// The informational responses before this one.
    public var early: [EarlyResponse] = []
    /// The fields after a body that is sent in chunks.
    public var trailers: [ResponseHeader] = []
    /// Whether a request may ask for parts of the body; nil counts as false.
    public var ranges: Bool?
    /// Whether a client that has this version already gets a 304; nil counts as false.
    public var conditional: Bool?
    /// Whether the next matching stub answers if the body file is missing; nil counts as false.
    public var fallThrough: Bool?

    /// Makes a response of a status, without a body.
    public init(status: Int = 200) {
        self.status = status
    }
}

/// A header field: a name, and a line for each value.
public struct ResponseHeader: Sendable, Hashable {
    /// The name in the letter case in which it is sent.
    public var name: String
    /// The values, in order.
    public var values: [String]

    /// Makes a field of its values.
    public init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}

/// A delay in milliseconds that is drawn for each response.
public enum DelayDistribution: Sendable, Hashable {
    /// A delay of the same length each time.
    case fixed(milliseconds: Int)
    /// A uniform distribution, both bounds included.
    case uniform(lower: Int, upper: Int)
    /// `round(exp(N(0, 1) · sigma) · median)`, redrawn up to ten times if it exceeds `maxValue`, then capped.
    case lognormal(median: Double, sigma: Double, maxValue: Double?)
    /// A normal distribution, cut at 0 and at `maxValue`. An addition to WireMock's distributions, like the next.
    case gaussian(mean: Double, standardDeviation: Double, maxValue: Double?)
    /// Many short delays and few long ones, cut at `maxValue`.
    case exponential(mean: Double, maxValue: Double?)
}

/// Sends the body in equal chunks, with a pause of `totalDuration / numberOfChunks` milliseconds before each.
public struct DribbleDelay: Sendable, Hashable {
    /// The number of chunks.
    public var numberOfChunks: Int
    /// The sum of all pauses, in milliseconds.
    public var totalDuration: Int

    /// Makes a dribble of chunks over a time in milliseconds.
    public init(numberOfChunks: Int, totalDuration: Int) {
        self.numberOfChunks = numberOfChunks
        self.totalDuration = totalDuration
    }
}
