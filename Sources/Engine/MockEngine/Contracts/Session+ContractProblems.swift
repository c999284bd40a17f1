import SDAnswering
import SDBasics
import SDContracts
import SDHTTPMessages
import SDJSON
import SDJournal
import SDOpenAPI
import SDPlatform
import SDRequestTemplates
public import SDStubModel

/// Checks of the fixed parts of stubs' answers against contracts.
extension Session {
    /// Returns where a stub violates contracts: an unknown operation, an undeclared status, or an invalid body.
    /// - Parameter document: the file name of the only contract to check; nil for all contracts of the session. Then
    ///   paths outside the contracts are allowed.
    public func contractProblems(of stub: StubMapping, in document: String? = nil) -> [ModelProblem] {
        if document == nil {
            let problems = Self.namedAnswers(in: stub).flatMap { self.problems(of: $0.answer, at: $0.place) }
            if !problems.isEmpty { return problems }
        }
        guard hasContracts, stub.response.openapi == nil, stub.resource == nil,
            let path = Self.examplePath(of: stub.request.url)
        else { return [] }
        var missing: ModelProblem?
        for contract in contracts where document.map({ $0 == contract.settings.file }) ?? true {
            guard let own = contract.ownPath(of: path) else {
                if document != nil, missing == nil {
                    missing = ModelProblem(
                        pointer: JSONPointer(["request"]), message: "the contract \(contract.name) has no path \(path)",
                        expected: contract.prefixes.first.map { "a path below \($0)" })
                }
                continue
            }
            let methods = Self.methods(of: stub.request.method)
            var wrong: ModelProblem?
            for method in methods {
                switch contract.contract.find(method: method, path: own) {
                case .operation(let operation, _, _):
                    return problems(of: stub, contract, operation)
                case .wrongMethod(let allowed):
                    wrong = ModelProblem(
                        pointer: JSONPointer(["request", "method"]),
                        message:
                            "the contract \(contract.name) has no \(methods.joined(separator: ", ")) for this path",
                        expected: allowed.joined(separator: ", "))
                case .nothing(let nearest):
                    wrong = ModelProblem(
                        pointer: JSONPointer(["request"]), message: "the contract \(contract.name) has no path \(own)",
                        suggestion: nearest)
                }
            }
            if missing == nil { missing = wrong }
        }
        return document == nil ? [] : missing.map { [$0] } ?? []
    }

    private func problems(of stub: StubMapping, _ contract: ServedContract, _ operation: APIOperation) -> [ModelProblem]
    {
        guard let responses = stub.responses else {
            return problems(of: stub.response, ["response"], contract, operation)
        }
        return responses.entries.enumerated().flatMap { index, entry in
            problems(of: entry.response, ["responses", String(index)], contract, operation)
        }
    }

    private func problems(
        of response: ResponseDefinition, _ place: [String], _ contract: ServedContract, _ operation: APIOperation
    ) -> [ModelProblem] {
        guard response.proxyBaseUrl == nil, response.fault == nil, response.stream == nil,
            response.statusTemplate == nil, response.openapi == nil
        else { return [] }
        let (body, member) = fixedBody(of: response)
        let answer = ContractAnswer(
            status: response.status,
            headers: response.headers.flatMap { header in header.values.map { (name: header.name, value: $0) } },
            body: body ?? [])
        return contract.contract.violations(in: answer, to: operation, budget: newBudget).compactMap { violation in
            var pointer = place
            switch violation.location {
            case .status: pointer.append("status")
            case .header, .contentType: pointer.append("headers")
            case .body:
                guard body != nil else { return nil }
                pointer.append(member)
                if member == "jsonBody" { pointer += violation.pointer.tokens }
            default: break
            }
            if violation.location == .contentType, body == nil { return nil }
            // The message says what was expected and what was found.
            return ModelProblem(
                pointer: JSONPointer(pointer),
                message: "the contract \(contract.name) does not allow this answer of \(operation.key): "
                    + violation.message
            )
        }
    }

    /// The fixed body of a response, and the member that states it; a nil body if a template makes it.
    private func fixedBody(of response: ResponseDefinition) -> (body: [UInt8]?, member: String) {
        func fixed(_ bytes: [UInt8], _ member: String) -> ([UInt8]?, String) {
            let isTemplate = options.response.templating.applies(to: response)
            return (isTemplate && String(decoding: bytes, as: UTF8.self).contains(text: "{{") ? nil : bytes, member)
        }
        if let body = response.body { return fixed(Array(body.utf8), "body") }
        if let json = response.jsonBody { return fixed(json.compactBytes, "jsonBody") }
        if let text = response.base64Body, let bytes = try? Base64.decode(text) { return (bytes, "base64Body") }
        if let name = response.bodyFileName {
            guard !name.utf8.contains(UInt8(ascii: "{")), let file = try? files.read(name) else {
                return (nil, "bodyFileName")
            }
            return fixed(Array(file.content.prefix(16 << 20)), "bodyFileName")
        }
        return ([], "body")
    }

    /// A path that a pattern accepts; nil if none can be derived.
    private static func examplePath(of url: URLPattern) -> String? {
        switch url {
        case .url(let text), .urlPath(let text): return String(text.prefix { $0 != "?" })
        case .urlPathTemplate(let text):
            guard !text.contains(text: "**") else { return nil }
            var path = ""
            var rest = text[...]
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
                path += rest[..<open] + "1"
                rest = rest[rest.index(after: close)...]
            }
            return path + rest
        case .any, .urlPattern, .urlPathPattern: return nil
        }
    }

    private static func methods(of method: MethodPattern) -> [String] {
        switch method {
        case .exactly(let name): [name]
        case .oneOf(let names): names
        case .any, .noneOf: ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE"]
        }
    }
}
