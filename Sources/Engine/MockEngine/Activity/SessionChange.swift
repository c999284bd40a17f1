public import StubModel
import Synchronization

/// What callers and files do to a session, as its event stream tells it.
public enum SessionChange: Sendable, Hashable {
    /// A stub that came, was edited or went.
    case stub(StubEdit, StubName)
    /// An import of so many stubs.
    case imported(Int)
    /// All stubs went.
    case allStubsRemoved
    /// Stubs as the files have them, scenarios in their first states, an empty journal.
    case reset
    /// The journal was emptied.
    case requestsForgotten
    /// A scenario was set to a state.
    case scenario(String, state: String)
    /// All scenarios went to their first states.
    case scenariosReset
    /// Files were read again.
    case reload(FileReload)

    public enum StubEdit: String, Sendable, Hashable {
        case added, edited, removed
    }

    /// What tells a stub from others.
    public struct StubName: Sendable, Hashable {
        public let id: StubMapping.ID
        public let name: String?

        public init(_ mapping: StubMapping) {
            id = mapping.id
            name = mapping.name
        }
    }
}

/// What came of reading stub files again.
public struct FileReload: Sendable, Hashable {
    public struct Problem: Sendable, Hashable {
        public let isError: Bool
        /// With the file and the place in it.
        public let text: String

        public init(isError: Bool, text: String) {
            self.isError = isError
            self.text = text
        }
    }

    /// Those that changed or went; nil where the whole folder was read.
    public let files: [String]?
    public let problems: [Problem]

    public init(files: [String]?, problems: [Problem]) {
        self.files = files
        self.problems = problems
    }
}

/// A change and its place among the changes and requests of its session.
struct NumberedChange: Sendable {
    /// Begins at 1.
    let number: UInt64
    /// So many requests were decided before it.
    let served: UInt64
    let change: SessionChange
}

/// The last changes of a session, for listeners who were away.
final class ChangeLog: Sendable {
    private struct State {
        var count: UInt64 = 0
        var kept: [NumberedChange] = []
    }

    static let capacity = 256
    private let state = Mutex(State())

    func append(_ change: SessionChange, served: UInt64) -> NumberedChange {
        state.withLock { state in
            state.count += 1
            let numbered = NumberedChange(number: state.count, served: served, change: change)
            // Half of it at once, so that most changes move nothing.
            if state.kept.count == 2 * Self.capacity { state.kept.removeFirst(Self.capacity) }
            state.kept.append(numbered)
            return numbered
        }
    }

    /// The number of the last change, and what is kept of the changes, the oldest first.
    var all: (last: UInt64, kept: [NumberedChange]) {
        state.withLock { ($0.count, $0.kept) }
    }
}
