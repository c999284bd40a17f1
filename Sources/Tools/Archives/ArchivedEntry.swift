import SDBasics
import SDCapture
import SDJSON
import SDStubModel

/// One entry of an archive.
struct ArchivedEntry {
    enum Outcome {
        case exchange(RecordedExchange, [ArchiveWarning])
        case leftOut(LeftOut)
    }

    private let entry: ArchivedValue
    private let attachment: (String) -> [UInt8]?

    init(_ entry: ArchivedValue, _ attachment: @escaping (String) -> [UInt8]?) throws(ArchiveProblem) {
        self.entry = try entry.required("an object with request and response").object()
        self.attachment = attachment
    }

    func outcome() throws(ArchiveProblem) -> Outcome {
        let request = try entry["request"].required("an object with method and url").object()
        let method = try request["method"].required("a method, such as GET").text() ?? ""
        guard HTTPToken.isToken(method) else {
            throw ArchiveProblem(
                "is no method", at: request["method"].pointer, expected: "a method, such as GET",
                found: JSONValue.string(method).shortDescription)
        }
        let url = try request["url"].required("an absolute URL").text() ?? ""
        let response = try entry["response"].object()
        let status = try response["status"].integer(Self.statuses) ?? 0
        if let reason = try reasonToLeaveOut(method, url, status, response) { return .leftOut(reason) }
        guard (200...999).contains(status) else {
            throw response["status"].wrong("is no status", Self.statuses)
        }
        let requestFields = try request["headers"].fields()
        let address = try self.address(url, request, requestFields)
        var exchange = RecordedExchange(method: method, url: address.text, target: address.target, status: status)
        // Recorded by a mock server that proxied the request.
        if let real = WebAddress(try entry["_proxiedTo"].text() ?? "") { exchange.url = real.text }
        var warnings: [ArchiveWarning] = []
        try readRequest(request, requestFields, into: &exchange, &warnings)
        if let reason = try readResponse(response, into: &exchange, &warnings) { return .leftOut(reason) }
        try readTimes(into: &exchange)
        return .exchange(exchange, warnings)
    }

    private static let statuses = "a whole number from 100 to 999"

    // MARK: - Left-out entries

    private func reasonToLeaveOut(
        _ method: String, _ url: String, _ status: Int, _ response: ArchivedValue
    ) throws(ArchiveProblem) -> LeftOut? {
        let scheme = WebAddress.scheme(of: url)
        if scheme == "ws" || scheme == "wss" || status == 101 || !entry["_webSocketMessages"].isAbsent
            || entry["_resourceType"].value?.stringValue == "websocket"
        {
            return .webSocket
        }
        if method.uppercased() == "CONNECT" { return .tunnel }
        if try entry["_unmatched"].flag() { return .unmatched }
        // `localhost:8080/x` is a URL without a scheme.
        if let scheme, scheme != "http", scheme != "https",
            !url.dropFirst(scheme.count + 1).prefix(1).allSatisfy(\.isNumber)
        {
            return .otherScheme
        }
        switch status {
        case ...0: return isBlocked(response) ? .blocked : .noAnswer
        case 100, 102, 103: return .noAnswer
        default: return nil
        }
    }

    /// Whether the browser reports that it blocked the request: Chrome in the response's `_error`, Firefox in the
    /// entry's `_blockedReason`, Playwright in `_failureText`.
    private func isBlocked(_ response: ArchivedValue) -> Bool {
        if !entry["_blockedReason"].isAbsent { return true }
        return [response["_error"], entry["_error"], response["_failureText"], entry["_failureText"]].contains {
            $0.value?.stringValue?.lowercased().contains(text: "blocked") == true
        }
    }

    // MARK: - Request

    private func address(
        _ url: String, _ request: ArchivedValue, _ fields: [(name: String, value: String)]
    ) throws(ArchiveProblem) -> WebAddress {
        var url = url
        if url.hasPrefix("/"),
            let host = fields.first(where: { [":authority", "host"].contains($0.name.lowercased()) })
        {
            url = "http://" + host.value + url
        }
        if !url.contains("?") {
            let query = try request["queryString"].fields()
            if !query.isEmpty { url = url.prefix { $0 != "#" } + "?" + ArchivedForm.encoded(query) }
        }
        guard let address = WebAddress(url) else {
            throw ArchiveProblem(
                "is no URL of a server", at: request["url"].pointer,
                expected: "one that begins with http:// or https://",
                found: JSONValue.string(url).shortDescription)
        }
        return address
    }

    private func readRequest(
        _ request: ArchivedValue, _ fields: [(name: String, value: String)], into exchange: inout RecordedExchange,
        _ warnings: inout [ArchiveWarning]
    ) throws(ArchiveProblem) {
        var fields = fields
        if !fields.contains(where: { $0.name.lowercased() == "host" }),
            let authority = fields.first(where: { $0.name == ":authority" })
        {
            fields.insert(("Host", authority.value), at: 0)
        }
        fields.removeAll { !HTTPToken.isToken($0.name) }
        let cookies = try request["cookies"].fields()
        if !cookies.isEmpty, !fields.contains(where: { $0.name.lowercased() == "cookie" }) {
            fields.append(("Cookie", cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")))
        }
        let form = ArchivedForm(try request["postData"].object(), attachment)
        if let body = try form.body() {
            exchange.requestBody = body
            if let type = try form.mediaType(), !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
                fields.append(("Content-Type", type))
            }
        } else if try request["bodySize"].size() ?? 0 > 0 || !form.isAbsent {
            warnings.append(.noRequestBody)
        }
        exchange.requestHeaders = fields
    }

    // MARK: - Response

    /// - Returns: the reason why the exchange is unusable; nil if it is usable.
    private func readResponse(
        _ response: ArchivedValue, into exchange: inout RecordedExchange, _ warnings: inout [ArchiveWarning]
    ) throws(ArchiveProblem) -> LeftOut? {
        exchange.reason = try response["statusText"].text() ?? ""
        var fields = try response["headers"].fields()
        let content = ArchivedContent(try response["content"].object(), attachment)
        let type = try content.mediaType()
        if fields.isEmpty, let type { fields.append(("Content-Type", type)) }
        fields += try ArchivedCookie.fields(of: response["cookies"], beside: fields)
        let mayHaveBody = exchange.method.uppercased() != "HEAD" && ![204, 205].contains(exchange.status)
        var keepsCoding = false
        if mayHaveBody {
            guard let body = try content.body(of: &fields) else {
                return exchange.status == 304 ? .notModified : .noBody
            }
            if exchange.status == 304 {
                guard !body.bytes.isEmpty else { return .notModified }
                (exchange.status, exchange.reason) = (200, "OK")
                exchange.requestHeaders.removeAll { Self.conditions.contains($0.name.lowercased()) }
                warnings.append(.madeWhole)
            }
            exchange.responseBody = body.bytes
            exchange.missingBytes = body.missingBytes
            keepsCoding = body.isEncoded
            if body.isRecoded { warnings.append(.recoded) }
            if body.missingBytes > 0 { warnings.append(.cutBody) }
        }
        if exchange.status == 206, exchange.requestHeaders.allSatisfy({ $0.name.lowercased() != "range" }) {
            // The browser may have joined the parts, or it is unknown which part this is.
            let range = fields.first { $0.name.lowercased() == "content-range" }?.value ?? ""
            guard ArchivedRange(range)?.isWhole == true else { return .partial }
            (exchange.status, exchange.reason) = (200, "OK")
            fields.removeAll { $0.name.lowercased() == "content-range" }
        }
        exchange.responseHeaders = fields.filter { field in
            let name = field.name.lowercased()
            return HTTPToken.isToken(name) && !Self.framing.contains(name)
                && (name != "content-encoding" || keepsCoding)
        }
        return nil
    }

    private static let conditions: Set = ["if-none-match", "if-modified-since"]
    /// Headers of the connection or of the encoded body, and headers added by Firefox and mock servers.
    private static let framing: Set = [
        "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "x-firefox-spdy",
        "matched-stub-id", "matched-stub-name",
    ]

    // MARK: - Times

    private func readTimes(into exchange: inout RecordedExchange) throws(ArchiveProblem) {
        exchange.wallTime = try entry["startedDateTime"].text().flatMap(ArchivedTime.nanoseconds(of:)) ?? 0
        let timings = try entry["timings"].object()
        if timings.isAbsent {
            exchange.latency = Self.nanoseconds(try entry["time"].number())
            exchange.duration = exchange.latency
        } else {
            exchange.latency =
                Self.nanoseconds(try timings["send"].number()) + Self.nanoseconds(try timings["wait"].number())
            exchange.duration = exchange.latency + Self.nanoseconds(try timings["receive"].number())
        }
    }

    /// Milliseconds in nanoseconds; -1 means unknown; at most a day.
    private static func nanoseconds(_ milliseconds: Double?) -> UInt64 {
        guard let milliseconds, milliseconds > 0 else { return 0 }
        return UInt64(min(milliseconds, 86_400_000) * 1_000_000)
    }
}
