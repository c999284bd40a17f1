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

/// The answer to a client whose request no stub matched: WireMock's report on the nearest stub, or all near misses as
/// JSON for a client that accepts JSON, and as HTML for a browser, which is led to the page about the daemon.
package struct NearMissReport: UnmatchedReport {
    private static let noStubs = "No response could be served as there are no stub mappings in this WireMock instance."

    private let request: Request
    /// The near misses, the nearest first; empty if there are no stubs. The text needs only the first.
    private let nearMisses: [NearMiss]
    private let acceptsJSON: Bool
    /// The path of the page about the daemon; nil for a client that is shown none.
    private let page: String?
    /// The text as UTF-8.
    private let bytes: [UInt8]
    /// Why the search for the nearest stubs was given up; nil if it was not.
    private let givenUp: String?
    /// What would answer the request if it is a preflight, and which stub files have errors: a clause; nil for neither.
    package let advice: String?

    /// Makes the report.
    /// - Parameters:
    ///   - views: the request's parts, as far as they were decoded, with what is left of its budget.
    ///   - hasPage: whether the page about the daemon is at the origin of the mock.
    package init(_ request: Request, in session: Session, _ views: inout RequestViews, hasPage: Bool = true) {
        self.request = request
        let prefix = session.passedID.map { "/__session/\($0)" } ?? ""
        page = hasPage && request.prefersHTML ? prefix + "/__admin/ui/" : nil
        acceptsJSON = request.prefersJSON
        nearMisses = NearMissSearch(session).nearest(
            request, &views, count: acceptsJSON ? NearMissSearch.count : 1, .differences, by: .people)
        let givenUp = views.overdraft.map { overdraft in
            "No stub matches. " + overdraft.text(of: "The search for the nearest one", owner: nil)
        }
        self.givenUp = givenUp
        let advice = [request.remedy, session.brokenFilesAdvice].compactMap(\.self)
        self.advice = advice.isEmpty ? nil : advice.joined(separator: ". ")
        bytes = Self.bytes(request, nearMisses.first, givenUp, self.advice, nil)
    }

    package var nearest: StubReference? { nearMisses.first?.reference }

    package func text(_ redaction: Redaction?) -> String {
        let bytes =
            redaction == nil
            ? bytes : Self.bytes(request, nearMisses.first, givenUp, advice, redaction)
        return String(decoding: bytes, as: UTF8.self)
    }

    package func entry(_ redaction: Redaction?) -> Report.Nearest? {
        nearMisses.first.map { Report.Nearest($0, redaction) }
    }

    package func isFar(_ redaction: Redaction?) -> Bool { nearMisses.first?.change(redaction).isFar ?? false }

    package func difference(_ redaction: Redaction?) -> String? {
        guard let nearest = nearMisses.first else { return nil }
        return redaction.shown(nearest.evaluation).failing.first?.difference ?? nearest.ineligibility
    }

    package var response: PlainResponse {
        let type = [(name: "Content-Type", value: "application/json")]
        var response =
            acceptsJSON
            ? PlainResponse(status: 404, headers: type, body: json.prettyBytes)
            : page.map { document(leadingTo: $0) } ?? PlainResponse(status: 404, text: bytes)
        // What follows may be meant for the tunnel. In HTTP/2 it is of this stream alone.
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
        let advice = advice.map { Array("\n\(redaction.shownURL($0)).\n".utf8) } ?? []
        // A stub for any method differs in nothing that the table shows.
        if request.isConnect, !advice.isEmpty { return Array(advice.dropFirst()) }
        guard let nearest else { return Array((givenUp.map { $0 + "\n" } ?? noStubs).utf8) + advice }
        var stub = nearest.stub
        stub.name = stub.name.map(redaction.shownURL)
        stub.requiredScenarioState = stub.requiredScenarioState.map(redaction.shownURL)
        let rows = ReportRows(
            stub, redaction.shown(nearest.evaluation), scenarioState: nearest.scenarioState.map(redaction.shownURL))
        let report = ReportLayout(width: width(request)).bytes(rows.rows)
        return (givenUp.map { report + "\n\($0)\n".utf8 } ?? report) + advice
    }

    /// The nearest stubs, each attribute with its expected and actual value, its verdict and its distance.
    private var json: JSONValue {
        var object: JSONObject = [
            "status": 404, "title": .string(givenUp ?? (nearMisses.isEmpty ? Self.noStubs : "Request was not matched")),
        ]
        object["detail"] = advice.map(JSONValue.string)
        object["request"] = shownRequest
        object["nearMisses"] = .array(nearMisses.map { $0.detailedJSON(nil) })
        return .object(object)
    }

    /// The request with the beginning of a long body.
    private var shownRequest: JSONValue {
        LoggedRequest(request, bodyLimit: ShownText.longest).json
    }

    private static func width(_ request: Request) -> Int {
        let header = request.header(Array("x-wiremock-console-width".utf8))
        return header.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? ReportLayout.standardWidth
    }
}
