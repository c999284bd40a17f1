import SDHTTPMessages
import SDJSON
import SDMatching
import SDMockEngine
import SDStubModel

/// An error answer to a call.
struct AdminError: Error {
    let response: PlainResponse

    init(_ status: Int, _ document: ErrorDocument) {
        response = .json(document.json, status: status)
    }

    init(_ response: PlainResponse) {
        self.response = response
    }

    /// 404 with an empty body, WireMock's answer for a missing resource.
    static let notFound = AdminError(PlainResponse(status: 404))

    /// Makes the answer to a rejected stub.
    /// - Parameter root: the pointer to the stub or pattern in the call's body.
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
    /// Describes a problem first in WireMock's words, then in ours with the exact pointer. If WireMock would accept the
    /// value, the title says so.
    fileprivate init(_ problem: ServingProblem, below root: JSONPointer) {
        let place = root.appending(problem.pointer)
        guard case .invalid(let detail) = problem.kind else {
            self.init(code: 10, pointer: place.text.isEmpty ? "/" : place.text, title: problem.message)
            return
        }
        let pointer = root.appending(problem.pointer.matcher).text
        // If both texts are the same, only the pointer is added.
        let words = detail == problem.message ? nil : problem.message
        let ours = [place.tokens.isEmpty ? nil : place.keyPath, words].compactMap(\.self).joined(separator: ": ")
        self.init(
            code: 10, pointer: pointer.isEmpty ? "/" : pointer, title: "Error parsing JSON",
            detail: [detail, ours].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n"))
    }
}

extension JSONPointer {
    /// The pointer that WireMock reports for a problem in a matcher: that of the matcher, of the request pattern for a
    /// URL expression, or of the response for a body. Alternatives of `and` and `or` are numbered.
    fileprivate var matcher: JSONPointer {
        var outer: [String] = []
        var rest = tokens[...]
        func take(_ count: Int) {
            outer += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        if rest.first == "expectations" { take(2) }
        // Message stubs, their patterns, and calls about channels.
        if rest.first == "trigger" {
            take(rest.count > 1 && rest[rest.startIndex + 1] == "requestPattern" ? 2 : 3)
            if outer.last == "body" || outer.last == "channelName" { return JSONPointer(outer) }
        } else if rest.first == "actions" {
            take(4)
        } else if rest.first == "body" {
            take(1)
        } else if rest.first == "channel" || rest.first == "initiatingRequest" {
            take(1)
        }
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
