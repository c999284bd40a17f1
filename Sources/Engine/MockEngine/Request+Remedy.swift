import SDBasics
package import SDHTTPMessages
public import SDHTTPTransport
import SDJournal

extension PageRequest {
    /// What it takes for an answer to a preflight, a sentence without a full stop; nil for any other request.
    package var preflightRemedy: String? {
        guard CORS.isPreflight(self) else { return nil }
        return "It is a CORS preflight, in which a page of \(CORS.origin(self) ?? "") asks whether it may send "
            + "\(CORS.requestedMethod(self)): the option --enable-stub-cors answers all, "
            + "the key `cors: true` those for its route, file or folder"
    }
}

extension Request {
    /// What it takes, in place of a stub, for an answer to a request that nothing answers: a sentence without a full stop;
    /// nil where a stub does.
    public var remedy: String? {
        guard isConnect else { return preflightRemedy }
        let host = String(decoding: target, as: UTF8.self).withoutUser
        return "It asks for a tunnel to \(host): start with --forward-proxy"
    }
}

extension Request {
    /// The path and query, or the server to which a tunnel is to lead.
    var placeBytes: ArraySlice<UInt8> { isConnect ? target : url }
}

extension Redaction? {
    /// The same as a text.
    func place(of request: Request) -> String {
        shownURL(String(decoding: request.placeBytes, as: UTF8.self).withoutUser)
    }
}
