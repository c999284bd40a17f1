import SDAnswering
import SDContracts
import SDJSON
import SDOpenAPI
import SDReports
import Synchronization

/// What the requests of a session used of its contracts, and their violations.
final class ContractCounters: Sendable {
    enum Side: String, Sendable, Hashable {
        case request, answer
    }

    /// The largest number of kinds of violations that are stored.
    private static let maxKinds = 1_000

    struct Use: Sendable {
        var count = 0
        var statuses: [Int: Int] = [:]
        var parameters: Set<String> = []
        var violations = 0

        func adding(_ other: Use) -> Use {
            Use(
                count: count + other.count, statuses: statuses.merging(other.statuses, uniquingKeysWith: +),
                parameters: parameters.union(other.parameters), violations: violations + other.violations)
        }
    }

    private struct Kind: Hashable {
        let contract: String
        let operation: String
        let side: Side
        let location: Violation.Location
        let name: String?
        let keyword: String?
        /// What the keyword expects. Each required name is a kind of its own.
        let expected: String?
        let pointer: String
        let test: String?
    }

    private struct State {
        var uses: [String: [Int: Use]] = [:]
        var kinds: [Kind: Int] = [:]
        var entries: [Report.ContractViolation] = []
        var violations = 0
        /// The kinds that were logged.
        var told: Set<Kind> = []
    }

    private let state = Mutex(State())
    /// Whether a listener records the ends of answers.
    let isListening = Atomic(false)

    /// Clears the counts. Kinds that were logged are not logged again.
    func reset() {
        state.withLock { state in
            let told = state.told
            state = State(told: told)
        }
    }

    /// Records an answer of an operation.
    /// - Parameter parameters: the names of the parameters that the request had.
    func note(_ found: FoundOperation, status: Int, parameters: Set<String>) {
        state.withLock { state in
            var use = state.uses[found.contract.name]?[found.index] ?? Use()
            use.count += 1
            use.statuses[status, default: 0] += 1
            use.parameters.formUnion(parameters)
            state.uses[found.contract.name, default: [:]][found.index] = use
        }
    }

    /// Records violations of a contract.
    /// - Parameters:
    ///   - subject: the operation; the request if it has none.
    ///   - tell: called with a log line for each new kind.
    func note(
        _ violations: [Violation], in side: Side, _ contract: String, _ subject: (index: Int?, text: String),
        test: Report.Test?, _ tell: (String) -> Void
    ) {
        guard !violations.isEmpty else { return }
        var lines: [String] = []
        state.withLock { state in
            state.violations += 1
            if let index = subject.index { state.uses[contract, default: [:]][index, default: Use()].violations += 1 }
            for violation in violations {
                let kind = Kind(
                    contract: contract, operation: subject.text, side: side, location: violation.location,
                    name: violation.name, keyword: violation.keyword, expected: violation.expected,
                    pointer: violation.pointer.tokens.map { Int($0) == nil ? $0 : "*" }.joined(separator: "/"),
                    test: test?.id)
                if let place = state.kinds[kind] {
                    state.entries[place].count += 1
                } else if state.entries.count < Report.most {
                    state.kinds[kind] = state.entries.count
                    state.entries.append(
                        Report.ContractViolation(
                            contract: contract, operation: subject.text, side: side.rawValue, text: violation.text,
                            count: 1, test: test))
                }
                if state.told.count < Self.maxKinds, state.told.insert(kind).inserted {
                    lines.append(
                        "the contract \(contract) does not allow this \(side.rawValue) of \(subject.text): "
                            + violation.text)
                }
            }
        }
        for line in lines { tell(line) }
    }

    /// The number of requests and answers that violated a contract.
    var violations: Int { state.withLock { $0.violations } }
    var entries: [Report.ContractViolation] { state.withLock { $0.entries } }
    func uses(of contract: ServedContract) -> [Int: Use] { state.withLock { $0.uses[contract.name] ?? [:] } }
}
