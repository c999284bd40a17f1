import SDHTTPTransport
import SDPlatform
import SDUpstream

/// The fields of a request as they are sent on, by WireMock's rules.
struct ForwardedFields {
    /// The fields that are made anew, beside those of the client's connection. Lower case.
    private static let dropped: Set<String> = [
        "content-length", "expect", "host", "user-agent", "x-stuntdouble-session",
    ]
    /// The name that the daemon gives itself where the client's may not be told.
    static let userAgent = "WireMock 3.13.2 (Stunt Double)"

    let options: ProxyOptions
    /// Whether the client has asked for the other server itself: what names the client stays.
    let isForward: Bool
    /// The names that are left out, in lower case.
    let removed: Set<String>
    /// The fields that are added; those of the client with the same names stay.
    let additional: [(name: String, value: String)]
    /// The id of the session that the request was for, which the other server gets to know, unless `baggage` is among what
    /// is left out; nil for the daemon's own.
    var session: String?

    /// - Parameter host: `Host` of the target.
    func fields(of request: Request, host: String) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        let ofConnection = ConnectionFields(of: request)
        let isChunked = request.isSentOnInChunks
        let keepsAgent = isForward || options.preservesUserAgent
        var ownHost: String?
        var agent: String?
        for (name, value) in request.headers {
            let key = String(decoding: name, as: UTF8.self)
            let lower = key.lowercased()
            if lower == "host" { ownHost = ownHost ?? HeaderText.verbatim(value) }
            if lower == "user-agent", keepsAgent, !removed.contains(lower) { agent = HeaderText.verbatim(value) }
            // The trailers that are announced are sent on, too.
            let isKept = !ofConnection.contains(lower) || lower == "trailer" && isChunked
            guard isKept, !Self.dropped.contains(lower), !removed.contains(lower) else { continue }
            if lower == "accept-encoding", options.encodings != nil {
                if let kept = supported(HeaderText.string(value)) { fields.append((key, kept)) }
            } else {
                fields.append((key, HeaderText.verbatim(value)))
            }
        }
        let names = Set(additional.map { $0.name.lowercased() })
        if !names.contains("host") {
            let own = ownHost ?? request.authority.map { String(decoding: $0, as: UTF8.self) }
            fields.insert(("Host", options.preservesHost ? own ?? host : host), at: 0)
        }
        if !names.contains("user-agent"), let agent = agent ?? (isForward ? nil : Self.userAgent) {
            fields.append(("User-Agent", agent))
        }
        if !names.contains("connection") { fields.append(("Connection", "keep-alive")) }
        return SessionIdentity.passing(removed.contains("baggage") ? nil : session, in: fields + additional)
    }

    /// The codings that are supported, as they stand in `Accept-Encoding`; nil if none is.
    private func supported(_ value: String) -> String? {
        guard let known = options.encodings else { return value }
        let kept = value.split(separator: ",").map { $0.drop { $0 == " " } }.filter { coding in
            known.contains(coding.prefix { $0 != ";" && $0 != " " }.lowercased())
        }
        return kept.isEmpty ? nil : kept.joined(separator: ",")
    }
}

extension ConnectionFields {
    fileprivate init(of request: Request) {
        var values: [String] = []
        request.forEachHeaderValue(Self.connection) { value in
            values.append(HeaderText.string(value))
            return true
        }
        self.init(values)
    }

    private static let connection = Array("connection".utf8)
}

extension Request {
    /// Whether its body goes on in chunks, behind which trailers may stand.
    var isSentOnInChunks: Bool {
        if let bodyStream { return bodyStream.count == nil }
        return bodyCount > 0 && header(Self.transferEncoding) != nil
    }

    private static let transferEncoding = Array("transfer-encoding".utf8)
}
