import SDBasics
import SDContracts
package import SDJSON
package import SDOpenAPI
import SDPlatform
import SDStubFiles
package import SDStubModel

/// The operations of an OpenAPI document as stubs of their own: each answers with its usual status, as the document would,
/// and can be changed by hand.
package struct ContractImport: Sendable {
    /// What a stub says no more than its operation did.
    package struct Loss: Sendable, Hashable {
        /// The place of the operation; its document is the description's own.
        package var place: JSONPointer
        /// A sentence without a full stop.
        package var message: String
    }

    /// The stubs, in the order in which they are to be tried.
    package private(set) var stubs: [StubMapping] = []
    /// What could not be taken over, in the order of the document.
    package private(set) var losses: [Loss] = []
    private var comments: [[String]] = []
    private let title: String

    /// Makes stubs.
    /// - Parameters:
    ///   - served: the description with its name.
    ///   - idSeed: what the ids of the stubs come from, beside methods and paths: they stay when it is imported again.
    package init(_ served: ServedDescription, idSeed: String) {
        title = served.description.title
        let contract = Contract(served.description)
        var answers: [Int: ResponseDefinition] = [:]
        for (index, operation) in served.description.operations.enumerated() {
            answers[index] = answer(of: operation, contract)
        }
        if !answers.isEmpty, served.description.operations.contains(where: \.restrictsRequests) {
            losses.insert(
                Loss(place: .root, message: "requests are not checked: serve the document itself for that"), at: 0)
        }
        // Those that are inserted last are tried first.
        for made in served.stubs(idSeed: idSeed).reversed() {
            guard let answer = answers[made.operation] else { continue }
            let operation = served.description.operations[made.operation]
            var stub = made.stub
            stub.name = operation.id
            stub.priority = nil
            stub.response = answer
            stubs.append(stub)
            comments.append(operation.summary.map { [Self.line($0)] } ?? [])
        }
    }

    /// The stubs as routes in YAML.
    /// - Parameter file: the name of the document, for the text's first line.
    package func routes(of file: String) -> String {
        let commented = stubs.indices.map {
            StubFileText.CommentedStub(stub: stubs[$0], comment: comments[$0], keepsID: true)
        }
        let name = title.isEmpty ? "" : Self.line(title) + ", "
        return StubSchema.modeline + "# \(name)imported from \(file)\n\n" + StubFileText.yaml(commented).text
    }

    /// The stubs as WireMock's mappings.
    package var mappings: JSONValue { ["mappings": .array(stubs.map { $0.json(view: .file) })] }

    /// A text on one line.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).first.map { String($0).trimmingBlanks } ?? ""
    }

    // MARK: Answers

    /// The answer of an operation to a request that asks for nothing in particular; nil if there is none.
    private mutating func answer(of operation: APIOperation, _ contract: Contract) -> ResponseDefinition? {
        let place = operation.place.document == 0 ? operation.place.pointer : .root
        func lose(_ message: String) {
            losses.append(Loss(place: place, message: message))
        }
        if let problem = operation.problem {
            lose("\(operation.key) is left out: \(problem)")
            return nil
        }
        let request = ContractRequest(method: operation.method, path: Self.path(of: operation))
        let made: MadeAnswer
        switch contract.answer(to: request, of: operation, wishes: AnswerWishes()) {
        case .success(let answer): made = answer
        case .failure(let refusal):
            lose("\(operation.key) is left out: \(refusal.message)")
            return nil
        }
        let others = operation.responses.filter { $0.code != .status(made.status) && !$0.code.isUsual(made.status) }
        if !others.isEmpty {
            let names = others.map(\.code.text).joined(separator: ", ")
            lose("\(operation.key) answers \(made.status) only, not \(names)")
        }
        let type = made.headers.first { $0.name.lowercased() == "content-type" }?.value
        let types = operation.responses.first { $0.code == .status(made.status) }?.contents.map(\.type) ?? []
        if types.count > 1 {
            lose("\(operation.key) answers with \(type ?? types[0]) only, whatever a request accepts")
        }
        if !operation.calls.isEmpty {
            let names = operation.calls.map(\.name).joined(separator: ", ")
            lose("\(operation.key) makes no callbacks: \(names)")
        }
        return Self.definition(made, type)
    }

    private static func definition(_ made: MadeAnswer, _ type: String?) -> ResponseDefinition {
        var response = ResponseDefinition(status: made.status)
        response.headers = made.headers.map { ResponseHeader($0.name, [$0.value]) }
        if made.body.isEmpty { return response }
        let isJSON = type.map { Self.isJSON($0) } ?? false
        if isJSON, let json = try? JSONValue(parsing: made.body), json.compactText.utf8.elementsEqual(made.body) {
            response.jsonBody = json
        } else if let text = String(validating: made.body, as: UTF8.self), !text.contains("\0") {
            response.body = text
        } else {
            response.base64Body = Base64.encode(made.body)
        }
        return response
    }

    private static func isJSON(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.lowercased().trimmingBlanks
        return name == "application/json" || name == "text/json" || name.hasSuffix("+json")
    }

    /// A path that a request may have.
    private static func path(of operation: APIOperation) -> String {
        var path = operation.path
        for parameter in operation.parameters where parameter.location == .path {
            path = path.replacing(text: "{\(parameter.name)}", with: URLEscaping.component(parameter.sample))
        }
        return path
    }
}

extension APIOperation {
    /// Whether some requests are none of those that it is for.
    fileprivate var restrictsRequests: Bool { !parameters.isEmpty || body != nil || !security.isEmpty }
}

extension APIParameter {
    /// A value that is probably valid.
    fileprivate var sample: String {
        let example = examples.lazy.compactMap(\.value).first ?? schema?.json["example"] ?? schema?.json["default"]
        if let value = example ?? schema?.json["enum"]?[0] { return value.stringValue ?? value.compactText }
        switch schema?.json["type"]?.stringValue {
        case "integer", "number": return "1"
        case "boolean": return "true"
        default: return name
        }
    }
}

extension APIResponse.Code {
    /// The name in the document.
    fileprivate var text: String {
        switch self {
        case .status(let status): String(status)
        case .range(let first): "\(first)XX"
        case .standard: "default"
        }
    }

    /// Whether this is what a status stands for that the document does not name.
    fileprivate func isUsual(_ status: Int) -> Bool { self == .range(status / 100) }
}
