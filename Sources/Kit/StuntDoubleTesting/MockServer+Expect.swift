extension MockServer {
    /// Expects requests by the end of the test: if there are too few or too many of them then, the test fails here.
    ///
    /// ```swift
    /// try mock.expect(.post("/analytics"), .exactly(1), within: .seconds(2))
    /// ```
    /// - Parameter within: how long the end of the test waits for them, for what the code under test sends later.
    /// - Throws: `MockServerError` if this server belongs to no test: nobody would look; `Stub.Problem` for a path that
    ///   is none.
    public func expect(
        _ pattern: Stub.Request, _ count: MockServer.Count = .atLeast(1), within: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) throws {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        guard let scope = reporter as? TestScope ?? TestScope.current else {
            throw MockServerError(
                "this server belongs to no test that could look at its end: use `verify`, or the server of the test",
                at: callSite)
        }
        let checked: Stub.Request
        do throws(Stub.Problem) {
            checked = try pattern.checked()
        } catch {
            throw error.placed(at: callSite)
        }
        scope.expect(TestScope.Expectation(pattern: checked, count: count, within: within, callSite: callSite))
    }
}
