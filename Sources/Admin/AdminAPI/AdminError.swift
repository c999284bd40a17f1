import SDHTTPMessages
import SDJSON
import SDMatching
import SDMockEngine
import SDStubModel

/// The answer to a call that was refused.
struct AdminError: Error {
    let response: PlainResponse

    init(_ status: Int, _ document: ErrorDocument) {
        response = .json(document.json, status: status)
    }

    init(_ response: PlainResponse) {
        self.response = response
    }

    /// 404 with an empty body, as WireMock answers for a missing thing.
    static let notFound = AdminError(PlainResponse(status: 404))

    /// Makes the answer to a refusal.
    /// - Parameter root: the path of the stub or pattern in the call's body.
    init(_ refusal: StubRefusal, below root: JSONPointer = .root) {
        switch refusal {
        case .unserved(_, let problems):
            self.init(422, ErrorDocument(problems.map { ErrorDocument.Item($0, below: root) }))
        case .duplicateID(let id):
            let detail =
                "ID of the provided stub mapping '\(id.lowercasedString)' is already taken by another stub mapping"
            self.init(422, ErrorDocument(code: 109, title: "Duplicate stub mapping ID", detail: detail))
        case .notStored(let reason):
            self.init(500, ErrorDocument(code: 50, title: "The stub could not be stored", detail: reason))
        case .tooCostly(let reason):
            self.init(500, ErrorDocument(code: 50, title: "Matching was given up", detail: reason))
        case .undecided(let reason):
            self.init(409, ErrorDocument(code: 50, title: "Cannot tell which requests match", detail: reason))
        }
    }

    /// Makes the answer to an invalid matcher or pattern.
    init(_ error: PatternProblems) {
        self.init(.unserved(StubMapping().id, error.problems.map { ServingProblem($0) }))
    }
}

extension ErrorDocument.Item {
    /// Describes a problem first in WireMock's words, then in this project's with the exact place. If WireMock accepts
    /// what is refused here, the title says so.
    fileprivate init(_ problem: ServingProblem, below root: JSONPointer) {
        let place = root.appending(problem.pointer)
        guard case .invalid(let detail) = problem.kind else {
            self.init(code: 10, pointer: place.text.isEmpty ? "/" : place.text, title: problem.message)
            return
        }
        let pointer = root.appending(problem.pointer.matcher).text
        // If both texts are the same, only the place is added.
        let words = detail == problem.message ? nil : problem.message
        let ours = [place.tokens.isEmpty ? nil : place.keyPath, words].compactMap(\.self).joined(separator: ": ")
        self.init(
            code: 10, pointer: pointer.isEmpty ? "/" : pointer, title: "Error parsing JSON",
            detail: [detail, ours].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n"))
    }
}

extension JSONPointer {
    /// The place that WireMock reports for a problem of a matcher: that of the matcher, or of the request pattern for
    /// an expression of the URL, or of the response for a body. Within `and` and `or` it counts the alternatives.
    fileprivate var matcher: JSONPointer {
        var outer: [String] = []
        var rest = tokens[...]
        func take(_ count: Int) {
            outer += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        if rest.first == "expectations" { take(2) }
        if rest.first == "request" || rest.first == "pattern" { take(1) }
        if rest.first == "multipartPatterns" { take(2) }
        switch rest.first {
        case "response": take(1)
        case "responses", "headers", "queryParameters", "formParameters", "pathParameters", "cookies", "bodyPatterns",
            "clientCertificate":
            take(2)
        case "host", "clientIp", "customMatcher": take(1)
        default: return JSONPointer(outer)
        }
        while let token = rest.first {
            switch token {
            case "hasExactly", "includes": take(2)
            case "and", "or":
                rest = rest.dropFirst()
                take(1)
            default: rest = rest.dropFirst()
            }
        }
        return JSONPointer(outer)
    }
}
