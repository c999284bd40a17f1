import SDCCurl

/// A call in libcurl's words.
struct CurlRequest: ~Copyable {
    private let target: UpstreamTarget
    private let method: String
    private let path: String
    private let lines: [UInt8]
    private let trailers: [UInt8]
    private let body: [UInt8]
    private let kind: cu_body
    private let streamLength: Int64
    private let proxy: ForwardingProxy?
    private let checksCertificate: Bool
    private let authorities: String?
    private let speaksHTTP2: Bool

    init(_ call: CurlCall, _ target: UpstreamTarget, _ proxy: ForwardingProxy?, _ settings: UpstreamSettings) {
        let request = call.call.request
        self.target = target
        self.proxy = proxy
        method = RequestHead.token(request.method)
        // A proxy is asked for the whole URL.
        path = proxy != nil && !target.isSecure ? "http://\(target.authority)\(target.path)" : target.path
        let framing = RequestHead.Framing(request)
        if case .bytes(let bytes) = request.body { body = bytes } else { body = [] }
        kind =
            call.upload != nil ? CU_STREAM : framing.isChunked ? CU_CHUNKED_BYTES : body.isEmpty ? CU_NO_BODY : CU_BYTES
        streamLength = framing.length.map { Int64($0) } ?? -1
        trailers = Self.lines(RequestHead(trailers: request.trailers).bytes)
        checksCertificate = request.checksCertificate && !settings.trusts(target)
        authorities = settings.trustedAuthorities ?? Upstream.trustedCertificates
        speaksHTTP2 = settings.speaksHTTP2(request, to: target) && (proxy == nil || target.isSecure)
        lines = Self.lines(
            RequestHead(fieldsOf: request, target, hop: settings.identity).bytes, hasBody: framing != .none,
            isHTTP2: speaksHTTP2)
    }

    /// Fields in libcurl's syntax: lines, each ended by NUL; `Name;` for an empty one.
    static func lines(_ head: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(head.count + 64)
        for line in head.split(separator: 0x0A) {
            let text = line.dropLast()
            // A name has no colon.
            let isEmpty = text.firstIndex(of: 0x3A) == text.endIndex - 1
            lines += isEmpty ? text.dropLast() + [0x3B] : text
            lines.append(0)
        }
        return lines
    }

    /// All fields. libcurl sends its own first, in whose place one of the list goes; `Name:` sends none. `Host:` in front of
    /// everything has libcurl make none, so that one that follows stands at its place, as it is spelt.
    private static func lines(_ head: [UInt8], hasBody: Bool, isHTTP2: Bool) -> [UInt8] {
        var fields = lines(head)
        let names = Set(
            fields.split(separator: 0).map { line in
                String(decoding: line.prefix { $0 != 0x3A && $0 != 0x3B }, as: UTF8.self).lowercased()
            })
        let own = ["Accept", "Content-Type", "Proxy-Connection"].filter { !names.contains($0.lowercased()) }
        // Trailers are read here, whoever asked; servers of gRPC refuse calls without it.
        if isHTTP2, !names.contains("te") { fields += "TE: trailers\0".utf8 }
        return Array("Host:\0".utf8) + fields + (own + (hasBody ? ["Expect"] : [])).flatMap { Array("\($0):\0".utf8) }
    }

    /// Calls `body` with the request for libcurl, which is good as long as that runs.
    /// - Parameter pin: the name that stands for the addresses of the host, or of the proxy.
    func withRaw(
        _ call: CurlCall, _ pin: PinnedAddresses, _ body: (inout cu_request) -> OpaquePointer?
    ) -> OpaquePointer? {
        let addresses = pin.resolution
        let connectTo = proxy == nil ? "::\(pin.name):" : nil
        let proxyURL = proxy.map { "http://\(pin.name):\($0.port)" }
        var raw = cu_request()
        raw.argument = Unmanaged.passUnretained(call).toOpaque()
        raw.kind = kind
        raw.stream_length = streamLength
        raw.checks_certificate = checksCertificate
        raw.tells_security = target.isSecure && Upstream.knowsHandshakes
        raw.speaks_http2 = speaksHTTP2
        raw.lines_length = lines.count
        raw.trailers_length = trailers.count
        raw.body_length = self.body.count
        return withTexts([target.origin + "/", path, method]) { texts in
            raw.url = texts[0]
            raw.target = texts[1]
            raw.method = texts[2]
            return withTexts([addresses, proxyURL, proxy?.user, proxy?.password, authorities, connectTo]) { texts in
                raw.addresses = texts[0].map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
                raw.addresses_length = addresses.map { $0.utf8.count + 1 } ?? 0
                raw.connect_to = texts[5]
                raw.proxy = texts[1]
                raw.proxy_user = texts[2]
                raw.proxy_password = texts[3]
                raw.authorities = texts[4]
                return lines.withUnsafeBufferPointer { lines in
                    trailers.withUnsafeBufferPointer { trailers in
                        self.body.withUnsafeBufferPointer { bytes in
                            raw.lines = lines.baseAddress
                            raw.trailers = trailers.baseAddress
                            raw.body = bytes.baseAddress
                            return body(&raw)
                        }
                    }
                }
            }
        }
    }

    /// Calls `body` with the texts as C has them, ended by NUL.
    private func withTexts(
        _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> OpaquePointer?
    ) -> OpaquePointer? {
        var bytes: [UInt8] = []
        var starts: [Int?] = []
        for text in texts {
            starts.append(text == nil ? nil : bytes.count)
            if let text {
                bytes += text.utf8
                bytes.append(0)
            }
        }
        return bytes.withUnsafeBytes { buffer in
            let chars = buffer.assumingMemoryBound(to: CChar.self)
            return body(starts.map { start in start.flatMap { start in chars.baseAddress.map { $0 + start } } })
        }
    }
}

/// The proxy in front of other servers, as `--proxy-via` names it.
struct ForwardingProxy: Sendable {
    let host: TargetHost
    let port: Int
    var user: String?
    var password: String?

    /// `host:port`, or with `user:password@` in front; a port that is missing is 80, as in WireMock.
    /// - Returns: nil if it is neither.
    init?(_ text: String) {
        var place = Array(text.utf8)[...]
        if let at = place.lastIndex(of: 0x40) {
            let pair = place[..<at].split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
            user = pair.first.map { String(decoding: $0, as: UTF8.self) }
            password = pair.count > 1 ? String(decoding: pair[1], as: UTF8.self) : ""
            place = place[(at + 1)...]
        }
        guard let (host, port) = UpstreamTarget.hostAndPort(place) else { return nil }
        self.host = host
        self.port = port ?? 80
    }

    var place: String { host.place(port) }
}
