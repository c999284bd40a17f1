import SDAnswering
import SDContracts
import SDJSON
import SDOpenAPI
import SDReports
import Synchronization

/// What the requests of a session used of its contracts, and what of them a contract did not allow.
final class ContractLedger: Sendable {
    enum Side: String, Sendable, Hashable {
        case request, answer
    }

    /// The most kinds of violations that are kept.
    private static let mostKinds = 1_000

    struct Use: Sendable {
        var count = 0
        var statuses: [Int: Int] = [:]
        var parameters: Set<String> = []
        var violations = 0
    }

    private struct Kind: Hashable {
        let contract: String
        let operation: Int
        let side: Side
        let location: Violation.Location
        let name: String?
        let keyword: String?
        let pointer: String
    }

    private struct State {
        var uses: [String: [Int: Use]] = [:]
        var kinds: [Kind: Int] = [:]
        var entries: [Report.ContractViolation] = []
        var violations = 0
        /// The kinds that the log was told of.
        var told: Set<Kind> = []
    }

    private let state = Mutex(State())
    /// Whether the ends of answers are noted.
    let isListening = Atomic(false)

    /// Forgets what was seen; the log is told of no kind twice all the same.
    func begin() {
        state.withLock { state in
            let told = state.told
            state = State(told: told)
        }
    }

    /// Notes an answer of an operation.
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

    /// Notes what a contract does not allow.
    /// - Parameter tell: called with a line for each kind that comes for the first time.
    func note(_ violations: [Violation], in side: Side, _ found: FoundOperation, _ tell: (String) -> Void) {
        guard !violations.isEmpty else { return }
        let operation = found.operation
        var lines: [String] = []
        state.withLock { state in
            state.violations += 1
            state.uses[found.contract.name, default: [:]][found.index, default: Use()].violations += 1
            for violation in violations {
                let kind = Kind(
                    contract: found.contract.name, operation: found.index, side: side, location: violation.location,
                    name: violation.name, keyword: violation.keyword,
                    pointer: violation.pointer.tokens.map { Int($0) == nil ? $0 : "*" }.joined(separator: "/"))
                if let place = state.kinds[kind] {
                    state.entries[place].count += 1
                } else if state.entries.count < Report.most {
                    state.kinds[kind] = state.entries.count
                    state.entries.append(
                        Report.ContractViolation(
                            contract: found.contract.name, operation: operation.key, side: side.rawValue,
                            text: violation.text, count: 1))
                }
                if state.told.count < Self.mostKinds, state.told.insert(kind).inserted {
                    lines.append(
                        "the contract \(found.contract.name) does not allow this \(side.rawValue) of \(operation.key): "
                            + violation.text)
                }
            }
        }
        for line in lines { tell(line) }
    }

    /// The number of requests and answers that a contract did not allow.
    var violations: Int { state.withLock { $0.violations } }
    var entries: [Report.ContractViolation] { state.withLock { $0.entries } }
    func uses(of contract: ServedContract) -> [Int: Use] { state.withLock { $0.uses[contract.name] ?? [:] } }
}
