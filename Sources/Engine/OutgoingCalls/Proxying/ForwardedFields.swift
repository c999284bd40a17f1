import SDHTTPTransport
import SDPlatform
import SDUpstream

/// The fields of a proxied request, by WireMock's rules: written in one pass over the request's own.
struct ForwardedFields {
    /// The `User-Agent` that replaces the client's.
    static let userAgent = "WireMock 3.13.2 (Stunt Double)"

    let options: ProxyOptions
    /// Whether the client named the other server itself; then its `User-Agent` is kept.
    let isForward: Bool
    /// The names to remove, in lower case.
    let removed: Set<String>
    /// The fields to add; the client's fields with the same names stay.
    let additional: [(name: String, value: String)]
    /// The id of the request's session, which is passed on in `baggage` unless that is removed; nil for the default
    /// session.
    var session: String?

    /// Writes the fields to a call.
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
            // Announced trailers are sent, too.
            if ofConnection.contains(name), !(isChunked && FieldName.is(name, "trailer")) { continue }
            if !removed.isEmpty, removed.contains(String(decoding: name, as: UTF8.self).lowercased()) { continue }
            switch name.count {
            // These fields are generated anew.
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
        call.headers = SessionPropagation.passing(id, in: baggage + additional)
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

    /// Whether a field of that name is added.
    private func adds(_ name: StaticString) -> Bool { additional.contains { FieldName.is($0.name, name) } }

    /// The supported codings of an `Accept-Encoding` value; nil if none is.
    private func supported(_ value: String) -> String? {
        guard let known = options.encodings else { return value }
        let kept = value.split(separator: ",").map { $0.drop { $0 == " " } }.filter { coding in
            known.contains(coding.prefix { $0 != ";" && $0 != " " }.lowercased())
        }
        return kept.isEmpty ? nil : kept.joined(separator: ",")
    }
}

extension Request {
    /// Whether its body is sent in chunks, which may have trailers.
    var isSentOnInChunks: Bool {
        if let bodyStream { return bodyStream.count == nil }
        return bodyCount > 0 && header(Self.transferEncoding) != nil
    }

    private static let transferEncoding = Array("transfer-encoding".utf8)
}
