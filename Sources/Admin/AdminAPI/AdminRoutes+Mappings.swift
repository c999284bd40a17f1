import SDBasics
import SDChannels
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDLinting
import SDMatching
import SDMockEngine
import SDStubFiles
import SDStubModel
import SDStubs

/// `/__admin/mappings`: WireMock's stub mapping endpoints.
enum MappingRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/", later: list).heavy.readingWhatIsKnown.query("limit", "offset"),
        AdminRoute("GET", "/mappings", later: list).heavy.readingWhatIsKnown.query("limit", "offset"),
        AdminRoute("POST", "/mappings", later: create).heavy.query("redact"),
        AdminRoute("DELETE", "/mappings", later: deleteAll).heavy,
        // Sent by WireMock.Net's client.
        AdminRoute("POST", "/mappings/reset", later: reset).changingJournal.query("reloadStaticMappings"),
        AdminRoute("POST", "/reset", later: reset).changingJournal,
        AdminRoute("POST", "/mappings/save", later: save).heavy,
        AdminRoute("POST", "/mappings/import", later: importAll).heavy,
        AdminRoute("POST", "/mappings/import/**", later: importFile).heavy.query("host", "folder"),
        AdminRoute("POST", "/mappings/remove", later: remove).heavy,
        AdminRoute("POST", "/mappings/edit", later: edit).heavy,
        AdminRoute("GET", "/mappings/{id}", get).heavy.readingWhatIsKnown.query("redact"),
        AdminRoute("PUT", "/mappings/{id}", later: replace).heavy.query("redact"),
        AdminRoute("PATCH", "/mappings/{id}", later: switchOnOrOff).heavy,
        AdminRoute("DELETE", "/mappings/{id}", later: delete),
    ]

    private static func list(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let limit = try call.count("limit")
        let offset = try call.count("offset") ?? 0
        let stubs = call.session.stubs
        let page = stubs.dropFirst(offset).prefix(limit ?? stubs.count)
        return call.stubs(Array(page), total: stubs.count)
    }

    private static func create(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let redaction = try redaction(of: call)
        let sent = try call.readStubs()
        guard sent.stubs.count == 1, let stub = sent.stubs.first else { return try createAll(sent, redaction, call) }
        return call.change(.add(stub)) { _ in
            call.log(sent.warnings, of: stub)
            return .json(redaction.redacted(stub), status: 201).adding(sent.warnings.headers)
        }
    }

    /// Adds several stubs in one step, from a document that no client of WireMock sends.
    /// - Throws: 422 for a document without stubs.
    private static func createAll(
        _ sent: SentStubs, _ redaction: Redaction?, _ call: AdminCall
    ) throws(AdminError) -> AdminAnswer {
        if sent.stubs.isEmpty { throw AdminError(422, ErrorDocument(code: 10, title: "The body has no stubs")) }
        let all = JSONValue.array(sent.stubs.map { redaction.redacted($0) })
        let answer: JSONValue = ["mappings": all, "meta": ["total": number(sent.stubs.count)]]
        return call.change(.importAll(StubImport(mappings: sent.stubs))) { _ in
            call.log(sent.warnings)
            return .json(answer, status: 201).adding(sent.warnings.headers)
        }
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard let stub = call.session.stub(try call.id()) else { throw .notFound }
        return .json(try redaction(of: call).redacted(stub))
    }

    /// The redaction of a WireMock answer: none, unless our own view is requested.
    private static func redaction(of call: AdminCall) throws(AdminError) -> Redaction? {
        try call.flag("redact") ? call.session.redaction : nil
    }

    private static func replace(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let id = try call.id()
        let redaction = try redaction(of: call)
        guard call.session.mayHave(id) else { throw .notFound }
        var (stub, warnings) = try call.readStubs().single()
        stub.id = id
        return call.change(.replace(stub)) { [stub, warnings] wasThere throws(AdminError) in
            guard wasThere else { throw .notFound }
            call.log(warnings, of: stub)
            return .json(redaction.redacted(stub)).adding(warnings.headers)
        }
    }

    /// Edits a stub by WireMock's older form of `PUT /mappings/{id}`: the body has the id.
    /// - Throws: 422 for an invalid mapping, 404 for an unknown id.
    private static func edit(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let (stub, warnings) = try call.readStubs().single()
        return call.change(.replace(stub)) { wasThere throws(AdminError) in
            guard wasThere else { throw .notFound }
            call.log(warnings, of: stub)
            return PlainResponse(status: 204).adding(warnings.headers)
        }
    }

    /// Enables or disables a stub. An addition to WireMock's admin API.
    /// - Throws: 422 for a body that is not `{"enabled": true}` or `{"enabled": false}`, 404 for an unknown id.
    private static func switchOnOrOff(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let id = try call.id()
        guard var stub = call.session.stub(id) else { throw .notFound }
        let isOn = try call.read(StubSwitch.init(json:)).isOn
        guard stub.enabled ?? true != isOn else { return .now(.json(stub.json(view: .api))) }
        // A stub is enabled by default.
        stub.enabled = isOn ? nil : false
        stub.timesLeft = nil
        return call.change(.replace(stub)) { [stub] wasThere throws(AdminError) in
            guard wasThere else { throw .notFound }
            return .json(stub.json(view: .api))
        }
    }

    private static func delete(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        call.change(.remove(try call.id())) { wasThere throws(AdminError) in
            guard wasThere else { throw .notFound }
            return .emptyObject
        }
    }

    private static func deleteAll(_ call: AdminCall) -> AdminAnswer {
        call.change(.removeAll) { _ in .emptyObject }
    }

    /// Resets the stubs to the files: removes those added by the admin API, and restores those it edited or removed.
    private static func reset(_ call: AdminCall) -> AdminAnswer {
        // Message stubs are also reset to those of files; a reset of everything ends channels and removes messages too.
        let isWhole = call.request.path.elementsEqual("/__admin/reset".utf8)
        if isWhole { call.session.channels.reset() } else { call.session.channels.resetStubs() }
        // The files belong to the base; other sessions inherit its stubs.
        guard call.session === call.sessions.base else { return call.change(.reset(then: nil)) { _ in .empty } }
        let daemon = call.daemon
        return call.change(.reset { daemon.reloadFiles() }) { _ in .empty }
    }

    private static func save(_ call: AdminCall) -> AdminAnswer {
        let (session, replicas) = (call.session, call.daemon.replicas)
        return call.change(.saveAll) { _ in
            guard let replicas, session.savesStubs else { return .empty }
            let saved = "\(replicas.overview.own), \(session.savedCount.of("stub"))"
            return .empty.adding([("X-StuntDouble-Saved", saved)])
        }
    }

    private static func importAll(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        if let format = try call.formatOfContract() { return try importContract(format, call) }
        let json = try call.json()
        if call.isYAML, json["importOptions"] == nil {
            let sent = try call.readStubFile(.yaml)
            return importAll(StubImport(mappings: sent.stubs), sent.warnings, call)
        }
        var (document, warnings) = try call.readWithWarnings(json, StubImport.read)
        for (index, mapping) in document.mappings.enumerated() where !warnings.isFull {
            warnings.add(call.session.warnings(about: mapping), below: JSONPointer(["mappings", String(index)]))
        }
        return importAll(document, warnings, call)
    }

    /// Serves an OpenAPI document, replacing an earlier one with the same title. Reads no files.
    private static func importContract(
        _ format: StubFile.Format, _ call: AdminCall
    ) throws(AdminError) -> AdminAnswer {
        let text = try call.text()
        let name = StubFile.titleOfContract(text, format: format)
        let file = StubFile.read(text, format: format, path: name, idSeed: name)
        let errors = file.diagnostics.filter { $0.severity == .error }
        guard errors.isEmpty else { throw AdminError(422, ErrorDocument(errors)) }
        var warnings = CallWarnings()
        warnings.add(
            file.diagnostics.map {
                ModelProblem(
                    pointer: $0.pointer, message: $0.message, expected: $0.expected, found: $0.found,
                    suggestion: $0.suggestion)
            })
        // Stubs for operations that only the previous document has would report them as unknown.
        let former = call.session.operations(ofImported: name)
        call.session.importContracts(file.contracts.map(\.served), named: name)
        return importAll(StubImport(mappings: file.stubs.reversed(), replaced: former), warnings, call)
    }

    private static func importAll(_ document: StubImport, _ warnings: CallWarnings, _ call: AdminCall) -> AdminAnswer {
        call.change(
            .importAll(document), refusal: { AdminError($0, below: place(of: $0, in: document)) },
            { _ in
                call.log(warnings)
                return PlainResponse.empty.adding(warnings.headers)
            })
    }

    /// Adds the content of a stub file in any format to the session, replacing that of a file with the same name. An
    /// addition to WireMock's admin API.
    ///
    /// With `folder=true` the file is treated like one of the served folder: not a stub file means no stubs, and with
    /// `--keep-going` a file with errors yields its valid stubs.
    /// - Throws: 422 with locations in the file; 415 if it is not a stub file.
    private static func importFile(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let name = call.parameters["0"] ?? ""
        if name.lowercased().hasSuffix(".har") { return try importArchive(call, named: name) }
        guard let format = StubFile.Format(path: name) else {
            let title =
                "\(name) is no stub file: its name ends with .json, .yaml or .yml, or is that of an archive, .har"
            throw AdminError(415, ErrorDocument(code: 10, title: title))
        }
        let isOfFolder = try call.flag("folder")
        if isOfFolder, name.hasPrefix("message-mappings/") { return try importMessages(call, format, named: name) }
        let (file, warnings) =
            isOfFolder
            ? try call.folderFile(format, named: name) : try call.stubFile(format, named: name, isWhole: true)
        let messages = try call.messageStubs(of: file, named: name)
        // The last stub of a file is tried first, as is the first one of an import.
        let document = StubImport(mappings: file.stubs.reversed())
        let answer: JSONValue = [
            "mappings": .array(file.stubs.map { shown($0.idText, $0.name) }),
            "warnings": .array(warnings.map { .string($0.description) }),
        ]
        let session = call.session
        let imported: @Sendable (Bool) -> PlainResponse = { _ in
            session.importContracts(file.contracts.map(\.served), named: name)
            if isOfFolder {
                session.setMessageFile(name, messages.isEmpty ? nil : messages)
            } else {
                for stub in messages { session.put(stub) }
            }
            session.take(
                name, stubs: isOfFolder ? file.stubs.map(\.id) : [], faultSets: file.faultSets, cors: file.cors,
                redacted: file.redacted)
            return .json(answer)
        }
        return call.change(.importAll(document), refusal: { AdminError($0, in: file) }, imported)
    }

    private static func shown(_ id: String, _ name: String?) -> JSONValue {
        var json: JSONObject = ["id": .string(id)]
        json["name"] = name.map { .string($0) }
        return .object(json)
    }

    /// Replaces the message stubs of a folder's file.
    private static func importMessages(
        _ call: AdminCall, _ format: StubFile.Format, named name: String
    ) throws(AdminError) -> AdminAnswer {
        let file = StubFile.readMessages(try call.text(), format: format, path: name)
        let errors = file.diagnostics.filter { $0.severity == .error }
        guard errors.isEmpty || call.options.keepsGoing else { throw AdminError(422, ErrorDocument(errors)) }
        let stubs = try call.messageStubs(of: file, named: name)
        if call.rehearsal == nil { call.session.setMessageFile(name, stubs) }
        return .now(
            .json([
                "mappings": .array(stubs.map { shown($0.stub.idText, $0.stub.name) }),
                "warnings": .array(file.diagnostics.map { .string($0.description) }),
            ]))
    }

    private static func place(of refusal: StubRefusal, in document: StubImport) -> JSONPointer {
        guard case .unserved(let id, _) = refusal, let index = document.mappings.firstIndex(where: { $0.id == id })
        else { return .root }
        return JSONPointer(["mappings", String(index)])
    }

    /// Removes one stub, or several under `mappings`.
    /// - Throws: if the body is not JSON, or not a mapping.
    private static func remove(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let json = try call.json()
        var doomed: [(stub: StubMapping, hasID: Bool)] = []
        for element in json["mappings"]?.arrayValue ?? [json] {
            let hasID = (element["id"] ?? element["uuid"])?.stringValue?.isEmpty == false
            doomed.append((try readStub(element), hasID))
        }
        return call.change(.removeLike(doomed)) { _ in .empty }
    }

    private static func readStub(_ json: JSONValue) throws(AdminError) -> StubMapping {
        do {
            return try StubMapping(json: json)
        } catch {
            throw AdminError(422, ErrorDocument(error))
        }
    }
}

extension AdminError {
    /// An error for a rejected stub, located in the file that was sent.
    fileprivate init(_ refusal: StubRefusal, in file: ParsedStubFile) {
        guard case .unserved(let id, let problems) = refusal,
            let index = file.stubs.firstIndex(where: { $0.id == id })
        else {
            self.init(refusal)
            return
        }
        let told = problems.map { ModelProblem(pointer: $0.pointer, isAboutName: true, message: $0.message) }
        self.init(422, ErrorDocument(file.diagnostics(for: told, inStubAt: index)))
    }
}
