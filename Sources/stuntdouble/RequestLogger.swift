import HTTPTransport
import MockEngine
import Reporting
import StubModel

/// One line for each request, when its response has ended.
final class RequestLogger: RequestLog {
    private let log: Log
    private let redaction: Redaction?

    init(_ log: Log, redaction: Redaction?) {
        self.log = log
        self.redaction = redaction
    }

    func served(_ event: ServeEvent) {
        guard let end = event.end else { return }
        let request = event.request
        let nanoseconds = end.endTime > request.clockTime ? end.endTime - request.clockTime : 0
        log.request(
            RequestRecord(
                method: String(decoding: request.method, as: UTF8.self),
                target: target(request),
                status: end.bytesSent == 0 || event.fault != nil ? nil : event.status,
                bytes: Int(clamping: end.bytesSent),
                duration: .nanoseconds(Int64(clamping: nanoseconds)),
                stub: event.stub.map { $0.name ?? $0.idText },
                ending: ending(event, end), session: event.session))
    }

    private func target(_ request: Request) -> String {
        let target = String(decoding: request.target, as: UTF8.self)
        return redaction?.url(target) ?? target
    }

    private func ending(_ event: ServeEvent, _ end: ServeEnd) -> String? {
        switch end.outcome {
        case .sent: nil
        case .faultApplied: event.fault?.rawValue ?? "aborted"
        case .clientGone: "client gone"
        case .clientStalled: "client took no bytes"
        case .stopped: "daemon stopped"
        case .cancelled: "ended by the admin API"
        }
    }
}

extension RequestLogger: EngineLog {
    func warned(_ message: String, by request: Request) {
        let method = String(decoding: request.method, as: UTF8.self)
        log.warning("\(method) \(target(request)): \(message)")
    }
}
