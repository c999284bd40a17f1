import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDStubModel

/// `GET /requests?view=row`: the requests in the journal as rows, newest first, optionally filtered, of one or several
/// sessions.
struct RequestRows: Sendable {
    /// Where an earlier list stopped.
    enum Place: Sendable {
        /// At a sequence number, in every session.
        case sequence(UInt64)
        /// At a request.
        case request(StubMapping.ID)
    }

    var limit = 1_000
    var before: Place?
    var filter = RequestFilter("")

    /// The time limit of a search, in nanoseconds.
    private static let most: UInt64 = 300_000_000

    /// A session's requests.
    private struct Source: Sendable {
        let row: RequestRow
        let context: FilterContext
        let events: [ServeEvent]

        init(_ session: Session, now: UInt64) {
            row = RequestRow(of: session)
            context = FilterContext(session: session.id.map { "\(session.name ?? "") \($0)" } ?? "", now: now)
            events = session.events
        }
    }

    private struct Entry: Sendable {
        let source: Int
        let event: ServeEvent
    }

    /// - Parameters:
    ///   - isMerged: whether each row names its session, including the default one.
    ///   - now: the time in milliseconds since 1970.
    func document(of sessions: [Session], isMerged: Bool, now: UInt64) -> LongDocument {
        let sources = sessions.map { Source($0, now: now) }
        let entries = entries(sources, sessions)
        let begin = SystemCalls.monotonicNanoseconds()
        var found: [Entry] = []
        var searched = 0
        for entry in entries {
            if found.count >= limit || searched > 0 && SystemCalls.monotonicNanoseconds() - begin > Self.most { break }
            searched += 1
            if filter.matches(entry.event, sources[entry.source].context) { found.append(entry) }
        }
        var meta: JSONObject = [
            "total": number(sources.reduce(0) { $0 + $1.events.count }), "searched": number(searched),
            "complete": .bool(searched == entries.count),
        ]
        // A list that was cut short continues before the last request examined.
        if searched < entries.count, searched > 0 {
            let last = entries[searched - 1]
            meta["next"] = .string(sources[last.source].row.ids.text(last.event.sequence))
        }
        let element: @Sendable (Entry) -> JSONValue = { entry in
            let row = sources[entry.source].row
            var json = row.json(entry.event)
            if isMerged { json["session"] = row.session ?? .null }
            return .object(json)
        }
        return LongDocument(found, element: element) { [meta] list in ["requests": list, "meta": .object(meta)] }
    }

    /// The requests to examine, newest first.
    private func entries(_ sources: [Source], _ sessions: [Session]) -> [Entry] {
        var entries = sources.enumerated().flatMap { number, source in
            source.events.map { Entry(source: number, event: $0) }
        }
        if sources.count > 1 {
            entries.sort { left, right in
                let times = (left.event.request.wallTime, right.event.request.wallTime)
                return times.0 != times.1
                    ? times.0 > times.1 : (left.source, right.event.sequence) < (right.source, left.event.sequence)
            }
        }
        switch before {
        case nil: return entries
        case .sequence(let sequence): return entries.filter { $0.event.sequence < sequence }
        case .request(let id):
            let events = sessions.map { $0.event(id) }
            guard let place = entries.firstIndex(where: { events[$0.source] === $0.event }) else { return [] }
            return Array(entries[(place + 1)...])
        }
    }
}
