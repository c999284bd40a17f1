internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Data for the protocol of one URLSession configuration: its routing, and the settings that the system does not pass
/// from the configuration to a protocol.
struct RoutingEntry: Sendable {
    let core: RoutingCore
    /// The configuration's additional headers; the request's own take precedence.
    var headers: [(name: String, value: String)] = []
    /// The configuration's cookie storage; nil if it has none.
    var cookies: HTTPCookieStorage?

    init(core: RoutingCore, configuration: URLSessionConfiguration? = nil) {
        self.core = core
        guard let configuration else { return }
        headers = (configuration.httpAdditionalHeaders ?? [:]).map { ("\($0.key)", "\($0.value)") }
        cookies = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
    }
}
