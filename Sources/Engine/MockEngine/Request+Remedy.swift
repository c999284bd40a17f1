import SDBasics
package import SDHTTPMessages
public import SDHTTPTransport
import SDJournal

extension PageRequest {
    /// How to get a preflight answered, without a full stop; nil for any other request.
    package var preflightRemedy: String? {
        guard CORS.isPreflight(self) else { return nil }
        return "It is a CORS preflight, in which a page of \(CORS.origin(self) ?? "") asks whether it may send "
            + "\(CORS.requestedMethod(self)): the option --enable-stub-cors answers all, "
            + "the key `cors: true` those for its route, file or folder"
    }
}

extension Request {
    /// How to get an unmatched request answered other than by a stub, without a full stop; nil if a stub is the way.
    public var remedy: String? {
        guard isConnect else { return preflightRemedy }
        let host = String(decoding: target, as: UTF8.self).withoutUser
        return "It asks for a tunnel to \(host): start with --forward-proxy"
    }
}

extension Request {
    /// The path and query, or the target of a tunnel.
    var placeBytes: ArraySlice<UInt8> { isConnect ? target : url }
}

extension Redaction? {
    /// The redacted text of `placeBytes`.
    func place(of request: Request) -> String {
        redactedURL(String(decoding: request.placeBytes, as: UTF8.self).withoutUser)
    }
}
