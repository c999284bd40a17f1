import SDHTTPMessages
import SDHTTPTransport
import SDJournal
public import SDReports
import SDStubModel
import Synchronization

/// What the parent session got while this session was open: requests that did not propagate the session's id, and
/// connections that were refused before they could name a session.
extension LiveSession {
    /// The longest part of a URL that a report shows, in characters.
    private static let longestURL = 1_000

    /// Adds the parent's requests and refusals to the session's report.
    public func addParentTraffic(to report: inout Report, _ question: ReportQuestion) {
        guard let origin = session.origin else { return }
        let start = parentCounts.withLock { $0 }
        let redaction = origin.redaction
        var places: [StrayKind: Int] = [:]
        var around = Report()
        for event in origin.state.withLock({ $0.journal.events(after: start.served) }) {
            let request = event.request
            // A preflight never carries a session's id. Refusals are reported as such.
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
        // Refusals of requests for unknown sessions do not affect another session's verdict.
        let found = origin.refusals.findings(after: start.refused)
        around.refusals = found.refusals
        around.hide(redaction.redactedURL)
        (report.strays, report.strayCount) = (around.strays, around.strayCount)
        report.refusedCount += found.count
        report.refusals = Array((report.refusals + around.refusals).prefix(Report.most))
    }

    /// Resets the session's report: later reports count only new requests.
    /// - Parameter time: the time of the call, in nanoseconds since 1970.
    public func beginReport(at time: UInt64) {
        session.beginReport(at: time)
        let now = ParentCounts(of: session.origin)
        parentCounts.withLock { $0 = now }
    }
}

private struct StrayKind: Hashable {
    let method: [UInt8]
    let url: [UInt8]
    let stub: StubMapping.ID?
}

/// The counts of the parent session at the time a child began.
struct ParentCounts {
    var served: UInt64 = 0
    var refused: UInt64 = 0

    init(of origin: Session?) {
        guard let origin else { return }
        served = origin.state.withLock(\.served)
        refused = origin.refusals.count
    }
}
