import SDPlatform
import Synchronization

/// The limits of a check of stubs: its processor time, and a connected client. Used on one thread.
final class CheckLimits {
    /// Whether the client has disconnected; set by its loop.
    final class Client: Sendable {
        private let left = Atomic(false)

        var hasLeft: Bool { left.load(ordering: .relaxed) }
        func leave() { left.store(true, ordering: .relaxed) }
    }

    let budget: WorkBudget
    private let client: Client
    /// What was not checked.
    private(set) var leftOut: [String] = []

    /// The budget steps for checking one stub.
    private static let stub = 1_000
    private static let work = WorkBudget.Work("look at stubs", "validate")

    init(_ budget: WorkBudget, _ client: Client) {
        self.budget = budget
        self.client = client
    }

    var hasClientLeft: Bool { client.hasLeft }

    /// Whether to check another stub.
    func goesOn() -> Bool { !client.hasLeft && budget.spend(Self.stub, for: Self.work) }

    /// Records what was not checked completely, if the check was cut short.
    func note(_ what: @autoclosure () -> String) {
        if budget.isSpent { leftOut.append(what()) }
    }

    /// A sentence about what was not checked; nil if everything was.
    var text: String? {
        guard !leftOut.isEmpty else { return nil }
        return "The check was given up after \(budget.limit / 1_000_000) ms of processor time (--match-budget). "
            + "Not checked, or not completely: \(leftOut.joined(separator: ", "))"
    }
}
