import Synchronization

/// The response for the newest version of a body, shared by its events. It lives as long as an event references it.
private struct SharedResponse {
    private var version: UInt64 = 0
    private(set) weak var response: ServedResponse?

    /// The response for a version of the body; nil if no event references it.
    func response(of version: UInt64) -> ServedResponse? { self.version == version ? response : nil }

    /// Shares a response from now on, unless that version already has one.
    /// - Returns: the shared response.
    mutating func share(_ made: ServedResponse, of version: UInt64) -> ServedResponse {
        if let response = response(of: version) { return response }
        (self.version, response) = (version, made)
        return made
    }
}

/// The response that all events of a body share.
package final class BodyEvents: Sendable {
    private let shared = Mutex(SharedResponse())

    package init() {}

    /// - Parameter make: makes the response if no event of that version references it.
    package func response(of version: UInt64, _ make: () -> ServedResponse) -> ServedResponse {
        if let known = shared.withLock({ $0.response(of: version) }) { return known }
        let made = make()
        return shared.withLock { $0.share(made, of: version) }
    }
}

/// A version of the body of a stub, and the response that its events share.
package struct SharedBody: Sendable {
    package let version: UInt64
    package let events: BodyEvents

    package init(version: UInt64, events: BodyEvents) {
        self.version = version
        self.events = events
    }

    package func response(_ make: () -> ServedResponse) -> ServedResponse { events.response(of: version, make) }
}

/// The responses that events share for files that are served without a stub, by path.
package final class ServedFiles: Sendable {
    /// The number of paths at which those without events are purged.
    private static let many = 1_000

    private let responses = Mutex<[String: SharedResponse]>([:])

    package init() {}

    /// - Parameter make: makes the response if no event of that version references it.
    package func response(of path: String, version: UInt64, _ make: () -> ServedResponse) -> ServedResponse {
        if let known = responses.withLock({ $0[path]?.response(of: version) }) { return known }
        let made = make()
        return responses.withLock { responses in
            if responses.count >= Self.many, responses[path] == nil {
                responses = responses.filter { $0.value.response != nil }
                if responses.count >= Self.many { responses = [:] }
            }
            return responses[path, default: SharedResponse()].share(made, of: version)
        }
    }
}
