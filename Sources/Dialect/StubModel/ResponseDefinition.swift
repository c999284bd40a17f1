import SDJSON

extension ResponseDefinition {
    /// Makes a response of a status, without a body.
    public init(status: Int) {
        self.init()
        self.status = status
    }

    /// Whether a string of the JSON body that is nothing but an expression becomes a number, boolean or null where the
    /// expression's value is one: the parameter `keepTypes` of the transformer, which the shorthand sets.
    public var keepsTypes: Bool { transformerParameters?["keepTypes"]?.boolValue == true }
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
