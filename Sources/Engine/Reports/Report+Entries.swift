public import SDStubModel

extension Report {
    /// The session of a test, with the test's name.
    public struct Test: Sendable, Hashable {
        /// The session's id.
        public var id: String
        public var name: String?

        public init(id: String, name: String?) {
            self.id = id
            self.name = name
        }

        /// The name, or the id of a session without one.
        public var label: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? id }
    }

    /// How the command of a run failed.
    public enum CommandFailure: Sendable, Hashable {
        /// The exit status, as shells report it.
        case status(Int)
        /// The command had not ended when its time was over.
        case overdue

        /// Parses a member of a report query: a status from 1 to 255 or `overdue`; nil for any other text.
        public init?(_ word: String) {
            if word == "overdue" {
                self = .overdue
            } else if let status = Int(word), (1...255).contains(status) {
                self = .status(status)
            } else {
                return nil
            }
        }

        /// The failure as a clause.
        package var text: String {
            switch self {
            case .status(let status): "the command failed with status \(status)"
            case .overdue: "the command did not end in time"
            }
        }
    }

    /// Unmatched requests of one method, URL and body.
    public struct Unmatched: Sendable {
        /// The child session of the requests; nil for the report's own.
        public var test: Test?
        public var method: String
        public var url: String
        public var count: Int
        /// The sequence number of the first request.
        public var sequence: UInt64
        /// The nearest stub; nil if there is none.
        public var nearest: Nearest?
        /// The child session whose stub would have answered it, if it had named the session; nil for none.
        public var owner: Test?
        /// How to get it answered other than by a stub, without a full stop; nil if a stub is the way.
        public var remedy: String?

        public init(method: String, url: String, count: Int, sequence: UInt64, nearest: Nearest?) {
            self.method = method
            self.url = url
            self.count = count
            self.sequence = sequence
            self.nearest = nearest
        }

        /// The nearest stub, if it is near enough to be meant.
        public var meant: Nearest? { nearest.flatMap { $0.isFar ? nil : $0 } }
        /// How to get it answered, without a full stop.
        public var advice: String {
            if let owner {
                return "The session of \(owner.label) has this stub; the request came without its identity"
            }
            return remedy ?? nearest?.change ?? "There are no stubs"
        }
    }

    /// The stub nearest to a request.
    public struct Nearest: Sendable {
        public var stub: StubReference
        /// The distance, from 0 for a match to 1.
        public var distance: Double
        /// Why the stub does not answer: a clause for each failed condition.
        public var differences: [String]
        /// The smallest change with which it would answer, without a full stop.
        public var change: String
        /// All conditions.
        public var conditions: [Condition]
        /// Whether its URL is different altogether, so that it was not meant.
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

    /// A condition of a stub, with the request's value.
    public struct Condition: Sendable {
        public var name: String
        public var expected: String
        /// The request's value; nil if it is absent.
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
        /// The child session of the requests; nil for the report's own.
        public var test: Test?
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
        /// The child session of the stub; nil for the report's own.
        public var test: Test?
        public var stub: StubReference
        public var count: Int

        public init(stub: StubReference, count: Int) {
            self.stub = stub
            self.count = count
        }
    }

    /// An expectation that was not met.
    public struct Unmet: Sendable {
        /// The child session of the expectation; nil for the report's own.
        public var test: Test?
        public enum Kind: String, Sendable {
            /// A call to verify or to wait for requests.
            case verification
            /// A stub with unused `times`.
            case times
            /// A stub whose responses were not all sent.
            case responses
        }

        public var kind: Kind
        /// The name of the expectation, or its request.
        public var name: String
        /// The result, without a full stop.
        public var text: String
        public var stub: StubReference?

        public init(kind: Kind, name: String, text: String, stub: StubReference? = nil) {
            self.kind = kind
            self.name = name
            self.text = text
            self.stub = stub
        }
    }

    /// A kind of fault, and how often it acted.
    public struct ActedFault: Sendable, Hashable {
        /// The child session of the fault; nil for the report's own.
        public var test: Test?
        /// The name of its key, or of WireMock's fault.
        public var fault: String
        /// The outcome for the answer; nil if the name says it.
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

    /// A file that could not be loaded.
    public struct FileProblem: Sendable {
        /// The path in messages, relative to the daemon's working folder.
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

    /// Requests of one kind, and their answer.
    public struct Asked: Sendable {
        public var test: Test?
        public var method: String
        public var url: String
        public var count: Int
        /// The status of the answers; nil if the client got none, as for an open answer or one that a fault ended.
        public var status: Int?
        public var stub: StubReference?
        /// What answered instead of a stub, such as `the file a.txt`; nil for nothing.
        public var answer: String?
        /// Whether the answer is still open.
        public var isOpen = false
        /// How an answer without a status ended, such as `neverAnswer`; nil for nothing to report.
        public var ending: String?
        /// The rule that answered instead of a stub, if it is in a file.
        public var rule: Rule?

        public init(method: String, url: String, count: Int, status: Int?, stub: StubReference?, answer: String?) {
            self.method = method
            self.url = url
            self.count = count
            self.status = status
            self.stub = stub
            self.answer = answer
        }
    }

    /// Answers of one kind that broke off.
    public struct Aborted: Sendable, Hashable {
        public var test: Test?
        public var method: String
        public var url: String
        public var count: Int
        public var stub: StubReference?
        /// The reason, without a full stop.
        public var reason: String

        public init(method: String, url: String, count: Int, stub: StubReference?, reason: String) {
            self.method = method
            self.url = url
            self.count = count
            self.stub = stub
            self.reason = reason
        }
    }

    /// Answers of one kind that have not ended.
    public struct Open: Sendable, Hashable {
        public enum State: String, Sendable {
            /// The response is not made yet.
            case waiting
            /// The response waits at a gate.
            case held
            /// The delay has not passed. Only here a disconnected client may be undetected.
            case delayed
            case sending
        }

        public var test: Test?
        public var method: String
        public var url: String
        public var count: Int
        public var stub: StubReference?
        public var state: State
        /// The gate at which it waits; nil for none.
        public var gate: String?

        public init(method: String, url: String, count: Int, stub: StubReference?, state: State, gate: String? = nil) {
            self.method = method
            self.url = url
            self.count = count
            self.stub = stub
            self.state = state
            self.gate = gate
        }

        /// Whether it counts as broken: its client's disconnect is undetectable, and the command that asked has ended.
        public func isBroken(_ report: Report) -> Bool { report.hasCommandEnded && state == .delayed }

        /// What it waits for, as a clause.
        public var text: String {
            switch state {
            case .waiting: "waits for its response"
            case .held: "held" + (gate.map { " at the gate \"\($0)\"" } ?? "")
            case .delayed: "in its delay"
            case .sending: "being sent"
            }
        }
    }

    /// A slow answer, in milliseconds.
    public struct Slow: Sendable {
        public var test: Test?
        public var method: String
        public var url: String
        public var stub: StubReference?
        public var time: Double
        /// The part of the time that is a delay of the stub or of a fault.
        public var delay: Double

        public init(method: String, url: String, stub: StubReference?, time: Double, delay: Double) {
            self.method = method
            self.url = url
            self.stub = stub
            self.time = time
            self.delay = delay
        }
    }

    /// Webhooks of one kind.
    public struct Webhook: Sendable {
        public enum State: String, Sendable {
            /// Answered with a status below 400.
            case sent
            case failed
            /// Not sent or not answered yet.
            case pending
        }

        public var test: Test?
        public var method: String
        public var url: String
        public var stub: StubReference?
        public var state: State
        /// The result as a clause: `answered 204`, `not sent when the run ended`.
        public var text: String
        public var count: Int

        public init(
            method: String, url: String, stub: StubReference?, state: State, text: String, count: Int = 1
        ) {
            self.method = method
            self.url = url
            self.stub = stub
            self.state = state
            self.text = text
            self.count = count
        }

        public var isBad: Bool { state != .sent }
    }
}
