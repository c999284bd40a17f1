internal import SDBasics

/// The routings of this process by number; the protocol classes encode the numbers.
final class RoutingTable: Sendable {
    static let shared = RoutingTable()

    private struct State {
        var entries: [Int: RoutingEntry] = [:]
        var next = 1
        /// The number of the entry that routes `URLSession.shared`.
        var shared: Int?
    }

    private let state = Lock(State())

    /// Adds an entry under a number that was never used.
    func add(_ entry: RoutingEntry) -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            state.entries[state.next] = entry
            return state.next
        }
    }

    /// The entry for a number; nil once the routing has ended.
    func entry(_ number: Int) -> RoutingEntry? {
        state.withLock { $0.entries[number] }
    }

    func remove(_ numbers: [Int]) {
        state.withLock { state in
            for number in numbers { state.entries[number] = nil }
            if let shared = state.shared, numbers.contains(shared) { state.shared = nil }
        }
    }

    /// The number of the entry that routes `URLSession.shared`; nil if none does.
    var sharedNumber: Int? { state.withLock(\.shared) }

    /// Lets an entry route `URLSession.shared`. False if another one does.
    func takeShared(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.shared == nil else { return false }
            state.shared = number
            return true
        }
    }
}
