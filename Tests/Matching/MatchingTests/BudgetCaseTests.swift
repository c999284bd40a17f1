import SDJSON
import SDMatching
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

/// Each engine stops when the budget of its request is spent, wherever in a match it is.
@Suite struct BudgetCaseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The member of a request pattern, such as `"bodyPatterns": […]`; `%` stands for the beginning of its matcher.
        let condition: String
        let type: String?
        let body: @Sendable () -> [UInt8]
        /// The kind of work that is named.
        let work: String

        init(
            _ name: String, _ condition: String, type: String? = nil, work: String,
            body: @escaping @Sendable () -> String
        ) {
            self.init(name, condition, type: type, work: work, bytes: { Array(body().utf8) })
        }

        init(
            _ name: String, _ condition: String, type: String? = nil, work: String,
            bytes: @escaping @Sendable () -> [UInt8]
        ) {
            self.name = name
            self.condition = condition
            self.type = type
            body = bytes
            self.work = work
        }

        var testDescription: String { name }

        func pattern(negated: Bool) throws -> CompiledPattern {
            let text = condition.replacing("%(", with: negated ? #"{"not": "# : "").replacing(
                ")%", with: negated ? "}" : "")
            return try CompiledPattern(RequestPattern(json: JSONValue(parsing: "{\(text)}")))
        }

        var request: TestRequest {
            TestRequest(
                "POST", "/", headers: type.map { [("Content-Type", $0)] } ?? [], body: body())
        }
    }

    /// A text on which `(a+)+$` backtracks without end.
    private static let long = String(repeating: "a", count: 40) + "!"

    private static func list(_ count: Int, _ element: (Int) -> String, between: String = ",") -> String {
        (0..<count).map(element).joined(separator: between)
    }

    /// A schema of some levels of `anyOf`, at whose ends every member is looked at in vain.
    private static let nestedSchema: String = {
        var schema = #"{"additionalProperties": {"type": "integer"}}"#
        for _ in 0..<12 { schema = #"{"anyOf": [\#(schema), \#(schema)]}"# }
        return schema
    }()

    private static let regex = "regular expression"

    static let cases: [Case] = [
        Case(
            "form values", #""formParameters": {"x": %({"matches": "(a+)+$"})%}"#,
            type: "application/x-www-form-urlencoded", work: regex
        ) { list(500, { _ in "x=" + long }, between: "&") },
        Case(
            "JSON nodes", #""bodyPatterns": [%({"matchesJsonPath": {"expression": "$..x", "matches": "(a+)+$"}})%]"#,
            work: regex
        ) { "[" + list(1_000, { _ in #"{"x":"\#(long)"}"# }) + "]" },
        Case(
            "a regular expression in JSONPath", #""bodyPatterns": [%({"matchesJsonPath": "$[?(@.x =~ /(a+)+$/)]"})%]"#,
            work: regex
        ) { "[" + list(10_000, { _ in #"{"x":"\#(long)"}"# }) + "]" },
        Case("JSONPath", #""bodyPatterns": [%({"matchesJsonPath": "$..*..*..*..[?(@.nowhere)]"})%]"#, work: "JSONPath")
        {
            list(100, { _ in "[" }, between: "") + "1" + list(100, { _ in "]" }, between: "")
        },
        Case(
            "XPath texts",
            #""bodyPatterns": [%({"matchesXPath": {"expression": "//x/text()", "matches": "(a+)+$"}})%]"#,
            work: regex
        ) { "<r>" + list(500, { _ in "<x>\(long)</x>" }, between: "") + "</r>" },
        Case(
            "placeholders of equalToJson",
            #""bodyPatterns": [%({"equalToJson": [\#(list(200, { _ in #""${json-unit.regex}(a+)+$""# }))],"#
                + #" "ignoreArrayOrder": true})%]"#, work: regex
        ) { "[" + list(200, { _ in #""\#(long)""# }) + "]" },
        Case(
            "pairs of equalToJson",
            #""bodyPatterns": [%({"equalToJson": ["#
                + list(3_000, { _ in #""${json-unit.any-number}""# }) + #"], "ignoreArrayOrder": true})%]"#,
            work: "comparison"
        ) { "[" + list(2_999, { String($0) }) + #", "x"]"# },
        Case("a backreference", ##""bodyPatterns": [%({"matches": "(.*)\\1[bc]"})%]"##, work: regex) {
            String(repeating: "a", count: 1_000_000)
        },
        Case("attributes", #""bodyPatterns": [%({"equalToXml": "<a/>"})%]"#, work: "XML document") {
            "<a " + list(80_000, { #"b\#($0)="""# }, between: " ") + "/>"
        },
        Case("small elements", #""bodyPatterns": [%({"matchesXPath": "/r"})%]"#, work: "XML document") {
            "<r>" + String(repeating: "<a/>", count: 100_000) + "</r>"
        },
        Case("defaults of attributes", #""bodyPatterns": [%({"equalToXml": "<a/>"})%]"#, work: "XML document") {
            "<!DOCTYPE r [<!ATTLIST a " + list(500, { "b\($0) CDATA ''" }, between: " ") + ">]><r>"
                + String(repeating: "<a/>", count: 20_000) + "</r>"
        },
        Case(
            "members under anyOf", #""bodyPatterns": [%({"matchesJsonSchema": \#(nestedSchema)})%]"#,
            work: "JSON Schema"
        ) {
            "{" + list(2_000, { #""m\#($0)": 1"# }) + #", "last": "x"}"#
        },
        Case(
            "XPath's steps", #""bodyPatterns": [%({"matchesXPath": "//a[count(//a[count(//a) > 1]) > 1]"})%]"#,
            work: "XPath"
        ) {
            "<r>" + String(repeating: "<a/>", count: 5_000) + "</r>"
        },
        Case("XPath's sets", #""bodyPatterns": [%({"matchesXPath": "/r/a[. = 1] and /r/a = /r/b"})%]"#, work: "XPath") {
            "<r>" + String(repeating: "<a>x</a><b>y</b>", count: 8_000) + "</r>"
        },
        Case(
            "XPath's translate", #""bodyPatterns": [%({"matchesXPath": "translate(/r/a, /r/b, 'x') = 'y'"})%]"#,
            work: "XPath"
        ) { "<r><a>\(String(repeating: "a", count: 300_000))</a><b>\(String(repeating: "b", count: 30_000))</b></r>" },
        Case("a glob", #""bodyPatterns": [%({"glob": "\#(String(repeating: "*a", count: 400))b"})%]"#, work: "glob") {
            String(repeating: "a", count: 500_000)
        },
        Case(
            "a path template",
            #""bodyPatterns": [%({"matchesPathTemplate": "/\#(String(repeating: "**a", count: 30))b"})%]"#,
            work: "path template"
        ) { "/" + String(repeating: "a", count: 1_000) },
        Case(
            "letter case",
            #""bodyPatterns": [%({"equalTo": "\#(String(repeating: "é", count: 1_000_000))", "caseInsensitive": true})%]"#,
            work: "matchers"
        ) { String(repeating: "É", count: 1_000_000) },
        Case("GraphQL", #""bodyPatterns": [%({"matchesGraphql": {"query": "{ a }"}})%]"#, work: "GraphQL query") {
            #"{"query": "{ \#(list(200_000, { "f\($0)" }, between: " ")) }"}"#
        },
        Case(
            "a gzip body", #""bodyPatterns": [%({"contains": "b"})%]"#, work: "gzip body",
            bytes: { gzipped([UInt8](repeating: 0x61, count: 99 << 20)[...]) ?? [] }),
        Case(
            "a charset", #""bodyPatterns": [%({"contains": "b"})%]"#, type: "text/plain; charset=utf-16", work: "text"
        ) { String(repeating: "ab", count: 5_000_000) },
        Case(
            "fields of a form", #""formParameters": {"x": %({"equalTo": "y"})%}"#,
            type: "application/x-www-form-urlencoded", work: "form"
        ) { String(repeating: "a=1&", count: 900_000) },
        Case(
            "lines of a multipart body",
            #""multipartPatterns": [{"bodyPatterns": [%({"contains": "b"})%]}]"#,
            type: "multipart/form-data; boundary=b", work: "multipart body"
        ) { "--b\n" + String(repeating: "\n", count: 5_000_000) },
    ]

    @Test(arguments: cases, [false, true]) func endsInTime(_ subject: Case, negated: Bool) throws {
        let pattern = try subject.pattern(negated: negated)
        let request = subject.request
        let limit: UInt64 = 8_000_000
        // What is read once a process is read by another match.
        var warm = RequestViews(request, budgetLimit: 1_000)
        _ = pattern.matches(request, &warm)
        // What was built until then is freed, which no budget counts, and tests beside this one slow both down. An engine
        // that does not stop takes many times as long.
        let most = ProcessFacts.isSanitized ? .max : 4 * limit * WorkBudget.slowness
        // A pause of the thread counts for the work that it interrupts, so another kind may seem to have taken most.
        var (spent, kind) = (UInt64.max, String?.none)
        for _ in 0..<4 where spent >= most || kind != subject.work {
            spent = try processorTime(below: .max) {
                var views = RequestViews(request, budgetLimit: limit)
                #expect(!pattern.matches(request, &views), "what was given up does not match")
                let exhaustion = try #require(views.exhaustion, "\(subject.name) fits into \(limit)")
                #expect(exhaustion.subject === pattern)
                kind = exhaustion.work?.kind
            }
        }
        // A sanitizer takes time of its own, and so the budget before the work for which it is meant.
        #expect(ProcessFacts.isSanitized || kind == subject.work)
        #expect(spent < most, "took \(spent / 1_000) µs")
    }

    /// A part of a body that is not read must not look as if it were not there.
    @Test(arguments: [
        Case(
            "a gzip body", #""bodyPatterns": [{"contains": "b"}]"#, work: "holds more than 100 MiB",
            bytes: { gzipped([UInt8](repeating: 0x61, count: 101 << 20)[...]) ?? [] }),
        Case(
            "a form", #""formParameters": {"x": {"equalTo": "y"}}"#, type: "application/x-www-form-urlencoded",
            work: "has more than 1000000 fields"
        ) { String(repeating: "&", count: 1_000_000) + "x=y" },
        Case(
            "a multipart body", #""multipartPatterns": [{"bodyPatterns": [{"contains": "b"}]}]"#,
            type: "multipart/form-data; boundary=b", work: "has more than 10000 parts"
        ) { list(10_001, { _ in "--b\n\na\n" }, between: "") + "--b--" },
    ]) func whatIsNotReadIsRefused(_ subject: Case) throws {
        let pattern = try subject.pattern(negated: false)
        let request = subject.request
        var views = RequestViews(request, budgetLimit: 60_000_000_000)
        #expect(!pattern.matches(request, &views))
        #expect(views.exhaustion?.refusal?.hasPrefix(subject.work) == true, "\(String(describing: views.exhaustion))")
    }

    /// Patterns and bodies that are large or costly and still within the budget.
    @Test(arguments: [
        (#"{"matches": ".*foo.*"}"#, String(repeating: "x", count: 5_000_000) + "foo"),
        (
            #"{"contains": "\#(String(repeating: "a", count: 50_000))b"}"#,
            String(repeating: "a", count: 2_000_000) + "b"
        ),
        (
            #"{"matchesXPath": "contains(/r, '\#(String(repeating: "a", count: 20_000))b')"}"#,
            "<r>\(String(repeating: "a", count: 200_000))b</r>"
        ),
        (#"{"glob": "**foo"}"#, String(repeating: "x", count: 20_000) + "foo"),
    ]) func whatIsOnlyLongMatches(matcher: String, body: String) throws {
        let pattern = try CompiledPattern(RequestPattern(json: JSONValue(parsing: #"{"bodyPatterns": [\#(matcher)]}"#)))
        let request = TestRequest("POST", "/", body: Array(body.utf8))
        var views = RequestViews(request)
        #expect(pattern.matches(request, &views), "\(String(describing: views.exhaustion))")
    }
}
