internal import SDBasics

/// The routings of this process by their numbers, which the classes of their protocols carry.
final class RoutingTable: Sendable {
    static let shared = RoutingTable()

    private struct State {
        var entries: [Int: RoutingEntry] = [:]
        var next = 1
        /// The number of the entry that has `URLSession.shared`.
        var shared: Int?
    }

    private let state = Lock(State())

    /// Takes an entry in under a number that no other had.
    func add(_ entry: RoutingEntry) -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            state.entries[state.next] = entry
            return state.next
        }
    }

    /// The entry of a number; nil once the routing has ended.
    func entry(_ number: Int) -> RoutingEntry? {
        state.withLock { $0.entries[number] }
    }

    func remove(_ numbers: [Int]) {
        state.withLock { state in
            for number in numbers { state.entries[number] = nil }
            if let shared = state.shared, numbers.contains(shared) { state.shared = nil }
        }
    }

    /// The number of the entry that has `URLSession.shared`; nil if none has it.
    var sharedNumber: Int? { state.withLock(\.shared) }

    /// Gives `URLSession.shared` to an entry. False if another has it.
    func takeShared(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.shared == nil else { return false }
            state.shared = number
            return true
        }
    }
}
