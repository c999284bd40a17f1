import SDBasics
import SDJSON
import SDOpenAPI
import SDPlatform
import SDStubModel

/// Composes an answer.
struct AnswerWriter {
    let contract: Contract
    let request: ContractRequest
    let operation: APIOperation
    let wishes: AnswerPreferences
    let budget: WorkBudget
    var maker: ValueMaker
    /// The seed of generated values: equal requests get equal answers.
    let seed: UInt64

    init(
        _ contract: Contract, _ request: ContractRequest, _ operation: APIOperation, _ wishes: AnswerPreferences,
        _ budget: WorkBudget
    ) {
        self.contract = contract
        self.request = request
        self.operation = operation
        self.wishes = wishes
        self.budget = budget
        maker = ValueMaker(contract, wishes: wishes, echoes: Echoes(request, operation), budget: budget)
        var seed = ValueLocation.mixed(wishes.seed, "\(request.method) \(request.path)?\(request.query ?? "") ")
        seed = ValueLocation.mixed(seed, String(decoding: request.body.prefix(4_096), as: UTF8.self))
        self.seed = seed
    }

    mutating func answer() throws(ContractRefusal) -> MadeAnswer {
        if let problem = operation.problem { throw Self.refusal(problem, at: operation.place) }
        // The operation declares nothing, so the answer is empty.
        if operation.responses.isEmpty, wishes.status == nil, wishes.example == nil { return MadeAnswer(status: 200) }
        let (response, status) = try chosenResponse()
        if let problem = response.problem { throw Self.refusal(problem, at: response.place) }
        var answer = MadeAnswer(status: status)
        if let choice = try chosenContent(of: response), Self.hasBody(status) {
            maker.status = status >= 400 ? status : nil
            var writer = BodyWriter(maker: maker, choice: choice, seed: seed)
            let body = try writer.body(example: wishes.example)
            answer.headers.append(("Content-Type", body.type))
            answer.body = body.bytes
            answer.example = body.example
        } else if let name = wishes.example {
            throw ContractRefusal(
                .noSuchExample, message: "The answer has no body, and so no example", found: name, place: response.place
            )
        }
        for header in response.headers {
            if let value = try HeaderMaker.value(of: header, &maker, seed: seed) {
                answer.headers.append((header.name, value))
            }
        }
        // Results found after the budget was exhausted do not count.
        guard !budget.isSpent else {
            throw ContractRefusal(
                .outOfBudget, message: "Making this answer takes more work than a request may cause",
                place: response.place)
        }
        return answer
    }

    private static func refusal(_ problem: ModelProblem, at place: DocumentSet.Place) -> ContractRefusal {
        ContractRefusal(
            .brokenOperation, message: problem.message, expected: problem.expected, found: problem.found, place: place)
    }

    /// Whether answers with a status have bodies (RFC 9110, section 6.4.1).
    private static func hasBody(_ status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }

    private func chosenResponse() throws(ContractRefusal) -> (APIResponse, status: Int) {
        if let choice = ResponseChoice(of: operation, status: wishes.status) { return (choice.response, choice.status) }
        guard let status = wishes.status else {
            throw ContractRefusal(
                .brokenOperation, message: "The operation \(operation.key) declares no final answer",
                place: operation.place)
        }
        throw ContractRefusal(
            .noSuchStatus, message: "The operation \(operation.key) declares no answer with this status",
            expected: operation.responses.isEmpty ? nil : "one of \(ResponseChoice.list(of: operation))",
            found: String(status), place: operation.place)
    }

    private func chosenContent(of response: APIResponse) throws(ContractRefusal) -> ContentChoice? {
        guard !response.contents.isEmpty else { return nil }
        let accept = request.headers.filter { $0.name.lowercased() == "accept" }.map(\.value)
        let choice = ContentChoice.best(of: response.contents, accept: accept)
        if choice == nil, wishes.isStrictAboutAccept {
            throw ContractRefusal(
                .notAcceptable, message: "The answer has no content type that the client accepts",
                expected: "one of \(response.contents.map(\.type).joined(separator: ", "))",
                found: accept.joined(separator: ", "), place: response.place)
        }
        guard let chosen = choice ?? ContentChoice.first(of: response.contents) else { return nil }
        // An example requested by name may have another content type, if the client accepts it.
        guard let name = wishes.example, !chosen.content.examples.contains(where: { $0.name == name }),
            let other = response.contents.first(where: { $0.examples.contains { $0.name == name } }),
            !wishes.isStrictAboutAccept || ContentChoice.best(of: [other], accept: accept) != nil
        else { return chosen }
        return ContentChoice.first(of: [other])
    }
}
