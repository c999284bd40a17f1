import SDAnswering
import SDContracts
import SDOpenAPI
import SDReports

extension Session {
    /// Adds what requests used of its contracts.
    func addContracts(to report: inout Report) {
        guard hasContracts else { return }
        report.contractCount += contractLedger.violations
        report.contractViolations += contractLedger.entries
        report.contracts = contracts.map { contract in
            let uses = contractLedger.uses(of: contract)
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

extension APIResponse.Code {
    fileprivate var text: String {
        switch self {
        case .status(let status): String(status)
        case .range(let first): "\(first)XX"
        case .standard: "default"
        }
    }
}
