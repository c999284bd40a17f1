import SDBasics
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDPlatform
import SDStubModel

/// `/__admin/settings`, `health`, `memory`, `version`, `certs/wiremock-ca.crt`, `shutdown`.
enum SystemRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/settings", settings),
        AdminRoute("PUT", "/settings", changeSettings),
        AdminRoute("POST", "/settings", changeSettings),
        AdminRoute("PATCH", "/settings/extended", mergeExtended),
        // For health checks, which may add parameters against caches.
        AdminRoute("GET", "/health", health).anyQuery,
        AdminRoute("GET", "/memory", memory),
        AdminRoute("GET", "/version", version),
        AdminRoute("GET", "/certs/wiremock-ca.crt", authority),
        AdminRoute("POST", "/shutdown", shutDown).own,
    ]

    private static func settings(_ call: AdminCall) -> PlainResponse {
        .json(call.session.settings.shown.json)
    }

    /// Replaces all settings; absent ones are cleared. A server sent back as it was shown, without its password, keeps
    /// the password: clients edit what they have read.
    /// - Throws: 422 for an invalid document.
    private static func changeSettings(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        var settings = try call.read { json throws(ModelProblems) in try GlobalSettings(json: json) }
        let former = call.session.settings
        if settings.passThrough == former.shown.passThrough { settings.passThrough = former.passThrough }
        call.session.settings = settings
        return .empty
    }

    private static func mergeExtended(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let json = try call.json()
        let wrapper = "com.github.tomakehurst.wiremock.admin.model.ExtendedSettingsWrapper"
        guard let object = json.objectValue else {
            throw refusal("/", "the body must be an object with the member `extended`, not \(json.shortDescription)")
        }
        if let stray = object.keys.first(where: { $0 != "extended" }) {
            let detail = "Unrecognized field \"\(stray)\" (class \(wrapper)), not marked as ignorable"
            throw refusal(JSONPointer([stray]).text, detail)
        }
        guard let value = object["extended"], !value.isNull else {
            throw AdminError(422, ErrorDocument(code: 10, pointer: "/extended", title: "extended is required"))
        }
        guard let additions = value.objectValue else {
            throw refusal("/extended", "`extended` must be an object, not \(value.shortDescription)")
        }
        call.session.mergeExtendedSettings(additions)
        return .emptyObject
    }

    private static func refusal(_ pointer: String, _ detail: String) -> AdminError {
        AdminError(422, ErrorDocument(code: 10, pointer: pointer, title: "Error parsing JSON", detail: detail))
    }

    /// Answers `health`. Memory holders and addresses are in headers, since strict clients reject unknown members.
    private static func health(_ call: AdminCall) -> PlainResponse {
        var response = publicHealth(call.request, call.options, call.daemon)
        let memory = call.sessions.base.memory
        let counts = [("limit", memory.limit), ("total", memory.total)] + holders(of: memory)
        let addresses = call.daemon.listeningAt
        if let replicas = call.daemon.replicas?.overview {
            response.headers.append(("X-StuntDouble-Replicas", replicas.line))
        }
        if !addresses.isEmpty {
            response.headers.append(("X-StuntDouble-Listeners", addresses.joined(separator: ", ")))
        }
        response.headers.append(("X-StuntDouble-Memory", counts.map { "\($0)=\($1)" }.joined(separator: ", ")))
        return response
    }

    /// WireMock's members of `health` only.
    static func publicHealth(
        _ request: Request, _ options: AdminOptions, _ daemon: any DaemonControl
    ) -> PlainResponse {
        let (status, message) = daemon.replicas?.overview.health ?? ("healthy", "Stunt Double is ok")
        return .json(
            [
                "status": .string(status),
                "message": .string(message),
                "version": .string(options.version),
                "uptimeInSeconds": number(daemon.uptimeMilliseconds / 1_000),
                "timestamp": .string(Timestamp(milliseconds: Int64(request.wallTime / 1_000_000)).wholeSeconds),
            ], status: status == "unhealthy" ? 503 : 200)
    }

    /// The number of bytes that each holder uses.
    private static func holders(of memory: MemoryLedger) -> [(name: String, bytes: Int)] {
        MemoryHolder.allCases.map { ($0.rawValue, memory.bytes(of: $0)) }
    }

    /// The holders of memory that grows with use, and the journals that the call may see. An addition to WireMock's
    /// admin API.
    private static func memory(_ call: AdminCall) -> PlainResponse {
        let memory = call.sessions.base.memory
        let holders = holders(of: memory).map { ($0.name, number($0.bytes)) }
        let sessions: [(id: JSONValue, name: JSONValue, session: Session)] =
            (call.session === call.sessions.base ? [(.null, .null, call.session)] : [])
            + call.sessions.all.filter { call.sessions.isVisible($0, to: call.session) }.map {
                (.string($0.id.text), $0.redactedName.map { .string($0) } ?? .null, $0.session)
            }
        return .json([
            "limit": number(memory.limit),
            "total": number(memory.total),
            "holders": .object(JSONObject(holders)),
            "journals": .array(
                sessions.map { id, name, session in
                    let size = session.journalSize
                    return [
                        "session": id, "name": name, "requests": number(size.count),
                        "bytes": number(size.bytes),
                    ]
                }),
        ])
    }

    /// The version as JSON, or as plain text if the client accepts only that.
    private static func version(_ call: AdminCall) -> PlainResponse {
        let accept = call.request.header(Array("accept".utf8)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        if accept.contains(text: "text/plain") {
            let type = [(name: "Content-Type", value: "text/plain")]
            return PlainResponse(status: 200, headers: type, body: Array(call.options.version.utf8))
        }
        return .json(["version": .string(call.options.version)])
    }

    /// The certificate of the local authority, for clients to trust.
    private static func authority(_ call: AdminCall) -> PlainResponse {
        guard let certificate = call.daemon.authorityCertificate else {
            return PlainResponse(
                status: 404,
                text: "No authority issues certificates here: HTTPS is not served, or with those of --https-keystore.\n"
            )
        }
        let type = [(name: "Content-Type", value: "application/x-pem-file")]
        return PlainResponse(status: 200, headers: type, body: certificate)
    }

    /// - Throws: 403 for a call that names a session: the daemon serves others too.
    private static func shutDown(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard call.session === call.sessions.base else {
            let title = "A session cannot shut down the daemon, which serves others, too"
            let detail =
                "end the session by DELETE /__admin/sessions/{id}, or send this call to the daemon's own address without naming "
                + "a session; the daemon of stuntdouble run ends with the last run"
            throw AdminError(403, ErrorDocument(code: 40, title: title, detail: detail))
        }
        call.daemon.shutDown()
        var response = PlainResponse.empty
        response.closes = true
        return response
    }
}
