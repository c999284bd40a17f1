import SDExplaining
import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The differences that an evaluation lists within a document that does not match.
@Suite struct DifferenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let matcher: JSONValue
        let body: String
        let differences: [String]

        init(_ matcher: JSONValue, _ body: String, _ differences: [String]) {
            self.matcher = matcher
            self.body = body
            self.differences = differences
        }

        var testDescription: String { "\(matcher.compactText) on \(body.prefix(80))" }
    }

    static let json: [Case] = [
        Case(
            ["equalToJson": ["b": ["c": [1, 2, 3]]]], #"{"b":{"c":[1,2,4]}}"#, ["$.b.c[2]: expected 3, was 4"]),
        Case(["equalToJson": 3], "4", ["$: expected 3, was 4"]),
        Case(
            ["equalToJson": ["a": 1, "b": "x"]], #"{"b":"y","c":[1]}"#,
            [#"$.a: missing, expected 1"#, #"$.b: expected "x", was "y""#, "$.c: not expected, was [1]"]),
        Case(
            ["equalToJson": ["a b": ["it's": true]]], #"{"a b":{"it's":null}}"#,
            [#"$['a b']['it\'s']: expected true, was null"#]),
        Case(["equalToJson": [1, 2, 3]], "[1]", ["$[1]: missing, expected 2", "$[2]: missing, expected 3"]),
        Case(["equalToJson": [1]], "[1,{},3]", ["$[1]: not expected, was {}", "$[2]: not expected, was 3"]),
        Case(["equalToJson": ["a": [:]]], #"{"a":"text"}"#, [#"$.a: expected {}, was "text""#]),
        Case(
            ["equalToJson": ["a": 1, "l": [1]], "ignoreExtraElements": true], #"{"a":2,"b":3,"l":[1,2]}"#,
            ["$.a: expected 1, was 2"]),
        Case(
            ["equalToJson": [1, 2, 3], "ignoreArrayOrder": true], "[3,1,5]", ["$[2]: expected 2, was 5"]),
        Case(
            ["equalToJson": [["id": 1, "v": "a"], ["id": 2, "v": "b"]], "ignoreArrayOrder": true],
            #"[{"id":2,"v":"b"},{"id":1,"v":"c"}]"#, [#"$[1].v: expected "a", was "c""#]),
        Case(
            ["equalToJson": [1, 2, 3], "ignoreArrayOrder": true], "[3]",
            ["$: no element is 1", "$: no element is 2"]),
        Case(
            ["equalToJson": [1], "ignoreArrayOrder": true], "[2,1,3]",
            ["$[0]: not expected, was 2", "$[2]: not expected, was 3"]),
        Case(
            [
                "equalToJson": [
                    "n": "${json-unit.any-number}", "r": "${json-unit.regex}[a-z]+", "i": "${json-unit.ignore}",
                ]
            ],
            #"{"n":"1","r":"A"}"#,
            [
                #"$.n: expected any number, was "1""#, #"$.r: expected a text that matches `[a-z]+`, was "A""#,
                "$.i: missing, expected any value",
            ]),
        Case(
            ["equalToJson": [:]], "{bad",
            [#"not JSON: line 1, column 2: expected a member name in quotes or "}", found "bad""#]),
        Case(["matchesJsonPath": "$.a.b.c"], #"{"a":{"x":1}}"#, [#"$.a.b.c: found nothing: $['a'] has no member "b""#]),
        Case(["matchesJsonPath": "$.a[3]"], #"{"a":[1]}"#, ["$.a[3]: found nothing: $['a'] has 1 element"]),
        Case(["matchesJsonPath": "$.a.b"], #"{"a":5}"#, ["$.a.b: found nothing: $['a'] is the number 5, no object"]),
        Case(["matchesJsonPath": "$..zz"], #"{"a":5}"#, ["$..zz: found nothing"]),
        Case(["matchesJsonPath": "$.a"], #"{"a":[]}"#, ["$.a: found []"]),
        Case(["matchesJsonPath": "$.a"], "<a/>", [#"not JSON: line 1, column 1: expected a value, found "<""#]),
        Case(["matchesJsonPath": ["expression": "$.id", "equalTo": "1"]], #"{"id":2}"#, ["$.id: found 2"]),
        Case(
            ["matchesJsonPath": ["expression": "$.l[*]", "equalTo": "1"]], #"{"l":["a","b","c","d"]}"#,
            [#"$.l[*]: found "a", "b", "c" and 1 more"#]),
        Case(
            ["matchesJsonPath": ["expression": "$.id", "absent": "1"]], #"{"id":2}"#,
            ["$.id: expected nothing, found 2"]),
        Case(
            ["matchesJsonPath": ["expression": "$.Message", "equalToJson": ["id": 1]]], #"{"Message":"{\"id\":2}"}"#,
            ["$.Message: $.id: expected 1, was 2"]),
        Case(
            ["and": [["equalToJson": ["a": 1]], ["matchesJsonPath": "$.b"]]], #"{"a":2}"#,
            ["$.a: expected 1, was 2", #"$.b: found nothing: $ has no member "b""#]),
        Case(["equalTo": "a"], "b", []),
        Case(["not": ["equalToJson": 1]], "1", []),
    ]

    static let schema: [Case] = [
        Case(
            [
                "matchesJsonSchema": [
                    "type": "object", "required": ["id"],
                    "properties": ["n": ["type": "integer", "minimum": 3], "l": ["items": ["type": "string"]]],
                ]
            ], #"{"n":2,"l":["a",1]}"#,
            [
                #"$: expected the property "id", found none (required)"#, "$.n: expected 3 or more, found 2 (minimum)",
                "$.l[1]: expected string, found the number 1 (type)",
            ]),
        Case(
            ["matchesJsonSchema": ["enum": ["a", 1, ["x": 1]]]], #""b""#,
            [#"$: expected one of "a", 1, an object, found the text "b" (enum)"#]),
        Case(["matchesJsonSchema": ["type": "object"]], "text", [#"$: expected object, found the text "text" (type)"#]),
    ]

    static let xml: [Case] = [
        Case(["equalToXml": "<a><b>1</b></a>"], "<a><b>2</b></a>", [#"/a/b: expected "1", was "2""#]),
        Case(
            ["equalToXml": "<a><b>1</b><b>2</b></a>"], "<a><b>1</b><b>3</b></a>", [#"/a/b[2]: expected "2", was "3""#]),
        Case(
            ["equalToXml": "<a k='1' l='2'/>"], "<a k='3'/>",
            [
                "/a: expected 2 attributes (k, l), was 1 attribute (k)", #"/a/@k: expected "1", was "3""#,
                #"/a/@l: missing, expected "2""#,
            ]),
        Case(
            ["equalToXml": "<a><b/><c/></a>"], "<a><b/></a>",
            ["/a: expected 2 children (b, c), was 1 child (b)", "/a/c: missing"]),
        Case(["equalToXml": "<a/>"], "<b/>", ["/a: expected the element a, was b"]),
        Case(["equalToXml": "<a/>"], "text", ["not XML: Content is not allowed in prolog."]),
        Case(["matchesXPath": "//z"], "<a/>", ["//z: found nothing"]),
        Case(
            ["matchesXPath": ["expression": "//b/text()", "equalTo": "9"]], "<a><b>1</b><b>2</b></a>",
            [#"//b/text(): found "1", "2""#]),
        Case(
            ["matchesXPath": ["expression": "//b/text()", "equalToJson": ["id": 1]]], #"<a><b>{"id":2}</b></a>"#,
            ["//b/text(): $.id: expected 1, was 2"]),
    ]

    @Test(arguments: json + schema + xml)
    func differencesNamePlacesAndValues(_ example: Case) throws {
        #expect(try Self.differences(example.matcher, example.body) == example.differences)
    }

    @Test func onlyTheFirstTenAreReported() throws {
        let numbers = (0..<5_000).map { JSONValue.number(JSONNumber($0)) }
        let found = try Self.differences(["equalToJson": .array(numbers)], "[]")
        #expect(found.count == 11)
        #expect(found.last == "and more")
    }

    @Test func longValuesAreCut() throws {
        let long = String(repeating: "x", count: 1_000_000)
        let found = try Self.differences(["equalToJson": .string("\"\(long)\"")], #"["\#(long)"]"#)
        #expect(found.count == 1)
        #expect(found[0].utf8.count < 500)
    }

    @Test func differencesAreReportedOnlyOnDemandAndOnFailure() throws {
        let pattern = try CompiledPattern(
            RequestPattern(json: ["bodyPatterns": [["equalToJson": ["a": 1]], ["matchesJsonPath": "$.a"]]]))
        let request = TestRequest("POST", "/", body: #"{"a":2}"#.utf8)
        var views = RequestViews(request)
        #expect(pattern.evaluate(request, &views).conditions.flatMap(\.differences) == [])
        let told = pattern.evaluate(request, &views, .differences).conditions
        #expect(told.map(\.differences.isEmpty) == [true, true, false, true])
    }

    @Test func differencesInHeadersAndParametersAreReported() throws {
        let pattern = try CompiledPattern(
            RequestPattern(json: ["headers": ["X": ["equalToJson": ["a": 1]]], "urlPath": "/"]))
        let request = TestRequest("GET", "/", headers: [("X", "{}"), ("X", #"{"a":2}"#)])
        var views = RequestViews(request)
        let header = pattern.evaluate(request, &views, .differences).conditions.last
        #expect(header?.differences.count == 1)
        #expect(header?.differences.first?.hasPrefix("$.a: ") == true)
    }

    @Test func aDifferenceIsReportedExactlyWhereADocumentFails() throws {
        var generator = TestGenerator()
        let seed = generator.seed
        var failed = 0
        for _ in 0..<4_000 {
            let expected = Self.document(3, &generator)
            let actual = Self.changed(expected, &generator)
            let matcher: JSONValue = [
                "equalToJson": .string(expected.compactText), "ignoreArrayOrder": .bool(Bool.random(using: &generator)),
                "ignoreExtraElements": .bool(Bool.random(using: &generator)),
                "nullsEqualMissing": .bool(Bool.random(using: &generator)),
            ]
            let pattern = try CompiledPattern(RequestPattern(json: ["bodyPatterns": [matcher]]))
            let request = TestRequest("POST", "/", body: actual.compactBytes)
            var views = RequestViews(request)
            let matches = pattern.matches(request, &views)
            let told = pattern.evaluate(request, &views, .differences).conditions.last?.differences ?? []
            #expect(told.isEmpty == matches, "seed \(seed): \(matcher.compactText) on \(actual.compactText): \(told)")
            failed += matches ? 0 : 1
        }
        #expect((500...3_500).contains(failed), "seed \(seed)")
    }

    /// Recorded pairs of all matchers, including XML, schemas and paths.
    @Test func aDifferenceIsReportedExactlyWhereARecordedDocumentFails() throws {
        let data = try PackageFiles.data("Tests/Oracle/matchers.json")
        var told: [String: Int] = [:]
        for recorded in try #require(JSONValue(parsing: data)["cases"]?.arrayValue) {
            guard let json = recorded["pattern"], let matchers = json["bodyPatterns"]?.arrayValue else { continue }
            let pattern = try CompiledPattern(RequestPattern(json: ["bodyPatterns": .array(matchers)]))
            for request in recorded["requests"]?.arrayValue ?? [] {
                let request = try TestRequest(recorded: request)
                var views = RequestViews(request)
                let conditions = pattern.evaluate(request, &views, .differences).conditions.dropFirst(2)
                for (matcher, seen) in zip(matchers, conditions) {
                    let name = matcher.objectValue?.members.first?.key ?? ""
                    let text = "\(matcher.compactText) on \(String(decoding: request.body, as: UTF8.self))"
                    #expect(!seen.passes || seen.differences.isEmpty, "\(text): \(seen.differences)")
                    guard Self.documentMatchers.contains(name), !seen.passes, !request.body.isEmpty else { continue }
                    #expect(!seen.differences.isEmpty, "\(text)")
                    told[name, default: 0] += 1
                }
            }
        }
        #expect(Self.documentMatchers.allSatisfy { told[$0, default: 0] >= 20 }, "\(told)")
    }

    private static let documentMatchers: Set = [
        "equalToJson", "equalToXml", "matchesJsonPath", "matchesJsonSchema", "matchesXPath",
    ]

    @Test(arguments: [false, true])
    func theOneDifferenceOfALargeDocumentIsFound(ignoresOrder: Bool) throws {
        let items = (0..<2_000).map {
            JSONValue.object(["id": .number(JSONNumber($0)), "name": "item", "tags": ["a"]])
        }
        var changed = items
        changed[1_999] = ["id": 1_999, "name": "other", "tags": ["a"]]
        if ignoresOrder { changed.reverse() }
        let found = try Self.differences(
            ["equalToJson": .array(items), "ignoreArrayOrder": .bool(ignoresOrder)],
            String(decoding: JSONValue.array(changed).compactBytes, as: UTF8.self))
        #expect(found == [#"$[\#(ignoresOrder ? 0 : 1_999)].name: expected "item", was "other""#])
    }

    private static func differences(_ matcher: JSONValue, _ body: String) throws -> [String] {
        let pattern = try CompiledPattern(RequestPattern(json: ["bodyPatterns": [matcher]]))
        let request = TestRequest("POST", "/", body: body.utf8)
        var views = RequestViews(request)
        return pattern.evaluate(request, &views, .differences).conditions.last?.differences ?? []
    }

    private static let scalars: [JSONValue] = [
        .null, true, false, 1, 2, 1.5, "a", "b", "", "${json-unit.any-string}", "${json-unit.ignore-element}",
        "${json-unit.missing-or-null}", "${json-unit.matches:x}",
    ]

    private static func document(_ depth: Int, _ generator: inout TestGenerator) -> JSONValue {
        let count = Int.random(in: 0...3, using: &generator)
        switch depth == 0 ? 0 : Int.random(in: 0...2, using: &generator) {
        case 1: return .array((0..<count).map { _ in document(depth - 1, &generator) })
        case 2:
            return .object(
                JSONObject((0..<count).map { (["a", "b", "c d"][$0], document(depth - 1, &generator)) }))
        default: return scalars[Int.random(in: 0..<scalars.count, using: &generator)]
        }
    }

    /// The same document with parts removed, added, exchanged, or reordered.
    private static func changed(_ value: JSONValue, _ generator: inout TestGenerator) -> JSONValue {
        if Int.random(in: 0..<14, using: &generator) == 0 { return document(1, &generator) }
        switch value {
        case .array(var elements):
            if Int.random(in: 0..<4, using: &generator) == 0 { elements.shuffle(using: &generator) }
            if Int.random(in: 0..<10, using: &generator) == 0 { elements.append(document(1, &generator)) }
            if Int.random(in: 0..<10, using: &generator) == 0 { _ = elements.popLast() }
            return .array(elements.map { changed($0, &generator) })
        case .object(let object):
            var members = object.members.map { ($0.key, changed($0.value, &generator)) }
            if Int.random(in: 0..<10, using: &generator) == 0 { members.append(("new", document(1, &generator))) }
            if Int.random(in: 0..<10, using: &generator) == 0 { _ = members.popLast() }
            return .object(JSONObject(members))
        default: return value
        }
    }
}
