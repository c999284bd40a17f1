import SDPlatform
public import SDStubModel
import Synchronization

/// A change by callers or files, as the session's event stream reports it.
public enum SessionChange: Sendable, Hashable {
    /// A stub was added, edited or removed.
    case stub(StubEdit, StubName)
    /// A number of stubs was imported.
    case imported(Int)
    /// All stubs were removed.
    case allStubsRemoved
    /// The stubs were reset to those of the files, the scenarios to their first states, and the journal was emptied.
    case reset
    /// The journal was emptied.
    case requestsForgotten
    /// A scenario was set to a state.
    case scenario(String, state: String)
    /// All scenarios were set to their first states.
    case scenariosReset
    /// Files were read again.
    case reload(FileReload)
    /// A request moved a scenario.
    case scenarioMoved(String, state: String)
    case gate(GateNote)
    /// A fault of the session was added or removed; without an id, several were removed at once.
    case fault(FaultEdit, id: StubMapping.ID?, name: String?)
    case recording(isStarted: Bool)
    /// The settings were changed.
    case setting
    /// A channel was opened or has ended.
    case channel(ChannelNote)
    /// A message was received or is sent.
    case message(MessageNote)

    public enum StubEdit: String, Sendable, Hashable {
        case added, edited, removed
    }

    public enum FaultEdit: String, Sendable, Hashable {
        case added, removed, cleared
    }

    /// An event at a gate.
    public struct GateNote: Sendable, Hashable {
        public enum Change: String, Sendable, Hashable {
            case waiting, released, failed, opened, closed
            /// The request timed out, or its client has disconnected.
            case left
        }

        public let name: String
        public let change: Change
        /// The number of released requests; nil if the note is not about several.
        public let count: Int?
        /// The sequence number of the request, if the note is about one.
        public let sequence: UInt64?

        package init(_ name: String, _ change: Change, count: Int? = nil, sequence: UInt64? = nil) {
            self.name = name
            self.change = change
            self.count = count
            self.sequence = sequence
        }
    }

    /// The id and the name of a stub.
    public struct StubName: Sendable, Hashable {
        public let id: StubMapping.ID
        public let name: String?
        /// The request that the stub answers, as the key of a route.
        public let key: String

        public init(_ mapping: StubMapping) {
            id = mapping.id
            name = mapping.name
            key = mapping.request.routeKey
        }
    }
}

/// The result of reading stub files again.
public struct FileReload: Sendable, Hashable {
    public struct Problem: Sendable, Hashable {
        public let isError: Bool
        /// The message, with file and location.
        public let text: String

        public init(isError: Bool, text: String) {
            self.isError = isError
            self.text = text
        }
    }

    /// The files that changed or were removed; nil if the whole folder was read.
    public let files: [String]?
    public let problems: [Problem]

    public init(files: [String]?, problems: [Problem]) {
        self.files = files
        self.problems = problems
    }
}

/// A change with its number among the changes and requests of its session.
package struct NumberedChange: Sendable {
    /// The number of the change, from 1.
    package let number: UInt64
    /// The number of requests decided before the change.
    package let served: UInt64
    package let change: SessionChange
    /// The time of the change, in milliseconds since 1970.
    package var time: UInt64 = 0
}

/// The last changes of a session, for listeners that reconnect.
package final class ChangeLog: Sendable {
    private struct State {
        var count: UInt64 = 0
        var kept: [NumberedChange] = []
    }

    package static let capacity = 256
    private let state = Mutex(State())

    package func append(_ change: SessionChange, served: UInt64) -> NumberedChange {
        state.withLock { state in
            state.count += 1
            let numbered = NumberedChange(
                number: state.count, served: served, change: change,
                time: UInt64(max(SystemCalls.wallClockMilliseconds(), 0)))
            // Removing half of them at once makes most additions cheap.
            if state.kept.count == 2 * Self.capacity { state.kept.removeFirst(Self.capacity) }
            state.kept.append(numbered)
            return numbered
        }
    }

    /// The number of the last change, and the stored changes, oldest first.
    package var all: (last: UInt64, kept: [NumberedChange]) {
        state.withLock { ($0.count, $0.kept) }
    }
}
