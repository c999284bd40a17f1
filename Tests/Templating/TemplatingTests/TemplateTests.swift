import SDJSON
import SDPlatform
import SDTestSupport
import Testing

@testable import SDTemplating

/// Templates by themselves: where one cannot be read, and what one may cost.
@Suite struct TemplateTests {
    private func render(
        _ template: String, _ values: [String: TemplateValue] = [:], _ limits: RenderLimits = RenderLimits(),
        budget: WorkBudget = WorkBudget()
    ) throws -> String {
        let environment = RenderEnvironment(
            model: FixedModel(values: values), budget: budget, system: FixedSystem(), limits: limits)
        return String(decoding: try Template(template).render(environment), as: UTF8.self)
    }

    @Test(arguments: [
        ("a\n  {{#if x}}b", 2, 3, "the block does not end: expected `{{/if}}`"),
        ("{{#if x}}b{{/each}}", 1, 11, "expected `{{/if}}`, found `{{/each}}`"),
        ("{{/if}} {{x}}", 1, 1, "`{{/if}}` closes no block"),
        ("é{{else}}", 1, 2, "`else` stands in no block"),
        ("{{x}} {{!-- x }}", 1, 7, "the comment does not end: expected `--}}`"),
        ("{{upper 'x}}", 1, 1, "the tag does not end: expected `}}`"),
        ("{{upper (lower 'x'}}", 1, 19, "expected `)`, found the end of the tag"),
        ("{{ }}", 1, 4, "expected a name, found the end of the tag"),
        ("{{x ~ y}}", 1, 5, "expected a name or value, found `~`"),
        ("{{{{raw}}}} x {{{{/row}}}}", 1, 1, "the raw block does not end: expected `{{{{/raw}}}}`"),
        ("{{{x}}", 1, 1, "the tag does not end: expected `}}}`"),
        ("a {{uper 'x'}}", 1, 5, "there is no helper `uper`; did you mean `upper`?"),
        ("{{#if x}}{{upper (lowr y)}}{{/if}}", 1, 19, "there is no helper `lowr`; did you mean `lower`?"),
        ("{{#nothingLikeIt a=1}}{{/nothingLikeIt}}", 1, 4, "there is no helper `nothingLikeIt`"),
    ])
    func anErrorSaysWhereAndWhat(text: String, line: Int, column: Int, message: String) throws {
        let error = try #require(throws: TemplateError.self) { try Template(text) }
        #expect((error.line, error.column) == (line, column), "\\(error)")
        #expect(error.message == message)
    }

    /// What a request asks for and is not there is an error, not another language's answer.
    @Test(arguments: [
        (
            "{{numberFormat 1 'currency' l}}", "de-AT",
            "numberFormat: there is no locale \"de-AT\"; did you mean \"de_AT\"?"
        ),
        ("{{dateFormat (now) 'full' l}}", "en_XX", "dateFormat: there is no locale \"en_XX\"; did you mean \"en\"?"),
        ("{{dateFormat (now) 'full' locale=l}}", "DE", "dateFormat: there is no locale \"DE\"; did you mean \"de\"?"),
        (
            "{{dateFormat (now) 'full' 'de' time='full' tz='Europe/Berlin'}}", "",
            "dateFormat: the name of the time zone Europe/Berlin is known in English alone"
        ),
        ("{{numberFormat 1 'currency' 5}}", "", "numberFormat: a locale is a text such as \"de_AT\", found 5"),
    ])
    func aLocaleThatIsNotThereIsAnError(template: String, locale: String, message: String) throws {
        let error = #expect(throws: RenderError.self) { try render(template, ["l": .text(locale)]) }
        #expect(error == RenderError(message))
    }

    @Test func anUnknownLanguageNamesThoseThatAreThere() throws {
        let error = #expect(throws: RenderError.self) { try render("{{numberFormat 1 'integer' 'klingon'}}") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("there are cs, da, de, el, en, es, ") && text.contains(", alone and with a region"))
    }

    /// `UTC` is a name, also where it is asked for.
    @Test(arguments: [("de_DE", "UTC Koordinierte Weltzeit UTC"), ("en_US", "UTC Coordinated Universal Time UTC")])
    func theUniversalTimeHasANameInEachLanguage(locale: String, expected: String) throws {
        #expect(try render("{{dateFormat (now) 'z zzzz VV' '\(locale)' tz='UTC'}}") == expected)
    }

    @Test(arguments: ["", "text", "a } b {", "{{", "}}{{", "{ {x} }"])
    func textWithoutTagsIsPlain(text: String) throws {
        #expect(try Template(text).isPlain)
        #expect(try render(text) == text)
    }

    @Test func blocksAreNestedOnlySoDeep() throws {
        let deep = String(repeating: "{{#if true}}", count: 101) + String(repeating: "{{/if}}", count: 101)
        #expect(throws: TemplateError.self) { try Template(deep) }
        let endless = "{{#*inline 'p'}}x{{> p}}{{/inline}}{{> p}}"
        #expect(throws: RenderError("blocks are nested deeper than 100")) { try render(endless) }
    }

    @Test func theOutputIsBounded() throws {
        var limits = RenderLimits()
        limits.output = 1_000
        let template = "{{#each (range 1 1000)}}0123456789{{/each}}"
        #expect(throws: RenderError("the template makes more than 1000 bytes")) { try render(template, [:], limits) }
        #expect(try render(template).utf8.count == 10_000)
    }

    @Test func theTimeIsBounded() throws {
        let hundred = "{{#each (range 1 100)}}"
        let template = String(repeating: hundred, count: 5) + "x" + String(repeating: "{{/each}}", count: 5)
        let budget = WorkBudget(limit: 2_000_000)
        #expect(throws: RenderError.outOfTime) { try render(template, budget: budget) }
        #expect(budget.isSpent)
    }

    private static let longText = String(repeating: "a1 ", count: 1_000_000)
    private static let longList: JSONValue = .array((0..<200_000).map { .number(JSONNumber($0)) })

    /// What nothing can interrupt is not begun: time is left.
    @Test(arguments: [
        "replace x 'a' 'b'", "cut x 'a'", "upper x", "lower x", "capitalize x", "capitalizeFirst x", "center x size=3",
        "substring x 1", "slugify x", "stripTags x", "abbreviate x 9", "wordWrap x 9", "trim x", "stringFormat x",
        "join x x ','", "base64 x", "base64 x decode=true", "urlEncode x", "urlEncode x decode=true", "formData x",
        "jsonPath x '$.a'", "parseJson x", "formatJson x", "jsonMerge x '{}'", "jsonMerge '{}' x", "jsonRemove x '$.a'",
        "jsonArrayAdd x '1'", "jsonSort x '$[*]'", "formatXml x", "math x '+' 1", "parseDate x", "now format=x",
        "dateFormat (now) x", "numberFormat 1 x", "size x", "contains x 'b'", "eq x 1", "arrayJoin ',' x",
        "toJson x", "lookup y x", "random x", "#trim}}{{x}}{{/trim", "#assign 'y'}}{{x}}{{/assign", "x.toUpperCase",
        "#each y}}{{/each", "join y ','", "arrayJoin ',' y", "toJson y", "contains y 1", "y",
        "pickRandom y", "#y}}{{/y", "z.y.0", "#with z}}{{y}}{{/with",
    ])
    func largeValuesArePaidForFirst(expression: String) throws {
        let budget = WorkBudget(limit: 2_000_000)
        let values: [String: TemplateValue] = [
            "x": .text(Self.longText), "y": .json(Self.longList),
            "z": .json(.object(JSONObject([("y", .object(JSONObject([("0", Self.longList)])))]))),
        ]
        #expect(throws: RenderError.outOfTime) { try render("{{\(expression)}}", values, budget: budget) }
        #expect(budget.isSpent && (ProcessFacts.isSanitized || budget.left > 0))
    }

    @Test func whatIsNotReadIsFree() throws {
        let template = try Template("{{#if x}}{{#with z}}{{val '1'}}{{/with}}{{/if}}{{defaultIfEmpty '2' x}}{{y.7}}")
        let environment = RenderEnvironment(
            model: FixedModel(values: [
                "x": .text(Self.longText), "y": .json(Self.longList), "z": .json(.object(["a": 1])),
            ]),
            budget: WorkBudget(limit: 2_000_000), system: FixedSystem())
        #expect(String(decoding: try template.render(environment), as: UTF8.self) == "127")
    }

    @Test(arguments: [
        ("aaa", "aa", "b", "ba"), ("abab", "ab", "", ""), ("aabaabaaba", "aabaaba", "-", "-aba"),
        ("é-é", "-", "ü", "éüé"), ("abc", "x", "y", "abc"), ("aba", "a", "aa", "aabaa"), ("xaab", "aab", "1", "x1"),
        ("aaab", "aab", "1", "a1"),
        ("ab", "", "-", "-a-b-"),
    ])
    func partsAreReplacedFromLeftToRight(text: String, part: String, other: String, expected: String) throws {
        let values: [String: TemplateValue] = ["x": .text(text), "p": .text(part), "o": .text(other)]
        #expect(try render("{{replace x p o}}", values) == expected)
        #expect(try render("{{contains x p}}", values) == (text.contains(part) ? "true" : "false"))
    }

    @Test func replacementsAreBounded() throws {
        var limits = RenderLimits()
        limits.output = 1_000
        let values: [String: TemplateValue] = ["x": .text(String(repeating: "a", count: 200))]
        #expect(throws: RenderError("the template makes more than 1000 bytes")) {
            try render("{{size (replace x 'a' '0123456789')}}", values, limits)
        }
    }

    /// A system that takes longer for a token than a template may take, as for the first one, whose key has to be made.
    private final class KeyMaker: RenderSystem {
        private let isCounted: Bool
        let wallTime: UInt64 = 1_600_000_000_000_000_000
        let hostName = "host"
        func random() -> UInt64 { 4 }
        func systemValue(_ key: String, isProperty: Bool) -> SystemValue { .denied }

        init(isCounted: Bool) { self.isCounted = isCounted }

        func value(of call: ServerCall) throws(RenderError) -> TemplateValue {
            if isCounted { takeTime() } else { call.uncounted { takeTime() } }
            return .text("token")
        }

        private func takeTime() {
            let time = WorkBudget(limit: 30_000_000)
            while time.spend(1_000, for: WorkBudget.Work("key", "")) {}
        }
    }

    @Test(.disabled(if: ProcessFacts.isSanitized, "a sanitizer takes time of its own"), arguments: [false, true])
    func workForAllRequestsIsNotDrawnFromOne(isCounted: Bool) throws {
        let loop = "{{#each (range 1 1000)}}{{/each}}"
        let template = try Template(loop + "{{jwt}}" + loop)
        let environment = RenderEnvironment(
            model: FixedModel(values: [:]), budget: WorkBudget(limit: 10_000_000),
            system: KeyMaker(isCounted: isCounted))
        if isCounted {
            #expect(throws: RenderError.outOfTime) { try template.render(environment) }
        } else {
            #expect(String(decoding: try template.render(environment), as: UTF8.self) == "token")
        }
    }

    @Test(arguments: [
        ("{{jsonPath x '$.a'}}", true), ("{{#jsonPath x '$.a'}}{{/jsonPath}}", true),
        ("{{upper (jsonPath x '$.a')}}", true), ("{{jsonPath x path}}", false), ("{{jsonPath x '$['}}", false),
        ("{{upper 'a' '$.a'}}", false),
    ])
    func aConstantJSONPathIsReadWithTheTemplate(text: String, isRead: Bool) throws {
        func hasPath(_ expression: TemplateExpression) -> Bool {
            expression.jsonPath != nil
                || expression.parameters.contains { if case .call(let inner) = $0 { hasPath(inner) } else { false } }
        }
        let found = try Template(text).nodes.contains { node in
            switch node {
            case .output(let expression): hasPath(expression)
            case .block(let block): hasPath(block.expression)
            default: false
            }
        }
        #expect(found == isRead)
    }

    /// Texts that are asked for in turn are each read as what they are.
    @Test func severalTextsOfJSONAreNotMixedUp() throws {
        let template = "{{jsonPath x '$.a'}}{{jsonPath y '$.a'}}{{jsonPath x '$.b'}}{{jsonPath y '$.a'}}"
        let text = try render(
            template, ["x": .text(#"{"a": 1, "b": 2}"#), "y": .text(#"{"a": 3, "b": 4}"#)])
        #expect(text == "1323")
    }

    @Test(arguments: [
        ("{{range 2 -1}}", "[2, 1, 0, -1]"), ("{{range 3 3}}", "[3]"),
        // An empty range, as in WireMock.
        ("{{range 1 0}}", "[]"),
        ("{{base64 'aGk_Pz8-' decode=true}}", "hi???>"), ("{{base64 'aGVs\r\nbG8=\n' decode=true}}", "hello"),
        ("{{jsonPath x '$.a' default='d'}}", "d"), ("{{jsonPath '' '$.a' default='d'}}", ""),
        ("{{now offset='1 day' format='yyyy-MM-dd'}}", "2020-09-14"),
        ("{{now offset='-2 weeks' format='yyyy-MM-dd'}}", "2020-08-30"),
        ("{{now offset='1 WEEK' format='yyyy-MM-dd'}}", "2020-09-20"),
        ("{{now offset='1 month' format='yyyy-MM-dd'}}", "2020-10-13"),
        ("{{jsonSort (array 3 1 2)}}", "[1,2,3]"), ("{{jsonSort (array 'b' 'a') order='desc'}}", #"["b","a"]"#),
        ("{{#each (jsonSort (array 3 1 2) '$[*]')}}{{this}};{{/each}}", "1;2;3;"),
        ("{{jsonSort '[3,1,2]' '$[*]'}}", "[1,2,3]"),
        ("{{jsonSort (parseJson '[{\"n\": 2}, {\"n\": 1}]') '$[*].n'}}", #"[{"n":1},{"n":2}]"#),
        ("{{claims 'x' 'y'}}{{lookup (claimsObject a='b') 'a'}}", "[x, y]b"),
    ])
    func helpersTakeWhatIsMeant(template: String, expected: String) throws {
        #expect(try render(template, ["x": .text("")]) == expected)
    }

    /// What goes wrong is said without the names of Java's classes.
    @Test(arguments: [
        ("{{now offset='1 fortnight'}}", "seconds, minutes, hours, days, weeks, months and years"),
        ("{{now offset='soon'}}", "such as 8 seconds"), ("{{now timezone='Mars/X'}}", "Unknown time-zone ID: Mars/X"),
        ("{{now format='Q'}}", "Illegal pattern character 'Q'"), ("{{dateFormat 'x'}}", "expected a date"),
        ("{{truncateDate (now) 'first day of mouth'}}", "first day of month"),
        ("{{urlEncode 'x' encoding='nope'}}", "UTF-8, ISO-8859-1"),
        ("{{stringFormat '%d' 'x'}}", "does not print a text"),
        ("{{base64 '!!' decode=true}}", "Illegal base64 character 21"),
    ])
    func messagesNameNoClass(template: String, words: String) throws {
        let error = try #require(throws: RenderError.self) { try render(template) }
        #expect(error.message.contains(words), "\(error.message)")
        #expect(!error.message.contains("java.") && !error.message.contains("com.github"), "\(error.message)")
    }

    /// Whatever a text contains, it is read or refused, and what was read is rendered or refused.
    @Test func noTextCrashes() throws {
        var random = TestGenerator(seed: 7)
        let parts = [
            "{{", "}}", "{{{", "}}}", "#", "/", "^", "~", "!", "if", "each", "else", " ", "(", ")", "'", "\"", "=", "x",
            ".", "..",
            "this", "@", "[", "]", "|", "as", "1", "-", "\\", "é", "\n", "range", "math", "jsonPath", "{{{{", "}}}}",
            ">", "*inline",
        ]
        var rendered = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0..<14, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }.joined()
            guard let output = try? render(text, ["x": .list([.int(1), .text("a")])]) else { continue }
            rendered += 1
            // What has no braces is a text, and stays as it is.
            if !text.contains("{{") { #expect(output == text || text.contains("\\"), "\(text)") }
        }
        #expect(rendered > 1_000)
    }
}
