import HTTPTransport
import JSON
import MockEngine
import StubModel

/// One call of the admin API, as its handlers see it.
struct AdminCall {
    let request: Request
    /// The session that is meant.
    let session: Session
    let sessions: SessionRegistry
    let daemon: any DaemonControl
    let waiting: WaitingCalls
    let version: String
    /// What the path's variables stand for.
    let parameters: [String: String]
    let query: [String: String]
    /// Which of the server's loops asks.
    let worker: Int

    /// The most bytes that a compressed body may hold.
    let largestBody: Int

    /// The body without its content coding.
    func content(isText: Bool = false) throws(AdminError) -> [UInt8] {
        try AdminContent.decoded(request, limit: largestBody, isText: isText)
    }

    /// The body as JSON, in the dialect that WireMock reads.
    func json() throws(AdminError) -> JSONValue {
        let text = try AdminContent.text(request, try content(isText: true))
        do {
            return try JSONValue(parsing: text, dialect: .lenient)
        } catch {
            throw AdminError(422, ErrorDocument(error, in: text))
        }
    }

    /// Reads the body as a part of the dialect.
    func read<Value>(_ make: (JSONValue) throws(ModelProblems) -> Value) throws(AdminError) -> Value {
        let json = try json()
        do {
            return try make(json)
        } catch {
            throw AdminError(422, ErrorDocument(error))
        }
    }

    /// A path's `{id}`.
    func id() throws(AdminError) -> StubMapping.ID {
        let text = parameters["id"] ?? ""
        guard let id = StubMapping.id(text: text) else {
            throw AdminError(400, ErrorDocument(code: 10, title: "\(text) is not a valid UUID"))
        }
        return id
    }

    /// A query parameter that counts something; nil where it is not given.
    func count(_ name: String) throws(AdminError) -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let value = Int(text), value >= 0 else {
            let title = "Query parameter \(name) value '\(text)' is not a whole number from 0 up"
            throw AdminError(400, ErrorDocument(code: 10, pointer: name, title: title))
        }
        return value
    }
}

extension PlainResponse {
    /// A JSON document in WireMock's layout.
    static func json(_ value: JSONValue, status: Int = 200) -> PlainResponse {
        PlainResponse(status: status, headers: [("Content-Type", "application/json")], body: value.prettyBytes)
    }

    /// `{}`, without the blank that WireMock's layout has in an object that is empty elsewhere.
    static let emptyObject = PlainResponse(
        status: 200, headers: [("Content-Type", "application/json")], body: Array("{}".utf8))
    static let empty = PlainResponse(status: 200)
}
