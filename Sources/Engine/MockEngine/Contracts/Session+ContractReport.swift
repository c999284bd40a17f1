import SDAnswering
import SDContracts
import SDJournal
import SDOpenAPI
import SDReports

extension Session {
    /// Notes what a contract does not allow, for the reports of the session and of those through which it was begun, and for
    /// the log.
    /// - Parameter subject: the operation; where there is none, the request.
    func noteContract(
        _ violations: [Violation], in side: ContractLedger.Side, _ contract: ServedContract,
        _ subject: (index: Int?, text: String)
    ) {
        guard !violations.isEmpty else { return }
        contractLedger.note(violations, in: side, contract.name, subject, test: nil) { trouble?.warned($0) }
        let test = options.label.map { Report.Test(id: $0, name: options.name.map(redaction.shownURL)) }
        var next = origin
        while let outer = next {
            outer.begunContracts.note(violations, in: side, contract.name, subject, test: test) { _ in }
            next = outer.origin
        }
    }

    /// Notes an answer of an operation, for the same reports.
    func noteContract(_ found: FoundOperation, status: Int, parameters: Set<String>) {
        contractLedger.note(found, status: status, parameters: parameters)
        var next = origin
        while let outer = next {
            outer.begunContracts.note(found, status: status, parameters: parameters)
            next = outer.origin
        }
    }

    /// Adds what requests used of its contracts.
    /// - Parameter withBegun: whether those of sessions that were begun through it count.
    func addContracts(to report: inout Report, withBegun: Bool) {
        let ledgers = [contractLedger] + (withBegun ? [begunContracts] : [])
        report.contractCount += ledgers[...].sum(of: \.violations)
        report.contractViolations += ledgers.flatMap(\.entries)
        guard hasContracts else { return }
        report.contracts = contracts.map { contract in
            let uses = ledgers.reduce(into: [:]) { uses, ledger in
                uses.merge(ledger.uses(of: contract)) { $0.adding($1) }
            }
            return Report.ContractCoverage(
                name: contract.name,
                operations: contract.contract.description.operations.enumerated().map { index, operation in
                    Self.coverage(of: operation, uses[index] ?? ContractLedger.Use())
                })
        }
    }

    private static func coverage(
        of operation: APIOperation, _ use: ContractLedger.Use
    ) -> Report.ContractCoverage.Operation {
        var left = use.statuses
        var counts: [APIResponse.Code: Int] = [:]
        // A status belongs to its own answer, or else to that of its class, or else to the default.
        for (status, count) in use.statuses {
            let codes: [APIResponse.Code] = [.status(status), .range(status / 100), .standard]
            guard let code = codes.first(where: { code in operation.responses.contains { $0.code == code } }) else {
                continue
            }
            counts[code, default: 0] += count
            left[status] = nil
        }
        return Report.ContractCoverage.Operation(
            key: operation.key, count: use.count,
            statuses: operation.responses.map { ($0.code.text, counts[$0.code] ?? 0) },
            undeclared: left.keys.sorted(),
            parameters: operation.parameters.map { parameter in
                let name = "\(parameter.location.rawValue) \(parameter.name)"
                return (name, use.parameters.contains(name))
            },
            violations: use.violations)
    }
}

extension FoundOperation {
    /// What a ledger knows it by.
    var subject: (index: Int?, text: String) { (index, operation.key) }
}

extension APIResponse.Code {
    fileprivate var text: String {
        switch self {
        case .status(let status): String(status)
        case .range(let first): "\(first)XX"
        case .standard: "default"
        }
    }
}
