import SDAnswering
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDStubModel

/// Lists of the requests in the journal.
enum RequestList {
    /// The answer to `GET /requests`.
    /// - Parameter isDetailed: whether to add `sequence`, `end` and `bytesSent`, which WireMock lacks.
    static func page(_ query: JournalQuery, isDetailed: Bool = false, of session: Session) -> LongDocument {
        let page = session.page(query)
        let view = ServeEventView(of: session, isDetailed: isDetailed || query.after != nil)
        var meta: JSONObject = ["total": number(page.total)]
        if let after = query.after {
            let last = page.events.last?.sequence ?? after
            meta["lastSequence"] = number(last)
            if page.lastEvicted > after { meta["evicted"] = true }
        }
        return LongDocument(page.events, element: view.json) { [meta, keepsJournal = session.keepsJournal] list in
            ["requests": list, "meta": .object(meta), "requestJournalDisabled": .bool(!keepsJournal)]
        }
    }

    /// The page of a query as a HAR 1.2 document, oldest event first.
    static func archive(_ query: JournalQuery, of session: Session, creatorVersion: String) -> LongDocument {
        let events = session.page(query).events.sorted { $0.sequence < $1.sequence }
        return HARView(of: session).document(events, creatorVersion: creatorVersion)
    }

    /// The requests alone, as in the answers to `requests/unmatched` and `requests/find`.
    static func logged(_ events: [ServeEvent], of session: Session) -> LongDocument {
        let element: @Sendable (ServeEvent) -> JSONValue = { LoggedRequest($0).json }
        return LongDocument(events, element: element) { [keepsJournal = session.keepsJournal] list in
            ["requests": list, "requestJournalDisabled": .bool(!keepsJournal)]
        }
    }

    /// The answer to calls that remove requests.
    static func removed(_ events: [ServeEvent], of session: Session) -> LongDocument {
        LongDocument(events, element: ServeEventView(of: session).json) { ["serveEvents": $0] }
    }

    /// The answer to `GET /requests/counters`: the number of requests that each stub has answered, including those
    /// evicted from the journal.
    /// - Parameter folder: the stub folder; nil if there is none.
    static func counters(of session: Session, folder: String? = nil) -> JSONValue {
        let (served, unmatched, failed) = session.counts
        let redaction = session.redaction
        let stubs = session.stubStatuses.map { stub -> JSONValue in
            let (reference, hits) = (redaction.redacted(stub.reference).json, stub.hits)
            var json: JSONObject = ["id": reference["id"] ?? .null]
            json["name"] = reference["name"]
            json["matches"] = number(hits.matches)
            if let times = hits.times {
                json["firstHit"] = .string(Timestamp(milliseconds: times.first).description)
                json["lastHit"] = .string(Timestamp(milliseconds: times.last).description)
            }
            for name in ["key", "file", "line"] { json[name] = reference[name] }
            json["enabled"] = .bool(stub.isEnabled)
            json["timesLeft"] = stub.timesLeft.map { number($0) }
            json["hiddenBy"] = stub.hiddenBy.map { .object(redaction.redacted($0).json) }
            json["edited"] = .bool(stub.isEdited)
            json["persistent"] = .bool(stub.isPersistent)
            return .object(json)
        }
        var counters: JSONObject = [
            "requests": number(served), "unmatched": number(unmatched), "failed": number(failed),
        ]
        counters["folder"] = folder.map(JSONValue.string)
        counters["stubs"] = .array(stubs)
        return .object(counters)
    }
}
