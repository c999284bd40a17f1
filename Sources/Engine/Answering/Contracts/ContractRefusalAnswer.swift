package import SDContracts
package import SDHTTPMessages
import SDJSON
package import SDOpenAPI
package import SDPlatform
import SDStubModel

/// The answer to a request that a contract does not allow, by our rules or by those of Prism.
package struct ContractRefusalAnswer: Sendable {
    private let door: ContractOptions.Door

    package init(_ door: ContractOptions.Door) {
        self.door = door
    }

    /// Answers a request for an operation.
    package func answer(
        to request: ContractRequest, _ found: FoundOperation, _ violations: [Violation], _ budget: WorkBudget
    ) -> PlainResponse {
        switch door {
        case .own: own(found, violations)
        case .prism(let failsOnErrors): prism(request, found, violations, failsOnErrors: failsOnErrors, budget)
        }
    }

    /// Answers a request for which the contracts have no operation.
    /// - Parameter allowed: the methods of its path; nil if there is no such path.
    package func answer(toUnknown request: ContractRequest, allowed: [String]?, nearest: String?) -> PlainResponse {
        var problem: ProblemDetails
        var headers: [(name: String, value: String)] = []
        if let allowed {
            headers.append((name: "Allow", value: allowed.joined(separator: ", ")))
            problem = ProblemDetails(
                status: 405, detail: "\(request.path) has \(allowed.joined(separator: ", ")), and not \(request.method)"
            )
            problem.violations = [
                Violation(
                    .method, message: "the path has no such method", expected: allowed.joined(separator: ", "),
                    found: request.method)
            ]
        } else {
            problem = ProblemDetails(status: 404, detail: "the contract has no path \(request.path)")
            problem.violations = [
                Violation(.path, message: "there is no such path", expected: nearest, found: request.path)
            ]
        }
        if case .prism = door {
            problem.violations = []
            if allowed != nil {
                problem.type = "https://stoplight.io/prism/errors#NO_METHOD_MATCHED_ERROR"
                problem.title = "Route resolved, but no path matched"
                problem.detail =
                    "The route \(request.path) has been matched, but it does not have \"\(request.method.lowercased())\" method defined"
            } else {
                problem.type = "https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR"
                problem.title = "Route not resolved, no path matched"
                problem.detail = "The route \(request.path) hasn't been found in the specification file"
            }
        }
        return response(problem, headers)
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

    /// 401 for missing credentials, 415 for a wrong content type, and otherwise 400, or 422 where only that is declared.
    private static func status(of violations: [Violation], _ operation: APIOperation) -> Int {
        if violations.contains(where: { $0.location == .security }) { return 401 }
        if violations.contains(where: { $0.location == .contentType }) { return 415 }
        return !operation.declares(400) && operation.declares(422) ? 422 : 400
    }

    /// What a client without credentials is told.
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
        _ request: ContractRequest, _ found: FoundOperation, _ violations: [Violation], failsOnErrors: Bool,
        _ budget: WorkBudget
    ) -> PlainResponse {
        let isUnauthorized = violations.contains { $0.location == .security }
        let places = PrismViolations(violations, in: .request)
        let declared = isUnauthorized ? [401] : [422, 400]
        if !failsOnErrors || isUnauthorized {
            for status in declared + [nil] {
                guard let response = example(request, found, status, budget) else { continue }
                var answer = response
                if isUnauthorized { answer.headers.append(challenge(found)) }
                answer.headers.append((name: "sl-violations", value: places.headerText))
                return answer
            }
        }
        var problem: ProblemDetails
        if isUnauthorized {
            problem = ProblemDetails(
                status: 401, title: "Invalid security scheme used",
                detail:
                    "Your request does not fullfil the security requirements and no HTTP unauthorized response was found "
                    + "in the spec, so Prism is generating this error for you.")
            problem.type = "https://stoplight.io/prism/errors#UNAUTHORIZED"
        } else {
            let isType = violations.contains { $0.location == .contentType }
            problem = ProblemDetails(
                status: isType ? 415 : 422, title: isType ? "Invalid content type" : "Invalid request",
                detail: "Your request is not valid and no HTTP validation response was found in the spec, so Prism is "
                    + "generating this error for you.")
            problem.type =
                "https://stoplight.io/prism/errors#" + (isType ? "INVALID_CONTENT_TYPE" : "UNPROCESSABLE_ENTITY")
            problem.validation = places.json
        }
        return response(
            problem,
            (isUnauthorized ? [challenge(found)] : []) + [(name: "sl-violations", value: places.headerText)])
    }

    /// The declared answer of a status with its example; nil if there is none. Without a status, the default answer.
    private func example(
        _ request: ContractRequest, _ found: FoundOperation, _ status: Int?, _ budget: WorkBudget
    ) -> PlainResponse? {
        let operation = found.operation
        if let status {
            guard operation.declares(status) else { return nil }
        } else {
            guard operation.responses.contains(where: { $0.code == .standard }) else { return nil }
        }
        var wishes = AnswerWishes()
        wishes.status = status ?? (operation.declares(500) ? 599 : 500)
        guard
            case .success(let made) = found.contract.contract.answer(
                to: request, of: operation, wishes: wishes, budget: budget)
        else { return nil }
        var response = PlainResponse(status: made.status, headers: made.headers)
        response.body = made.body
        return response
    }
}

extension APIOperation {
    /// Whether it declares an answer of a status, or one of all others.
    package func declaresOrDefaults(_ status: Int) -> Bool {
        declares(status) || responses.contains { $0.code == .standard }
    }

    /// Whether it declares an answer of a status, by itself or by its class.
    package func declares(_ status: Int) -> Bool {
        responses.contains { $0.code == .status(status) || $0.code == .range(status / 100) }
    }
}
