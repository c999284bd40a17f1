extension MockServer {
    /// Expects requests by the end of the test. The test fails at this call site if the number is wrong by then.
    ///
    /// ```swift
    /// try mock.expect(.post("/analytics"), .exactly(1), within: .seconds(2))
    /// ```
    /// - Parameter within: how long the end of the test waits for requests that the code under test sends late.
    /// - Throws: `MockServerError` if this server does not belong to a test, because the expectation would never be
    ///   checked; `Stub.Problem` for an invalid path.
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
