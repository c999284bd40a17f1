import SDCapture
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMatching
import SDMockEngine
import SDRecording
import SDStubModel
import SDStubs

/// `/__admin/recordings`: stubs made of what other servers answer; and the page for it.
enum RecordingRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/recordings/start", later: start).own,
        AdminRoute("POST", "/recordings/stop", later: stop).own.query("format", "discard"),
        AdminRoute("POST", "/recordings/snapshot", later: snapshot).reading,
        AdminRoute("GET", "/recordings/status", status),
        AdminRoute("GET", "/recordings/preview", later: preview).query("format"),
        AdminRoute("GET", "/recorder", recorder).anyQuery,
        AdminRoute("GET", "/recorder/index.html") { _ in PageFiles.redirect(to: "../ui/#/record") }.anyQuery,
    ]

    private static func start(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let spec = try call.read(RecordSpec.init(json:))
        let proxy = try refusing { () throws(StubRefusal) in try call.session.startRecording(spec) }
        guard let proxy else { return .now(.emptyObject) }
        let isURL = proxy.response.proxyBaseUrl.map { ProxyDefinition.isAbsolute($0) } ?? true
        let problem = ModelProblem(
            pointer: JSONPointer(["targetBaseUrl"]), message: "this is no absolute URL, and every request gets a 500")
        let advice = Advice(isURL ? [] : [problem])
        call.tell(advice)
        let session = call.session
        return call.change(
            .add(proxy),
            refusal: { refusal in
                _ = session.endRecording()
                return AdminError(refusal)
            }, { _ in .emptyObject.adding(advice.headers) })
    }

    private static func stop(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let asFiles = try RecordedFiles.areWanted(by: call)
        let isDiscarded = try call.flag("discard")
        guard let recording = call.session.endRecording() else {
            throw AdminError(400, ErrorDocument(code: 30, title: "Not currently recording."))
        }
        let session = call.session
        return call.withBodyFiles { () throws(AdminError) in
            try refusing { () throws(StubRefusal) in try session.removeProxy(of: recording) }
            if isDiscarded { return .emptyObject }
            let answer = try keep(session.stubs(of: recording), recording.spec, call)
            return asFiles ? .json(RecordedFiles(session.exchanges(of: recording), session.secretNames).json) : answer
        }
    }

    /// What a stop would give now. Adds and ends nothing; an addition to WireMock's admin API.
    private static func preview(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let asFiles = try RecordedFiles.areWanted(by: call)
        let session = call.session
        guard let recording = session.currentRecording else {
            throw AdminError(400, ErrorDocument(code: 30, title: "Not currently recording."))
        }
        return call.withBodyFiles {
            let exchanges = session.exchanges(of: recording)
            let stubs = session.servable(session.stubs(of: recording))
            let json =
                asFiles
                ? RecordedFiles(exchanges, session.secretNames).json : listed(stubs.withoutSecrets, recording.spec)
            guard case .object(var object) = json else { return .json(json) }
            object["count"] = number(exchanges.count)
            return .json(.object(object)).adding(advice(stubs).headers)
        }
    }

    private static func listed(_ stubs: RecordedStubs, _ spec: RecordSpec) -> JSONValue {
        spec.answersIDs
            ? ["ids": .array(stubs.mappings.map { .string($0.idText) })]
            : ["mappings": .array(stubs.mappings.map { $0.json(view: .api) })]
    }

    private static func advice(_ stubs: RecordedStubs) -> Advice {
        Advice(stubs.remarks.map { ModelProblem(pointer: .root, message: $0) })
    }

    /// Makes stubs of the journal; without a body with WireMock's defaults.
    private static func snapshot(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let spec = call.request.bodyCount == 0 ? RecordSpec() : try call.read(RecordSpec.init(json:))
        let session = call.session
        return call.withBodyFiles { () throws(AdminError) in
            let stubs = try refusing { () throws(StubRefusal) in try session.stubs(ofJournal: spec) }
            return try keep(stubs, spec, call)
        }
    }

    private static func keep(
        _ stubs: RecordedStubs, _ spec: RecordSpec, _ call: AdminCall
    ) throws(AdminError) -> PlainResponse {
        let stubs = try refusing { () throws(StubRefusal) in try call.session.keep(stubs) }
        let advice = advice(stubs)
        call.tell(advice)
        return .json(listed(stubs, spec)).adding(advice.headers)
    }

    private static func status(_ call: AdminCall) -> PlainResponse {
        var json: JSONObject = ["status": .string(call.session.recordingStatus.rawValue)]
        // An addition: what found no room.
        if let leftOut = call.session.unrecordedExchanges { json["leftOut"] = .number(JSONNumber(leftOut)) }
        return .json(.object(json))
    }

    /// Does what may be refused for the pattern of the filters.
    private static func refusing<Result>(
        _ body: () throws(StubRefusal) -> Result
    ) throws(AdminError) -> Result {
        do throws(StubRefusal) {
            return try body()
        } catch {
            throw AdminError(error, below: JSONPointer(["filters"]))
        }
    }

    /// The page's view for recording where the path ends with a slash, otherwise the way there, as in WireMock.
    private static func recorder(_ call: AdminCall) -> PlainResponse {
        guard call.request.path.last != UInt8(ascii: "/") else { return PageFiles.redirect(to: "../ui/#/record") }
        let named = call.request.header(Array("host".utf8)) ?? call.request.authority
        let host = named.map { String(decoding: $0, as: UTF8.self) } ?? "localhost"
        let path = String(decoding: call.request.path, as: UTF8.self)
        let scheme = call.request.isSecure ? "https" : "http"
        return PlainResponse(status: 302, headers: [("Location", "\(scheme)://\(host)\(path)/")])
    }
}
