public import JSON

/// WireMock's response definition: the answer of a stub.
public struct ResponseDefinition: Sendable, Hashable {
    public var status: Int = 200
    public var statusMessage: String?
    /// The headers in the order of the document, one entry per name; several values are several header lines.
    public var headers: [ResponseHeader] = []
    public var body: String?
    /// JSON, sent in compact form.
    public var jsonBody: JSONValue?
    public var base64Body: String?
    /// The path of a file under `__files`.
    public var bodyFileName: String?
    public var fixedDelayMilliseconds: Int?
    /// The template of a fixed delay in place of a number: an addition to WireMock's field `fixedDelayMilliseconds`.
    public var fixedDelayTemplate: String?
    public var delayDistribution: DelayDistribution?
    public var chunkedDribbleDelay: DribbleDelay?
    public var fault: Fault?
    /// The faults that `fault` states as an object, or as a list of them.
    public var faults: FaultPlan?
    public var delays: ResponseDelays?
    public var proxyBaseUrl: String?
    public var proxyUrlPrefixToRemove: String?
    public var additionalProxyRequestHeaders: [ResponseHeader] = []
    public var removeProxyRequestHeaders: [String] = []
    public var transformers: [String] = []
    public var transformerParameters: JSONObject?
    /// Whether the response is a template, whatever its transformers and the daemon's options say; nil if these decide.
    /// An addition to WireMock's fields.
    public var template: Bool?
    /// False in the answer to an unmatched request, nil otherwise.
    public var fromConfiguredStub: Bool?

    // Additions to WireMock's responses.

    /// The gate at which the response waits before anything is sent.
    public var hold: GateHold?
    /// What is sent in place of a body, piece by piece.
    public var stream: StreamDefinition?
    /// The informational responses before this one.
    public var early: [EarlyResponse] = []
    /// The fields after a body that is sent in chunks.
    public var trailers: [ResponseHeader] = []
    /// Whether a request may ask for parts of the body; nil counts as false.
    public var ranges: Bool?

    public init(status: Int = 200) {
        self.status = status
    }
}

public struct ResponseHeader: Sendable, Hashable {
    public var name: String
    public var values: [String]

    public init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}

/// The four ways in which WireMock breaks a response. None of them sends the stub's status, headers or body.
public enum Fault: String, Sendable, Hashable, CaseIterable {
    case emptyResponse = "EMPTY_RESPONSE"
    case connectionResetByPeer = "CONNECTION_RESET_BY_PEER"
    case malformedResponseChunk = "MALFORMED_RESPONSE_CHUNK"
    case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
}

/// A delay in milliseconds that is drawn for each response.
public enum DelayDistribution: Sendable, Hashable {
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
    public var numberOfChunks: Int
    public var totalDuration: Int

    public init(numberOfChunks: Int, totalDuration: Int) {
        self.numberOfChunks = numberOfChunks
        self.totalDuration = totalDuration
    }
}
