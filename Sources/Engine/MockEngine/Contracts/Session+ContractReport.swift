import SDAnswering
import SDContracts
import SDHTTPTransport
import SDJournal
import SDOpenAPI
import SDReports

extension Session {
    /// Records violations for the log and for the reports of the session and its parents.
    /// - Parameter subject: the operation; the request if it has none.
    func noteContract(
        _ violations: [Violation], in side: ContractCounters.Side, _ contract: ServedContract,
        _ subject: (index: Int?, text: String)
    ) {
        guard !violations.isEmpty else { return }
        notes?.add(.violations) { writer in
            writer.add(side.rawValue)
            writer.add(contract.name)
            writer.add(subject.text)
            writer.add(count: subject.index.map { $0 + 1 } ?? 0)
            writer.add(count: violations.count)
            for violation in violations { violation.pack(to: &writer) }
        }
        keep(violations, in: side, contract.name, subject) { trouble?.warned($0) }
    }

    /// Stores violations for the reports.
    func keep(
        _ violations: [Violation], in side: ContractCounters.Side, _ contract: String,
        _ subject: (index: Int?, text: String), _ tell: (String) -> Void
    ) {
        contractLedger.note(violations, in: side, contract, subject, test: nil, tell)
        let test = options.label.map { Report.Test(id: $0, name: options.name.map(redaction.redactedURL)) }
        var next = origin
        while let outer = next {
            outer.childContracts.note(violations, in: side, contract, subject, test: test) { _ in }
            next = outer.origin
        }
    }

    /// Records an answer of an operation for the reports of the session and its parents.
    func noteContract(_ found: FoundOperation, status: Int, parameters: Set<String>) {
        contractLedger.note(found, status: status, parameters: parameters)
        var next = origin
        while let outer = next {
            outer.childContracts.note(found, status: status, parameters: parameters)
            next = outer.origin
        }
    }

    /// Adds what requests used of the contracts.
    /// - Parameter withChildren: whether child sessions count.
    func addContracts(to report: inout Report, withChildren: Bool) {
        let ledgers = [contractLedger] + (withChildren ? [childContracts] : [])
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
                    Self.coverage(of: operation, uses[index] ?? ContractCounters.Use())
                })
        }
    }

    private static func coverage(
        of operation: APIOperation, _ use: ContractCounters.Use
    ) -> Report.ContractCoverage.Operation {
        var left = use.statuses
        var counts: [APIResponse.Code: Int] = [:]
        // A status counts for its own answer, else for that of its class, else for the default.
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
    /// The key of the operation in a `ContractCounters`.
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
