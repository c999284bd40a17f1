import Foundation
import SDJSON
import SDPlatform
import SDTestSupport
import Testing

@testable import SDTemplating

/// Calls whose options are constants, which are made ready when the template is read.
@Suite struct PreparedCallTests {
    /// A server with a seed, as a session has it for one of its requests.
    private final class SeededSystem: RenderSystem {
        private var generator: SeededGenerator
        private(set) var draws = 0
        let wallTime: UInt64 = 1_772_366_400_123_000_000
        let hostName = "host"

        init(_ sequence: UInt64) {
            generator = SeededGenerator(seed: 7 ^ sequence &* 0x9E37_79B9_7F4A_7C15)
        }

        func random() -> UInt64 {
            draws += 1
            return generator.next()
        }

        func systemValue(_ key: String, isProperty: Bool) -> SystemValue { .denied }
    }

    private func render(
        _ template: Template, _ sequence: UInt64, _ values: [String: TemplateValue] = [:]
    ) throws -> (text: String, draws: Int) {
        let system = SeededSystem(sequence)
        let environment = RenderEnvironment(
            model: FixedModel(values: values), budget: WorkBudget(), system: system)
        return (String(decoding: try template.render(environment), as: UTF8.self), system.draws)
    }

    /// What a seed gave when each call was made anew: nobody's recorded answers change.
    @Test(arguments: [
        (
            1, "{{randomValue type='UUID'}} {{randomValue type='UUID' uppercase=true}}",
            "e5508128-f5de-4a27-b8b0-f5425bab9edf 01C5B7A7-1C86-4B04-8244-97523ADF8A48"
        ),
        (2, "{{randomValue}}", "gqrnwvx6pyrlzg2bcy6cpphlzjxmrge0wekd"),
        (
            3,
            "{{randomValue length=10}}|{{randomValue length=10 type='ALPHABETIC'}}|"
                + "{{randomValue length=10 type='ALPHABETIC' uppercase=true}}", "46w5rqnnpw|tytktummfg|VJKSBWZTSZ"
        ),
        (
            4,
            "{{randomValue length=10 type='NUMERIC'}}|{{randomValue length=10 type='HEXADECIMAL' uppercase=true}}|"
                + "{{randomValue length=8 type='HEXADECIMAL'}}", "5328084894|23ADF95FEF|fd702d8a"
        ),
        (
            5,
            "{{randomValue length=12 type='ALPHANUMERIC_AND_SYMBOLS'}}|{{randomValue length=12 type='ANY'}}|"
                + "{{randomValue length=12 type='ALPHANUMERIC_AND_SYMBOLS' uppercase=true}}",
            "`rq$.)9yg(*n|sr0xf.7xvuke|,7U_RO={SX2/"
        ),
        (
            11,
            "{{#each (range 1 3)}}{{randomValue length=4}}-{{randomInt lower=1 upper=1000}};{{/each}}"
                + "{{upper (randomValue length=6)}}", "ob83-61;vqol-92;foud-333;J7FS0Y"
        ),
        (
            13, "{{#assign 'x'}}{{randomValue length=6}}{{/assign}}{{x}}{{x}}{{randomValue length=6}}",
            "ujc0i9ujc0i9kvko0z"
        ),
        (16, "{{randomValue length='7'}}", "skgkbrq"),
        (17, "{{randomValue length=3 length=9 type='NUMERIC'}}", "285013209"),
    ])
    func aSeedGivesWhatItGave(sequence: UInt64, template: String, expected: String) throws {
        #expect(try render(Template(template), sequence).text == expected)
    }

    /// The same call with an option that is no constant is made by the helper.
    @Test(arguments: [
        ("now format=V", "yyyy-MM-dd'T'HH:mm:ss.SSSZ 'é' EEEE MMM MMMM d D w W u a k K h z zzzz XXX"),
        ("now format=V timezone='Europe/Berlin'", "yyyyyy yy Y MM EEE F X XX XXX G 'o''clock' zzzz"),
        ("now format=V offset='-800000 days'", "y yyyy yy G"), ("now format='epoch' offset=V", "-3 weeks"),
        ("date format='unix' offset=V", "+1 month"), ("now offset=V", " 10 minutes "), ("now timezone=V", "+05:30"),
        ("now timezone='Asia/Tokyo' offset=V format=''", "1 years"), ("now offset='200000 years' format=V", "yyyy"),
        ("randomValue type=V length=9", "HEXADECIMAL"), ("randomValue type=V", "UUID"),
        ("randomValue type=V uppercase=true", "UUID"), ("randomValue length=V type='ANY'", "40"),
        ("randomInt lower=V upper=17", "-4"), ("randomInt lower=-9000000000 upper=V", "9000000000"),
        ("lower (randomInt lower=V)", "2147483600"), ("size (randomValue length=V)", "70"),
        // These fail, in the same words.
        ("now format=V", "bb"), ("now format=V", "'"), ("now offset=V", "1 dy"), ("now timezone=V", "Mars/Phobos"),
        ("now offset=V", "2000000000 years"), ("now offset='2000000000 years' format=V", "bb"),
        ("randomValue length=V", "-1"), ("randomInt lower=V upper=3", "3"),
    ])
    func aConstantMeansWhatAValueMeans(call: String, option: String) throws {
        let place = try #require(call.range(of: "=V"))
        let constant = call.replacingCharacters(in: place, with: "=\"\(option)\"")
        for form in 0..<4 {
            func outcome(_ call: String) -> String {
                do {
                    let template =
                        switch form {
                        case 0: try Template("<{{\(call)}}> {{randomValue length=4}}")
                        case 1: try Template("{{#each (range 1 2)}}{{\(call)}} {{/each}}{{randomValue length=4}}")
                        default:
                            try Template(
                                json: ["a": .string("{{\(call)}}"), "b": .string("-{{\(call)}}")],
                                keepsTypes: form == 3)
                        }
                    let (text, draws) = try render(template, 21, ["V": .text(option)])
                    return "\(text) \(draws)"
                } catch {
                    return "\(error)"
                }
            }
            #expect(outcome(constant) == outcome(call), "form \(form)")
        }
    }

    /// What is written without names is kept where a later node needs some, and no number is drawn twice.
    @Test(arguments: [
        ("{{randomValue length=5 type='NUMERIC'}}-{{x}}-{{randomInt lower=1 upper=9}}", 6),
        ("{{randomValue type='UUID'}}{{#each x}}{{/each}}{{randomValue length=4}}", 6),
        ("{{#unless false}}{{randomValue type='UUID'}}{{x}}{{/unless}}", 2),
        ("a{{#if request.method}}{{randomValue type='UUID'}}{{/if}}{{x}}{{now}}", 2),
        ("{{#*inline 'p'}}{{randomInt}}{{/inline}}{{randomInt}}{{> p}}{{x}}", 2),
        ("{{randomInt}}{{> p}}{{#*inline 'p'}}{{randomInt}}{{/inline}}", 2),
    ])
    func eachNumberIsDrawnOnce(text: String, draws: Int) throws {
        let values: [String: TemplateValue] = [
            "x": .text("X"), "request": .map(TemplateMap([(key: "method", value: .text("GET"))])),
        ]
        let whole = try render(Template(text), 5, values)
        #expect(whole.draws == draws)
        // In a block, all of it is looked up.
        let inBlock = try render(Template("{{#with this}}\(text){{/with}}"), 5, values)
        #expect(inBlock.text == whole.text)
        #expect(inBlock.draws == draws)
    }

    /// A shape proves what the reading of the whole text would find.
    @Test(arguments: [
        (#"{"a":"{{x}}","b":[1,"é{{x}}-{{x}}"]}"#, true), (#"["{{x}}\n\"",null]"#, true), (#"{"{{x}}":1}"#, true),
        (#"{"a":{{x}}}"#, false), (#"["{{#if x}}1{{/if}}"]"#, false), (#"["\u00{{x}}"]"#, false),
        (#"["{{x}}"#, false), ("{{x}}", false), (#"tru{{x}}"#, false),
    ])
    func aShapeProvesThatATextIsJSON(template: String, hasShape: Bool) throws {
        let template = try Template(template)
        let shape = JSONShape(template)
        #expect((shape != nil) == hasShape)
        let values = [
            "", "plain ~ text/", "\"", "\\", "\\u0041", "\n", "\u{7F}", "é", "\",\"", "\"\"", "1", "\u{1F600}",
        ]
        for value in values {
            let (text, _) = try render(template, 1, ["x": .text(value)])
            let bytes = Array(text.utf8)
            let isPlain = value.utf8.allSatisfy { (0x20...0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
            #expect((shape?.proves(bytes) ?? false) == (hasShape && isPlain), "\(text)")
            if shape?.proves(bytes) == true { #expect(throws: Never.self) { try JSONValue(parsing: bytes) } }
        }
    }
}
