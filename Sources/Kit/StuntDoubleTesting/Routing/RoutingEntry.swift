internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The data of the protocol of one URLSession configuration: its routing, and what the system does not hand on from the
/// configuration to a protocol.
struct RoutingEntry: Sendable {
    let core: RoutingCore
    /// The configuration's additional headers; a request's own take precedence.
    var headers: [(name: String, value: String)] = []
    /// The storage in which the configuration keeps cookies; nil if it keeps none.
    var cookies: HTTPCookieStorage?

    init(core: RoutingCore, configuration: URLSessionConfiguration? = nil) {
        self.core = core
        guard let configuration else { return }
        headers = (configuration.httpAdditionalHeaders ?? [:]).map { ("\($0.key)", "\($0.value)") }
        cookies = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
    }
}
