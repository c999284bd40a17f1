import Foundation
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// Near misses and explanations over the admin API.
@Suite struct NearMissTests {
    /// Distances and ranks of WireMock 3.13.2, recorded by `Tools/oracle/record_near_misses.py`.
    @Test func ranksAsWireMockDoes() throws {
        let file = PackageFiles.url("Tests/Oracle/near_misses.json")
        let cases = try #require(JSONValue(parsing: Data(contentsOf: file))["cases"]?.arrayValue)
        #expect(cases.count > 400)
        for recorded in cases {
            let mock = try TestMock()
            var ids: [String] = []
            for pattern in recorded["stubs"]?.arrayValue ?? [] {
                let mapping = try StubMapping(json: ["request": pattern])
                ids.append(mapping.idText)
                try mock.session.add(mapping)
            }
            let request = try #require(recorded["request"])
            let answer = try Exchange(mock.port, "POST", "/__admin/near-misses/request", body: request.compactText)
            let misses = try #require(answer.json?["nearMisses"]?.arrayValue, "\(answer)")
            let ours = misses.map { miss in
                let id = miss["stubMapping"]?["id"]?.stringValue ?? ""
                return "\(ids.firstIndex(of: id) ?? -1) \(rounded(miss["matchResult"]?["distance"]))"
            }
            let nearest = recorded["nearest"]?.arrayValue ?? []
            let theirs = nearest.map { "\($0[0]?.intValue ?? -1) \(rounded($0[1]))" }
            #expect(ours == theirs, "\(recorded["stubs"]?.compactText ?? "") on \(request.compactText)")
            for (miss, expected) in zip(misses, nearest) {
                let result = miss["matchResult"]
                #expect(result?["diffDescriptions"] == [])
                #expect(
                    withoutOurWords(result?["subEvents"]) == withoutOurWords(expected[2]),
                    "\(recorded["stubs"]?.compactText ?? "") on \(request.compactText)")
            }
            if let shown = recorded["shown"] {
                let ours = misses.first?["request"]
                #expect(ours == shown, "\(request.compactText): \(ours?.compactText ?? "")")
            }
        }
    }

    /// Sub-events with only WireMock's part of a message, and without words for a text that is not JSON.
    private func withoutOurWords(_ events: JSONValue?) -> JSONValue {
        .array(
            (events?.arrayValue ?? []).compactMap { event in
                let message = event["data"]?["message"]?.stringValue ?? ""
                // WireMock does not report a missing custom matcher.
                if message.contains("custom matcher") { return nil }
                if let place = message.firstRange(of: "\nThere is no text") {
                    return [
                        "type": event["type"] ?? .null,
                        "data": ["message": .string(String(message[..<place.lowerBound]))],
                    ]
                }
                guard let detail = event["data"]?["errors"]?[0]?["detail"]?.stringValue,
                    JSONComplaint.isOne(detail) || JSONComplaint.isExplained(detail)
                else { return event }
                let error: JSONValue = [
                    "code": 10, "source": .object(JSONObject()), "title": "Error parsing JSON",
                    "detail": "what is wrong with the text",
                ]
                return ["type": event["type"] ?? .null, "data": ["errors": [error]]]
            })
    }

    private func rounded(_ distance: JSONValue?) -> Double {
        ((distance?.doubleValue ?? .nan) * 1e6).rounded() / 1e6
    }

    /// Distances of WireMock 3.13.2.
    @Test(arguments: [
        ("{}", "Basic dTp4", 0.002173913), (#"{"A": {"equalTo": "1"}}"#, "Basic dTp4", 0.011956521),
        ("{}", "Bearer x", 0.017391304),
    ])
    func wrongCredentialsAreAsFarAsTheirTextIs(headers: String, sent: String, distance: Double) throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/t", "headers": \#(headers), "basicAuth": {"username": "u", "password": "p"}}}"#)
        let answer = try Exchange(
            mock.port, "POST", "/__admin/near-misses/request",
            body: #"{"url": "/t", "method": "GET", "headers": {"Authorization": "\#(sent)"}}"#)
        let found = answer.json?["nearMisses"]?[0]?["matchResult"]?["distance"]
        #expect(abs(rounded(found) - distance) < 2e-6)
    }

    @Test func nearRequestsOfTheJournalAreFoundForAPattern() throws {
        let mock = try TestMock()
        for path in ["/orders/1", "/orders", "/users", "/o"] { _ = try Exchange(mock.port, "GET", path) }
        let answer = try Exchange(
            mock.port, "POST", "/__admin/near-misses/request-pattern", body: #"{"method": "GET", "url": "/order"}"#)
        let misses = try #require(answer.json?["nearMisses"]?.arrayValue)
        #expect(misses.map { $0["request"]?["url"]?.stringValue } == ["/orders", "/orders/1", "/o"])
        #expect(misses.first?["requestPattern"]?["url"]?.stringValue == "/order")
    }

    @Test func everyUnmatchedRequestComesWithItsNearestStubs() throws {
        let mock = try TestMock()
        try mock.add(#"{"name": "one", "request": {"url": "/one"}}"#)
        for path in ["/one", "/onf", "/two"] { _ = try Exchange(mock.port, "GET", path) }
        let answer = try Exchange(mock.port, "GET", "/__admin/requests/unmatched/near-misses")
        let misses = try #require(answer.json?["nearMisses"]?.arrayValue)
        #expect(misses.map { $0["request"]?["url"]?.stringValue } == ["/two", "/onf"])
        #expect(misses.allSatisfy { $0["stubMapping"]?["name"]?.stringValue == "one" })
    }

    @Test(arguments: [
        ("/__admin/near-misses/request", "[]"), ("/__admin/near-misses/request", #"{"bodyAsBase64": "%"}"#),
        ("/__admin/near-misses/request-pattern", #"{"urlPattern": "["}"#), ("/__admin/explain", "nonsense"),
        ("/__admin/near-misses/request-pattern", #"{"methd": "GET"}"#), ("/__admin/explain", #"{"headers": 1}"#),
    ])
    func aMistakeIsNamed(path: String, body: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", path, body: body)
        #expect(answer.status == 422)
        #expect(answer.json?["errors"]?[0]?["code"]?.intValue == 10)
    }

    // MARK: - Explain

    @Test func anExplanationNamesTheStubAndThoseItPrecedes() throws {
        let mock = try TestMock()
        try mock.add(#"{"name": "any", "request": {"urlPattern": "/o.*"}}"#)
        try mock.add(#"{"name": "low", "request": {"url": "/order"}, "priority": 9}"#)
        try mock.add(#"{"name": "new", "request": {"url": "/order", "headers": {"A": {"equalTo": "1"}}}}"#)
        try mock.add(#"{"name": "other", "request": {"url": "/order", "method": "PUT"}}"#)
        let body = #"{"url": "/order", "method": "GET", "headers": {"A": "1"}}"#
        let answer = try #require(Exchange(mock.port, "POST", "/__admin/explain", body: body).json)
        #expect(answer["stubMapping"]?["name"]?.stringValue == "new")
        #expect(answer["reason"]?.stringValue?.contains("2 other matching stubs") == true)
        let shadows = try #require(answer["shadows"]?.arrayValue)
        #expect(shadows.map { $0["name"]?.stringValue } == ["any", "low"])
        #expect(shadows[0]["reason"]?.stringValue?.contains("added later") == true)
        #expect(shadows[1]["reason"]?.stringValue?.contains("lower than 9") == true)
        #expect(answer["attributes"]?.arrayValue?.allSatisfy { $0["matches"]?.boolValue == true } == true)
        #expect(mock.session.events.isEmpty)
    }

    @Test func anExplanationOfAMissShowsEachAttribute() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/a", "method": "POST", "bodyPatterns": [{"equalToJson": {"x": 1}}]}}"#)
        let body = #"{"url": "/a", "method": "GET", "body": "{\"x\": 2}"}"#
        let answer = try #require(Exchange(mock.port, "POST", "/__admin/explain", body: body).json)
        #expect(answer["stubMapping"]?.isNull == true)
        let attributes = try #require(answer["nearMisses"]?[0]?["attributes"]?.arrayValue)
        #expect(attributes.map { $0["attribute"]?.stringValue } == ["method", "url", "bodyPatterns"])
        #expect(attributes.map { $0["matches"]?.boolValue } == [false, true, false])
        #expect(attributes[2]["actual"]?.stringValue == #"{"x": 2}"#)
    }

    @Test func aClientThatAcceptsJSONGetsTheReportAsJSON() throws {
        let mock = try TestMock()
        try mock.add(#"{"name": "thing", "request": {"url": "/thing"}}"#)
        let answer = try Exchange(mock.port, "GET", "/thin", headers: [("Accept", "application/json")])
        #expect(answer.status == 404)
        #expect(answer.header("Content-Type") == "application/json")
        let nearest = try #require(answer.json?["nearMisses"]?[0])
        #expect(nearest["stubMapping"]?["name"]?.stringValue == "thing")
        #expect(nearest["attributes"]?[1]?["expected"]?.stringValue == "/thing")
        #expect(nearest["attributes"]?[1]?["actual"]?.stringValue == "/thin")
    }
}
