import SDBasics
import SDJSON
import SDJournal
import SDMatching
import SDPlatform
import SDRequestTemplates
import SDStubModel
import SDUpstream

/// The request of a webhook for one exchange.
struct WebhookRequest: Sendable {
    let method: String
    let url: String
    var headers: [(name: String, value: String)] = []
    /// Nil if there is none, or the method has none.
    var body: [UInt8]?
    /// The body in its content coding; nil without one.
    private var coded: [UInt8]?
    /// The full size of a truncated body; nil if it is whole.
    private var wholeBody: Int?

    init(method: String, url: String) {
        self.method = method
        self.url = url
    }

    /// Whether the method has a body; WireMock drops it for others.
    var hasEntity: Bool { ["POST", "PUT", "PATCH"].contains(method) }

    /// The method and the URL without secrets: user information, query, and path parameters.
    var name: String { "\(method) \(url.withoutUser.prefix { $0 != "?" && $0 != ";" })" }

    private func value(of header: String) -> String? {
        headers.first { $0.name.lowercased() == header }?.value
    }

    mutating func addContentType(_ type: String) {
        if value(of: "content-type") == nil { headers.append(("Content-Type", type)) }
    }

    // MARK: - Bodies

    /// Sets a multipart body and its `Content-Type`. The boundary is constant unless a part contains it.
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

    /// Adds the header that signs the body, before any content coding.
    /// - Throws: if OpenSSL is not available.
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

    /// The headers that are generated for the call, and not taken from the webhook.
    private static let ownHeaders: Set<String> = [
        "content-length", "transfer-encoding", "connection", WebhookChain.field.lowercased(),
    ]

    /// The bytes that are sent.
    private var content: [UInt8]? {
        coded ?? body ?? (["POST", "PUT", "PATCH"].contains(method.uppercased()) ? [] : nil)
    }

    /// Whether the body is sent in a content coding.
    private var isCoded: Bool { value(of: "content-encoding")?.lowercased() == "gzip" }

    /// Encodes the body in its content coding. Slow.
    mutating func encode() {
        if isCoded, let content { coded = gzipped(content[...]) }
    }

    /// The call for an attempt.
    /// - Parameter chain: the value of `WebhookChain.field`, which does not come from the webhook's definition; empty
    ///   for none.
    func upstream(chain: String) -> UpstreamRequest {
        var fields = headers.filter { !Self.ownHeaders.contains($0.name.lowercased()) }
        fields = fields.map { ($0.name, Self.line($0.value)) }
        if value(of: "user-agent") == nil { fields.append(("User-Agent", "Stunt-Double")) }
        if let user = URLUser.authorization(of: url), value(of: "authorization") == nil {
            fields.append(("Authorization", user))
        }
        if !chain.isEmpty { fields.append((WebhookChain.field, chain)) }
        let isChunked = value(of: "transfer-encoding")?.lowercased() == "chunked"
        var sent: UpstreamRequest.Body = .none
        if let content {
            let isLong = content.count >= WebhookBody.least
            sent = isLong ? .stream(WebhookBody(content, isChunked: isChunked)) : .bytes(content)
        }
        var request = UpstreamRequest(method, WebhookURL.sent(url), headers: fields, body: sent)
        request.isChunked = isChunked
        // An attempt is exactly one request, whatever its method.
        request.isOnce = true
        return request
    }

    /// A text as one line: each line break becomes a space, as in WireMock.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }

    // MARK: - Storing

    /// The number of stored bytes.
    var byteCount: Int {
        let fields = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        return method.utf8.count + url.utf8.count + fields + (body?.count ?? 0) + (coded?.count ?? 0)
    }

    /// The request as the journal stores it. A body that is not truncated is shared.
    /// - Parameter limit: the largest number of body bytes.
    func shortened(to limit: Int) -> WebhookRequest {
        var shortened = self
        shortened.coded = nil
        if let body, body.count > limit {
            shortened.body = Array(body.prefix(limit))
            shortened.wholeBody = body.count
        }
        return shortened
    }

    /// The request as the journal shows it: WireMock's `WEBHOOK_REQUEST`.
    /// - Parameter now: nanoseconds since 1970.
    func json(now: UInt64) -> JSONValue {
        var logged = LoggedRequest()
        logged.absoluteURL = url
        logged.url = WebhookURL.target(url)
        logged.method = method
        logged.headers = grouped(headers, ignoringCase: true)
        logged.loggedDate = Int64(now / 1_000_000)
        logged.body = body
        logged.wholeBody = wholeBody
        logged.cookies = []
        var shown = logged.redacted(of: DescribedRequest(logged, now: now))
        shown.cookies = nil
        shown.form = []
        return shown.json
    }
}
