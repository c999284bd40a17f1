import SDHTTPMessages
import SDHTTPTransport
import SDJournal
public import SDReports
import SDStubModel
import Synchronization

/// What came, while a session was open, to the one through which it was begun: requests of an application that did not pass
/// the identity of a test on, and what was refused before anybody could say one.
extension LiveSession {
    /// The longest part of a URL that is shown, in characters.
    private static let longestURL = 1_000

    /// Adds it to the session's report.
    public func addAround(to report: inout Report, _ question: ReportQuestion) {
        guard let origin = session.origin else { return }
        let start = meanwhile.withLock { $0 }
        let redaction = origin.redaction
        var places: [StrayKind: Int] = [:]
        var around = Report()
        for event in origin.state.withLock({ $0.journal.events(after: start.served) }) {
            let request = event.request
            // A preflight never has an identity. What is refused is told as such.
            guard !request.isConnect, !CORS.isPreflight(request), !question.ignores(request.path) else { continue }
            around.strayCount += 1
            let kind = StrayKind(
                method: Array(request.method), url: Array(request.url), stub: event.matchedStub?.stubID)
            if let place = places[kind] {
                around.strays[place].count += 1
            } else if around.strays.count < Report.most {
                places[kind] = around.strays.count
                let url = redaction.url(of: request)
                around.strays.append(
                    Report.Stray(
                        method: String(decoding: request.method, as: UTF8.self),
                        url: url.utf8.count > Self.longestURL ? url.prefix(Self.longestURL) + "…" : url, count: 1,
                        stub: event.stubReference, isUnmatched: event.isUnmatched))
            }
        }
        // Those for sessions that are none fail no other session's verdict.
        let found = origin.refusals.findings(after: start.refused)
        around.refusals = found.refusals
        around.hide(redaction.shownURL)
        (report.strays, report.strayCount) = (around.strays, around.strayCount)
        report.refusedCount += found.count
        report.refusals = Array((report.refusals + around.refusals).prefix(Report.most))
    }

    /// Begins the session's report anew: what was seen so far counts no more.
    /// - Parameter time: the time of the call, in nanoseconds since 1970.
    public func beginReport(at time: UInt64) {
        session.beginReport(at: time)
        let now = Meanwhile(of: session.origin)
        meanwhile.withLock { $0 = now }
    }
}

private struct StrayKind: Hashable {
    let method: [UInt8]
    let url: [UInt8]
    let stub: StubMapping.ID?
}

/// How much had come to the session through which another one was begun, when that began.
struct Meanwhile {
    var served: UInt64 = 0
    var refused: UInt64 = 0

    init(of origin: Session?) {
        guard let origin else { return }
        served = origin.state.withLock(\.served)
        refused = origin.refusals.count
    }
}
