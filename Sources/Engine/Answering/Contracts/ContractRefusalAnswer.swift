package import SDContracts
package import SDHTTPMessages
import SDJSON
package import SDOpenAPI
package import SDPlatform
import SDStubModel

/// The answer to a request that violates a contract, by our rules or by Prism's.
package struct ContractRefusalAnswer: Sendable {
    private let options: ContractOptions

    package init(_ options: ContractOptions) {
        self.options = options
    }

    /// Answers a request for an operation.
    /// - Parameter wanted: the request's wishes.
    package func answer(
        to request: ContractRequest, _ found: FoundOperation, _ violations: [Violation], _ wanted: RequestedAnswer,
        _ budget: WorkBudget
    ) -> PlainResponse {
        switch options.door {
        case .own: own(found, violations)
        case .prism(let failsOnErrors):
            prism(request, found, violations, wanted, failsOnErrors: failsOnErrors, budget)
        }
    }

    /// Answers a request for which the contracts have no operation.
    package func answer(to unknown: UnknownRequest) -> PlainResponse {
        response(
            problem(of: unknown), unknown.allowed.map { [(name: "Allow", value: $0.joined(separator: ", "))] } ?? [])
    }

    /// Why the contracts have no operation for a request.
    package func problem(of unknown: UnknownRequest) -> ProblemDetails {
        let request = unknown.seen
        if options.isPrism { return ProblemDetails(prismUnknown: request, isMethod: unknown.allowed != nil) }
        let name = unknown.contract.map { "the contract \($0.name)" } ?? "the contract"
        var problem: ProblemDetails
        if let allowed = unknown.allowed {
            let methods = allowed.joined(separator: ", ")
            problem = ProblemDetails(
                status: 405, detail: "\(name) has \(methods) for \(request.path), and not \(request.method)")
        } else {
            problem = ProblemDetails(status: 404, detail: "\(name) has no path \(request.path)")
        }
        problem.violations = [unknown.violation]
        return problem
    }

    private func response(_ problem: ProblemDetails, _ headers: [(name: String, value: String)] = []) -> PlainResponse {
        var response = PlainResponse(
            status: problem.status, headers: [(name: "Content-Type", value: ProblemDetails.contentType)] + headers)
        response.body = problem.json.compactBytes
        return response
    }

    // MARK: Our rules

    private func own(_ found: FoundOperation, _ violations: [Violation]) -> PlainResponse {
        let status = Self.status(of: violations, found.operation)
        let count = violations.count
        let problem = ProblemDetails(
            status: status,
            detail: "the contract \(found.contract.name) does not allow this request"
                + (count == 1 ? ": \(violations[0].text)" : ", for \(count) reasons"),
            violations: violations)
        return response(problem, status == 401 ? [challenge(found)] : [])
    }

    /// 401 for missing credentials, 415 for a wrong content type, and otherwise 400, or 422 if only that is declared.
    private static func status(of violations: [Violation], _ operation: APIOperation) -> Int {
        if violations.contains(where: { $0.location == .security }) { return 401 }
        if violations.contains(where: { $0.location == .contentType }) { return 415 }
        return !operation.declares(400) && operation.declares(422) ? 422 : 400
    }

    /// The `WWW-Authenticate` challenge for a client without credentials.
    private func challenge(_ found: FoundOperation) -> (name: String, value: String) {
        let schemes = found.contract.contract.description.securitySchemes
        let challenges = found.operation.security.flatMap(\.self).compactMap { name -> String? in
            guard let scheme = schemes[name] else { return nil }
            switch (scheme["type"]?.stringValue?.lowercased(), scheme["scheme"]?.stringValue?.lowercased()) {
            case ("basic", _), ("http", "basic"): return "Basic realm=\"*\""
            case ("http", "digest"): return "Digest realm=\"*\""
            case ("http", "bearer"): return "Bearer"
            case ("oauth2", _), ("openidconnect", _): return "OAuth2"
            default: return nil
            }
        }
        var seen: Set<String> = []
        let text = challenges.filter { seen.insert($0).inserted }.joined(separator: ",")
        return (name: "WWW-Authenticate", value: text.isEmpty ? "None" : text)
    }

    // MARK: Prism's rules

    private func prism(
        _ request: ContractRequest, _ found: FoundOperation, _ violations: [Violation], _ wanted: RequestedAnswer,
        failsOnErrors: Bool, _ budget: WorkBudget
    ) -> PlainResponse {
        let places = PrismViolations(violations, in: .request)
        let problem = ProblemDetails(prism: violations, places)
        let statuses = problem.status == 401 ? [401] : problem.status == 415 ? [415, 422, 400] : [422, 400]
        let headers = problem.status == 401 ? [challenge(found)] : []
        // A proxied request gets no answers of the document, except where the other server answers 501.
        if !options.isCheckOnly,
            var answer = declared(
                statuses, request, found, wanted.code.map(statuses.contains) == true ? wanted : nil, budget)
        {
            answer.headers += headers
            answer.check(found, request, known: places, failsOnErrors: failsOnErrors, budget)
            return PlainResponse(status: answer.status, headers: answer.headers, body: answer.body)
        }
        return response(problem, headers + [(name: "sl-violations", value: places.headerText)])
    }

    /// The answer of the first declared status among some, or else the default answer with the first of them; nil if
    /// there is none or its body is empty.
    /// - Parameter wanted: the request's wishes, if it asks for one of these statuses.
    private func declared(
        _ statuses: [Int], _ request: ContractRequest, _ found: FoundOperation, _ wanted: RequestedAnswer?,
        _ budget: WorkBudget
    ) -> PrismAnswer? {
        let operation = found.operation
        let isDefault = operation.responses.contains { $0.code == .standard }
        guard let status = statuses.first(where: operation.declares) ?? (isDefault ? statuses[0] : nil) else {
            return nil
        }
        var wishes = AnswerPreferences()
        wishes.status = status
        wishes.example = wanted?.example
        wishes.takesAllExamples = true
        guard
            case .success(let made) = found.contract.contract.answer(
                to: request, of: operation, wishes: wishes, budget: budget), !made.body.isEmpty
        else { return nil }
        return PrismAnswer(made)
    }
}

extension ProblemDetails {
    private static func prism(_ type: String, _ status: Int, _ title: String, _ detail: String) -> ProblemDetails {
        var problem = ProblemDetails(status: status, title: title, detail: detail)
        problem.type = prismType(type)
        return problem
    }

    /// Prism's problem for a request without an operation in the document.
    fileprivate init(prismUnknown request: ContractRequest, isMethod: Bool) {
        self =
            isMethod
            ? .prism(
                "NO_METHOD_MATCHED_ERROR", 405, "Route resolved, but no path matched",
                "The route \(request.path) has been matched, but it does not have \"\(request.method.lowercased())\" method defined"
            )
            : .prism(
                "NO_PATH_MATCHED_ERROR", 404, "Route not resolved, no path matched",
                "The route \(request.path) hasn't been found in the specification file")
    }

    /// Prism's problem for an invalid request, if the document has no answer for it.
    fileprivate init(prism violations: [Violation], _ places: PrismViolations) {
        let generated = "was found in the spec, so Prism is generating this error for you."
        if violations.contains(where: { $0.location == .security }) {
            self = .prism(
                "UNAUTHORIZED", 401, "Invalid security scheme used",
                "Your request does not fullfil the security requirements and no HTTP unauthorized response " + generated
            )
        } else if let type = violations.first(where: { $0.location == .contentType }) {
            self = .prism(
                "INVALID_CONTENT_TYPE", 415, "Invalid content type",
                "Supported content types: \(type.expected ?? "")")
        } else {
            self = .prism(
                "UNPROCESSABLE_ENTITY", 422, "Invalid request",
                "Your request is not valid and no HTTP validation response " + generated)
            validation = places.placedInRequest
        }
    }

    /// Prism's problem for an answer that the document lacks.
    package init(prism refusal: ContractRefusal) {
        let found = refusal.found ?? ""
        switch refusal.reason {
        case .notAcceptable:
            self = .prism(
                "NOT_ACCEPTABLE", 406, "The server cannot produce a representation for your accept header",
                "Unable to find content for \(found)")
        case .noSuchExample:
            let type = refusal.place?.pointer.tokens.last ?? ""
            self = .prism(
                "NOT_FOUND", 404, "The server cannot find the requested content",
                "Response for contentType: \(type.contains("/") ? type : "application/json") and exampleKey: \(found) does not exist."
            )
        default:
            self = .prism(
                "NOT_FOUND", 404, "The server cannot find the requested content",
                "Requested status code \(found) is not defined in the document.")
        }
    }
}

extension APIOperation {
    /// Whether the operation declares an answer of a status, or a default answer.
    package func declaresOrDefaults(_ status: Int) -> Bool {
        declares(status) || responses.contains { $0.code == .standard }
    }

    /// Whether the operation declares an answer of a status, by itself or by its class.
    package func declares(_ status: Int) -> Bool {
        responses.contains { $0.code == .status(status) || $0.code == .range(status / 100) }
    }
}
