import SDCapture
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMatching
import SDMockEngine
import SDPlatform
import SDRecording
import SDStubModel
import SDStubs

/// `/__admin/recordings`: stubs made from other servers' answers, and the page for it.
enum RecordingRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/recordings/start", later: start).byHandler,
        AdminRoute("POST", "/recordings/stop", later: stop).byHandler.query("format", "discard"),
        AdminRoute("POST", "/recordings/snapshot", later: snapshot).byHandler,
        AdminRoute("GET", "/recordings/status", status).ofAll(adding: "leftOut").ofOwnUse,
        AdminRoute("GET", "/recordings/preview", later: preview).byHandler.query("format"),
        AdminRoute("GET", "/recorder", recorder).anyQuery,
        AdminRoute("GET", "/recorder/index.html") { _ in PageFiles.redirect(to: "../ui/#/record") }.anyQuery,
    ]

    private static func start(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let spec = try call.read(RecordSpec.init(json:))
        if let replicas = call.daemon.replicas, !call.isMadeByAll {
            // A running recording continues.
            guard call.session.currentRecording == nil else { return .now(.emptyObject) }
            // Earlier requests are not recorded.
            let change = ReplicatedCall(call, needsJournal: true)
            return .later { [request = call.request] reply in
                let owed = OneShotReply(reply)
                replicas.make(change, request) { own, _ in owed.answer(own) }
            }
        }
        let proxy = try refusing { () throws(StubRefusal) in try call.session.startRecording(spec) }
        guard let proxy else { return .now(.emptyObject) }
        let isURL = proxy.response.proxyBaseUrl.map { ProxyDefinition.isAbsolute($0) } ?? true
        let problem = ModelProblem(
            pointer: JSONPointer(["targetBaseUrl"]), message: "this is no absolute URL, and every request gets a 500")
        let warnings = CallWarnings(isURL ? [] : [problem])
        call.log(warnings)
        let session = call.session
        return call.change(
            .add(proxy),
            refusal: { refusal in
                _ = session.endRecording()
                return AdminError(refusal)
            }, { _ in .emptyObject.adding(warnings.headers) })
    }

    private static func stop(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let asFiles = try RecordedFiles.areWanted(by: call)
        let isDiscarded = try call.flag("discard")
        if let replicas = call.daemon.replicas {
            return call.isMadeByAll
                ? stopHere(call) : try stopEverywhere(call, replicas, asFiles: asFiles, isDiscarded: isDiscarded)
        }
        guard let recording = call.session.endRecording() else {
            throw notRecording
        }
        let session = call.session
        return call.withBodyFiles { () throws(AdminError) in
            try refusing { () throws(StubRefusal) in try session.removeProxy(of: recording) }
            if isDiscarded { return .emptyObject }
            let answer = try keep(session.stubs(of: recording), recording.spec, call)
            return asFiles ? .json(RecordedFiles(session.exchanges(of: recording), session.secretNames).json) : answer
        }
    }

    /// Ends this replica's recording, as all do, and returns its exchanges.
    private static func stopHere(_ call: AdminCall) -> AdminAnswer {
        let session = call.session
        guard let recording = session.endRecording() else {
            // A replica that joined later does not have the recording, only its end.
            guard session.recordingStatus == .neverStarted else { return .now(notRecording.response) }
            session.noteRecordingStopped()
            return .now(.emptyObject)
        }
        return call.withBodyFiles { () throws(AdminError) in
            try refusing { () throws(StubRefusal) in try session.removeProxy(of: recording) }
            return .told(recording)
        }
    }

    private static let notRecording = AdminError(400, ErrorDocument(code: 30, title: "Not currently recording."))

    /// Ends the recording on all replicas, and makes stubs that all get.
    private static func stopEverywhere(
        _ call: AdminCall, _ replicas: any ReplicaControl, asFiles: Bool, isDiscarded: Bool
    ) throws(AdminError) -> AdminAnswer {
        let session = call.session
        guard let recording = session.currentRecording else { throw notRecording }
        var change = ReplicatedCall(call, needsJournal: true)
        (change.wantsAnswers, change.takesLong) = (!isDiscarded, true)
        // If the stubs cannot be saved, the recording continues.
        let rehearse: @Sendable (@escaping @Sendable (PlainResponse?) -> Void) -> Void = { then in
            recording.spec.persists && !isDiscarded ? call.rehearseSaving(then: then) : then(nil)
        }
        return .later { [change] reply in
            let owed = OneShotReply(reply)
            rehearse { refusal in
                if let refusal { return owed.answer(refusal) }
                replicas.make(change, call.request) { own, others in
                    let silent = own.headers.filter { $0.name == "X-StuntDouble-Silent-Replicas" }
                    guard own.status < 300, !isDiscarded else {
                        return owed.answer(own.status < 300 ? .emptyObject.adding(silent) : own)
                    }
                    session.heavyWork.add {
                        let others = RecordedElsewhere(others)
                        let files =
                            asFiles
                            ? RecordedFiles(session.exchanges(of: recording, and: others), session.secretNames).json
                            : nil
                        keepEverywhere(session.stubs(of: recording, and: others), recording.spec, call, replicas) {
                            answer in
                            let answer = answer.status < 300 ? files.map { .json($0) } ?? answer : answer
                            owed.answer(answer.adding(silent))
                        }
                    }
                }
            }
        }
    }

    private static func keepEverywhere(
        _ stubs: RecordedStubs, _ spec: RecordSpec, _ call: AdminCall, _ replicas: any ReplicaControl,
        then: @escaping @Sendable (PlainResponse) -> Void
    ) {
        call.keepEverywhere(stubs, replicas) { result, headers in
            switch result {
            case .failure(let refused): then(refused.response)
            case .success(let stubs):
                let warnings = warnings(stubs)
                call.log(warnings)
                then(.json(listed(stubs, spec)).adding(warnings.headers + headers))
            }
        }
    }

    /// The stubs that a stop would make now. Adds and ends nothing; an addition to WireMock's admin API.
    private static func preview(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let asFiles = try RecordedFiles.areWanted(by: call)
        let session = call.session
        if call.isMadeByAll { return call.ownRecording() }
        guard let recording = session.currentRecording else { throw notRecording }
        guard let replicas = call.daemon.replicas else {
            return call.withBodyFiles { preview(recording, RecordedElsewhere(), call, asFiles: asFiles) }
        }
        return .later { reply in
            let owed = OneShotReply(reply)
            call.hearOfRecordings(replicas) { result in
                switch result {
                case .failure(let problem): owed.answer(problem.response)
                case .success(let heard):
                    session.bodyWork.add {
                        owed.answer(
                            preview(recording, heard.others, call, asFiles: asFiles).adding(heard.headers))
                    }
                }
            }
        }
    }

    private static func preview(
        _ recording: SessionRecorder.Recording, _ others: RecordedElsewhere, _ call: AdminCall, asFiles: Bool
    ) -> PlainResponse {
        let session = call.session
        let exchanges = session.exchanges(of: recording, and: others)
        let stubs = session.servable(session.stubs(of: recording, and: others))
        let json =
            asFiles
            ? RecordedFiles(exchanges, session.secretNames).json : listed(stubs.withoutSecrets, recording.spec)
        guard case .object(var object) = json else { return .json(json) }
        object["count"] = number(exchanges.count)
        return .json(.object(object)).adding(warnings(stubs).headers)
    }

    private static func listed(_ stubs: RecordedStubs, _ spec: RecordSpec) -> JSONValue {
        spec.answersIDs
            ? ["ids": .array(stubs.mappings.map { .string($0.idText) })]
            : ["mappings": .array(stubs.mappings.map { $0.json(view: .api) })]
    }

    private static func warnings(_ stubs: RecordedStubs) -> CallWarnings {
        CallWarnings(stubs.warnings.map { ModelProblem(pointer: .root, message: $0) })
    }

    /// Makes stubs from the journal; without a body, with WireMock's defaults.
    private static func snapshot(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        // The stubs that another replica has made.
        if call.isMadeByAll { return try call.keepHere() }
        let spec = call.request.bodyCount == 0 ? RecordSpec() : try call.read(RecordSpec.init(json:))
        let session = call.session
        if let replicas = call.daemon.replicas { return snapshot(of: spec, call, replicas) }
        return call.withBodyFiles { () throws(AdminError) in
            let stubs = try refusing { () throws(StubRefusal) in try session.stubs(ofJournal: spec) }
            return try keep(stubs, spec, call)
        }
    }

    private static func snapshot(
        of spec: RecordSpec, _ call: AdminCall, _ replicas: any ReplicaControl
    ) -> AdminAnswer {
        .later { reply in
            let owed = OneShotReply(reply)
            call.hearOfRecordings(replicas) { result in
                switch result {
                case .failure(let problem): owed.answer(problem.response)
                case .success(let heard):
                    call.session.heavyWork.add {
                        do throws(AdminError) {
                            let stubs = try refusing { () throws(StubRefusal) in
                                try call.session.stubs(ofJournal: spec, and: heard.others)
                            }
                            keepEverywhere(stubs, spec, call, replicas) { owed.answer($0.adding(heard.headers)) }
                        } catch {
                            owed.answer(error.response)
                        }
                    }
                }
            }
        }
    }

    private static func keep(
        _ stubs: RecordedStubs, _ spec: RecordSpec, _ call: AdminCall
    ) throws(AdminError) -> PlainResponse {
        let stubs = try refusing { () throws(StubRefusal) in try call.session.keep(stubs) }
        let warnings = warnings(stubs)
        call.log(warnings)
        return .json(listed(stubs, spec)).adding(warnings.headers)
    }

    private static func status(_ call: AdminCall) -> PlainResponse {
        var json: JSONObject = ["status": .string(call.session.recordingStatus.rawValue)]
        // An addition: the number of exchanges for which there was no room.
        if let leftOut = call.session.unrecordedExchanges { json["leftOut"] = .number(JSONNumber(leftOut)) }
        return .json(.object(json))
    }

    /// Runs `body` and converts an error in the filters' pattern.
    private static func refusing<Result>(
        _ body: () throws(StubRefusal) -> Result
    ) throws(AdminError) -> Result {
        do throws(StubRefusal) {
            return try body()
        } catch {
            throw AdminError(error, below: JSONPointer(["filters"]))
        }
    }

    /// The recording page if the path ends with a slash, otherwise a redirect to it, as in WireMock.
    private static func recorder(_ call: AdminCall) -> PlainResponse {
        guard call.request.path.last != UInt8(ascii: "/") else { return PageFiles.redirect(to: "../ui/#/record") }
        let named = call.request.header(Array("host".utf8)) ?? call.request.authority
        let host = named.map { String(decoding: $0, as: UTF8.self) } ?? "localhost"
        let path = String(decoding: call.request.path, as: UTF8.self)
        let scheme = call.request.isSecure ? "https" : "http"
        return PlainResponse(status: 302, headers: [("Location", "\(scheme)://\(host)\(path)/")])
    }
}
