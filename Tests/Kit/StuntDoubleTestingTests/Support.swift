import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A value behind a lock, for closures.
final class Locked<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func withLock<Result: Sendable>(_ body: (inout Value) throws -> sending Result) rethrows -> Result {
        try state.withLock { state in try body(&state) }
    }
}

extension URL {
    /// The status and the text that a GET of this URL below gets.
    func get(_ path: String, session: URLSession = .shared) async throws -> (status: Int, text: String) {
        let (data, response) = try await session.data(from: appending(path: path))
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }
}
