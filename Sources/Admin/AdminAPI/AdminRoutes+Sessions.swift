import SDBasics
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDOutgoingCalls
import SDPlatform
import SDReports
import SDRouting
import SDStubModel

/// `/__admin/sessions`: separate mock servers for tests that run in parallel. An addition to WireMock's admin API.
enum SessionRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/sessions", list).forAllSessions.readingWhatIsKnown.query("ended"),
        AdminRoute("POST", "/sessions", create),
        AdminRoute("DELETE", "/sessions", endAll).forAllSessions.changingJournal,
        AdminRoute("GET", "/sessions/{id}", get).readingWhatIsKnown,
        AdminRoute("DELETE", "/sessions/{id}", end).changingJournal,
    ]

    private static func list(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let all = call.sessions.all(through: call.session)
        var json: JSONObject = ["sessions": .array(all.map { describe($0, call) })]
        if try call.flag("ended") {
            json["ended"] = .array(call.sessions.past(through: call.session).map(describe))
        }
        json["meta"] = ["total": number(all.count)]
        return .json(.object(json))
    }

    /// An ended session.
    private static func describe(_ past: PastSession) -> JSONValue {
        [
            "id": .string(past.id.text), "name": past.name.map { .string($0) } ?? .null,
            "endedAt": .string(Timestamp(milliseconds: Int64(past.endedAt / 1_000_000)).description),
            "served": number(past.served), "unmatched": number(past.unmatched), "failed": number(past.failed),
            "verdict": .string(past.verdict),
        ]
    }

    /// The session in the path, if it is a recently ended one that the call may name.
    static func past(_ call: AdminCall) -> PastSession? {
        guard let id = call.parameters["id"].flatMap({ SessionID($0.utf8) }) else { return nil }
        return call.sessions.past(through: call.session).first { $0.id.number == id.number }
    }

    private static func create(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        // Without a body, all options have defaults.
        let document =
            call.request.body.isEmpty
            ? SessionDocument()
            : try call.read { json throws(ModelProblems) in try SessionDocument(json: json) }
        let most = call.sessions.most
        call.sessions.endForgottenIfFull()
        guard call.sessions.count < most else {
            let title = "There are \(most) sessions already"
            let detail =
                "end those that are over by DELETE /__admin/sessions/{id}, begin them with a shorter ttl, or raise the limit "
                + "with --max-sessions"
            throw AdminError(503, ErrorDocument(code: 50, title: title, detail: detail))
        }
        let id = call.sessions.issueID()
        let live = call.sessions.createSession(
            id, SessionRequest(document, through: call.session), endpoint: try openEndpoint(document, id, call),
            now: call.request.wallTime)
        return .json(describe(live, call), status: 201)
    }

    private static func openEndpoint(
        _ document: SessionDocument, _ id: SessionID, _ call: AdminCall
    ) throws(AdminError) -> (any SessionEndpoint)? {
        let ports = SessionPorts(
            http: document.port.map { UInt16(clamping: $0) }, https: document.httpsPort.map { UInt16(clamping: $0) })
        guard ports.http != nil || ports.https != nil else { return nil }
        guard call.daemon.replicas == nil else {
            let title = "A session of several replicas has no port of its own"
            let detail = "each replica would open another one: name the session by its header, its path or its host"
            throw AdminError(
                422,
                ErrorDocument(
                    code: 10, pointer: ports.http == nil ? "/httpsPort" : "/port", title: title, detail: detail))
        }
        do throws(EndpointProblem) {
            return try call.daemon.openEndpoint(ports, tag: id.number, worker: call.worker)
        } catch {
            let document = ErrorDocument(
                code: 50, pointer: error.isOfHTTPS ? "/httpsPort" : "/port",
                title: "The session's port could not be opened", detail: error.message)
            throw AdminError(error.isTaken ? 409 : 500, document)
        }
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        .json(describe(try named(call), call))
    }

    private static func end(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        call.sessions.deleteSession(try named(call).id)
        return .emptyObject
    }

    private static func endAll(_ call: AdminCall) -> PlainResponse {
        .json(["ended": number(call.sessions.endAll(through: call.session))])
    }

    /// The session in the path, of those that the call may name; other runs' sessions do not exist for it.
    /// - Throws: 404 or 410 if it does not exist.
    static func named(_ call: AdminCall) throws(AdminError) -> LiveSession {
        let text = call.parameters["id"] ?? ""
        switch SessionID(text.utf8).flatMap(call.sessions.find) {
        case .alive(let live) where call.sessions.isVisible(live, to: call.session): return live
        case .ended(let id, let name)
        where call.session === call.sessions.base || call.sessions.past(through: call.session).contains { $0.id == id }:
            let name = name.map(call.session.redaction.redactedURL)
            throw AdminError(MissingSession(kind: .ended(id, name: name)).response)
        case .alive, .ended, nil:
            throw AdminError(
                MissingSession(unknown: text, among: call.sessions.all(through: call.session)).response)
        }
    }

    // MARK: Describing

    private static func describe(_ live: LiveSession, _ call: AdminCall) -> JSONValue {
        var json = described(live, call)
        json["passThrough"] = live.session.settings.shown.passThrough?.json
        let passed = live.session.passedThrough
        if passed > 0 { json["passedThrough"] = number(passed) }
        return .object(json)
    }

    private static func described(_ live: LiveSession, _ call: AdminCall) -> JSONObject {
        let id = live.id.text
        let authority = Authority(ofMock: call)
        let counts = live.session.counts
        return [
            "id": .string(id), "name": live.redactedName.map { .string($0) } ?? .null,
            "url": .string(url(live, authority, call)), "port": live.port.map { number(Int($0)) } ?? .null,
            "httpsPort": live.httpsPort.map { number(Int($0)) } ?? .null,
            "httpsUrl": live.httpsPort.map { .string("https://\(authority.hostText):\($0)") } ?? .null,
            "header": .object([SessionPropagation.headerName: .string(id)]),
            "baggage": .string(SessionPropagation.pair(id)), "cookie": .string(SessionPropagation.pair(id)),
            "host": .string("\(id).localhost" + authority.portSuffix),
            "inherit": .bool(live.inherits), "seed": number(Int(bitPattern: UInt(live.session.seed))),
            "ttl": .string(SessionDocument.text(ttl: Int(live.ttl))),
            "idleMs": number(Int(live.idleTime)),
            "createdAt": .string(Timestamp(milliseconds: Int64(live.createdAt / 1_000_000)).description),
            "served": number(counts.served),
            "unmatched": number(counts.unmatched),
            "failed": number(counts.failed),
        ]
    }

    /// The base URLs for clients of the call's session; the first one uses the caller's host.
    static func urls(_ call: AdminCall) -> [String] {
        let authority = Authority(ofMock: call)
        if let live = call.sessions.all.first(where: { $0.session === call.session }) {
            return [url(live, authority, call)]
        }
        let own = "\(scheme(call))://\(authority.hostText)\(authority.portSuffix)"
        // A wildcard address is of no use to clients.
        let others = call.daemon.listeningAt.filter { !$0.contains(text: "//0.0.0.0") && !$0.contains(text: "//[::]") }
        return [own] + others.filter { $0 != own }
    }

    /// The base URL for a client that does not know about sessions.
    private static func url(_ live: LiveSession, _ authority: Authority, _ call: AdminCall) -> String {
        let prefersHTTPS = call.request.isSecure || live.port == nil
        if prefersHTTPS, let port = live.httpsPort { return "https://\(authority.hostText):\(port)" }
        if let port = live.port { return "http://\(authority.hostText):\(port)" }
        return "\(scheme(call))://\(authority.hostText)\(authority.portSuffix)/__session/\(live.id.text)"
    }

    /// The scheme of `Authority(ofMock:)`.
    private static func scheme(_ call: AdminCall) -> String {
        guard call.request.isOnAdminPort, let address = call.daemon.listeningAt.first else {
            return call.request.isSecure ? "https" : "http"
        }
        return address.hasPrefix("https:") ? "https" : "http"
    }
}

extension Authority {
    /// The authority of the stubs' server, with the host that the caller used.
    fileprivate init(ofMock call: AdminCall) {
        let request = call.request
        let named = Authority(of: request) ?? Authority([])
        var port = "\(request.localPort)"
        if request.isOnAdminPort, let address = call.daemon.listeningAt.first {
            port = address.split(separator: ":").last.map { String($0) } ?? port
        } else if !named.isEmpty {
            self = named
            return
        }
        let host = named.isEmpty ? "localhost" : named.hostText
        self = Authority(Array("\(host):\(port)".utf8)[...])
    }

    fileprivate var hostText: String { String(decoding: host, as: UTF8.self) }

    /// The port with a colon, such as `:8080`; empty for the scheme's default.
    fileprivate var portSuffix: String { portText.map { ":" + String(decoding: $0, as: UTF8.self) } ?? "" }
}

extension SessionRequest {
    init(_ document: SessionDocument, through origin: Session) {
        self.init()
        self.origin = origin
        name = document.name
        inherits = document.inherit
        seed = document.seed.map { UInt64(bitPattern: Int64($0)) }
        settings = document.settings
        passThrough = document.passThrough
        if let milliseconds = document.ttlMilliseconds { ttl = Int64(milliseconds) }
    }
}
