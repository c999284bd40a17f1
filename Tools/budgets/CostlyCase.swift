import SDJSON
import SDMatching
import SDPlatform
import SDStubModel
import SDTestData

/// Random stubs and requests, most of them costly in some way.
struct CostlyCase {
    private var random: TestGenerator

    init(seed: UInt64) {
        random = TestGenerator(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    private mutating func one<Element>(of list: [Element]) -> Element { list[number(0...list.count - 1)] }

    /// Small numbers are more likely than large ones.
    private mutating func size(_ most: Int) -> Int { number(1...max(1, most >> number(0...8))) }

    // MARK: Patterns

    /// Request patterns, each with its JSON.
    mutating func patterns() -> [(json: JSONValue, compiled: CompiledPattern)] {
        var made: [(JSONValue, CompiledPattern)] = []
        for _ in 0..<size(30) {
            let matchers = (0..<number(1...2)).map { _ in matcher(depth: 0) }
            let json: JSONValue =
                number(0...4) == 0 ? formPattern(matchers) : ["bodyPatterns": .array(matchers)]
            // A random expression may be none.
            if let pattern = try? RequestPattern(json: json), let compiled = try? CompiledPattern(pattern) {
                made.append((json, compiled))
            }
        }
        return made
    }

    private mutating func formPattern(_ matchers: [JSONValue]) -> JSONValue {
        let members = ["a", "b"].prefix(matchers.count).enumerated().map { ($1, matchers[$0]) }
        return ["formParameters": .object(JSONObject(members))]
    }

    private mutating func matcher(depth: Int) -> JSONValue {
        let inner = depth < 2
        switch number(0...(inner ? 15 : 12)) {
        case 0, 1, 2: return ["matches": .string(regex())]
        case 3: return ["doesNotMatch": .string(regex())]
        case 4: return ["glob": .string(text(40, from: ["*", "**", "a", "?", "{a,b}", "[ab]", "/"]))]
        case 5: return ["matchesPathTemplate": .string("/" + text(30, from: ["{x}", "**", "a", "/", "-"]))]
        case 6: return ["matchesJsonSchema": schema(depth: 0)]
        case 7: return ["equalToJson": json(depth: 0, placeholders: true), "ignoreArrayOrder": true]
        case 8:
            return [
                "equalToJson": json(depth: 0, placeholders: true), "ignoreArrayOrder": true,
                "ignoreExtraElements": true,
            ]
        case 9: return ["equalToXml": .string(xml())]
        case 10: return ["contains": .string(String(repeating: "a", count: size(2_000)) + "b")]
        case 11: return ["matchesJsonPath": .string(path())]
        case 12: return ["matchesXPath": .string(xPath())]
        case 13:
            var operand = matcher(depth: depth + 1).objectValue ?? [:]
            operand["expression"] = .string(number(0...1) == 0 ? path() : xPath())
            return number(0...1) == 0 ? ["matchesJsonPath": .object(operand)] : ["matchesXPath": .object(operand)]
        case 14: return ["not": matcher(depth: depth + 1)]
        default: return [one(of: ["and", "or"]): .array((0..<number(1...4)).map { _ in matcher(depth: depth + 1) })]
        }
    }

    private mutating func text(_ most: Int, from parts: [String]) -> String {
        (0..<size(most)).map { _ in one(of: parts) }.joined()
    }

    private mutating func regex() -> String {
        var expression = ""
        for _ in 0..<number(1...6) {
            let atom = one(of: [
                "a", ".", "[a-z]", "(a)", "(a+)", "(a|aa)", "(.*)", "\\1", "\\w", "(?:a*b?)", "é", "(?=a*)",
            ])
            expression += atom + one(of: ["", "", "*", "+", "?", "*?", "{1,20}", "{2}", "*+"])
            if number(0...5) == 0 { expression = "(" + expression + ")" + one(of: ["*", "+", "{1,9}", ""]) }
        }
        return expression + one(of: ["", "b", "$", ".*", "[bc]"])
    }

    private mutating func path() -> String {
        "$"
            + text(
                8,
                from: [
                    "..*", "[*]", ".a", "..a", "[?(@.a =~ /(a+)+$/)]", "[?(@..*)]", "[0:9]", "[?(@.a == $..a)]",
                    "['a','b']",
                ])
    }

    private mutating func xPath() -> String {
        let steps = [
            "//a", "//*", "/a", "/following::*", "/..", "[count(//a) > 1]", "[contains(., 'aab')]", "[a = //b]",
        ]
        let path = "/" + text(5, from: steps)
        return one(of: [path, "count(\(path)) > 2", "\(path) = //b", "translate(\(path), 'ab', 'ba') = 'x'"])
    }

    private mutating func schema(depth: Int) -> JSONValue {
        guard depth < 8 else { return ["type": "integer"] }
        switch number(0...6) {
        case 0: return ["items": schema(depth: depth + 1)]
        case 1: return ["additionalProperties": schema(depth: depth + 1)]
        case 2: return ["pattern": .string(one(of: ["(a+)+$", "^a", "(.*)\\1b"]))]
        case 3: return ["uniqueItems": true, "items": schema(depth: depth + 1)]
        case 4: return ["not": schema(depth: depth + 1)]
        default:
            let inner = (0..<number(1...3)).map { _ in schema(depth: depth + 1) }
            return [one(of: ["anyOf", "allOf", "oneOf"]): .array(inner)]
        }
    }

    // MARK: Requests

    mutating func request() -> TestRequest {
        var headers: [(String, String)] = []
        if number(0...1) == 0 { headers.append(("Content-Type", contentType())) }
        var body = Array(body().utf8)
        if number(0...4) == 0, let compressed = gzipped(body[...]) {
            headers.append(("Content-Encoding", "gzip"))
            body = compressed
            // Cut off at times.
            if number(0...9) == 0 { body.removeLast(body.count / 2) }
        }
        return TestRequest("POST", "/" + text(50, from: ["a", "/", "-"]), headers: headers, body: body)
    }

    private mutating func contentType() -> String {
        let charset = one(of: ["ISO-8859-1", "UTF-16", "UTF-16LE", "windows-1252", "US-ASCII", "utf-8"])
        return one(of: ["text/plain; charset=\(charset)", "application/x-www-form-urlencoded", "application/json"])
    }

    private mutating func body() -> String {
        switch number(0...6) {
        case 0:
            return String(repeating: one(of: ["a", "aé", "ab", "a/"]), count: size(200_000)) + one(of: ["", "b", "!"])
        case 1: return xml()
        case 2: return declarations() + xml()
        case 3:
            return String(repeating: one(of: ["a=aaa&", "b=%61+&", "a=&b=a&", "a&"]), count: size(100_000)) + "a=aab"
        case 4:
            // Without optimization reading a byte takes longer by that, too.
            let count = size(20_000_000 / Int(WorkBudget.slowness))
            return String(decoding: [UInt8](repeating: UInt8(ascii: "a"), count: count), as: UTF8.self)
        default: return json(depth: 0, placeholders: false).compactText
        }
    }

    private mutating func json(depth: Int, placeholders: Bool) -> JSONValue {
        let scalars: [JSONValue] = [
            1, 2, true, .null, "a", .string(String(repeating: "a", count: 30) + "!"),
            .string(String(repeating: "a", count: 200)),
        ]
        let wild: [JSONValue] = ["${json-unit.any-number}", "${json-unit.regex}(a+)+$", "${json-unit.ignore}"]
        if depth == 3 || (depth > 0 && number(0...3) == 0) {
            return placeholders && number(0...2) == 0 ? one(of: wild) : one(of: scalars)
        }
        let count = size(depth == 0 ? 2_000 : 12)
        let element = json(depth: depth + 1, placeholders: placeholders)
        let other = json(depth: depth + 1, placeholders: placeholders)
        let isUniform = number(0...2) > 0
        var elements: [JSONValue] = []
        for index in 0..<count {
            elements.append(isUniform ? element : index.isMultiple(of: 2) ? other : .number(JSONNumber(index)))
        }
        if number(0...1) == 0 { return .array(elements) }
        return .object(
            JSONObject(elements.enumerated().map { index, value in (index == 0 ? "a" : "m\(index)", value) }))
    }

    /// What a document may declare: attributes with defaults, enumerations, and entities within entities.
    private mutating func declarations() -> String {
        let declared = (0..<size(2_000)).map { index in
            switch number(0...3) {
            case 0: "<!ATTLIST a x\(index) CDATA 'a'>"
            case 1: "<!ATTLIST a y\(index) (a|b|c\(index)) 'a'>"
            case 2: "<!ENTITY e\(index) '\(index > 0 ? "&e\(index - 1);&e\(index - 1);" : "aaa")'>"
            default: "<!ELEMENT a\(index) (a|b)*>"
            }
        }
        return "<!DOCTYPE a [\(declared.joined())]>"
    }

    private mutating func xml() -> String {
        let attributes = (0..<size(3_000)).map { "x\($0)='a'" }.joined(separator: " ")
        let children = String(
            repeating: one(of: ["<a/>", "<a>aaa</a>", "<b><a>aab</a></b>", "<!-- ' -->"]), count: size(20_000))
        return "<a \(number(0...3) == 0 ? attributes : "")>\(children)</a>"
    }
}
