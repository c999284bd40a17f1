package import SDContracts
import SDJSON
package import SDJournal
package import SDPlatform

/// An answer by Prism's rules: `sl-violations` lists the violations of the request and of the answer, and with
/// `--errors` an answer with violations becomes a 500.
package struct PrismAnswer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The answer's violations of the document.
    package private(set) var violations: [Violation] = []
    /// Whether a 500 replaced the answer.
    package private(set) var isReplaced = false

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ made: MadeAnswer) {
        self.init(status: made.status, headers: made.headers, body: made.body)
    }

    /// Checks the answer against the document.
    /// - Parameters:
    ///   - known: the violations of the request.
    ///   - redaction: hides secrets in what was found.
    package mutating func check(
        _ found: FoundOperation, _ request: ContractRequest, known: PrismViolations = .none, failsOnErrors: Bool,
        _ budget: WorkBudget, hiding redaction: Redaction? = nil
    ) {
        let answer = ContractAnswer(status: status, headers: headers, body: ContractRequest.plain(body[...]))
        violations = redaction.redacted(
            found.contract.contract.violations(in: answer, to: found.operation, budget: budget))
        if request.method == "HEAD" { violations.removeAll { $0.location == .body || $0.location == .contentType } }
        // Violations found after the budget was spent do not count.
        if budget.isSpent { violations = [] }
        tell(known + PrismViolations(violations, in: .response), failsOnErrors: failsOnErrors)
    }

    /// Adds violations to the answer.
    package mutating func tell(_ told: PrismViolations, failsOnErrors: Bool) {
        guard !told.isEmpty else { return }
        let errors = told.errors(in: .response)
        if failsOnErrors, !errors.isEmpty {
            var problem = ProblemDetails(
                status: 500, title: "Request/Response not valid",
                detail: "Your request/response is not valid and the --errors flag is set, so Prism is generating this "
                    + "error for you.")
            problem.type = ProblemDetails.prismType("VIOLATIONS")
            problem.validation = errors.json
            status = 500
            headers = [(name: "Content-Type", value: ProblemDetails.contentType)]
            body = problem.json.compactBytes
            isReplaced = true
        }
        headers.append((name: "sl-violations", value: told.headerText))
    }
}
