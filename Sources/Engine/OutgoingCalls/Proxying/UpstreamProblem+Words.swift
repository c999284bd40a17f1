import SDBasics
import SDUpstream

extension UpstreamProblem {
    /// Why a call failed, in the words of WireMock's HTTP client, followed by ours if they say more.
    /// - Parameters:
    ///   - origin: scheme, host and port of the server, without user information.
    ///   - host: the host alone.
    func words(origin: String, host: String) -> String {
        switch kind {
        case .refusedConnection:
            let place = proxy.map { "http://\($0)" } ?? origin
            return "Connect to \(place) failed: Connection refused" + (proxy == nil ? "" : ": \(message)")
        case .unknownHost: return "\(proxy ?? host): \(message)"
        case .timedOut: return "Read timed out: \(message)"
        case .reset where message.contains(text: " without an answer"), .malformed:
            return "The target server failed to respond: \(message)"
        case .reset: return "Connection reset: \(message)"
        case .unavailable, .forbidden, .denied, .badURL, .abandoned, .insecure, .tooLarge, .other: return message
        }
    }
}
