import SDHTTPTransport
import SDPlatform
import SDUpstream

/// The fields of a request as they are sent on, by WireMock's rules: written in one pass over the request's own.
struct ForwardedFields {
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

    /// Gives the call of a request its fields.
    /// - Parameter host: `Host` of the target.
    func write(to call: inout UpstreamRequest, of request: Request, host: String) {
        var lines = FieldLines()
        var ofConnection = ConnectionFields()
        request.forEachHeaderValue(Self.connection) { value in
            ofConnection.add(value)
            return true
        }
        let isChunked = request.isSentOnInChunks
        if !adds("host") { addHost(to: &lines, request, host) }
        var agent: ArraySlice<UInt8>?
        var baggage: [(name: String, value: String)] = []
        for (name, value) in request.headers {
            // The trailers that are announced are sent on, too.
            if ofConnection.contains(name), !(isChunked && FieldName.is(name, "trailer")) { continue }
            if !removed.isEmpty, removed.contains(String(decoding: name, as: UTF8.self).lowercased()) { continue }
            switch name.count {
            // These are made anew.
            case 4 where FieldName.is(name, "host"), 6 where FieldName.is(name, "expect"),
                14 where FieldName.is(name, "content-length"), 21 where FieldName.is(name, "x-stuntdouble-session"):
                continue
            case 10 where FieldName.is(name, "user-agent"): agent = value
            case 7 where session != nil && FieldName.is(name, "baggage"):
                baggage.append((String(decoding: name, as: UTF8.self), HeaderText.verbatim(value)))
            case 15 where options.encodings != nil && FieldName.is(name, "accept-encoding"):
                if let kept = supported(HeaderText.string(value)) { lines.add(name, Array(kept.utf8)[...]) }
            default: lines.add(name, value)
            }
        }
        if !adds("user-agent") {
            if let agent, isForward || options.preservesUserAgent {
                lines.add(Self.agentName, agent)
            } else if !isForward {
                lines.add("User-Agent", Self.userAgent)
            }
        }
        if call.upgrade == nil, !adds("connection") { lines.add("Connection", "keep-alive") }
        let id = removed.contains("baggage") ? nil : session
        call.lines = lines
        call.headers = SessionIdentity.passing(id, in: baggage + additional)
    }

    private func addHost(to lines: inout FieldLines, _ request: Request, _ host: String) {
        if options.preservesHost, let own = request.header(Self.host) ?? request.authority {
            lines.add(Self.hostName, own)
        } else {
            lines.add("Host", host)
        }
    }

    private static let connection = Array("connection".utf8)
    private static let host = Array("host".utf8)
    private static let hostName = Array("Host".utf8)[...]
    private static let agentName = Array("User-Agent".utf8)[...]

    /// Whether a field of that name is among those that are added.
    private func adds(_ name: StaticString) -> Bool { additional.contains { FieldName.is($0.name, name) } }

    /// The codings that are supported, as they stand in `Accept-Encoding`; nil if none is.
    private func supported(_ value: String) -> String? {
        guard let known = options.encodings else { return value }
        let kept = value.split(separator: ",").map { $0.drop { $0 == " " } }.filter { coding in
            known.contains(coding.prefix { $0 != ";" && $0 != " " }.lowercased())
        }
        return kept.isEmpty ? nil : kept.joined(separator: ",")
    }
}

extension Request {
    /// Whether its body goes on in chunks, behind which trailers may stand.
    var isSentOnInChunks: Bool {
        if let bodyStream { return bodyStream.count == nil }
        return bodyCount > 0 && header(Self.transferEncoding) != nil
    }

    private static let transferEncoding = Array("transfer-encoding".utf8)
}
