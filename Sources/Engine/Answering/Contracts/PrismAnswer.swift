package import SDContracts
import SDJSON
package import SDJournal
package import SDPlatform

/// An answer as clients of Prism get it: what the document does not allow of the request and of the answer stands in
/// `sl-violations`, and with `--errors` an answer that is not allowed becomes a 500.
package struct PrismAnswer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// What the document does not allow of the answer.
    package private(set) var violations: [Violation] = []
    /// Whether a 500 took the place of the answer.
    package private(set) var isReplaced = false

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ made: MadeAnswer) {
        self.init(status: made.status, headers: made.headers, body: made.body)
    }

    /// Holds the answer against the document.
    /// - Parameters:
    ///   - known: what is not allowed of the request.
    ///   - redaction: hides what was found of secrets.
    package mutating func check(
        _ found: FoundOperation, _ request: ContractRequest, known: PrismViolations = .none, failsOnErrors: Bool,
        _ budget: WorkBudget, hiding redaction: Redaction? = nil
    ) {
        let answer = ContractAnswer(status: status, headers: headers, body: ContractRequest.plain(body[...]))
        violations = redaction.shown(
            found.contract.contract.violations(in: answer, to: found.operation, budget: budget))
        if request.method == "HEAD" { violations.removeAll { $0.location == .body || $0.location == .contentType } }
        // What was found once the budget was spent does not count.
        if budget.isSpent { violations = [] }
        tell(known + PrismViolations(violations, in: .response), failsOnErrors: failsOnErrors)
    }

    /// Tells what is not allowed.
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
