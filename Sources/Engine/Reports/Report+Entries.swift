public import SDStubModel

extension Report {
    /// The session of a test, whose name it has.
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
        /// Its exit status, as shells have it.
        case status(Int)
        /// It had not ended when its time was over.
        case overdue

        /// Reads the word of a question, a status from 1 to 255 or `overdue`; nil for any other.
        public init?(_ word: String) {
            if word == "overdue" {
                self = .overdue
            } else if let status = Int(word), (1...255).contains(status) {
                self = .status(status)
            } else {
                return nil
            }
        }

        /// A clause.
        package var text: String {
            switch self {
            case .status(let status): "the command failed with status \(status)"
            case .overdue: "the command did not end in time"
            }
        }
    }

    /// Requests of one method, URL and body that nothing answered.
    public struct Unmatched: Sendable {
        /// The begun session that it is of; nil for the report's own.
        public var test: Test?
        public var method: String
        public var url: String
        public var count: Int
        /// The sequence of the first of them.
        public var sequence: UInt64
        /// The stub nearest to it; nil if there is none.
        public var nearest: Nearest?
        /// The begun session whose nearest stub would have answered it, had it said whose it was; nil for none.
        public var owner: Test?
        /// What it takes in place of a stub, a sentence without a full stop; nil for what stubs answer.
        public var remedy: String?

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
        /// The begun session that it is of; nil for the report's own.
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
        /// The begun session that it is of; nil for the report's own.
        public var test: Test?
        public var stub: StubReference
        public var count: Int

        public init(stub: StubReference, count: Int) {
            self.stub = stub
            self.count = count
        }
    }

    /// What was expected and did not come.
    public struct Unmet: Sendable {
        /// The begun session that it is of; nil for the report's own.
        public var test: Test?
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
    public struct ActedFault: Sendable, Hashable {
        /// The begun session that it is of; nil for the report's own.
        public var test: Test?
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

    /// Requests of one kind, and what answered them.
    public struct Asked: Sendable {
        public var test: Test?
        public var method: String
        public var url: String
        public var count: Int
        /// The status of the answers; nil where the client got none, as of one that is still open or that a fault ended.
        public var status: Int?
        public var stub: StubReference?
        /// What answered in place of a stub, such as `the file a.txt`; nil for nothing.
        public var answer: String?
        /// Whether the answer is still open.
        public var isOpen = false
        /// What became of an answer without a status, such as `neverAnswer`; nil for nothing to tell.
        public var ending: String?
        /// What answered in place of a stub, if it stands in a file.
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
        /// Why, a sentence without a full stop.
        public var reason: String

        public init(method: String, url: String, count: Int, stub: StubReference?, reason: String) {
            self.method = method
            self.url = url
            self.count = count
            self.stub = stub
            self.reason = reason
        }
    }

    /// Answers of one kind that had not ended.
    public struct Open: Sendable, Hashable {
        public enum State: String, Sendable {
            /// The response is still to be made.
            case waiting
            /// It waits at a gate.
            case held
            /// Its delay has not passed. Only of such an answer the client may have left without a sign.
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

        /// Whether it counts as broken off: its client cannot be seen to leave, and the command that asked has ended.
        public func isBroken(_ report: Report) -> Bool { report.hasCommandEnded && state == .delayed }

        /// What it waits for, a clause.
        public var text: String {
            switch state {
            case .waiting: "waits for its response"
            case .held: "held" + (gate.map { " at the gate \"\($0)\"" } ?? "")
            case .delayed: "in its delay"
            case .sending: "being sent"
            }
        }
    }

    /// An answer that took long, in milliseconds.
    public struct Slow: Sendable {
        public var test: Test?
        public var method: String
        public var url: String
        public var stub: StubReference?
        public var time: Double
        /// The delay of the stub or of a fault that is in it.
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
            /// Still to be sent, or to be answered.
            case pending
        }

        public var test: Test?
        public var method: String
        public var url: String
        public var stub: StubReference?
        public var state: State
        /// What came of it, a clause: `answered 204`, `not sent when the run ended`.
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
