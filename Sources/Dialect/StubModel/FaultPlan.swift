public import SDJSON

/// The faults of a stub's response, or of a session: rules that may act together. An addition to WireMock's four
/// faults.
public struct FaultPlan: Sendable, Hashable {
    /// The rules in the order in which they act.
    public let rules: [FaultRule]
    /// The plan as it was written: an object, or a list of them.
    public let json: JSONValue

    init(rules: [FaultRule], json: JSONValue) {
        self.rules = rules
        self.json = json
    }

    /// Makes a plan of rules, which act in this order.
    public init(_ rules: [FaultRule]) {
        let objects = rules.map { JSONValue.object($0.json) }
        let json = objects.count == 1 ? objects[0] : .array(objects)
        var reader = ModelReader()
        // What the rules say is what a reader finds in them.
        self = Self.read(json, &reader) ?? FaultPlan(rules: rules, json: json)
    }
}

/// A rule of what happens to an answer, and when.
public struct FaultRule: Sendable, Hashable {
    /// Replaces the whole answer, before all other changes; nil leaves the response its own.
    public var replacement: Replacement?
    /// The changes of the answer, in the order in which they are made.
    public var changes: [Change] = []
    /// A delay before the first byte, in milliseconds.
    public var delay: DelayDistribution?
    /// The rate at which the bodies of requests are read; only in rules of a session.
    public var readRate: ByteRate?
    /// Whether nothing of the bodies of requests is read; only in rules of a session.
    public var neverReads = false
    /// The conditions under which the rule acts; without any it always does.
    public var conditions = Conditions()

    /// The answer that is sent instead of the response.
    public enum Replacement: Sendable, Hashable {
        /// Nothing, and the connection stays open until the client closes it.
        case nothing
        /// An answer of this status, with a short text.
        case status(Int)
        /// One of WireMock's faults.
        case fault(Fault)
    }

    /// The place of a cut.
    public enum Cut: Sendable, Hashable {
        /// Before the head: nothing is sent.
        case nothing
        /// After that many bytes of the body.
        case byte(Int)
        /// A part of the body, from 0 to 1.
        case share(Double)
        /// After the head, before the first byte of the body.
        case head
        /// After that many whole chunks; a body that is sent at once is one chunk.
        case chunk(Int)
    }

    /// The conditions under which a rule acts: every one has to hold.
    public struct Conditions: Sendable, Hashable {
        /// The probability with which the rule acts, from 0 to 1; nil for always.
        public var probability: Double?
        /// The number of requests, from the first, on which the rule acts.
        public var first: Int?
        /// The header for each value of which `first` counts apart.
        public var firstPer: String?
        /// Milliseconds since the session began or was last reset.
        public var between: Range<Int>?
        /// The rule acts on requests beyond it.
        public var quota: Quota?
        /// The number of answers at a time; the rule acts on requests beyond it.
        public var concurrency: Int?

        /// Makes conditions that always hold.
        public init() {}
    }

    /// Makes a rule that does nothing.
    public init() {}

    /// Whether the rule is about the reading of requests.
    public var isAboutUploads: Bool { readRate != nil || neverReads }

    /// Whether the rule does anything to an answer.
    public var changesAnswers: Bool { replacement != nil || !changes.isEmpty || delay != nil }
}

/// Bytes per second.
public struct ByteRate: Sendable, Hashable {
    /// The number of bytes each second.
    public var bytesPerSecond: Int

    /// Makes a rate of a number of bytes each second.
    public init(bytesPerSecond: Int) {
        self.bytesPerSecond = bytesPerSecond
    }
}
