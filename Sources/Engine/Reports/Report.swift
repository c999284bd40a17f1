public import SDBasics
public import SDStubModel

/// What a server, or a session of it, saw: values as people may read them, and the verdict. Lists hold the first
/// entries only; their counts have all.
public struct Report: Sendable {
    /// The largest number of entries of a kind.
    public static let most = 100

    /// The id of the session; nil for the first.
    public var session: String?
    /// The session's name.
    public var name: String?
    /// The folder of the stubs, to be written before the files of stubs.
    public var folder: String?
    /// The time in milliseconds since the beginning of the server, or of the session.
    public var duration = 0

    // MARK: Requests

    public var served = 0
    /// The number of requests that were sent on because no stub and no file answered.
    public var passedThrough = 0
    /// The number of requests that do not count, as their paths say.
    public var ignored = 0
    /// The number of requests that the journal has dropped, and that no list has as they came.
    public var evicted = 0
    /// Whether there is a journal.
    public var isRecorded = true
    public var unmatchedCount = 0
    /// Requests that nothing answered, each kind of them once, the oldest first.
    public var unmatched: [Unmatched] = []
    public var failedCount = 0
    /// Requests whose stub could not be served, each kind of them once.
    public var failed: [Failed] = []
    public var timings: Timings?
    /// What the sessions were asked that were begun through this one.
    public var begun = BegunSessions()

    // MARK: Stubs

    /// Stubs that have answered, in the order in which they are tried.
    public var used: [Used] = []
    public var usedCount = 0
    /// Stubs that have answered nothing, without inherited ones.
    public var unused: [StubReference] = []
    public var unusedCount = 0
    public var unmet: [Unmet] = []
    public var unmetCount = 0
    /// The faults that acted, by stub and kind.
    public var faults: [ActedFault] = []
    /// The number of times that faults acted.
    public var faultCount = 0
    /// What could not be loaded of the stub files.
    public var files: [FileProblem] = []
    public var fileProblemCount = 0

    /// The reasons that fail the verdict where they are met.
    public var failing: [FailReason] = FailReason.usual

    public init() {}

    // MARK: Verdict

    /// How often each reason is met.
    public func count(_ reason: FailReason) -> Int {
        switch reason {
        case .unmatched: unmatchedCount
        case .unused: unusedCount
        case .unmet: unmetCount
        case .fault: faultCount
        case .error: failedCount + fileProblemCount
        }
    }

    /// The reasons for which the verdict is bad.
    public var reasons: [FailReason] { failing.filter { count($0) > 0 } }

    public var hasPassed: Bool { reasons.isEmpty }

    /// `passed` or `failed`.
    public var verdict: String { hasPassed ? "passed" : "failed" }

    // MARK: Entries

    /// Requests of one method, URL and body that nothing answered.
    public struct Unmatched: Sendable {
        public var method: String
        public var url: String
        public var count: Int
        /// The sequence of the first of them.
        public var sequence: UInt64
        /// The stub nearest to it; nil if there is none.
        public var nearest: Nearest?

        public init(method: String, url: String, count: Int, sequence: UInt64, nearest: Nearest?) {
            self.method = method
            self.url = url
            self.count = count
            self.sequence = sequence
            self.nearest = nearest
        }

        /// The nearest stub, if it is so near that it may be meant.
        public var meant: Nearest? { nearest.flatMap { $0.isFar ? nil : $0 } }
        /// What would have it answered, a sentence without a full stop.
        public var advice: String { nearest?.change ?? "There are no stubs" }
    }

    /// The stub nearest to a request.
    public struct Nearest: Sendable {
        public var stub: StubReference
        /// From 0 for a match to 1.
        public var distance: Double
        /// What keeps the stub from answering, a clause for each condition.
        public var differences: [String]
        /// The smallest change with which it would answer, a sentence without a full stop.
        public var change: String
        /// All conditions.
        public var conditions: [Condition]
        /// Whether its URL is another one altogether, so that nobody meant this stub.
        public var isFar: Bool

        public init(
            stub: StubReference, distance: Double, differences: [String], change: String, conditions: [Condition],
            isFar: Bool = false
        ) {
            self.stub = stub
            self.distance = distance
            self.differences = differences
            self.change = change
            self.conditions = conditions
            self.isFar = isFar
        }
    }

    /// A condition of a stub beside the request's value.
    public struct Condition: Sendable {
        public var name: String
        public var expected: String
        /// Nil for a value that is absent.
        public var actual: String?
        public var passes: Bool

        public init(name: String, expected: String, actual: String?, passes: Bool) {
            self.name = name
            self.expected = expected
            self.actual = actual
            self.passes = passes
        }
    }

    /// Requests of one kind whose stub could not be served, for one reason.
    public struct Failed: Sendable {
        public var method: String
        public var url: String
        public var count: Int
        public var sequence: UInt64
        public var stub: StubReference?
        public var reason: String

        public init(
            method: String, url: String, count: Int, sequence: UInt64, stub: StubReference?, reason: String
        ) {
            self.method = method
            self.url = url
            self.count = count
            self.sequence = sequence
            self.stub = stub
            self.reason = reason
        }
    }

    /// A stub that has answered.
    public struct Used: Sendable {
        public var stub: StubReference
        public var count: Int

        public init(stub: StubReference, count: Int) {
            self.stub = stub
            self.count = count
        }
    }

    /// What was expected and did not come.
    public struct Unmet: Sendable {
        public enum Kind: String, Sendable {
            /// A call to verify or to wait for requests.
            case verification
            /// A stub that was to answer a number of times.
            case times
            /// A stub whose responses were not all sent.
            case responses
        }

        public var kind: Kind
        /// What was expected: the name of an expectation, or a request.
        public var name: String
        /// What came of it, a sentence without a full stop.
        public var text: String
        public var stub: StubReference?

        public init(kind: Kind, name: String, text: String, stub: StubReference? = nil) {
            self.kind = kind
            self.name = name
            self.text = text
            self.stub = stub
        }
    }

    /// A kind of fault, with how often it acted.
    public struct ActedFault: Sendable {
        /// The name of its key, or that of WireMock's fault.
        public var fault: String
        /// What became of the answer; nil if the name says it.
        public var outcome: String?
        /// The name or id of the session's fault; nil for one of the stub.
        public var source: String?
        public var stub: StubReference?
        public var count: Int

        public init(fault: String, outcome: String?, source: String?, stub: StubReference?, count: Int) {
            self.fault = fault
            self.outcome = outcome
            self.source = source
            self.stub = stub
            self.count = count
        }
    }

    /// What could not be loaded.
    public struct FileProblem: Sendable {
        /// The path as messages name it, relative to the daemon's working folder.
        public var file: String
        public var line: Int?
        public var column: Int?
        public var message: String

        public init(file: String, line: Int?, column: Int?, message: String) {
            self.file = file
            self.line = line
            self.column = column
            self.message = message
        }
    }
}
