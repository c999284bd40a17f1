import SDPlatform
import Synchronization

/// How far a check of stubs goes: to the end of its processor time, and as long as its client waits for it. Used on one
/// thread.
final class CheckLimits {
    /// Whether the client has left, which its loop tells.
    final class Client: Sendable {
        private let left = Atomic(false)

        var hasLeft: Bool { left.load(ordering: .relaxed) }
        func leave() { left.store(true, ordering: .relaxed) }
    }

    let budget: WorkBudget
    private let client: Client
    /// What was not looked at.
    private(set) var leftOut: [String] = []

    /// The steps of looking at one stub.
    private static let stub = 1_000
    private static let work = WorkBudget.Work("look at stubs", "validate")

    init(_ budget: WorkBudget, _ client: Client) {
        self.budget = budget
        self.client = client
    }

    var hasClientLeft: Bool { client.hasLeft }

    /// Whether a stub may still be looked at.
    func goesOn() -> Bool { !client.hasLeft && budget.draw(Self.stub, for: Self.work) }

    /// Notes what was not looked at, or not to the end, if the work was given up.
    func note(_ what: @autoclosure () -> String) {
        if budget.isSpent { leftOut.append(what()) }
    }

    /// A sentence on what was not looked at; nil if everything was.
    var text: String? {
        guard !leftOut.isEmpty else { return nil }
        return "The check was given up after \(budget.limit / 1_000_000) ms of processor time (--match-budget). "
            + "Not looked at, or not to the end: \(leftOut.joined(separator: ", "))"
    }
}
