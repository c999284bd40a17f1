// For platforms where our own sockets are not suitable: in the background of an app, and for servers behind https. The
// condition `STUNTDOUBLE_URLSESSION` lets tests on other platforms use it.
#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS) || STUNTDOUBLE_URLSESSION
    import Foundation
    import SDBasics

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Calls over Foundation's URLSession.
    final class URLSessionTransport: ServerTransport {
        private let base: String
        private let session: URLSession

        init(base: String) {
            self.base = base
            session = URLSession(configuration: Self.configuration)
        }

        deinit {
            session.invalidateAndCancel()
        }

        private static var configuration: URLSessionConfiguration {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = 64
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.httpShouldSetCookies = false
            // A limit for the whole call; a waiting call sets its own timeout.
            configuration.timeoutIntervalForResource = 7_200
            return configuration
        }

        func send(_ request: ServerRequest) async throws -> ServerAnswer {
            guard let url = URL(string: base + request.target) else {
                throw MockServerError("\(base)\(request.target) is no URL")
            }
            var message = URLRequest(url: url)
            message.httpMethod = request.method
            for header in request.headers { message.setValue(header.value, forHTTPHeaderField: header.name) }
            message.httpBody = request.body.map { Data($0) }
            message.timeoutInterval = request.timeout.map { Double($0.components.seconds) + 1 } ?? 7_200
            do {
                if let onBody = request.onBody { return try await stream(message, onBody) }
                let (data, response) = try await session.data(for: message)
                return try Self.answer(response, [UInt8](data))
            } catch let error as URLError {
                if error.code == .cancelled { throw CancellationError() }
                throw MockServerError("\(base): \(error.localizedDescription)")
            }
        }

        func close() {}

        /// Makes a call whose body arrives in chunks.
        /// - Throws: `URLError` if the call fails, `MockServerError` if the answer is not HTTP.
        private func stream(
            _ message: URLRequest, _ onBody: @escaping @Sendable (ArraySlice<UInt8>) -> Void
        ) async throws -> ServerAnswer {
            let reader = PieceReader(onBody)
            let session = URLSession(configuration: Self.configuration, delegate: reader, delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            let task = session.dataTask(with: message)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    reader.begin(continuation)
                    task.resume()
                }
            } onCancel: {
                task.cancel()
            }
        }

        fileprivate static func answer(_ response: URLResponse?, _ body: [UInt8]) throws -> ServerAnswer {
            guard let response = response as? HTTPURLResponse else {
                throw MockServerError("the answer is not one of HTTP")
            }
            let headers = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
            return ServerAnswer(status: response.statusCode, headers: headers, body: body)
        }
    }

    /// Passes on the chunks of one answer.
    private final class PieceReader: NSObject, URLSessionDataDelegate {
        private struct State {
            var continuation: CheckedContinuation<ServerAnswer, any Error>?
            /// The body of an answer that is not a 200.
            var body: [UInt8] = []
        }

        private let onBody: @Sendable (ArraySlice<UInt8>) -> Void
        private let state = Lock(State())

        init(_ onBody: @escaping @Sendable (ArraySlice<UInt8>) -> Void) {
            self.onBody = onBody
        }

        func begin(_ continuation: CheckedContinuation<ServerAnswer, any Error>) {
            state.withLock { $0.continuation = continuation }
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let piece = [UInt8](data)
            if (dataTask.response as? HTTPURLResponse)?.statusCode == 200 {
                onBody(piece[...])
            } else {
                state.withLock { $0.body += piece }
            }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let (continuation, body) = state.withLock { state in
                defer { state.continuation = nil }
                return (state.continuation, state.body)
            }
            if let error { return continuation?.resume(throwing: error) ?? () }
            continuation?.resume(with: Result { try URLSessionTransport.answer(task.response, body) })
        }
    }
#endif
