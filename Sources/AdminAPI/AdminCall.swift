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

    /// The body as JSON, in the dialect that WireMock reads.
    func json() throws(AdminError) -> JSONValue {
        do {
            return try JSONValue(parsing: request.body, dialect: .lenient)
        } catch {
            throw AdminError(422, ErrorDocument(error))
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

/// Why a call was refused, as its answer.
struct AdminError: Error {
    let response: PlainResponse

    init(_ status: Int, _ document: ErrorDocument) {
        response = .json(document.json, status: status)
    }

    init(_ response: PlainResponse) {
        self.response = response
    }

    /// 404 with an empty body, as WireMock says that something is not there.
    static let notFound = AdminError(PlainResponse(status: 404))

    init(_ refusal: StubRefusal) {
        switch refusal {
        case .unserved(_, let problems):
            let items = problems.map {
                ErrorDocument.Item(code: 10, pointer: $0.pointer.text, title: $0.message, detail: nil)
            }
            self.init(422, ErrorDocument(items))
        case .duplicateID(let id):
            let detail =
                "ID of the provided stub mapping '\(id.lowercasedString)' is already taken by another stub mapping"
            self.init(422, ErrorDocument(code: 109, title: "Duplicate stub mapping ID", detail: detail))
        case .notStored(let reason):
            self.init(500, ErrorDocument(code: 50, title: "The stub could not be stored", detail: reason))
        }
    }
}

extension PlainResponse {
    /// A JSON document in WireMock's layout.
    static func json(_ value: JSONValue, status: Int = 200) -> PlainResponse {
        PlainResponse(status: status, headers: [("Content-Type", "application/json")], body: value.prettyBytes)
    }

    /// `{ }`
    static let emptyObject = PlainResponse.json(.object(JSONObject()))
    static let empty = PlainResponse(status: 200)
}
