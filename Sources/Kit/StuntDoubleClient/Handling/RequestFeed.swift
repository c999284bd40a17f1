import SDBasics
import SDJSON
import SDStubModel

/// The requests of a session as they arrive, over one long call of the admin API. Each goes to the handler of its stub.
final class RequestFeed: Sendable {
    private struct State {
        var listeners: [Stub.ID: AsyncStream<JSONValue>.Continuation] = [:]
        var isOver = false
        var task: Task<Void, Never>?
    }

    /// How many times in a row a failed call is repeated.
    private static let maxTries = 5

    private let state = Lock(State())
    private let beginning = Promise<Result<Void, MockServerError>>()

    /// Opens the feed.
    init(of server: MockServer) {
        // The task must not retain this object, which cancels it on deinit.
        let (dispatch, beginning) = (Dispatch(feed: self), beginning)
        let task = KitThreads.detached {
            let problem = await Self.run(server, dispatch, beginning)
            beginning.fulfil(.failure(problem))
            dispatch.feed?.end()
        }
        state.withLock { $0.task = task }
    }

    deinit {
        end()
    }

    /// Returns once the feed is open.
    /// - Throws: `MockServerError` if the feed ended before it opened.
    func waitForBeginning() async throws(MockServerError) {
        try await beginning.value.get()
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// The requests of a stub, from now until `leave` or the end of the feed.
    func requests(of stub: Stub.ID) -> AsyncStream<JSONValue> {
        let (stream, continuation) = AsyncStream<JSONValue>.makeStream()
        let isOver = state.withLock { state in
            if !state.isOver { state.listeners[stub] = continuation }
            return state.isOver
        }
        if isOver { continuation.finish() }
        return stream
    }

    /// Ends the list of a stub's requests.
    func leave(_ stub: Stub.ID) {
        state.withLock { $0.listeners.removeValue(forKey: stub) }?.finish()
    }

    /// Ends the call and all lists.
    func end() {
        let (task, listeners) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.task, state.listeners)
        }
        task?.cancel()
        for listener in listeners.values { listener.finish() }
    }

    fileprivate func listener(_ stub: Stub.ID) -> AsyncStream<JSONValue>.Continuation? {
        state.withLock { $0.listeners[stub] }
    }

    // MARK: The call

    /// Reads the feed until it is cancelled or fails for good. Returns why.
    private static func run(
        _ server: MockServer, _ dispatch: Dispatch, _ beginning: Promise<Result<Void, MockServerError>>
    ) async -> MockServerError {
        var position: String?
        var tries = 0
        while true {
            let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream()
            let after = position.map { "&after=" + URLEscaping.component($0) } ?? ""
            async let call = Self.listen(server, "/events?types=request" + after, continuation)
            var parser = EventParser()
            for await piece in pieces {
                for event in parser.consume(piece[...]) {
                    tries = 0
                    position = event.id ?? position
                    beginning.fulfil(.success(()))
                    dispatch(event)
                }
            }
            let problem = await call
            tries += 1
            // An ended session has no more requests.
            let isOver = problem.status == 410 || problem.status == 404 || beginning.known == nil
            guard !Task.isCancelled, !isOver, tries < maxTries else { return problem }
        }
    }

    /// Opens the feed and reads it. Returns why it ended.
    private static func listen(
        _ server: MockServer, _ path: String, _ pieces: AsyncStream<[UInt8]>.Continuation
    ) async -> MockServerError {
        defer { pieces.finish() }
        do {
            _ = try await server.call("GET", path, timeout: nil, isLong: true) { pieces.yield(Array($0)) }
            return MockServerError("the server has ended the list of requests", call: "GET /__admin" + path)
        } catch {
            return error as? MockServerError ?? MockServerError("\(error)", call: "GET /__admin" + path)
        }
    }

    /// Passes events to the handlers of a feed while the feed exists.
    private final class Dispatch: Sendable {
        private struct Box: Sendable {
            weak var feed: RequestFeed?
        }

        private let box: Lock<Box>

        init(feed: RequestFeed) {
            box = Lock(Box(feed: feed))
        }

        var feed: RequestFeed? { box.withLock { $0.feed } }

        func callAsFunction(_ event: EventParser.Event) {
            guard event.type == "request", let feed, let json = try? JSONValue(parsing: event.data),
                let stub = json["stub"]?["id"]?.stringValue.flatMap(SDStubModel.StubMapping.id(text:))
            else { return }
            feed.listener(stub)?.yield(json)
        }
    }
}
