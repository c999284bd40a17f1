import SDJSON
import SDJSONPath
import SDTestSupport
import Testing

/// Laws that hold for every document.
@Suite struct PropertyTests {
    static let names = ["a", "b", "c", "d e", "f'g", "h\"i", "j\\k", "é", ""]

    static func value(_ depth: Int, _ generator: inout TestGenerator) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 7 : 4), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .number(JSONNumber(Int.random(in: -3...3, using: &generator)))
        case 3: return 1.5
        case 4: return .string(names.randomElement(using: &generator) ?? "")
        case 5:
            let count = Int.random(in: 0...4, using: &generator)
            return .array((0..<count).map { _ in value(depth - 1, &generator) })
        default:
            let count = Int.random(in: 0...4, using: &generator)
            return .object(
                JSONObject(
                    (0..<count).map { _ in (names.randomElement(using: &generator) ?? "", value(depth - 1, &generator))
                    }))
        }
    }

    /// Every value within `value`, with the path that leads there.
    static func places(_ value: JSONValue, at path: String = "$") -> [(path: String, value: JSONValue)] {
        var found = [(path, value)]
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() { found += places(element, at: "\(path)[\(index)]") }
        case .object(let object):
            for member in object.members {
                let name = member.key.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
                found += places(member.value, at: "\(path)['\(String(name))']")
            }
        default: break
        }
        return found
    }

    @Test func aPathToAPlaceFindsItsValue() throws {
        var generator = TestGenerator()
        for _ in 0..<200 {
            let document = Self.value(4, &generator)
            for dialect in [JSONPath.Dialect.wireMock, .rfc9535] {
                for (path, value) in Self.places(document) {
                    let found = try JSONPath(path, dialect: dialect).evaluate(document)
                    #expect(found == .value(value), "\(path), seed \(generator.seed)")
                }
            }
        }
    }

    @Test func aDescentFindsEveryPlaceButTheRoot() throws {
        var generator = TestGenerator()
        for _ in 0..<200 {
            let document = Self.value(4, &generator)
            let expected = Self.places(document).dropFirst().map(\.value.compactText).sorted()
            for dialect in [JSONPath.Dialect.wireMock, .rfc9535] {
                guard case .list(let found) = try JSONPath("$..*", dialect: dialect).evaluate(document) else {
                    Issue.record("no list, seed \(generator.seed)")
                    continue
                }
                #expect(found.map(\.compactText).sorted() == expected, "seed \(generator.seed)")
            }
        }
    }

    @Test func aSliceOfTheStandardFollowsItsDefinition() throws {
        let document: JSONValue = .array((0..<5).map { .number(JSONNumber($0)) })
        for start in -7...7 {
            for end in -7...7 {
                for step in [-3, -1, 1, 2] {
                    let lower = start < 0 ? start + 5 : start
                    let upper = end < 0 ? end + 5 : end
                    let expected = (step > 0 ? Array(0..<5) : Array((0..<5).reversed())).filter { index in
                        step > 0
                            ? index >= lower && index < upper && (index - max(lower, 0)) % step == 0
                            : index <= lower && index > upper && (min(lower, 4) - index) % -step == 0
                    }
                    let path = try JSONPath("$[\(start):\(end):\(step)]", dialect: .rfc9535)
                    #expect(path.evaluate(document) == .list(expected.map { .number(JSONNumber($0)) }), "\(path.text)")
                }
            }
        }
    }

    @Test func aFilterAndItsNegationPartitionAnArray() throws {
        var generator = TestGenerator()
        let conditions = ["@.a == 1", "@ > 0", "@.b", "@ in [1,'a',null]", "@.a == @.b", "@.c size 2", "@ =~ /a|b/"]
        for _ in 0..<200 {
            let document = JSONValue.array((0..<6).map { _ in Self.value(2, &generator) })
            for condition in conditions {
                guard case .list(let held) = try JSONPath("$[?(\(condition))]").evaluate(document),
                    case .list(let failed) = try JSONPath("$[?(!(\(condition)))]").evaluate(document)
                else {
                    Issue.record("no list, seed \(generator.seed)")
                    continue
                }
                #expect(held.count + failed.count == 6, "\(condition), seed \(generator.seed)")
            }
        }
    }
}
