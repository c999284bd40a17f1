import SDBasics
import SDCommand
import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDPlatform
import SDReports
import SDStubModel
import Synchronization

/// Logs one line per request when its response has ended.
final class RequestLogger: RequestLog {
    private let log: Log
    private let redactions: RedactionSetting
    /// The served folder as the user named it.
    private let folder: String
    /// Whether each request has a line, and an unmatched one the full report after it.
    private let showsRequests: Bool
    /// Whether heads and bodies are shown.
    private let showsTraffic: Bool
    private let budgets = Mutex(Budgets())

    private struct Budgets {
        var missed = LineBudget()
        var failed = LineBudget()
        var advised = LineBudget()
        var broken = LineBudget()
        var refused = LineBudget()
    }

    /// The hints already logged: tests may add the same stub and repeat the same request many times.
    private let advice = Mutex<Set<String>>([])
    private static let maxAdvice = 1_000

    init(_ log: Log, _ redactions: RedactionSetting, folder: String, options: ServeOptions) {
        self.log = log
        self.redactions = redactions
        self.folder = folder
        showsRequests = options.logsRequests
        showsTraffic = options.printsTraffic
    }

    private var redaction: Redaction? { redactions.current }

    func served(_ event: ServeEvent) {
        if showsTraffic { logTraffic(event, log, redaction) }
        guard showsRequests, let end = event.end else { return }
        let request = event.request
        let nanoseconds = end.endTime > request.clockTime ? end.endTime - request.clockTime : 0
        log.request(
            RequestRecord(
                method: String(decoding: request.method, as: UTF8.self),
                target: target(request),
                status: status(event, end),
                bytes: Int(clamping: end.bytesSent),
                duration: .nanoseconds(Int64(clamping: nanoseconds)),
                stub: event.stubReference.map { redaction.redacted($0) }.map { $0.name ?? $0.text(in: folder) },
                ending: ending(event, end), session: event.session))
    }

    func ended(_ opening: Request, bytesSent: UInt64, ending: String, session: String?) {
        guard showsRequests else { return }
        let (now, begin) = (SystemCalls.monotonicNanoseconds(), opening.clockTime)
        var record = RequestRecord(
            method: String(decoding: opening.method, as: UTF8.self), target: target(opening),
            status: opening.version == .http2 ? 200 : 101, bytes: Int(clamping: bytesSent),
            duration: .nanoseconds(Int64(clamping: now > begin ? now - begin : 0)), stub: nil, ending: ending,
            session: session)
        record.isOfChannel = true
        log.request(record)
    }

    private func target(_ request: Request) -> String {
        redaction.target(of: request)
    }

    /// The status that the client received; nil for none.
    private func status(_ event: ServeEvent, _ end: ServeEnd) -> Int? {
        // The bytes of a rejection are not counted as the answer's.
        let isSent = end.bytesSent > 0 || end.outcome == .refused
        return isSent && event.fault == nil ? event.status : nil
    }

    private func ending(_ event: ServeEvent, _ end: ServeEnd) -> String? {
        switch end.outcome {
        case .sent: nil
        case .faultApplied: event.fault?.rawValue ?? names(event.faults) ?? "aborted"
        case .clientDisconnected: "client gone"
        case .targetGone: "the other server's answer broke off"
        case .clientStalled: "client took no bytes"
        case .stopped: "daemon stopped"
        case .cancelled: "ended by the admin API"
        case .refused: "refused in the middle of its body"
        }
    }
}

/// The names of the applied faults; nil if there are none.
private func names(_ faults: [AppliedFault]) -> String? {
    faults.isEmpty ? nil : faults.map(\.name).joined(separator: ", ")
}

extension RequestLogger: EngineLog {
    func missed(_ event: ServeEvent, _ report: any UnmatchedReport) {
        guard admits(\.missed, "requests that no stub matches") else { return }
        let isFar = report.isFar(redaction)
        let nearest = isFar ? nil : report.nearest
        var text = "no stub matches \(method(event.request)) \(target(event.request).shortened)"
        if let nearest {
            text += "; nearest is \(shown(nearest.text(in: folder)))"
            if let difference = report.difference(redaction) { text += ": \(difference)" }
        } else {
            text += isFar ? "; none comes near" : "; there are no stubs"
        }
        if let advice = report.preflightHint { text += ". " + shown(advice) }
        // A report contains the whole request.
        if showsRequests, redaction == nil, report.nearest != nil {
            text += event.unmatched?.report ?? report.text(nil)
        }
        log.warning(text, fields(event, nearest))
    }

    func broke(_ fault: String, serverName: String?, session: String?) {
        guard admits(\.broken, "faults of connections") else { return }
        let whose = serverName.map { " for \($0)" } ?? ""
        let text = "the fault `\(fault)` acts on a connection\(whose)"
        if let session { log.info(text, LogField("session", .string(session))) } else { log.info(text) }
    }

    func refused(_ refusal: Report.Refusal, session: String?) {
        guard admits(\.refused, "refusals") else { return }
        log.warning("refused: \(refusal.text(in: folder))", session.map { [LogField("session", .string($0))] } ?? [])
    }

    func failed(_ event: ServeEvent) {
        guard let failure = event.failure, admits(\.failed, "requests whose stub could not be served") else { return }
        let request = "\(method(event.request)) \(target(event.request).shortened)"
        let stub = event.reportedStub.map { redaction.redacted($0) }
        let whose = stub.map { " from \($0.text(in: folder))" } ?? ""
        log.error("\(request) got a \(event.status ?? 500)\(whose): \(shown(failure))", fields(event, stub))
    }

    /// Redacts an engine text that may quote a client's input or a stub.
    private func shown(_ text: String) -> String {
        let redaction = redaction
        guard redaction != nil else { return text }
        let hidden = redaction.redacted(body: Array(redaction.redactedURL(text).utf8), type: "text/plain")
        return String(decoding: hidden, as: UTF8.self)
    }

    func warned(_ message: String, of stub: StubReference) {
        log.warning(shown("\(stub.text(in: folder)): \(message)"))
    }

    func warned(_ message: String) {
        log.warning(shown(message))
    }

    func advised(_ message: String) {
        let isNew = advice.withLock { $0.count < Self.maxAdvice && $0.insert(message).inserted }
        if isNew, admits(\.advised, "warnings about stubs and calls") { log.warning(shown(message)) }
    }

    func noticed(_ message: String, of stub: StubReference) {
        log.info(shown("\(stub.text(in: folder)): \(message)"))
    }

    private func method(_ request: Request) -> String {
        String(decoding: request.method, as: UTF8.self)
    }

    /// The message's facts as JSON fields.
    private func fields(_ event: ServeEvent, _ stub: StubReference?) -> [LogField] {
        var fields: [LogField] = []
        if log.format == .json {
            fields = [
                LogField("method", .string(method(event.request))), LogField("target", .string(target(event.request))),
            ]
            if let stub {
                let stub = redaction.redacted(stub)
                fields.append(LogField("stub", .string(stub.name ?? stub.key)))
                if let file = stub.file { fields.append(LogField("file", .string(file))) }
                if let line = stub.line { fields.append(LogField("line", .integer(line))) }
            }
        }
        if let session = event.session { fields.append(LogField("session", .string(session))) }
        return fields
    }

    private func admits(_ budget: WritableKeyPath<Budgets, LineBudget>, _ what: String) -> Bool {
        switch budgets.withLock({ $0[keyPath: budget].next() }) {
        case .write(withheldBefore: 0): return true
        case .write(let count):
            log.warning("\(count) more \(what) were not logged")
            return true
        case .logSuppression:
            log.warning("more than \(LineBudget.linesPerSecond) \(what) in a second: the rest are counted")
            return false
        case .withhold: return false
        }
    }
}
