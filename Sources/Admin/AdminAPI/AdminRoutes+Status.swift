import SDBasics
import SDCapture
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDRecording
import SDStubModel

/// `/__admin/status`: the summary that dashboards show first. An addition to WireMock's admin API.
enum StatusRoutes {
    static let all: [AdminRoute] = [AdminRoute("GET", "/status", status).heavy.readingWhatIsKnown]

    private static func status(_ call: AdminCall) -> PlainResponse {
        let session = call.session
        let uptime = call.daemon.uptimeMilliseconds
        let counts = session.counts
        return .json([
            "run": .string(session.eventIDs.run),
            "version": .string(call.options.version),
            "startedAt": .string(
                Timestamp(milliseconds: Int64(call.request.wallTime / 1_000_000) - Int64(uptime)).description),
            "uptimeMs": number(uptime),
            "folder": folder(call),
            "watching": .bool(call.daemon.isWatching),
            "journal": journal(of: session),
            "redaction": .bool(session.redaction != nil),
            "recording": recording(of: session),
            "urls": .array(SessionRoutes.urls(call).map(JSONValue.string)),
            "sessions": number(call.sessions.all(through: session).count),
            "stubs": number(session.stubCount),
            "unmatched": number(counts.unmatched),
            "served": number(counts.served),
        ])
    }

    /// The stub folder, and whether it is writable; null if there is none.
    private static func folder(_ call: AdminCall) -> JSONValue {
        guard let access = call.daemon.folderAccess else { return .null }
        let obstacle =
            call.session === call.sessions.base ? access.obstacle : "a session's stubs are not written to files"
        var json: JSONObject = ["path": .string(access.path), "writable": .bool(obstacle == nil)]
        json["reason"] = obstacle.map(JSONValue.string)
        return .object(json)
    }

    private static func journal(of session: Session) -> JSONValue {
        let size = session.journalSize
        let limit = session.journaling.bodyLimit
        return [
            "disabled": .bool(!session.keepsJournal), "entries": number(size.count), "bytes": number(size.bytes),
            "bodyLimit": limit == .max ? .null : number(limit),
        ]
    }

    /// The current or last recording; null if there was none.
    private static func recording(of session: Session) -> JSONValue {
        let status = session.recordingStatus
        if status == .neverStarted { return .null }
        var json: JSONObject = ["status": .string(status.rawValue)]
        json["target"] = session.recordingTarget.map { .string(session.redaction.redactedURL($0.withoutPassword)) }
        return .object(json)
    }
}
