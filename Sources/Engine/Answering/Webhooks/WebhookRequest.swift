import SDBasics
import SDJSON
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import SDUpstream

/// A webhook as it is sent for one exchange.
struct WebhookRequest: Sendable {
    let method: String
    let url: String
    var headers: [(name: String, value: String)] = []
    /// Nil where none is given, or the method has none.
    var body: [UInt8]?

    init(method: String, url: String) {
        self.method = method
        self.url = url
    }

    /// Whether the method has a body: with others WireMock leaves it away.
    var hasEntity: Bool { ["POST", "PUT", "PATCH"].contains(method) }

    /// The method and the URL, without its query, in which secrets may stand.
    var name: String { "\(method) \(url.prefix { $0 != "?" })" }

    private func value(of header: String) -> String? {
        headers.first { $0.name.lowercased() == header }?.value
    }

    mutating func addContentType(_ type: String) {
        if value(of: "content-type") == nil { headers.append(("Content-Type", type)) }
    }

    // MARK: - Bodies

    /// Makes the body of parts, and its `Content-Type`. The boundary is always the same unless a part contains it.
    mutating func addMultipart(_ parts: [(part: WebhookParameters.Part, bytes: [UInt8])]) {
        var boundary = "----StuntDoubleWebhook"
        while parts.contains(where: { String(decoding: $0.bytes, as: UTF8.self).contains(text: boundary) }) {
            boundary += "x"
        }
        var body: [UInt8] = []
        for (part, bytes) in parts {
            let fileName = part.fileName.map { "; filename=\(quoted($0))" } ?? ""
            var type = part.contentType
            if type == nil, case .json = part.body { type = "application/json" }
            let typeLine = type.map { "Content-Type: \($0)\r\n" } ?? ""
            let head = "Content-Disposition: form-data; name=\(quoted(part.name))\(fileName)\r\n\(typeLine)"
            body += Array("--\(boundary)\r\n\(head)\r\n".utf8) + bytes + Array("\r\n".utf8)
        }
        self.body = body + Array("--\(boundary)--\r\n".utf8)
        headers.removeAll { $0.name.lowercased() == "content-type" }
        headers.append(("Content-Type", "multipart/form-data; boundary=\(boundary)"))
    }

    /// Adds the header that signs the body as it is given, before a content coding.
    /// - Throws: if OpenSSL is not there.
    mutating func sign(_ signature: WebhookParameters.Signature, _ secret: String) throws(WebhookProblem) {
        guard let digest = Crypto.Digest(named: signature.algorithm) else {
            throw WebhookProblem("unknown algorithm \(signature.algorithm)")
        }
        do throws(CryptoProblem) {
            let code = try Crypto.hmac(digest, key: Array(secret.utf8), body ?? [])
            let text = signature.isBase64 ? Base64.encode(code) : code.map { hexadecimal($0) }.joined()
            headers.removeAll { $0.name.lowercased() == signature.header.lowercased() }
            headers.append((signature.header, signature.prefix + text))
        } catch {
            throw WebhookProblem("the body cannot be signed: \(error.message)")
        }
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.utf8.count == 1 ? "0" + text : text
    }

    // MARK: - Sending

    /// The headers that are made for the call, and not taken from the webhook.
    private static let ownHeaders: Set<String> = ["content-length", "transfer-encoding", "connection"]

    var upstream: UpstreamRequest {
        var fields = headers.filter { !Self.ownHeaders.contains($0.name.lowercased()) }
        fields = fields.map { ($0.name, String($0.value.map { $0.isNewline ? " " : $0 })) }
        if value(of: "user-agent") == nil { fields.append(("User-Agent", "Stunt-Double")) }
        var sent: UpstreamRequest.Body = .none
        if var bytes = body ?? (["POST", "PUT", "PATCH"].contains(method.uppercased()) ? [] : nil) {
            if value(of: "content-encoding")?.lowercased() == "gzip" { bytes = gzipped(bytes[...]) ?? bytes }
            sent = .bytes(bytes)
        }
        var request = UpstreamRequest(method, WebhookURL.sent(url), headers: fields, body: sent)
        request.isChunked = value(of: "transfer-encoding")?.lowercased() == "chunked"
        return request
    }

    /// The request as the journal shows it: WireMock's `WEBHOOK_REQUEST`.
    /// - Parameters:
    ///   - now: nanoseconds since 1970.
    ///   - limit: the most bytes of the body.
    func json(now: UInt64, limit: Int) -> JSONValue {
        var logged = LoggedRequest()
        logged.absoluteURL = url
        logged.url = WebhookURL.target(url)
        logged.method = method
        logged.headers = grouped(headers, ignoringCase: true)
        logged.loggedDate = Int64(now / 1_000_000)
        logged.body = body.map { Array($0.prefix(limit)) }
        if let body, body.count > limit { logged.wholeBody = body.count }
        logged.cookies = []
        var shown = logged.shown(of: DescribedRequest(logged, now: now))
        shown.cookies = nil
        shown.form = []
        return shown.json
    }
}

/// The URLs of webhooks, read as strictly as WireMock does.
enum WebhookURL {
    /// - Throws: why the URL cannot be called, in WireMock's words.
    static func check(_ url: String) throws(WebhookProblem) {
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
            colon < slash
        else { throw WebhookProblem("no protocol: \(url)") }
        guard bytes[..<colon].allSatisfy({ $0.isAlphanumeric || "+-.".utf8.contains($0) }) else {
            let place = bytes.firstIndex { !$0.isAlphanumeric && !"+-.".utf8.contains($0) } ?? 0
            throw WebhookProblem("Illegal character in scheme name at index \(place): \(url)")
        }
        let start = colon + 3
        guard bytes.count > start, bytes[(colon + 1)..<start].elementsEqual("//".utf8) else {
            throw WebhookProblem("Expected authority at index \(min(start, bytes.count)): \(url)")
        }
        var part = "authority"
        var place = start
        // Places count characters, as Java's do.
        var characters = String(decoding: bytes[..<start], as: UTF8.self).utf16.count
        while place < bytes.count {
            let byte = bytes[place]
            switch (byte, part) {
            case (UInt8(ascii: "/"), "authority"): part = "path"
            case (UInt8(ascii: "?"), "authority"), (UInt8(ascii: "?"), "path"): part = "query"
            case (UInt8(ascii: "#"), "path"), (UInt8(ascii: "#"), "query"): part = "fragment"
            case (UInt8(ascii: "%"), _):
                let digits = bytes[(place + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else {
                    throw WebhookProblem("Malformed escape pair at index \(characters): \(url)")
                }
            default:
                let isBracket = part == "authority" && "[]".utf8.contains(byte)
                guard
                    byte >= 0x80 || byte.isAlphanumeric || isBracket || "_-!.~'()*,;:$&+=@/?".utf8.contains(byte)
                        || part == "query" && "[]".utf8.contains(byte)
                else { throw WebhookProblem("Illegal character in \(part) at index \(characters): \(url)") }
            }
            // The first byte of a character counts; one beyond the first plane counts twice.
            if byte & 0xC0 != 0x80 { characters += byte >= 0xF0 ? 2 : 1 }
            place += 1
        }
        if let port = authority(url).split(separator: ":").last.map({ String($0) }), authority(url).contains(":"),
            !authority(url).hasSuffix("]"), !port.allSatisfy({ $0.isNumber })
        {
            throw WebhookProblem("Error at index 0 in: \"\(port)\"")
        }
    }

    /// Host and port, as they are written.
    static func authority(_ url: String) -> String {
        guard let mark = url.firstRange(ofText: "://") else { return "" }
        return String(url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    /// Scheme, host and port: what webhooks to one server have in common.
    static func origin(_ url: String) -> String {
        url.prefix { $0 != ":" }.lowercased() + "://" + authority(url).lowercased()
    }

    /// Path, query and fragment.
    static func target(_ url: String) -> String {
        let rest = url.dropFirst(origin(url).count)
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// The URL that is called: without its fragment, and with bytes that may not stand in a request line escaped. Any
    /// scheme but `https` is called as `http`, as by WireMock.
    static func sent(_ url: String) -> String {
        let scheme = url.prefix { $0 != ":" }.lowercased() == "https" ? "https" : "http"
        return "\(scheme)://\(authority(url))\(target(url).prefix { $0 != "#" })"
    }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }

    fileprivate var isHexDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}
