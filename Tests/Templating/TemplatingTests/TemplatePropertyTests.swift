import SDJSON
import SDPlatform
import SDTestSupport
import Testing

@testable import SDTemplating

/// Templates that are put together from the grammar, with every helper: each can be read, and renders within its limits
/// or says why not, the same each time.
@Suite struct TemplatePropertyTests {
    private final class System: RenderSystem {
        private var generator = TestGenerator(seed: 11)
        func random() -> UInt64 { generator.next() }
        let wallTime: UInt64 = 1_600_000_000_000_000_000
        let hostName = "host"
        func systemValue(_ key: String, isProperty: Bool) -> SystemValue { .missing }
        func value(of call: ServerCall) throws(RenderError) -> TemplateValue { .list(call.parameters) }
    }

    private struct Model: TemplateObject {
        func member(_ name: String) -> TemplateValue? {
            switch name {
            case "text": .text("Ärger & <b>more</b> 😀")
            case "json": .text(#"{"a": [1, 2.5, {"b": null}], "c": "d"}"#)
            case "xml": .text("<a><b id='1'>x</b><b/></a>")
            case "number": .int(-7)
            case "decimal": .double(2.5e10)
            case "list": .list([.text("x"), .int(2), .null, .list([.bool(true)])])
            case "map": .map(TemplateMap([("k", .text("v")), ("n", .map(TemplateMap([("m", .int(1))])))]))
            case "values": .values([.text("first"), .text("second")])
            default: nil
            }
        }
        let text = "model"
    }

    /// A generator of templates.
    private struct Grammar {
        var random: TestGenerator

        mutating func pick<T>(_ list: [T]) -> T { list[Int.random(in: 0..<list.count, using: &random)] }
        mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

        mutating func template(_ depth: Int) -> String {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in node(depth) }.joined()
        }

        private mutating func node(_ depth: Int) -> String {
            guard depth > 0 else { return pick(["text", " \n ", " { ", " } ", "é"]) }
            let tilde = chance(6) ? "~" : ""
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return pick(["a ", "\n", "{ x }", "😀"])
            case 1: return "{{\(tilde)\(expression(depth))\(tilde)}}"
            case 2: return "{{{\(expression(depth))}}}"
            case 3: return "{{! a comment }}"
            case 4:
                let name = pick(["if", "unless", "with", "each"])
                let names = name == "if" || chance(2) ? "" : " as |x|"
                return "{{\(tilde)#\(name) \(operand(depth - 1))\(names)}}\(template(depth - 1))"
                    + "\(chance(2) ? "{{else}}" + template(depth - 1) : ""){{/\(name)\(tilde)}}"
            case 5:
                let name = pick(NamedHelper.names)
                return "{{#\(name)\(arguments(depth - 1))}}\(template(depth - 1)){{/\(name)}}"
            case 6:
                return "{{#*inline 'p'}}\(template(depth - 1)){{/inline}}{{> p \(path())}}"
            default:
                let name = path()
                return "{{#\(name)}}\(template(depth - 1)){{/\(name)}}"
            }
        }

        private mutating func path() -> String {
            pick(["text", "json", "number", "list", "map", "map.n.m", "values", "missing", "this", "list.[1]"])
        }

        private mutating func expression(_ depth: Int) -> String {
            chance(3) ? path() : pick(NamedHelper.names) + arguments(depth - 1)
        }

        private mutating func arguments(_ depth: Int) -> String {
            var text = ""
            for _ in 0..<Int.random(in: 0...3, using: &random) { text += " " + operand(depth) }
            if chance(2) {
                let name = pick([
                    "format", "offset", "timezone", "length", "type", "lower", "upper", "default", "position", "assign",
                    "maxItems", "key", "start", "step", "nth", "seed", "size", "pad", "or", "yes", "no", "urlDecode",
                ])
                text += " \(name)=\(operand(depth))"
            }
            return text
        }

        private mutating func operand(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 0 ? 7 : 6), using: &random) {
            case 0: return pick(["0", "1", "-1", "3", "2147483648", "1.5", "100000"])
            case 1:
                return pick([
                    "'x'", "''", "'$.a[*]'", "'[a-z]+'", "'/a/b'", "'yyyy-MM-dd'", "'3 days'", "'UUID'", "'+'", "'/'",
                    "'%s %d'", "'first day of month'", "'pretty'", "'Name.firstName'", "'(a+)+$'", "'GET /a'",
                    "'9999999999'",
                ])
            case 2: return pick(["true", "false"])
            case 3, 4: return path()
            case 5: return pick(["@index", "@root.text", "../this", "@first", "this"])
            default: return "(\(pick(NamedHelper.names))\(arguments(depth - 1)))"
            }
        }
    }

    @Test(.timeLimit(.minutes(30)), arguments: UInt64(1)...4)
    func anyTemplateOfTheGrammarRendersWithinItsLimits(seed: UInt64) throws {
        var grammar = Grammar(random: TestGenerator(seed: seed))
        var limits = RenderLimits()
        limits.output = 20_000
        limits.depth = 30
        var rendered = 0
        for number in 0..<500 {
            let text = grammar.template(4)
            let template: Template
            do {
                template = try Template(text)
            } catch {
                Issue.record("seed \(seed), \(number): \(error) in \(text)")
                continue
            }
            func render() -> String? {
                let budget = WorkBudget(limit: 20_000_000)
                let environment = RenderEnvironment(model: Model(), budget: budget, system: System(), limits: limits)
                do throws(RenderError) {
                    return String(decoding: try template.render(environment), as: UTF8.self)
                } catch {
                    #expect(!error.message.isEmpty, "\(text)")
                    return nil
                }
            }
            guard let first = render() else { continue }
            rendered += 1
            #expect(first.utf8.count <= limits.output, "\(text)")
            if let second = render() { #expect(first == second, "seed \(seed), \(number): \(text)") }
        }
        #expect(rendered > 50)
    }
}
