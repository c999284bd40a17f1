import Foundation
import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

/// Answers equal those of WireMock 3.13.2, recorded by `Tools/oracle/record_matching.py`.
@Suite struct GoldenMatchingTests {
    @Test func agreesWithWireMockOnEveryRecordedPair() throws {
        let file = PackageFiles.url("Tests/Oracle/matching.json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let cases = try #require(document?["cases"] as? [[String: Any]])
        var pairs = 0
        var differences: [Difference: Int] = [:]
        for recorded in cases {
            let json = try #require(recorded["pattern"] as? [String: Any])
            let pattern = try CompiledPattern(RequestPattern(recorded: json))
            for request in try #require(recorded["requests"] as? [[String: Any]]) {
                let method = try #require(request["method"] as? String)
                let target = try #require(request["target"] as? String)
                let headers = try #require(request["headers"] as? [[String]])
                let matches = pattern.matches(TestRequest(method, target, headers: headers.map { ($0[0], $0[1]) }))
                let recorded = request["matches"] as? Bool
                if let difference = Self.difference(json, method, target, headers), matches != recorded {
                    differences[difference, default: 0] += 1
                } else {
                    #expect(matches == recorded, "\(json) on \(method) \(target) \(headers)")
                }
                pairs += 1
            }
        }
        #expect(pairs >= 2_000)
        #expect(differences == [.methodCase: 2, .headerCharset: 5, .caseWithSeveralValues: 2])
    }

    /// Deviations on purpose; `docs/matching.md` lists them.
    private enum Difference {
        /// WireMock's container reads `get` as `GET`.
        case methodCase
        /// WireMock's container reads header values as ISO 8859-1; here they are UTF-8.
        case headerCharset
        /// WireMock misses a value that differs only in case if another value comes before it.
        case caseWithSeveralValues
    }

    private static func difference(
        _ pattern: [String: Any], _ method: String, _ target: String, _ headers: [[String]]
    ) -> Difference? {
        if method == "get" { return .methodCase }
        if headers.contains(where: { $0[1].utf8.contains { $0 >= 0x80 } }) { return .headerCharset }
        let isCaseless = "\(pattern)".contains("caseInsensitive")
        return isCaseless && (headers.count > 1 || target.contains("&")) ? .caseWithSeveralValues : nil
    }
}

extension RequestPattern {
    /// Reads a pattern as the recorder writes it: only the fields in use.
    fileprivate init(recorded json: [String: Any]) {
        self.init()
        if let name = json["method"] as? String { method = name == "ANY" ? .any : .exactly(name) }
        if let text = json["url"] as? String { url = .url(text) }
        if let text = json["urlPath"] as? String { url = .urlPath(text) }
        if let text = json["urlPattern"] as? String { url = .urlPattern(text) }
        if let text = json["urlPathPattern"] as? String { url = .urlPathPattern(text) }
        if let text = json["urlPathTemplate"] as? String { url = .urlPathTemplate(text) }
        headers = Self.matchers(json["headers"])
        queryParameters = Self.matchers(json["queryParameters"])
        pathParameters = Self.matchers(json["pathParameters"])
    }

    private static func matchers(_ json: Any?) -> [NamedMatcher] {
        (json as? [String: [String: Any]] ?? [:]).compactMap { name, matcher in
            guard case .object(let object) = JSONValue(recorded: matcher),
                let known = matcher.keys.compactMap(ValueMatcher.Operator.init).first
            else { return nil }
            return NamedMatcher(name, ValueMatcher(known, json: object))
        }
    }
}

extension JSONValue {
    /// Reads the contents of a recorded matcher: texts, flags, lists and objects.
    fileprivate init(recorded json: Any) {
        switch json {
        case let text as String: self = .string(text)
        case let list as [Any]: self = .array(list.map(JSONValue.init(recorded:)))
        case let members as [String: Any]:
            var object = JSONObject()
            for (key, value) in members { object[key] = JSONValue(recorded: value) }
            self = .object(object)
        case let flag as Bool: self = .bool(flag)
        default: self = .null
        }
    }
}
