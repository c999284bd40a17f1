package import SDJournal
import SDOutgoingCalls
import SDWireValues

extension RecordedExchange {
    /// The exchange of an event, as the client saw it; nil until there is an answer.
    package init?(_ event: ServeEvent) {
        // Bytes after a 101 are not a body that could be replayed.
        guard let response = event.response, response.status != 101 else { return nil }
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        let request = event.request
        let target = text(request.url)
        self.init(
            method: text(request.method), url: event.proxied?.url ?? "http://localhost\(target)", target: target,
            status: response.status)
        requestHeaders = SessionPropagation.removed(from: request.headers.map { (text($0.name), text($0.value)) })
        requestBody = Array(request.body)
        missingRequestBytes = event.wholeBody.map { max($0 - requestBody.count, 0) } ?? 0
        wallTime = request.wallTime
        reason = response.reason ?? ""
        responseHeaders = response.fields
        responseBody = response.body
        missingBytes = response.wholeBody.map { max($0 - responseBody.count, 0) } ?? 0
        if let report = event.unmatched?.report, response.fields.isEmpty {
            responseHeaders = [("Content-Type", "text/plain")]
            responseBody = Array(report.utf8)
        }
        latency = event.proxied?.latency ?? 0
        if event.proxied != nil { failure = event.failure }
        isBroken = failure != nil
    }
}
