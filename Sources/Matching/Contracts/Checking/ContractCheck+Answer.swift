import SDBasics
import SDJSON
import SDOpenAPI

extension ContractCheck {
    /// Checks an answer.
    mutating func check(_ answer: ContractAnswer) {
        guard let response = response(for: answer.status) else {
            let declared = operation.responses.map(\.code.text)
            let shown = declared.isEmpty ? "no status at all" : declared.joined(separator: ", ")
            return add(
                Violation(
                    .status, message: "the status \(answer.status) is not declared: expected \(shown)",
                    expected: shown, found: String(answer.status)))
        }
        for header in response.headers { checkHeader(header, answer.headers, of: "answer") }
        let hasNoBody =
            operation.method.uppercased() == "HEAD" || answer.status < 200 || answer.status == 204
            || answer.status == 205 || answer.status == 304
        if hasNoBody { return }
        guard !answer.body.isEmpty else { return checkAbsence(response) }
        check(answer.body, answer.headers, response.contents)
    }

    /// The response for a status: its own, then that of its class, then the default.
    private func response(for status: Int) -> APIResponse? {
        let responses = operation.responses
        return responses.first { $0.code == .status(status) } ?? responses.first { $0.code == .range(status / 100) }
            ?? responses.first { $0.code == .standard }
    }

    /// An empty body is not valid JSON or XML, nor a text with a minimum length.
    private mutating func checkAbsence(_ response: APIResponse) {
        let described = response.contents.filter { content in
            let media = MediaType(content.type)
            return (media.isJSON || media.isXML) && content.schema != nil
        }
        guard !described.isEmpty, described.count == response.contents.count else { return }
        let types = described.map(\.type).joined(separator: ", ")
        add(
            Violation(
                .body, keyword: "required", message: "the body is empty: expected \(types), found none",
                expected: "a body of \(types)", found: "none"))
    }
}

extension APIResponse.Code {
    /// The code as written in documents.
    var text: String {
        switch self {
        case .status(let status): String(status)
        case .range(let digit): "\(digit)XX"
        case .standard: "default"
        }
    }
}
