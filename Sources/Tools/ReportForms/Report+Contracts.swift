import SDBasics
import SDJSON
import SDReports

/// The coverage of contracts, as text for several formats.
extension Report.ContractCoverage {
    /// The counts in a line, such as `pets.yaml: 2 of 3 operations used, 2 of 4 statuses, 1 of 2 parameters`.
    var countsText: String {
        "\(name): \(usedOperations) of \(operations.count.of("operation")) used, "
            + "\(statuses.used) of \(statuses.all) statuses, "
            + "\(parameters.used) of \(parameters.all.of("parameter"))"
    }

    /// One line per operation with unused parts, such as `GET /pets: never 404; never query limit`.
    var gapLines: [String] {
        operations.compactMap { operation in
            if operation.count == 0 { return "\(operation.key): never used" }
            var parts: [String] = []
            let statuses = operation.statuses.filter { $0.count == 0 }.map(\.status)
            if !statuses.isEmpty { parts.append("never answered \(statuses.joined(separator: ", "))") }
            let parameters = operation.parameters.filter { !$0.isUsed }.map(\.name)
            if !parameters.isEmpty { parts.append("never had \(parameters.joined(separator: ", "))") }
            if !operation.undeclared.isEmpty {
                parts.append(
                    "answered \(operation.undeclared.map { String($0) }.joined(separator: ", ")), which it does not declare"
                )
            }
            return parts.isEmpty ? nil : "\(operation.key): \(parts.joined(separator: "; "))"
        }
    }

    var json: JSONValue {
        .object([
            "name": .string(name),
            "operationCount": number(operations.count), "usedOperationCount": number(usedOperations),
            "statusCount": number(statuses.all), "usedStatusCount": number(statuses.used),
            "parameterCount": number(parameters.all), "usedParameterCount": number(parameters.used),
            "operations": .array(operations.map(\.json)),
        ])
    }
}

extension Report.ContractCoverage.Operation {
    fileprivate var json: JSONValue {
        .object([
            "operation": .string(key), "count": number(count), "violations": number(violations),
            "statuses": .object(JSONObject(statuses.map { ($0.status, number($0.count)) })),
            "undeclaredStatuses": .array(undeclared.map { number($0) }),
            "usedParameters": .array(parameters.filter(\.isUsed).map { .string($0.name) }),
            "unusedParameters": .array(parameters.filter { !$0.isUsed }.map { .string($0.name) }),
        ])
    }
}

extension Report.ContractViolation {
    /// The violation as one line.
    var line: String { "\(operation), \(side): \(text)" }

    var json: JSONValue {
        var json: JSONObject = [
            "contract": .string(contract), "operation": .string(operation), "side": .string(side),
            "text": .string(text), "count": number(count),
        ]
        json.add(test)
        return .object(json)
    }
}

private func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
