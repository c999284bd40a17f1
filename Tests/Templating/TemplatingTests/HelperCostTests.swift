import Foundation
import SDTestSupport
import Testing

@testable import SDPlatform
@testable import SDTemplating

#if DEBUG
    /// What helpers draw from the budget before they work, by their worst arguments: a loop ends a rendering whose time is over,
    /// and a clock is only read between two steps. Steps are counted, not time.
    @Suite struct HelperCostTests {
        /// The text that a template calls `body`.
        enum Body: Sendable {
            case words, object, array, xml, digits, form, map

            func text(_ count: Int) -> String {
                func repeated(_ text: String) -> String {
                    String(repeating: text, count: count / text.utf8.count + 1)
                }
                func members() -> String { (0...count / 12).map { #""k\#($0)":null"# }.joined(separator: ",") }
                return switch self {
                case .words: repeated("Some wörds ")
                case .object: #"{"a":{"b":[\#(repeated("1,"))1]}}"#
                case .array: #"[\#(repeated(#"{"a":"bc"},"#))1]"#
                case .xml: "<a>\(repeated("<b c='d'>e</b>"))</a>"
                case .digits: repeated("1234567")
                case .form: repeated("a=b%20c&")
                case .map: "{\(members())}"
                }
            }
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let template: String
            let body: Body
            /// The least time, in nanoseconds, that is drawn for each byte of the body, or each of `<N>`; 0 for a call that takes the
            /// same time whatever the size.
            let least: Int

            init(_ template: String, _ least: Int) { self.init(template, .words, least) }

            init(_ template: String, _ body: Body, _ least: Int) {
                self.template = template
                self.body = body
                self.least = least
            }

            var testDescription: String { template }
        }

        /// Each helper with what is worst for it; `<N>` stands for the size.
        private static let rows: [String: [Row]] = [
            "if": [Row("{{#if body}}x{{/if}}", 0)], "unless": [Row("{{#unless body}}x{{/unless}}", 0)],
            "with": [Row("{{#with body}}x{{/with}}", 0)], "and": [Row("{{and body body}}", 0)],
            "or": [Row("{{or body body}}", 0)], "not": [Row("{{not body}}", 0)],
            "val": [Row("{{val body assign='b'}}", 0)],
            "log": [Row("{{log body}}", 0)], "partial": [Row("{{#partial 'a'}}x{{/partial}}", 0)],
            "block": [Row("{{#partial 'a'}}x{{/partial}}{{#block 'a'}}{{/block}}", 0)],
            "defaultIfEmpty": [Row("{{#if (defaultIfEmpty body 'a')}}{{/if}}", 0)],
            "hostname": [Row("{{hostname}}", 0)], "array": [Row("{{#if (array body body)}}{{/if}}", 0)],
            "each": [
                Row("{{#each (range 1 <N>)}}{{/each}}", 80), Row("{{#each (parseJson body)}}{{/each}}", .array, 60),
                Row("{{#each (jsonPath body '$')}}{{/each}}", .array, 20),
                Row("{{#each (jsonPath body '$.a')}}{{/each}}", .object, 60),
            ],
            "range": [Row("{{#if (range 1 <N>)}}{{/if}}", 0), Row("{{range 1 <N>}}", 150)],
            "size": [
                Row("{{size (range 1 <N>)}}", 0), Row("{{size body}}", 2), Row("{{size (parseJson body)}}", .array, 60),
            ],
            "contains": [Row("{{contains body 'zz'}}", 3), Row("{{contains (range 1 <N>) 'a'}}", 100)],
            "pickRandom": [
                Row("{{#if (pickRandom (range 1 <N>))}}{{/if}}", 100),
                Row("{{#if (pickRandom (range 1 <N>) count=2)}}{{/if}}", 100),
            ],
            "arrayAdd": [Row("{{#if (arrayAdd (range 1 <N>) 1)}}{{/if}}", 100)],
            "arrayRemove": [Row("{{#if (arrayRemove (range 1 <N>))}}{{/if}}", 100)],
            "arrayJoin": [
                Row("{{#if (arrayJoin ',' (range 1 <N>))}}{{/if}}", 100),
                Row("{{#if (arrayJoin body (array 1 2 3))}}{{/if}}", 5),
            ],
            "join": [
                Row("{{#if (join (range 1 <N>) ',')}}{{/if}}", 100), Row("{{#if (join 'a' 'b' 'c' body)}}{{/if}}", 5),
            ],
            "lookup": [
                Row("{{lookup (array 1) body}}", 20), Row("{{lookup (parseJson body) 'a'}}", .map, 60),
                Row("{{lookup (jsonPath body '$') 'a'}}", .object, 40),
            ],
            "assign": [Row("{{#assign 'a'}}{{body}}{{/assign}}", 2)],
            "capitalize": [Row("{{#if (capitalize body)}}{{/if}}", 30)],
            "capitalizeFirst": [Row("{{#if (capitalizeFirst body)}}{{/if}}", 10)],
            "lower": [Row("{{#if (lower body)}}{{/if}}", 25)], "upper": [Row("{{#if (upper body)}}{{/if}}", 20)],
            "center": [Row("{{#if (center 'a' size=<N>)}}{{/if}}", 10), Row("{{#if (center body size=1)}}{{/if}}", 5)],
            "ljust": [Row("{{#if (ljust 'a' size=<N> pad='ab')}}{{/if}}", 10)],
            "rjust": [
                Row("{{#if (rjust 'a' size=<N>)}}{{/if}}", 10), Row("{{#if (rjust 'a' size=3 pad=body)}}{{/if}}", 5),
            ],
            "cut": [Row("{{#if (cut body 'o')}}{{/if}}", 5)], "trim": [Row("{{#if (trim body)}}{{/if}}", 5)],
            "replace": [
                Row("{{#if (replace body 'o' 'x')}}{{/if}}", 5), Row("{{#if (replace body '' 'x')}}{{/if}}", 40),
            ],
            "slugify": [Row("{{#if (slugify body)}}{{/if}}", 40)],
            "stripTags": [Row("{{#if (stripTags body)}}{{/if}}", .xml, 5)],
            "substring": [Row("{{#if (substring body 1)}}{{/if}}", 30)],
            "abbreviate": [Row("{{#if (abbreviate body 5)}}{{/if}}", 30)],
            "wordWrap": [Row("{{#if (wordWrap body 5)}}{{/if}}", 30)],
            "yesno": [Row("{{yesno true yes=body}}", 5)],
            "stringFormat": [
                Row("{{#if (stringFormat body 1)}}{{/if}}", 100), Row("{{#if (stringFormat '%s' body)}}{{/if}}", 100),
                Row("{{#if (stringFormat '%.<N>f' 0.5)}}{{/if}}", 10),
                Row("{{#if (stringFormat '%,d' (jsonPath body '$'))}}{{/if}}", .digits, 60),
            ],
            "isEven": [Row("{{isEven (parseJson body)}}", .digits, 60)],
            "isOdd": [Row("{{isOdd (parseJson body)}}", .digits, 60)],
            "stripes": [Row("{{stripes (parseJson body) 1 2}}", .digits, 60)],
            "numberFormat": [Row("{{#if (numberFormat (parseJson body))}}{{/if}}", .digits, 60)],
            "math": [Row("{{math (parseJson body) '+' 1}}", .digits, 60), Row("{{math body '+' 1}}", .digits, 10)],
            "gt": [Row("{{gt body body}}", 10)], "gte": [Row("{{gte body body}}", 10)],
            "lt": [Row("{{lt body body}}", 10)],
            "lte": [Row("{{lte body body}}", 10)],
            "eq": [Row("{{eq body body}}", 6), Row("{{eq (parseJson body) (parseJson body)}}", .map, 60)],
            "neq": [Row("{{neq body body}}", 6), Row("{{neq (parseJson body) (parseJson body)}}", .map, 60)],
            "randomInt": [Row("{{randomInt lower=1 upper=<N>}}", 0)],
            "randomDecimal": [Row("{{randomDecimal lower=1 upper=<N>}}", 0)],
            "randomValue": [Row("{{#if (randomValue length=<N>)}}{{/if}}", 30)],
            "matches": [Row("{{matches body 'a'}}", 2), Row("{{matches 'a' body}}", 40)],
            "regexExtract": [Row("{{regexExtract body '[0-9]'}}", 2), Row("{{regexExtract 'a' body}}", 40)],
            "base64": [
                Row("{{#if (base64 body)}}{{/if}}", 10), Row("{{#if (base64 body decode=true)}}{{/if}}", .digits, 10),
            ],
            "urlEncode": [
                Row("{{#if (urlEncode body)}}{{/if}}", 60),
                Row("{{#if (urlEncode body decode=true)}}{{/if}}", .form, 60),
            ],
            "formData": [
                Row("{{formData body 'f'}}", .form, 60), Row("{{formData body 'f' urlDecode=true}}", .form, 100),
            ],
            "systemValue": [Row("{{systemValue key=body}}", 5)],
            "jsonPath": [
                Row("{{jsonPath body '$.z'}}", .object, 2), Row("{{jsonPath body '$'}}", .array, 20),
                Row("{{jsonPath body '$..*'}}", .array, 20), Row("{{jsonPath body '$'}}", .words, 40),
                Row("{{jsonPath (parseJson body) '$.z'}}", .array, 60),
            ],
            "parseJson": [Row("{{parseJson body 'a'}}", .array, 60)],
            "toJson": [Row("{{#if (toJson (parseJson body))}}{{/if}}", .array, 80)],
            "formatJson": [Row("{{#if (formatJson body)}}{{/if}}", .array, 100)],
            "jsonMerge": [
                Row("{{#if (jsonMerge body body)}}{{/if}}", .object, 200),
                Row("{{#if (jsonMerge body body removeNulls=true)}}{{/if}}", .map, 200),
            ],
            "jsonRemove": [Row("{{#if (jsonRemove body '$..a')}}{{/if}}", .array, 100)],
            "jsonArrayAdd": [Row("{{#if (jsonArrayAdd body '1')}}{{/if}}", .array, 100)],
            "jsonSort": [Row("{{#if (jsonSort body '$[*].a')}}{{/if}}", .array, 200)],
            "formatXml": [Row("{{#if (formatXml body)}}{{/if}}", .xml, 40)],
            "xPath": [Row("{{xPath body '/z'}}", .xml, 10)], "soapXPath": [Row("{{soapXPath body '/z'}}", .xml, 10)],
            "now": [Row("{{now format=body}}", .digits, 40)], "date": [Row("{{date (now) format=body}}", .digits, 40)],
            "dateFormat": [Row("{{dateFormat (now) body}}", .digits, 40)],
            "parseDate": [Row("{{parseDate body}}", 40), Row("{{parseDate 'a' format=body}}", .digits, 40)],
            "truncateDate": [Row("{{truncateDate (now) body}}", 5)],
            "random": [Row("{{random body}}", 40)],
            "claims": [Row("{{#if (claims body)}}{{/if}}", 5)],
            "claimsObject": [Row("{{#if (claimsObject a=body)}}{{/if}}", 5)],
            "jwtClaim": [Row("{{jwtClaim body 'a'}}", 40)],
        ]

        /// Those whose work the server does.
        private static let ofServer: Set = ["state", "counter", "data", "journal", "hmac", "jwt", "jwks"]

        @Test func eachHelperIsInTheTable() {
            #expect(Set(NamedHelper.names) == Set(Self.rows.keys).union(Self.ofServer))
        }

        /// The steps of a rendering whose end does not matter: what cannot be read was looked at, too.
        private func steps(_ row: Row, _ count: Int) throws -> Int {
            let budget = WorkBudget.unlimited
            let environment = RenderEnvironment(
                model: FixedModel(values: ["body": .text(row.body.text(count))]), budget: budget, system: FixedSystem())
            let template = row.template.replacingOccurrences(of: "<N>", with: String(count))
            _ = try? Template(template).render(environment)
            return budget.drawnSteps
        }

        @Test(arguments: rows.sorted { $0.key < $1.key }.flatMap(\.value))
        func itsWorkIsDrawn(row: Row) throws {
            let (few, many) = (2_000, 42_000)
            let drawn = 10 * (try steps(row, many) - steps(row, few))
            if row.least == 0 {
                #expect(drawn < 10_000, "\(drawn) ns")
            } else {
                #expect(drawn >= row.least * (many - few), "\(drawn / (many - few)) ns for each")
            }
        }
    }
#endif
