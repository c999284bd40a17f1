import SDJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// Runs `body` against a real service and records it the first time; replays the recording from then on.
    ///
    /// ```swift
    /// try await mock.record(to: "Recordings/orders", from: URL(string: "https://staging.example.com")!) {
    ///     let orders = try await ShopClient(baseURL: mock.url).orders()
    ///     #expect(orders.count == 3)
    /// }
    /// ```
    /// While recording, requests that match no stub of the test go to the service, and its answers are returned
    /// unchanged. At the end they are written to the folder as route files, with placeholders for cookies, tokens and
    /// other secrets. Nothing is written if `body` throws. During replay, a request that was not recorded is unmatched:
    /// it fails the test with the nearest recorded one.
    /// - Parameters:
    ///   - folder: an absolute path, or one relative to the calling file. It is created when something is recorded.
    ///   - service: the base URL of the real service, with `http` or `https`.
    ///   - mode: nil for the value of the variable `STUNTDOUBLE_RECORD`, or else `onceThenReplay`.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: the calling file.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    ///   - isolation: the calling actor; omit it.
    ///   - body: the calls of the code under test, and the expectations.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `MockServerError` if there is nothing to replay, if no request was recorded, if
    ///   the folder cannot be written or read, or if the server refuses to record.
    public func record<Result>(
        to folder: String, from service: URL, mode: RecordingMode? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let mock = placed(at: callSite)
        let place = RecordingFolder(folder, near: filePath)
        var mode = try mode ?? .ofEnvironment()
        if mode == .onceThenReplay { mode = place.isEmpty ? .record : .replay }
        switch mode {
        case .record, .onceThenReplay: return try await mock.recorded(in: place, from: service, body)
        case .live:
            try await mock.pass(to: service)
            let result = try await body()
            try await mock.pass(to: nil)
            return result
        case .replay:
            guard !place.isEmpty else {
                throw MockServerError(
                    "there is no recording in \(place.path); expected one: run the test once with "
                        + "\(RecordingMode.variable)=record where \(service.absoluteString) can be reached",
                    at: callSite)
            }
            try await at(callSite) { try await $0.load(path: place.path) }
            return try await body()
        }
    }

    private func recorded<Result>(
        in place: RecordingFolder, from service: URL, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        // The test's stubs come first: the service answers only requests that match none.
        try await KitThreads.run {
            try await pass(to: service)
            try await admin("POST", "/recordings/start", ["persist": false])
        }
        let result: Result
        do {
            result = try await body()
        } catch {
            try? await KitThreads.run {
                _ = try? await admin("POST", "/recordings/stop")
                try await pass(to: nil)
            }
            throw error
        }
        let files = try await KitThreads.run {
            let files = try await admin("POST", "/recordings/stop?format=files")["files"]?.arrayValue ?? []
            try await pass(to: nil)
            return files
        }
        guard !files.isEmpty else {
            throw MockServerError(
                "nothing was recorded from \(service.absoluteString): the code under test sent no request to "
                    + "\(url.absoluteString) that no stub answered", at: callSite)
        }
        try place.write(files)
        return result
    }
}
