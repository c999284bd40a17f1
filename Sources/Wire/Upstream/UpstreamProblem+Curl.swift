import SDBasics
import SDCCurl
import SDHTTPTransport
import SDPlatform

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// What libcurl says, in our words.
extension UpstreamProblem {
    /// Why a call failed; nil if it did not.
    init?(_ end: cu_end, _ call: CurlCall) {
        guard end.code != 0 || !end.answered else { return nil }
        let text = end.text.map { String(cString: $0) } ?? ""
        if let proxy = call.proxy, let said = Self.said(end, text, call, of: proxy) {
            self.init(said.0, said.1, proxy: proxy)
            return
        }
        let said = Self.said(end, text, call)
        let hasOwn = call.call.credentials?.hasOwn ?? false
        let trust = [51, 60].contains(end.code) ? call.call.trustNote : ""
        let note = end.answered ? "" : Self.certificateNote(call.handshake?.shown, hasOwn: hasOwn)
        self.init(said.0, said.1 + trust + note)
    }

    /// What the proxy did; nil if it was not the proxy. In the clear, and before the handshake with the server, nobody else has spoken.
    private static func said(_ end: cu_end, _ text: String, _ call: CurlCall, of proxy: String) -> (Kind, String)? {
        let isTooLarge = end.too_large || text.contains(text: "Too large response headers")
        guard !isTooLarge, call.upload?.isBroken != true else { return nil }
        let (name, option) = ("the proxy \(proxy)", "(--proxy-via)")
        let hasTunnel = call.call.isSecure && (call.handshake != nil || !Upstream.knowsHandshakes)
        let isAlone = !hasTunnel && !end.answered
        if [35, 56, 97].contains(end.code), text.contains(text: "CONNECT") || text.contains(text: "proxy") {
            let user = text.contains(text: "407") ? ", and wants --proxy-via USER:PASSWORD@\(proxy)" : ""
            return (.other, "\(name) does not lead to \(call.call.place)\(user): \(text) \(option)")
        }
        switch end.code {
        case 5: return (.unknownHost, "the host name of \(name) is unknown \(option)")
        case 7:
            let (kind, message) = unreachable(name, end.os_error, text)
            return (kind, "\(message) \(option)")
        case 28: return (.timedOut, "\(name) did not accept a connection in time \(option)")
        case _ where !isAlone: return nil
        case 52: return (.reset, "\(name) closed the connection without an answer \(option)")
        case 55, 56: return (.reset, "\(name) reset the connection: \(text) \(option)")
        case 1, 8: return (.malformed, "\(name) sent what is no HTTP: \(text) \(option)")
        default: return nil
        }
    }

    private static func said(_ end: cu_end, _ text: String, _ call: CurlCall) -> (Kind, String) {
        let place = call.call.place
        let middle = end.answered ? " in the middle of its answer" : ""
        if end.speaks_http1 {
            let advice =
                call.call.request.speaksHTTP2
                ? "its stub has to do without proxyHttp2, or http2 in a route" : "--proxy-http2 may not name it"
            return (.other, "\(place) does not speak HTTP/2, in which it was called, but HTTP/1: \(advice)")
        }
        let who = end.is_ungreeted ? "\(place), which was called in HTTP/2," : place
        if end.too_large || text.contains(text: "Too large response headers") {
            return (.tooLarge, "\(place) sent more header fields than 1 MiB, or 5000, in its answer")
        }
        if call.upload?.isBroken ?? false {
            return (call.call.abandoned.kind, call.call.abandoned.message)
        }
        switch end.code {
        case 0: return (.malformed, "\(place) closed the connection before the end of its head")
        case 5, 6: return (.unknownHost, "the host name of \(place) is unknown")
        case 7: return unreachable(place, end.os_error, text)
        case 28: return (.timedOut, "\(place) did not accept a connection in time")
        case 1, 8: return (.malformed, "\(place) sent what is no HTTP: \(text)")
        case 27, 100:
            return end.answered ? (.other, text) : (.tooLarge, "\(place) sent a header field that is too long")
        case 35 where text.contains(text: "wrong version number"):
            return (.insecure, "\(place): the server answers in the clear, and is called by http://")
        case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91: return (.insecure, "\(place): \(text)")
        // Our own: it would have been the second time.
        case 42: return (.reset, "\(place) refused the request, which is not sent again")
        case 18 where !end.answered, 52:
            return (.reset, "\(who) closed the connection without an answer")
        case 18: return (.malformed, "\(place) closed the connection before the end of its answer: \(text)")
        case 56 where text.contains(text: "chunk"), 61, 88:
            return (.malformed, "\(place) sent a body whose chunks are wrong: \(text)")
        case 55, 56: return (.reset, "\(who) reset the connection\(middle): \(text)")
        case 16, 92: return (.reset, "\(place) broke off the stream\(middle): \(text)")
        default: return (.other, "\(place): \(text)")
        }
    }

    private static func unreachable(_ place: String, _ code: Int32, _ text: String) -> (Kind, String) {
        switch code {
        case ECONNREFUSED: (.refusedConnection, "\(place) refused the connection")
        case ETIMEDOUT: (.timedOut, "\(place) did not accept a connection in time")
        case 0: (.other, "\(place) cannot be reached: \(text)")
        // Where libcurl's words would name the addresses as it was told them.
        default: (.other, "\(place) cannot be reached: \(SystemError(code: code, call: "connect", path: place).reason)")
        }
    }
}
