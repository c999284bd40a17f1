/// The mock server of the running test: of its trait `.mockServer`, or of the enclosing `withMockServer`.
///
/// It is known on the test's own task and its child tasks. For code on a queue or in a detached task, capture it first:
/// `let mock = try mock`.
/// - Throws: `MockServerError` if there is none.
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
