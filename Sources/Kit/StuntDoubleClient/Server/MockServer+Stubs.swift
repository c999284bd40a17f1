extension MockServer {
    /// Adds a stub: a request, and the answers to it.
    ///
    /// ```swift
    /// try await mock.stub(.get("/greeting"), .text("hello"))
    /// try await mock.stub(.post("/orders"), .status(503).times(2), .json(order, status: 201))
    /// ```
    /// Several answers are given in turn; the last one is repeated. Of the stubs that match a request, the one added
    /// last answers, unless a `priority` says otherwise.
    /// - Returns: its id, for `removeStub` and `replaceStub`.
    /// - Throws: `StubProblem` for what cannot be sent, such as a status of 1000 or a value that cannot be encoded;
    ///   `MockServerError` with the server's own words if the stub is not valid.
    @discardableResult
    public func stub(
        _ request: RequestPattern, _ response: StubbedResponse, _ others: StubbedResponse...
    ) async throws -> StubMapping.ID {
        try await stub(StubMapping(request, [response] + others))
    }

    @available(*, unavailable, message: "a stub needs an answer, such as .status(200)")
    @discardableResult
    public func stub(_ request: RequestPattern) async throws -> StubMapping.ID {
        try await stub(StubMapping(request, []))
    }

    /// Adds stubs, such as those of `StubMapping.records`. Either all are added or none.
    /// - Returns: their ids.
    /// - Throws: `MockServerError` if the server cannot be reached, or with its own words if a stub is not valid.
    @discardableResult
    public func stub(_ mappings: [StubMapping]) async throws -> [StubMapping.ID] {
        // Of an import, the first mapping is tried first; of stubs, the last.
        let body: JSONValue = ["mappings": .array(mappings.reversed().map { $0.json() })]
        _ = try await call("POST", "/mappings/import", body: body.compactBytes)
        return mappings.map(\.id)
    }

    /// Adds a stub.
    /// - Returns: its id, for `removeStub` and `replaceStub`.
    /// - Throws: `MockServerError` with the server's own words if the stub is not valid.
    @discardableResult
    public func stub(_ mapping: StubMapping) async throws -> StubMapping.ID {
        _ = try await call("POST", "/mappings", body: mapping.json().compactBytes)
        return mapping.id
    }

    /// Adds a stub in WireMock's JSON, or in the daemon's, which adds fields to it.
    /// - Throws: `MockServerError` with the place if the text is no JSON, or with the server's own words if the stub is
    ///   not valid.
    @discardableResult
    public func stub(mapping json: JSONValue) async throws -> StubMapping.ID {
        let result = try await call("POST", "/mappings", body: json.compactBytes)
        guard let id = try result.json["id"]?.stringValue.flatMap(StubMapping.id(text:)) else {
            throw MockServerError("the answer names no stub", call: result.call)
        }
        return id
    }

    /// Replaces a stub; it keeps its place in the order in which stubs are tried.
    /// - Throws: `MockServerError` if the server cannot be reached, or with its own words if there is no such stub or
    ///   the new one is not valid.
    public func replaceStub(_ id: StubMapping.ID, with mapping: StubMapping) async throws {
        var mapping = mapping
        mapping.id = id
        _ = try await call("PUT", "/mappings/" + id.lowercasedString, body: mapping.json().compactBytes)
    }

    /// Removes a stub. One that does not exist is an error.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when there is no such stub.
    public func removeStub(_ id: StubMapping.ID) async throws {
        _ = try await call("DELETE", "/mappings/" + id.lowercasedString)
        declarations.remove(id)
    }

    /// Removes all stubs, inherited ones too.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    public func removeAllStubs() async throws {
        _ = try await call("DELETE", "/mappings")
        declarations.end()
    }

    /// The stubs in the order in which they are tried.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, or if its answer cannot be
    ///   read.
    public var stubs: [StubMapping] {
        get async throws {
            let result = try await call("GET", "/mappings")
            return try (result.json["mappings"]?.arrayValue ?? []).map { json in
                try result.read("a stub") { () throws(ModelProblems) in try StubMapping(json: json) }
            }
        }
    }

    /// The session as it began: its own stubs, its requests, state, faults and scenarios are gone; inherited stubs are
    /// back. What waits at a gate or in a stream is cut off.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    public func reset() async throws {
        _ = try await call("POST", "/reset")
        declarations.end()
    }
}
