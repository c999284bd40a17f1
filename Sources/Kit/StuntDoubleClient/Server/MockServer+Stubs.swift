import SDJSON
import SDStubModel

extension MockServer {
    /// Adds a stub: a request, and the answers to it.
    ///
    /// ```swift
    /// try await mock.stub(.get("/greeting"), .text("hello"))
    /// try await mock.stub(.post("/orders"), .status(503).times(2), .json(order, status: 201))
    /// ```
    /// Several answers are given in turn; the last one is repeated. Of the stubs that match a request, the one added
    /// last answers, unless a `priority` says otherwise.
    /// - Parameters:
    ///   - request: which requests are answered.
    ///   - answer: the answer, or the first one.
    ///   - others: the next ones.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: its id, for `removeStub` and `replaceStub`.
    /// - Throws: `Stub.Problem` for what cannot be sent, such as a status of 1000 or a value that cannot be encoded;
    ///   `MockServerError` with the server's own words if the stub is not valid.
    @discardableResult
    public func stub(
        _ request: Stub.Request, _ answer: Stub.Answer, _ others: Stub.Answer...,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.add(Stub(request, [answer] + others))
        }
    }

    @available(*, unavailable, message: "a stub needs an answer, such as .status(200)")
    @discardableResult
    public func stub(_ request: Stub.Request) async throws -> Stub.ID {
        try await add(Stub(request, []))
    }

    /// Adds stubs, such as those of `Stub.records`. Either all are added or none.
    /// - Returns: their ids.
    /// - Throws: `MockServerError` if the server cannot be reached, or with its own words if a stub is not valid.
    @discardableResult
    public func stub(
        _ stubs: [Stub],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> [Stub.ID] {
        // Of an import, the first mapping is tried first; of stubs, the last.
        let body: JSONValue = ["mappings": .array(stubs.reversed().map { $0.model.json() })]
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.call("POST", "/mappings/import", body: body.compactBytes)
        }
        return stubs.map(\.id)
    }

    /// Adds a stub.
    /// - Returns: its id, for `removeStub` and `replaceStub`.
    /// - Throws: `MockServerError` with the server's own words if the stub is not valid.
    @discardableResult
    public func stub(
        _ stub: Stub,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await $0.add(stub)
        }
    }

    /// `stub` for the place of this value.
    package func add(_ stub: Stub) async throws -> Stub.ID {
        _ = try await call("POST", "/mappings", body: stub.model.json().compactBytes)
        return stub.id
    }

    /// Replaces a stub; it keeps its place in the order in which stubs are tried.
    /// - Throws: `MockServerError` if the server cannot be reached, or with its own words if there is no such stub or
    ///   the new one is not valid.
    public func replaceStub(
        _ id: Stub.ID, with stub: Stub,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        var mapping = stub.model
        mapping.id = id
        let body = mapping.json().compactBytes
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.call("PUT", "/mappings/" + id.lowercasedString, body: body)
        }
    }

    /// Removes a stub. One that does not exist is an error.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when there is no such stub.
    public func removeStub(
        _ id: Stub.ID,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.call("DELETE", "/mappings/" + id.lowercasedString)
        }
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
    public var stubs: [Stub] {
        get async throws {
            let result = try await call("GET", "/mappings")
            return try (result.json["mappings"]?.arrayValue ?? []).map { json in
                try result.read("a stub") { () throws(ModelProblems) in Stub(try SDStubModel.StubMapping(json: json)) }
            }
        }
    }

    /// The session as it began: the stubs that were added since, its requests, state, faults and scenarios are gone; inherited
    /// stubs and those of the test's folder of mocks are back. What waits at a gate or in a stream is cut off.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    public func reset() async throws {
        _ = try await call("POST", "/reset")
        declarations.end()
        try await loadBeginning()
    }
}
