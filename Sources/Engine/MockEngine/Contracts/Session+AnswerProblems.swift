import SDAnswering
import SDBasics
import SDContracts
package import SDJSON
import SDOpenAPI
package import SDStubModel

/// Checks of stubs that name answers of OpenAPI operations.
extension Session {
    /// The answers of operations that a stub names, with their pointers in it. Empty for a document's own stubs.
    package static func namedAnswers(in stub: StubMapping) -> [(place: JSONPointer, answer: OpenAPIAnswer)] {
        if let responses = stub.responses {
            return responses.entries.enumerated().compactMap { index, entry in
                entry.response.openapi.map { (JSONPointer(["responses", String(index), "openapi"]), $0) }
            }
        }
        guard let answer = stub.response.openapi,
            answer.document == nil || stub.priority != ServedDescription.priority
        else { return [] }
        return [(JSONPointer(["response", "openapi"]), answer)]
    }

    /// Returns what is missing of an answer that a stub names (document, operation, status or example), or that several
    /// match.
    package func problems(of answer: OpenAPIAnswer, at place: JSONPointer) -> [ModelProblem] {
        func problem(
            _ member: String, _ message: String, among names: [String], meant: String
        ) -> [ModelProblem] {
            // An operation alone is written as a plain string, without a member.
            let isAlone = answer.document == nil && answer.code == nil && answer.example == nil && answer.answers == nil
            let listed = names.count <= Self.maxNamed ? names : []
            return [
                ModelProblem(
                    pointer: isAlone ? place : place.appending(member), message: message,
                    expected: listed.isEmpty ? nil : listed.joined(separator: ", "),
                    suggestion: nearestName(to: meant, among: names))
            ]
        }
        var candidates = contracts
        if let name = answer.document {
            guard let contract = candidates.first(where: { $0.name == name }) else {
                return problem(
                    "document", "there is no OpenAPI document \(name)", among: candidates.map(\.name), meant: name)
            }
            candidates = [contract]
        }
        let found = candidates.compactMap { contract in
            contract.index(of: answer.operation).map { FoundOperation(contract, $0) }
        }
        guard let first = found.first else {
            let message =
                candidates.isEmpty
                ? "there is no OpenAPI document, which is to have the operation \(answer.operation)"
                : "\(candidates.map(\.name).joined(separator: ", ")) has no operation \(answer.operation)"
            var names = Set(candidates.flatMap(\.operationNames))
            // An operation that is written as method and path gets suggestions of that form.
            if answer.operation.contains(" ") {
                names = Set(candidates.flatMap { $0.contract.description.operations.map(\.key) })
            }
            return problem("operation", message, among: names.sorted(), meant: answer.operation)
        }
        if found.count > 1 {
            let names = found.map(\.contract.name)
            return [
                ModelProblem(
                    pointer: place,
                    message: "\(names.count) OpenAPI documents have the operation \(answer.operation), and that of "
                        + "\(names[0]) answers",
                    expected: "document: \(names.joined(separator: " or "))")
            ]
        }
        let operation = first.operation
        guard let response = operation.answer(with: answer.code) else {
            guard let code = answer.code else { return [] }
            return problem(
                "code", "\(operation.key) declares no status \(code)", among: [operation.statusNames], meant: "")
        }
        guard let example = answer.example,
            !response.contents.contains(where: { $0.examples.contains { $0.name == example } })
        else { return [] }
        var names: [String] = []
        for content in response.contents {
            for example in content.examples where !example.name.isEmpty && !names.contains(example.name) {
                names.append(example.name)
            }
        }
        return problem(
            "example", "this answer of \(operation.key) has no example \(example)", among: names, meant: example)
    }

    /// The largest number of names that a message suggests.
    private static var maxNamed: Int { 5 }
}
