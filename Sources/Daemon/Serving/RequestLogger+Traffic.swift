import SDJournal
import SDMockEngine
import SDStubModel

/// The heads and bodies of exchanges, as printed by `--print-all-network-traffic`: before compression and framing,
/// redacted.
extension RequestLogger {
    /// The maximum number of body bytes shown: with the head it fits into one log message.
    private static let longestBody = 6 << 10

    func logTraffic(_ event: ServeEvent, _ log: Log, _ redaction: Redaction?) {
        // Read no more than is shown.
        var whole = LoggedRequest(event.request, bodyLimit: Self.longestBody)
        whole.wholeBody = event.wholeBody ?? whole.wholeBody
        let request = redaction.redacted(whole)
        var lines = ["\(request.method ?? "") \(request.url ?? "") \(request.httpVersion ?? "")"]
        lines += Self.fields(request.headers ?? [])
        lines += Self.body(request.bodyText ?? "", size: request.wholeBody ?? request.body?.count ?? 0)
        log.traffic("request\n" + lines.map { "> " + $0 }.joined(separator: "\n"))
        if let response = event.response {
            var lines = ["\(request.httpVersion ?? "") \(response.status)" + (response.reason.map { " " + $0 } ?? "")]
            lines += Self.fields(redaction.redacted(response.fields.map { ResponseHeader($0.name, [$0.value]) }))
            if let report = event.unmatched {
                lines += Self.body(report.exported, size: report.exported.utf8.count)
            } else {
                let body = response.body
                let text = redaction.redacted(
                    body: Array(response.text(of: body.prefix(Self.longestBody)).utf8), type: nil)
                lines += Self.body(String(decoding: text, as: UTF8.self), size: response.wholeBody ?? body.count)
            }
            log.traffic("response\n" + lines.map { "< " + $0 }.joined(separator: "\n"))
        }
    }

    private static func fields(_ fields: [ResponseHeader]) -> [String] {
        fields.flatMap { field in field.values.map { "\(field.name): \($0)" } }
    }

    /// - Parameter size: the size of the whole body in bytes.
    private static func body(_ text: String, size: Int) -> [String] {
        if size == 0 { return [] }
        let shown =
            text.utf8.count > longestBody ? String(decoding: text.utf8.prefix(longestBody), as: UTF8.self) : text
        let lines = shown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0) }
        return [""] + lines + (size > longestBody ? ["… (\(size) bytes)"] : [])
    }
}
