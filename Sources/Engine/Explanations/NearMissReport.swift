import SDExplaining
package import SDHTTPMessages
package import SDHTTPTransport
import SDJSON
package import SDJournal
package import SDMatching
package import SDMockEngine
import SDPlatform
package import SDReports
package import SDStubModel

/// The answer to an unmatched request: WireMock's report on the nearest stub, or all near misses as JSON for a client
/// that accepts JSON, and as HTML for a browser, with a link to the daemon's page.
package struct NearMissReport: UnmatchedReport {
    private static let noStubs = "No response could be served as there are no stub mappings in this WireMock instance."

    private let request: Request
    /// The near misses, nearest first; empty if there are no stubs. The text needs only the first.
    private let nearMisses: [NearMiss]
    private let acceptsJSON: Bool
    /// The path of the daemon's page; nil for a client without a link.
    private let page: String?
    /// The text as UTF-8.
    private let bytes: [UInt8]
    /// Why the search for the nearest stubs was aborted; nil if it was not.
    private let givenUp: String?
    /// How to get a preflight answered, and which stub files have errors: a clause; nil for neither.
    package let preflightHint: String?

    /// Makes the report.
    /// - Parameters:
    ///   - views: the request's decoded parts, with the rest of its budget.
    ///   - hasPage: whether the daemon's page has the origin of the mock server.
    package init(_ request: Request, in session: Session, _ views: inout RequestViews, hasPage: Bool = true) {
        self.request = request
        let prefix = session.passedID.map { "/__session/\($0)" } ?? ""
        page = hasPage && request.prefersHTML ? prefix + "/__admin/ui/" : nil
        acceptsJSON = request.prefersJSON
        nearMisses = NearMissSearch(session).nearest(
            request, &views, count: acceptsJSON ? NearMissSearch.count : 1, .differences, by: .people)
        let givenUp = views.exhaustion.map { exhaustion in
            "No stub matches. " + exhaustion.text(of: "The search for the nearest one", owner: nil)
        }
        self.givenUp = givenUp
        let advice = [request.remedy, session.brokenFilesAdvice].compactMap(\.self)
        self.preflightHint = advice.isEmpty ? nil : advice.joined(separator: ". ")
        bytes = Self.bytes(request, nearMisses.first, givenUp, self.preflightHint, nil)
    }

    package var nearest: StubReference? { nearMisses.first?.reference }

    package func text(_ redaction: Redaction?) -> String {
        let bytes =
            redaction == nil
            ? bytes : Self.bytes(request, nearMisses.first, givenUp, preflightHint, redaction)
        return String(decoding: bytes, as: UTF8.self)
    }

    package func entry(_ redaction: Redaction?) -> Report.Nearest? {
        nearMisses.first.map { Report.Nearest($0, redaction) }
    }

    package func isFar(_ redaction: Redaction?) -> Bool { nearMisses.first?.change(redaction).isFar ?? false }

    package func difference(_ redaction: Redaction?) -> String? {
        guard let nearest = nearMisses.first else { return nil }
        return redaction.redacted(nearest.evaluation).failing.first?.difference ?? nearest.ineligibility
    }

    package var response: PlainResponse {
        let type = [(name: "Content-Type", value: "application/json")]
        var response =
            acceptsJSON
            ? PlainResponse(status: 404, headers: type, body: json.prettyBytes)
            : page.map { document(leadingTo: $0) } ?? PlainResponse(status: 404, text: bytes)
        // Later bytes may be meant for the tunnel. In HTTP/2 they belong to this stream alone.
        response.closes = request.isConnect && request.version != .http2
        return response
    }

    private func document(leadingTo page: String) -> PlainResponse {
        let text = String(decoding: bytes, as: UTF8.self).utf8.flatMap { byte in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            default: [byte]
            }
        }
        let head = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="color-scheme" content="light dark">
            <title>404: no stub matches</title>
            <p><a href="\(page)#/requests?q=is:unmatched">What came here, and why nothing answered</a></p>
            <pre>
            """
        let headers = [
            ("Content-Type", "text/html;charset=UTF-8"), ("Content-Security-Policy", "default-src 'none'"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        return PlainResponse(status: 404, headers: headers, body: Array(head.utf8) + text + "</pre>\n".utf8)
    }

    private static func bytes(
        _ request: Request, _ nearest: NearMiss?, _ givenUp: String?, _ advice: String?, _ redaction: Redaction?
    ) -> [UInt8] {
        let advice = advice.map { Array("\n\(redaction.redactedURL($0)).\n".utf8) } ?? []
        // A stub for any method shows no difference in the table.
        if request.isConnect, !advice.isEmpty { return Array(advice.dropFirst()) }
        guard let nearest else { return Array((givenUp.map { $0 + "\n" } ?? noStubs).utf8) + advice }
        var stub = nearest.stub
        stub.name = stub.name.map(redaction.redactedURL)
        stub.requiredScenarioState = stub.requiredScenarioState.map(redaction.redactedURL)
        let rows = ReportRows(
            stub, redaction.redacted(nearest.evaluation),
            scenarioState: nearest.scenarioState.map(redaction.redactedURL))
        let report = ReportLayout(width: width(request)).bytes(rows.rows)
        return (givenUp.map { report + "\n\($0)\n".utf8 } ?? report) + advice
    }

    /// The nearest stubs, each attribute with its expected and actual value, its verdict and its distance.
    private var json: JSONValue {
        var object: JSONObject = [
            "status": 404, "title": .string(givenUp ?? (nearMisses.isEmpty ? Self.noStubs : "Request was not matched")),
        ]
        object["detail"] = preflightHint.map(JSONValue.string)
        object["request"] = shownRequest
        object["nearMisses"] = .array(nearMisses.map { $0.detailedJSON(nil) })
        return .object(object)
    }

    /// The request with the beginning of a long body.
    private var shownRequest: JSONValue {
        LoggedRequest(request, bodyLimit: TextPreview.longest).json
    }

    private static func width(_ request: Request) -> Int {
        let header = request.header(Array("x-wiremock-console-width".utf8))
        return header.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? ReportLayout.standardWidth
    }
}
