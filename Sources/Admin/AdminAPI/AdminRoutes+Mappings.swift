import JSON
import MockEngine
import StubModel

/// `/__admin/mappings`: WireMock's stub mapping endpoints.
enum MappingRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/", list),
        AdminRoute("GET", "/mappings", list),
        AdminRoute("POST", "/mappings", create),
        AdminRoute("DELETE", "/mappings", deleteAll),
        AdminRoute("POST", "/mappings/reset", reset),
        AdminRoute("POST", "/reset", reset),
        AdminRoute("POST", "/mappings/save", save),
        AdminRoute("POST", "/mappings/import", importAll),
        AdminRoute("POST", "/mappings/remove", remove),
        AdminRoute("POST", "/mappings/edit", edit),
        AdminRoute("GET", "/mappings/{id}", get),
        AdminRoute("PUT", "/mappings/{id}", replace),
        AdminRoute("DELETE", "/mappings/{id}", delete),
    ]

    private static func list(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let limit = try call.count("limit")
        let offset = try call.count("offset") ?? 0
        let stubs = call.session.stubs
        let page = stubs.dropFirst(offset).prefix(limit ?? stubs.count)
        return .stubs(page, total: stubs.count)
    }

    private static func create(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let stub = try call.read { json throws(ModelProblems) in try StubMapping(json: json) }
        try refusing { () throws(StubRefusal) in try call.session.add(stub) }
        return .json(stub.json(view: .api), status: 201)
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        guard let stub = call.session.stub(try call.id()) else { throw .notFound }
        return .json(stub.json(view: .api))
    }

    private static func replace(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        guard call.session.stub(id) != nil else { throw .notFound }
        var stub = try call.read { json throws(ModelProblems) in try StubMapping(json: json) }
        stub.id = id
        let edited = stub
        let wasThere = try refusing { () throws(StubRefusal) in try call.session.replace(edited) }
        guard wasThere else { throw .notFound }
        return .json(edited.json(view: .api))
    }

    /// Edits a stub with WireMock's older form of `PUT /mappings/{id}`: the body names the stub.
    /// - Throws: 422 for an invalid mapping, 404 for an unknown id.
    private static func edit(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let stub = try call.read { json throws(ModelProblems) in try StubMapping(json: json) }
        let wasThere = try refusing { () throws(StubRefusal) in try call.session.replace(stub) }
        guard wasThere else { throw .notFound }
        return PlainResponse(status: 204)
    }

    private static func delete(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        let wasThere = try refusing { () throws(StubRefusal) in try call.session.remove(id) }
        guard wasThere else { throw .notFound }
        return .emptyObject
    }

    private static func deleteAll(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try refusing { () throws(StubRefusal) in try call.session.removeAll() }
        return .emptyObject
    }

    /// Resets the stubs to the files: removes those added by the admin API, and restores those it edited or removed.
    private static func reset(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        call.session.dropAllButFiles()
        // The files belong to the base; other sessions see its stubs.
        if call.session === call.sessions.base { call.daemon.reloadFiles() }
        return .empty
    }

    private static func save(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try refusing { () throws(StubRefusal) in try call.session.saveAll() }
        return .empty
    }

    private static func importAll(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let document = try call.read { json throws(ModelProblems) in try StubImport(json: json) }
        do throws(StubRefusal) {
            try call.session.importStubs(document)
        } catch {
            throw AdminError(error, below: place(of: error, in: document))
        }
        return .empty
    }

    private static func place(of refusal: StubRefusal, in document: StubImport) -> JSONPointer {
        guard case .unserved(let id, _) = refusal, let index = document.mappings.firstIndex(where: { $0.id == id })
        else { return .root }
        return JSONPointer(["mappings", String(index)])
    }

    /// Removes a stub, or those of several mappings under `mappings`.
    private static func remove(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let json = try call.json()
        var doomed: [(stub: StubMapping, hasID: Bool)] = []
        for element in json["mappings"]?.arrayValue ?? [json] {
            let hasID = (element["id"] ?? element["uuid"])?.stringValue?.isEmpty == false
            doomed.append((try readStub(element), hasID))
        }
        for (stub, hasID) in doomed {
            try refusing { () throws(StubRefusal) in try call.session.remove(like: stub, hasID: hasID) }
        }
        return .empty
    }

    private static func readStub(_ json: JSONValue) throws(AdminError) -> StubMapping {
        do {
            return try StubMapping(json: json)
        } catch {
            throw AdminError(422, ErrorDocument(error))
        }
    }

    static func refusing<Result>(
        _ change: () throws(StubRefusal) -> Result
    ) throws(AdminError) -> Result {
        do {
            return try change()
        } catch {
            throw AdminError(error)
        }
    }
}
