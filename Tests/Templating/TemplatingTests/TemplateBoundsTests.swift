import SDJSON
import SDPlatform
import SDTestSupport
import Testing

@testable import SDTemplating

/// No template and no request that it reads exhausts a stack, the memory or a loop's time: each bound is told by its
/// name.
@Suite struct TemplateBoundsTests {
    private static func render(
        _ template: String, body: String = "", budget: WorkBudget = WorkBudget()
    ) throws -> String {
        let environment = RenderEnvironment(
            model: FixedModel(values: ["body": .text(body)]), budget: budget, system: FixedSystem())
        return String(decoding: try Template(template).render(environment), as: UTF8.self)
    }

    private static func nested(_ open: String, _ close: String, _ depth: Int, around inner: String = "") -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }

    // MARK: - Length

    /// A reader that looked at all of a template for each tag would not finish within the test's time.
    @Test(.timeLimit(.minutes(30)), arguments: ["{{!----}}", "{{!----~}}", "{{eq 'b' 'b'}}", "\\{{a}}"])
    func aTagIsReadWithoutALookAtAllThatIsBehind(tag: String) throws {
        let text = String(repeating: tag, count: 100_000)
        #expect(try !Template(text).isPlain)
        #expect(try !Template(json: [.string(text)], keepsTypes: false).isPlain)
    }

    // MARK: - Depth

    @Test(
        .disabled(if: ProcessFacts.isSanitized, "a sanitizer's frames fill a thread's stack"),
        arguments: [
            "", "{{a}}", "{{toJson a}}", "{{join a ','}}", "{{eq a a}}", "{{arrayJoin ',' a}}", "{{contains a a}}",
            "{{jsonPath a '$..*'}}", "{{#if a}}x{{/if}}", "{{#each a}}{{this}}{{/each}}", "{{a.toString}}",
            "{{stringFormat '%s' a}}", "{{size (join a a ',')}}",
        ])
    func valuesAreNestedOnlySoDeep(use: String) throws {
        @Sendable func wrap(_ count: Int) -> String {
            "{{#each (range 1 \(count))}}{{val (array a) assign='a'}}{{/each}}"
        }
        try onSmallStack {
            // The first list of all holds nothing.
            _ = try Self.render(wrap(512) + use)
            for count in [514, 5_120, 100_000] {
                #expect(throws: RenderError("values are nested deeper than 512")) {
                    try Self.render(wrap(count) + use)
                }
            }
        }
    }

    @Test(
        .disabled(if: ProcessFacts.isSanitized, "a sanitizer's frames fill a thread's stack"),
        arguments: ["arrayAdd (array 1) a", "pickRandom (array a) a count=2", "array 1 (parseJson body) a"])
    func everyListCountsWhatItHolds(list: String) throws {
        try onSmallStack {
            let template = "{{#each (range 1 5120)}}{{val (\(list)) assign='a'}}{{/each}}{{a}}"
            // What draws the first of two is the list within the list.
            let body = Self.nested("[", "]", 400)
            do {
                _ = try Self.render(template, body: body, budget: .unlimited)
                #expect(list.hasPrefix("pickRandom"))
            } catch let error as RenderError {
                #expect(error == RenderError("values are nested deeper than 512"))
            }
        }
    }

    /// The deepest document that is read goes through every helper.
    @Test(
        .disabled(if: ProcessFacts.isSanitized, "a sanitizer's frames fill a thread's stack"),
        arguments: [
            "parseJson body", "toJson (parseJson body)", "formatJson body", "formatJson body format='compact'",
            "jsonPath body '$'", "jsonPath body '$..*'", "jsonMerge '{}' body", "jsonArrayAdd '[]' body",
            "jsonRemove body '$..a'", "eq (parseJson body) (parseJson body)", "join (parseJson body) ','",
            "array (parseJson body) (jsonPath body '$')", "jsonPath (parseJson body) '$..a'", "jsonSort body '$[*].a'",
            "formatXml body", "xPath body '/a'",
        ])
    func documentsOfARequestAreNestedOnlySoDeep(expression: String) throws {
        try onSmallStack {
            for depth in [400, 512, 5_120, 51_200] {
                for body in [
                    Self.nested("[", "]", depth), Self.nested(#"{"a":"#, "}", depth, around: "1"),
                    Self.nested("<a>", "</a>", depth),
                ] {
                    do {
                        _ = try Self.render("{{\(expression)}}", body: body, budget: .unlimited)
                    } catch let error as RenderError {
                        #expect(error == RenderError("values are nested deeper than 512"))
                    }
                }
            }
        }
    }

    @Test(
        .disabled(if: ProcessFacts.isSanitized, "a sanitizer's frames fill a thread's stack"),
        arguments: [
            ("{{", "upper (", ")", "}}"), ("{{", "upper 'x' a=(", ")", "}}"),
            ("{{#each (", "array (", ")", ")}}{{/each}}"),
            ("{{> (", "upper (", ")", ")}}"), ("{{#if a}}{{else if (", "not (", ")", ")}}{{/if}}"),
            ("{{^", "upper (", ")", "}}{{/upper}}"),
        ])
    func subexpressionsAreNestedOnlySoDeep(begin: String, open: String, close: String, end: String) throws {
        try onSmallStack {
            let allowed = begin + Self.nested(open, close, 90, around: "upper 'x'") + end
            _ = try? Self.render(allowed)
            #expect(throws: Never.self) { try Template(allowed) }
            for depth in [101, 1_000, 100_000] {
                let error = #expect(throws: TemplateError.self) {
                    try Template(begin + Self.nested(open, close, depth, around: "upper 'x'") + end)
                }
                #expect(error?.message == "blocks and sub-expressions are nested deeper than 100")
            }
        }
    }

    @Test(
        .disabled(if: ProcessFacts.isSanitized, "a sanitizer's frames fill a thread's stack"),
        arguments: [
            ("{{#if true}}", "{{/if}}"), ("{{#if (not (not (not 1)))}}", "{{/if}}"), ("{{#with 'x'}}", "{{/with}}"),
            ("{{#if true}}{{else if true}}", "{{/if}}"), ("{{#each (array 1) as |x|}}", "{{/each}}"),
            ("{{#trim}}", "{{/trim}}"), ("{{#*inline 'p'}}", "{{/inline}}"), ("{{#> p}}", "{{/p}}"),
        ])
    func blocksAreNestedOnlySoDeep(open: String, close: String) throws {
        try onSmallStack {
            _ = try Self.render(Self.nested(open, close, 48, around: "x"))
            for depth in [101, 1_000, 100_000] {
                let error = #expect(throws: TemplateError.self) { try Template(Self.nested(open, close, depth)) }
                #expect(error?.message == "blocks and sub-expressions are nested deeper than 100")
            }
        }
    }

    // MARK: - Work

    /// Each would take seconds or gigabytes; a refusal names what there was too much of.
    @Test(
        .timeLimit(.minutes(30)),
        arguments: [
            ("{{numberFormat 1.5 maximumFractionDigits=100000000}}", "1.5"),
            ("{{numberFormat 1.5 '0.#' maximumFractionDigits=2147483647 minimumFractionDigits=3}}", "1.500"),
            ("{{numberFormat 12345.678 '0.###E0' maximumFractionDigits=100000000}}", "1.2345678E4"),
            ("{{size (numberFormat (parseJson '1e99999') groupingUsed=false)}}", "100000"),
            ("{{numberFormat (parseJson '1e2000000000')}}", "a number of more than 1048576 digits"),
            (
                "{{numberFormat (parseJson '1e-2000000000') maximumFractionDigits=1}}",
                "a number of more than 1048576 digits"
            ),
            ("{{size (stringFormat '%.1000000f' 0.5)}}", "1000002"),
            ("{{stringFormat (join (range 1 100000) '%1$h ') (range 1 900000)}}", nil),
            ("{{stringFormat (join (range 1 100000) '%1$.0s ') (range 1 900000)}}", nil),
            ("{{join (range 1 100000) (ljust 'x' size=1000000)}}", "the template makes more than 67108864 bytes"),
            ("{{arrayJoin (ljust 'x' size=1000000) (range 1 100000)}}", "the template makes more than 67108864 bytes"),
            ("{{#each (range 1 1000000)}}{{#if (ljust 'x' size=1000000 pad='ab')}}{{/if}}{{/each}}", nil),
            ("{{#each (range 1 1000000)}}{{#if (randomValue length=1000000)}}{{/if}}{{/each}}", nil),
            ("{{#each (range 1 1000000)}}{{#if (range 1 900000)}}{{/if}}{{/each}}", nil),
            ("{{#each (range 1 1000000)}}{{matches 'x' '(a|b|c|d|e|f|g){1,50}(a|b|c){1,50}'}}{{/each}}", nil),
        ])
    func dearHelpersAreBounded(template: String, expected: String?) throws {
        let budget = WorkBudget(limit: expected == nil ? 50_000_000 : 1_000_000_000)
        do {
            #expect(try Self.render(template, budget: budget) == expected)
        } catch let error as RenderError {
            #expect(error == expected.map(RenderError.init) ?? .outOfTime)
            // Whatever began last went on for less than the whole budget again.
            if expected == nil { #expect(budget.isSpent) }
        }
    }

    private static let indented = nested(#"{"a":"#, "}", 400, around: "[" + list(20_000, #"{"b":1}"#) + "]")

    private static func list(_ count: Int, _ element: String) -> String {
        Array(repeating: element, count: count).joined(separator: ",")
    }

    /// A document of 160 KB is mostly indentation as a text.
    @Test(arguments: ["toJson (parseJson body)", "formatJson body", "jsonPath body '$'"])
    func indentationIsPaidFor(expression: String) throws {
        let budget = WorkBudget(limit: 20_000_000)
        #expect(throws: RenderError.outOfTime) {
            try Self.render("{{\(expression)}}", body: Self.indented, budget: budget)
        }
    }

    @Test func indentationOfXMLIsBounded() throws {
        let deep = Self.nested("<a>", "</a>", 200, around: String(repeating: "<b/>", count: 10_000))
        var limits = RenderLimits()
        limits.output = 1 << 20
        let environment = RenderEnvironment(
            model: FixedModel(values: ["body": .text(deep)]), budget: .unlimited, system: FixedSystem(), limits: limits)
        #expect(throws: RenderError("the template makes more than 1048576 bytes")) {
            try Template("{{size (formatXml body)}}").render(environment)
        }
    }

    /// The ends of 64 bits are numbers like others.
    @Test(
        arguments: ["9223372036854775807", "-9223372036854775808"],
        [
            "wordWrap 'a b c' n", "#each (array 1 2) base=n}}{{@index}} {{@index_1}}{{/each", "ljust 'x' size=n",
            "center 'x' size=n", "rjust 'x' size=n", "abbreviate 'abc' n", "substring 'abc' n", "substring 'abc' 0 n",
            "randomInt lower=n upper=9223372036854775807", "randomInt lower=-9 upper=n", "range n 5", "range 5 n",
            "range n n", "numberFormat 1.5 minimumFractionDigits=n", "numberFormat 1.5 maximumIntegerDigits=n",
            "numberFormat 1.5 minimumIntegerDigits=n", "numberFormat n 'percent'", "stringFormat '%d' n",
            "stringFormat '%x' n", "stringFormat '%h' n", "isEven n", "stripes n 1 2", "math n '+' n", "math n '-' n",
            "math n '*' n", "math n '/' -1", "math n '%' -1", "randomValue length=n", "pickRandom 1 2 count=n",
            "arrayAdd (array 1) 2 position=n", "arrayRemove (array 1) position=n", "lookup (array 1 2) n",
            "jsonArrayAdd '[1]' '2' maxItems=n", "now offset=(join n 'seconds' ' ')", "now offset=(join n 'years' ' ')",
            "randomDecimal lower=n upper=n", "jsonPath '[1]' (join '$[' n ']' '')",
        ])
    func numbersAtTheirEndsAreNumbers(number: String, expression: String) throws {
        do {
            _ = try Self.render("{{val (jsonPath '{\"n\": \(number)}' '$.n') assign='n'}}{{\(expression)}}")
        } catch let error as RenderError {
            #expect(!error.message.isEmpty)
        }
    }
}
