public import Testing

// Variants of `stub` and similar calls for a test's own helpers, with their caller's location.

extension MockServer {
    /// `stub` for a helper, with its caller's location.
    /// - Returns: the stub's id.
    /// - Throws: like `stub`.
    @discardableResult
    public func stub(
        _ request: Stub.Request, _ answer: Stub.Answer, _ others: Stub.Answer..., sourceLocation: SourceLocation
    ) async throws -> Stub.ID {
        try await at(CallSite(sourceLocation)) { mock in
            try await mock.add(Stub(request, [answer] + others))
        }
    }

    /// `stub` for a helper, with its caller's location.
    /// - Returns: the ids of the stubs.
    /// - Throws: like `stub`.
    @discardableResult
    public func stub(_ stubs: [Stub], sourceLocation: SourceLocation) async throws -> [Stub.ID] {
        let place = CallSite(sourceLocation)
        return try await stub(
            stubs, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }

    /// `stub` for a helper, with its caller's location.
    /// - Returns: the stub's id.
    /// - Throws: like `stub`.
    @discardableResult
    public func stub(_ stub: Stub, sourceLocation: SourceLocation) async throws -> Stub.ID {
        try await at(CallSite(sourceLocation)) { try await $0.add(stub) }
    }

    /// `replaceStub` for a helper, with its caller's location.
    /// - Throws: like `replaceStub`.
    public func replaceStub(_ id: Stub.ID, with stub: Stub, sourceLocation: SourceLocation) async throws {
        let place = CallSite(sourceLocation)
        try await replaceStub(
            id, with: stub, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }

    /// `addFault` for a helper, with its caller's location.
    /// - Returns: the fault's id.
    /// - Throws: like `addFault`.
    @discardableResult
    public func addFault(
        _ fault: Stub.Fault, on pattern: Stub.Request = .any, name: String? = nil, sourceLocation: SourceLocation
    ) async throws -> Stub.ID {
        let place = CallSite(sourceLocation)
        return try await addFault(
            fault, on: pattern, name: name, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }

    /// `load` for a helper; the folder is looked up relative to the caller's file.
    /// - Throws: like `load`.
    public func load(folder: String, sourceLocation: SourceLocation) async throws {
        let place = CallSite(sourceLocation)
        try await load(
            folder: folder, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }

    /// `callAdmin` for a helper, with its caller's location.
    /// - Returns: the JSON of the answer.
    /// - Throws: like `callAdmin`.
    @discardableResult
    public func callAdmin(
        _ method: String, _ path: String, _ body: Stub.JSON? = nil, timeout: Duration = .seconds(30),
        sourceLocation: SourceLocation
    ) async throws -> Stub.JSON {
        let place = CallSite(sourceLocation)
        return try await callAdmin(
            method, path, body, timeout: timeout, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }
}
