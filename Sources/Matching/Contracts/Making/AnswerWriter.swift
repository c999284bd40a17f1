import SDBasics
import SDJSON
import SDOpenAPI
import SDPlatform
import SDStubModel

/// Puts an answer together.
struct AnswerWriter {
    let contract: Contract
    let request: ContractRequest
    let operation: APIOperation
    let wishes: AnswerWishes
    let budget: WorkBudget

    init(
        _ contract: Contract, _ request: ContractRequest, _ operation: APIOperation, _ wishes: AnswerWishes,
        _ budget: WorkBudget
    ) {
        self.contract = contract
        self.request = request
        self.operation = operation
        self.wishes = wishes
        self.budget = budget
    }

    mutating func answer() throws(ContractRefusal) -> MadeAnswer {
        if let problem = operation.problem {
            throw ContractRefusal(
                .brokenOperation, message: problem.message, expected: problem.expected, found: problem.found,
                place: operation.place)
        }
        let (response, status) = try chosenResponse()
        var answer = MadeAnswer(status: status)
        if let choice = try chosenContent(of: response), Self.hasBody(status) {
            answer.headers.append(("Content-Type", choice.type))
            (answer.body, answer.example) = try body(choice)
        }
        return answer
    }

    /// Whether answers of a status have bodies (RFC 9110, section 6.4.1).
    private static func hasBody(_ status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }

    private func chosenResponse() throws(ContractRefusal) -> (APIResponse, status: Int) {
        if let choice = ResponseChoice(of: operation, status: wishes.status) { return (choice.response, choice.status) }
        guard let status = wishes.status else {
            throw ContractRefusal(
                .brokenOperation, message: "The operation \(operation.key) declares no answers", place: operation.place)
        }
        throw ContractRefusal(
            .noSuchStatus, message: "The operation \(operation.key) declares no answer with this status",
            expected: operation.responses.isEmpty ? nil : "one of \(ResponseChoice.list(of: operation))",
            found: String(status), place: operation.place)
    }

    private func chosenContent(of response: APIResponse) throws(ContractRefusal) -> ContentChoice? {
        guard !response.contents.isEmpty else { return nil }
        let accept = request.headers.filter { $0.name.lowercased() == "accept" }.map(\.value)
        if let choice = ContentChoice.best(of: response.contents, accept: accept) { return choice }
        guard wishes.isStrictAboutAccept else { return ContentChoice.first(of: response.contents) }
        throw ContractRefusal(
            .notAcceptable, message: "The answer has no content type that the client accepts",
            expected: "one of \(response.contents.map(\.type).joined(separator: ", "))",
            found: accept.joined(separator: ", "), place: response.place)
    }

    // MARK: - Bodies

    private mutating func body(_ choice: ContentChoice) throws(ContractRefusal) -> ([UInt8], example: String?) {
        if let name = wishes.example {
            guard let example = choice.content.examples.first(where: { $0.name == name }) else {
                let names = choice.content.examples.map(\.name).filter { !$0.isEmpty }
                throw ContractRefusal(
                    .noSuchExample, message: "The answer has no example of this name",
                    expected: names.isEmpty ? nil : "one of \(names.joined(separator: ", "))", found: name,
                    place: choice.content.place)
            }
            return (try written(example, choice), name)
        }
        if wishes.source == .examples {
            for example in choice.content.examples {
                return (try written(example, choice), example.name)
            }
        }
        guard let schema = choice.content.schema else { return (Array("{}".utf8), nil) }
        return (simple(schema.json, depth: 0).compactBytes, nil)
    }

    private func written(_ example: APIExample, _ choice: ContentChoice) throws(ContractRefusal) -> [UInt8] {
        if let text = example.serialized { return Array(text.utf8) }
        if let text = example.value?.stringValue, !(MediaRange(choice.type[...])?.isJSON ?? false) {
            return Array(text.utf8)
        }
        return (example.value ?? .null).compactBytes
    }

    private func simple(_ schema: JSONValue, depth: Int) -> JSONValue {
        if let first = schema["enum"]?.arrayValue?.first { return first }
        if let example = schema["example"] ?? schema["default"] { return example }
        if let properties = schema["properties"]?.objectValue, depth < 5 {
            return .object(JSONObject(properties.members.map { ($0.key, simple($0.value, depth: depth + 1)) }))
        }
        switch schema["type"]?.stringValue {
        case "integer", "number": return 1
        case "boolean": return true
        case "array": return .array(schema["items"].map { [simple($0, depth: depth + 1)] } ?? [])
        case "string": return "text"
        default: return [:]
        }
    }
}
