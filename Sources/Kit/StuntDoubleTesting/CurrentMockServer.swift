/// The mock server of the test that runs now: of its trait `.mockServer`, or of the `withMockServer` around this code.
///
/// It is known on the test's own task and its child tasks. Where code hops away from them, to a queue or a detached
/// task, take it along: `let mock = try mock`.
/// - Throws: `MockServerError` where there is none.
public var mock: MockServer {
    get throws {
        if let current = MockServer.current { return current }
        throw MockServerError(
            """
            there is no mock server here: give the test or its suite the trait `.mockServer`, or wrap this code in \
            `withMockServer { mock in … }`; a detached task or a queue does not inherit it
            """)
    }
}
