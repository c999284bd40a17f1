import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDStubModel

/// Serve events as entries of an HTTP Archive (HAR 1.2), as read by browsers' tools.
struct HARView: Sendable {
    let redaction: Redaction?
    let ids: EventIDs

    init(of session: Session) {
        redaction = session.redaction
        ids = session.eventIDs
    }

    /// The archive of events, in order.
    func document(_ events: [ServeEvent], creatorVersion: String) -> LongDocument {
        LongDocument(events, level: 2, element: entry) { list in
            [
                "log": [
                    "version": "1.2", "creator": ["name": "Stunt Double", "version": .string(creatorVersion)],
                    "entries": list,
                ]
            ]
        }
    }

    private func entry(_ event: ServeEvent) -> JSONValue {
        let logged = redaction.redacted(event)
        let times = event.times
        let wait = milliseconds((times?.process ?? 0) &+ event.addedDelay)
        let receive = milliseconds(times?.send ?? 0)
        var json: JSONObject = [
            "startedDateTime": .string(logged.loggedDateText ?? Timestamp(milliseconds: 0).description),
            "time": number(wait + receive), "request": request(logged, event), "response": response(event, logged),
            "cache": .object(JSONObject()),
            "timings": ["send": 0, "wait": number(wait), "receive": number(receive)],
        ]
        json["_id"] = .string(ids.text(event.sequence))
        json["_sequence"] = .number(JSONNumber(Int(clamping: event.sequence)))
        json["_proxiedTo"] = event.proxied.map { .string(redaction.redactedURL($0.url)) }
        json["_stub"] = event.stub.map { .string($0.name.map(redaction.redactedURL) ?? $0.id.lowercasedString) }
        if event.isUnmatched { json["_unmatched"] = true }
        let faults = event.faults
        if !faults.isEmpty { json["_faults"] = .array(faults.map(\.json)) }
        if let end = event.end {
            json["_end"] = .string(end.outcome.name)
            json["_bytesSent"] = .number(JSONNumber(Int(clamping: end.bytesSent)))
        }
        return .object(json)
    }

    private func request(_ logged: LoggedRequest, _ event: ServeEvent) -> JSONValue {
        let body = event.request.body
        let headers = logged.headers ?? []
        var json: JSONObject = [
            "method": .string(logged.method ?? ""), "url": .string(logged.absoluteURL ?? ""),
            "httpVersion": .string(logged.httpVersion ?? ""),
            "cookies": list(logged.cookies ?? []), "headers": list(headers), "queryString": list(logged.query),
            "headersSize": -1, "bodySize": .number(JSONNumber(event.wholeBody ?? body.count)),
        ]
        if !body.isEmpty {
            // A HAR log has decoded bodies.
            let content = HARContent(
                logged.body ?? [], whole: logged.wholeBody, type: value("content-type", of: headers), coding: nil)
            json["postData"] = .object(content.request { _ in logged.bodyText ?? "" })
        }
        return .object(json)
    }

    private func response(_ event: ServeEvent, _ logged: LoggedRequest) -> JSONValue {
        let sent = event.response
        let fields = sent?.fields ?? []
        let headers = grouped(fields, ignoringCase: true)
        var content: JSONObject
        if let report = event.unmatched?.exported {
            content = HARContent(Array(report.utf8), whole: nil, type: "text/plain", coding: nil).response { _ in report
            }
        } else {
            let body = HARContent(
                sent?.body ?? [], whole: sent?.wholeBody, type: value("content-type", of: headers),
                coding: value("content-encoding", of: headers), redaction)
            content = body.response { sent?.text(of: $0) ?? "" }
        }
        if let fault = sent?.fault { content["comment"] = .string("not sent: \(fault.rawValue)") }
        let location = fields.first { $0.name.lowercased() == "location" }?.value
        return [
            "status": .number(JSONNumber(sent?.fault == nil ? sent?.status ?? 0 : 0)),
            "statusText": .string(sent?.reason ?? ""),
            "httpVersion": .string(logged.httpVersion ?? ""), "cookies": [],
            "headers": list(redaction.redacted(headers)), "content": .object(content),
            "redirectURL": .string(redaction.redactedURL(location ?? "")), "headersSize": -1,
            "bodySize": .number(JSONNumber(event.end?.bodyBytesSent.map { Int(clamping: $0) } ?? -1)),
        ]
    }

    private func value(_ name: String, of headers: [ResponseHeader]) -> String? {
        headers.first { $0.name.lowercased() == name }?.values.first
    }

    private func list(_ fields: [ResponseHeader]) -> JSONValue {
        .array(
            fields.flatMap { field in
                field.values.map { ["name": .string(field.name), "value": .string($0)] }
            })
    }

    private func milliseconds(_ nanoseconds: UInt64) -> Double {
        (Double(nanoseconds) / 1_000).rounded() / 1_000
    }

    private func number(_ value: Double) -> JSONValue {
        JSONNumber(value).map { .number($0) } ?? 0
    }
}
