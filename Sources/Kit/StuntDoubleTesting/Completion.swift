internal import Testing

/// Calls code with a completion handler, and returns the handler's arguments.
///
/// ```swift
/// let (data, response, error) = try await completion {
///     session.dataTask(with: url, completionHandler: $0).resume()
/// }
/// let feed = try await completion { FeedClient(baseURL: mock.url).load(completion: $0) }.get()
/// ```
/// Fails the test at this call site if the handler is not called. Further calls of the handler are ignored.
/// - Parameters:
///   - within: how long to wait for the handler.
///   - fileID: the call site for failures; omit it and the next three.
///   - filePath: see `fileID`.
///   - line: see `fileID`.
///   - column: see `fileID`.
///   - isolation: the actor on which `start` runs: that of the caller.
///   - start: starts the work, with the handler to call.
/// - Returns: the handler's arguments: a single value, or several as a tuple.
/// - Throws: what `start` throws; a failure if the handler is not called in time; `CancellationError`.
@discardableResult
public func completion<each Value: Sendable>(
    within: Duration = .seconds(10), fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column, isolation: isolated (any Actor)? = #isolation,
    _ start: (@escaping @Sendable (repeat each Value) -> Void) throws -> Void
) async throws -> (repeat each Value) {
    let promise = Promise<(repeat each Value)?>()
    let limit = KitThreads.after(within) { promise.fulfil(nil) }
    defer { limit.cancel() }
    try start { (value: repeat each Value) in promise.fulfil((repeat each value)) }
    let values = await withTaskCancellationHandler {
        // Captures the isolation: without it the closure would run on Swift's pool, which may be blocked.
        _ = isolation
        return await promise.value
    } onCancel: {
        _ = KitThreads.after(.zero) { promise.fulfil(nil) }
    }
    if let values { return values }
    try Task.checkCancellation()
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let failure = VerificationFailure("the completion handler was not called within \(within)", at: callSite)
    guard Test.current != nil else { throw failure }
    // The failure is recorded here; the error that the test throws as well records nothing more.
    let call: Void? = nil
    try #require(call, "\(failure.message)", sourceLocation: SourceLocation(callSite))
    throw failure
}
