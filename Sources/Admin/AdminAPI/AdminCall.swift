import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubFiles
import SDStubModel

/// A call of the admin API, as its handler gets it.
struct AdminCall: Sendable {
    let request: Request
    /// The session named by the call, or the base.
    let session: Session
    let sessions: SessionRegistry
    let daemon: any DaemonControl
    let waiting: WaitingCalls
    let options: AdminOptions
    /// The values of the path's variables.
    let parameters: [String: String]
    let query: [String: String]
    /// The number of the loop that received the call.
    let worker: Int
    /// Whether this replica is making a change that all replicas make.
    var isMadeByAll = false
    /// Collects save errors if the change is only tried; nil if it is made.
    var rehearsal: Rehearsal?

    /// The body without its content coding.
    /// - Throws: like `AdminContent.decoded`.
    func content(isText: Bool = false) throws(AdminError) -> [UInt8] {
        try AdminContent.decoded(request, limit: options.largestBody, isText: isText)
    }

    /// The body as UTF-8 text.
    /// - Throws: 413 if parsing it would need too much memory; like `AdminContent.decoded`.
    func text() throws(AdminError) -> [UInt8] {
        let text = try AdminContent.text(request, try content(isText: true))
        // Small documents need no estimate.
        if text.count > DocumentWeight.most / 100, DocumentWeight(text).isTooMuch {
            let title =
                "The document would take more than \(DocumentWeight.most >> 20) MiB of memory: send it in parts"
            throw AdminError(413, ErrorDocument(code: 50, title: title))
        }
        return text
    }

    /// The body as JSON in WireMock's dialect, or as YAML if its type says so.
    /// - Parameter expected: the expectation to report for a body that is not JSON at all.
    /// - Throws: 422 with the position of the first error; like `text`.
    func json(_ expected: String? = nil) throws(AdminError) -> JSONValue {
        let text = try text()
        if isYAML {
            do throws(YAMLError) {
                return try JSONValue(parsingYAML: text)
            } catch {
                throw AdminError(422, ErrorDocument(code: 10, title: "Error parsing YAML", detail: error.description))
            }
        }
        do {
            return try JSONValue(parsing: text, dialect: .lenient)
        } catch {
            var document = ErrorDocument(error, in: text)
            if Self.isForYAML(text) {
                document.errors[0].detail = "\(error); YAML is sent with the header Content-Type: application/yaml"
            } else if isForm(text) {
                document.errors[0].detail =
                    "\(error)" + (expected.map { "; expected \($0)" } ?? "; expected JSON")
                    + "; the body is a form (application/x-www-form-urlencoded)"
            } else if let expected, let first = text.first(where: { $0 > 0x20 }), !"{[\"".utf8.contains(first) {
                document.errors[0].detail = "\(error); expected \(expected)"
            }
            throw AdminError(422, document)
        }
    }

    /// Whether text that is not JSON is a form. Decided by its content, because curl labels any text as a form.
    private func isForm(_ text: [UInt8]) -> Bool {
        guard text.first != UInt8(ascii: "{"), text.first != UInt8(ascii: "["), text.count <= 1 << 16,
            let equals = text.firstIndex(of: UInt8(ascii: "="))
        else { return false }
        return equals > 0 && text.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    }

    /// Whether text that is not JSON was probably meant as YAML: it parses with members, and does not start like JSON.
    static func isForYAML(_ text: [UInt8]) -> Bool {
        guard let first = text.first(where: { $0 > 0x20 }), first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            text.count <= 1 << 16
        else { return false }
        return (try? JSONValue(parsingYAML: text))?.objectValue != nil
    }

    /// Reads the body as a part of the dialect.
    /// - Throws: 422 with all problems.
    func read<Value>(_ make: (JSONValue) throws(ModelProblems) -> Value) throws(AdminError) -> Value {
        let json = try json()
        do {
            return try make(json)
        } catch {
            throw AdminError(422, ErrorDocument(error))
        }
    }

    /// The `{id}` in the path.
    /// - Throws: if it is not a UUID.
    func id() throws(AdminError) -> StubMapping.ID {
        let text = parameters["id"] ?? ""
        guard let id = StubMapping.id(text: text) else {
            throw AdminError(400, ErrorDocument(code: 10, title: "\(text) is not a valid UUID"))
        }
        return id
    }

    /// Whether a query parameter is `true`, in any case; false if missing or empty.
    /// - Throws: 400 unless it is `true` or `false`.
    func flag(_ name: String) throws(AdminError) -> Bool {
        switch query[name]?.lowercased() {
        case "true": return true
        case nil, "", "false": return false
        case let text?:
            let title = "Query parameter \(name) value '\(text)' is neither true nor false"
            throw AdminError(400, ErrorDocument(code: 10, pointer: name, title: title))
        }
    }

    /// A numeric query parameter; nil if missing.
    /// - Throws: 400 unless it is a whole number from 0.
    func count(_ name: String) throws(AdminError) -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let value = Int(text), value >= 0 else {
            let title = "Query parameter \(name) value '\(text)' is not a whole number of at least 0"
            throw AdminError(400, ErrorDocument(code: 10, pointer: name, title: title))
        }
        return value
    }
}

extension PlainResponse {
    /// The response with more headers.
    func adding(_ headers: [(name: String, value: String)]) -> PlainResponse {
        var response = self
        response.headers += headers
        return response
    }

    /// A JSON document in WireMock's layout.
    static func json(_ value: JSONValue, status: Int = 200) -> PlainResponse {
        PlainResponse(status: status, headers: [("Content-Type", "application/json")], body: value.prettyBytes)
    }

    /// `{}`, without the space that WireMock's layout has in other empty objects.
    static let emptyObject = PlainResponse(
        status: 200, headers: [("Content-Type", "application/json")], body: Array("{}".utf8))
    static let empty = PlainResponse(status: 200)
}
