public import SDJSON

/// The faults of a stub's response, or of a session: rules that may apply together. An addition to WireMock's four
/// faults.
public struct FaultPlan: Sendable, Hashable {
    /// The rules in order of application.
    public let rules: [FaultRule]
    /// The plan as written: an object, or a list of objects.
    public let json: JSONValue

    init(rules: [FaultRule], json: JSONValue) {
        self.rules = rules
        self.json = json
    }

    /// Makes a plan from rules, which apply in this order.
    public init(_ rules: [FaultRule]) {
        let objects = rules.map { JSONValue.object($0.json) }
        let json = objects.count == 1 ? objects[0] : .array(objects)
        var reader = ModelReader()
        // Reads its own JSON back, so that equal plans have equal rules.
        self = Self.read(json, &reader) ?? FaultPlan(rules: rules, json: json)
    }
}

/// One fault: its effects on an answer, and its conditions.
public struct FaultRule: Sendable, Hashable {
    /// Replaces the whole answer, before all other changes; nil keeps the response.
    public var replacement: Replacement?
    /// The changes to the answer, in order.
    public var changes: [Change] = []
    /// A delay before the first byte, in milliseconds.
    public var delay: DelayDistribution?
    /// The rate at which request bodies are read; only in rules of a session.
    public var readRate: ByteRate?
    /// Whether request bodies are never read; only in rules of a session.
    public var neverReads = false
    /// The conditions under which the rule applies; empty means always.
    public var conditions = Conditions()

    /// What is sent in place of the response.
    public enum Replacement: Sendable, Hashable {
        /// Nothing, and the connection stays open until the client closes it.
        case nothing
        /// A status with a short text.
        case status(Int)
        /// One of WireMock's faults.
        case fault(Fault)
    }

    /// The point at which an answer is cut.
    public enum Cut: Sendable, Hashable {
        /// Before the head: nothing is sent.
        case nothing
        /// After that many bytes of the body.
        case byte(Int)
        /// After a share of the body, from 0 to 1.
        case share(Double)
        /// After the head, before the first byte of the body.
        case head
        /// After that many whole chunks; an unchunked body is one chunk.
        case chunk(Int)
    }

    /// The conditions under which a rule applies: all must hold.
    public struct Conditions: Sendable, Hashable {
        /// The probability, from 0 to 1; nil for always.
        public var probability: Double?
        /// Applies to that many requests, from the first.
        public var first: Int?
        /// A header; `first` is counted separately for each of its values.
        public var firstPer: String?
        /// A time window, in milliseconds since the start or last reset of the session.
        public var between: Range<Int>?
        /// Applies to requests beyond this quota.
        public var quota: Quota?
        /// The maximum number of concurrent answers; applies to requests beyond it.
        public var concurrency: Int?

        /// Makes conditions that always hold.
        public init() {}
    }

    /// Makes a rule without effects.
    public init() {}

    /// Whether the rule affects how requests are read.
    public var isAboutUploads: Bool { readRate != nil || neverReads }

    /// Whether the rule affects answers.
    public var changesAnswers: Bool { replacement != nil || !changes.isEmpty || delay != nil }
}

/// A rate in bytes per second.
public struct ByteRate: Sendable, Hashable {
    /// The number of bytes per second.
    public var bytesPerSecond: Int

    /// Makes a rate of bytes per second.
    public init(bytesPerSecond: Int) {
        self.bytesPerSecond = bytesPerSecond
    }
}
