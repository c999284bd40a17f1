import HTTPMessages
import HTTPTransport
import JSON
import Matching
import StubModel

/// The answer to a client whose request no stub matched: WireMock's report on the nearest stub, or all near misses as
/// JSON for a client that accepts JSON.
struct UnmatchedReport {
    private static let noStubs = "No response could be served as there are no stub mappings in this WireMock instance."

    private let request: Request
    /// The near misses, the nearest first; empty if there are no stubs. The text needs only the first.
    let nearMisses: [NearMiss]
    private let acceptsJSON: Bool
    /// The text in two columns.
    let text: String

    /// Makes the report.
    /// - Parameter search: a search among the stubs that the request could have matched.
    init(_ request: Request, _ search: NearMissSearch) {
        self.request = request
        acceptsJSON = Self.acceptsJSON(request)
        nearMisses = search.nearest(request, count: acceptsJSON ? NearMissSearch.count : 1, .differences)
        text = Self.text(nearMisses.first, width: Self.width(request))
    }

    var response: PlainResponse {
        if acceptsJSON {
            let type = [(name: "Content-Type", value: "application/json")]
            return PlainResponse(status: 404, headers: type, body: json.prettyBytes)
        }
        return PlainResponse(status: 404, text: text)
    }

    private static func text(_ nearest: NearMiss?, width: Int) -> String {
        guard let nearest else { return noStubs }
        let rows = ReportRows(nearest.stub, nearest.evaluation, scenarioState: nearest.scenarioState)
        return ReportLayout(width: width).text(rows.rows)
    }

    /// The nearest stubs, each attribute with its expected and actual value, its verdict and its distance.
    var json: JSONValue {
        [
            "status": 404, "title": .string(nearMisses.isEmpty ? Self.noStubs : "Request was not matched"),
            "request": LoggedRequest(request).json, "nearMisses": .array(nearMisses.map(\.detailedJSON)),
        ]
    }

    private static func width(_ request: Request) -> Int {
        let header = request.header(Array("x-wiremock-console-width".utf8))
        return header.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? ReportLayout.standardWidth
    }

    /// Whether the client accepts JSON and does not accept plain text before it.
    private static func acceptsJSON(_ request: Request) -> Bool {
        guard let accept = request.header(Array("accept".utf8)) else { return false }
        let text = String(decoding: accept, as: UTF8.self).lowercased()
        guard let json = text.firstRange(of: "application/json") else { return false }
        return text.firstRange(of: "text/").map { json.lowerBound < $0.lowerBound } ?? true
    }
}
