import SDPlatform
import SDTestSupport
import SDXML
import Testing

/// Documents whose cost their length does not show.
@Suite struct XMLParseCostTests {
    /// Texts in which `№` stands for their number.
    private static func list(_ count: Int, _ text: String, between: String = " ") -> String {
        (0..<count).map { text.replacing("№", with: String($0)) }.joined(separator: between)
    }

    private static let attributes = "<a \(list(10_000, "a№=''"))/>"

    /// Each takes libxml2 far more than the budget.
    static let dear: [(name: String, text: String)] = [
        ("defaults", "<!DOCTYPE a [<!ATTLIST a \(list(20_000, "a№ CDATA 'v'"))>]><a/>"),
        ("declarations", "<!DOCTYPE a [\(list(20_000, "<!ATTLIST a a№ CDATA 'v'>"))]><a/>"),
        (
            "defaults of many elements",
            "<!DOCTYPE r [<!ATTLIST a \(list(500, "a№ CDATA ''"))>]><r>\(list(20_000, "<a/>"))</r>"
        ),
        (
            "namespaces of many elements",
            "<!DOCTYPE r [<!ATTLIST a \(list(500, "xmlns:a№ CDATA 'u'"))>]><r>\(list(20_000, "<a/>"))</r>"
        ),
        ("IDs", "<!DOCTYPE a [<!ATTLIST a \(list(5_000, "a№ ID #IMPLIED"))>]><a/>"),
        ("an enumeration", "<!DOCTYPE a [<!ATTLIST a b (\(list(20_000, "x№", between: "|"))) 'x0'>]><a/>"),
        (
            "a text within a text",
            "<!DOCTYPE r [<!ENTITY w '\(list(900, "y"))'><!ENTITY x '\(list(200, "&w;"))'>]><r>\(list(2_000, "&x;"))</r>"
        ),
        ("elements in an entity", "<!DOCTYPE r [<!ENTITY x '\(list(200, "<a/>"))'>]><r>\(list(20_000, "&x;"))</r>"),
        ("a comment in a literal", "<!DOCTYPE a [<!ENTITY x '<!--'>]>\(attributes)"),
        ("a comment in a name", "<!DOCTYPE a SYSTEM '<!--'>\(attributes)"),
        ("a quote in an instruction", "<r><?x '?>\(attributes)</r>"),
        ("a quote in an end tag", "<r><b></b '>\(attributes)</r>"),
        ("hidden equals signs", "<!DOCTYPE r [<!ENTITY x '<a \(list(10_000, "a№&#061;\"\""))/>'>]><r>&x;</r>"),
        ("a comment that ends early", "<r><!-- \u{1} <a \(list(20_000, "a№=''"))/> --></r>"),
    ]

    @Test(arguments: dear.indices) func isGivenUp(_ index: Int) throws {
        let (name, text) = Self.dear[index]
        _ = try? XMLDocument(parsing: "<a/>".bytes, namespaceAware: true)
        let most = ProcessFacts.isSanitized ? .max : 30_000_000 * WorkBudget.slowness
        let spent = processorTime(below: most) {
            let budget = WorkBudget(limit: 2_000_000)
            #expect(throws: XMLProblem.self) { try XMLDocument(parsing: text.bytes, namespaceAware: true, budget) }
            #expect(budget.isSpent, "\(name)")
            #expect(budget.exhaustion?.work?.kind == "XML document", "\(name)")
        }
        #expect(spent < most, "\(name) took \(spent / 1_000) µs")
    }

    /// An ordinary document, and one with what is in the others, but little of it.
    @Test(arguments: [
        "<!DOCTYPE r [<!ATTLIST a \(list(20, "a№ CDATA 'v'"))>]><r>\(list(100, "<a b='№'/>"))</r>",
        "<!DOCTYPE r [<!ELEMENT r (a|b)*><!ATTLIST a i ID #IMPLIED k (x|y|z) 'x'><!NOTATION n SYSTEM 'u'>]><r><a/></r>",
        "<!DOCTYPE r [<!ENTITY w 'word'><!ENTITY x '<b>text</b>'>]><r>\(list(100, "&w; &x;"))</r>",
        "<!DOCTYPE r [<!ENTITY % p '<!ENTITY q \"text\">'> %p;]><r>&q;</r>",
        "<r><!-- a='1' --><?x y='?><![CDATA[<a b=\"c\">]]><a b='>'/></r>",
    ]) func anOrdinaryDocumentIsReadWithinItsBudget(_ text: String) throws {
        _ = try XMLDocument(parsing: text.bytes, namespaceAware: true, WorkBudget(limit: 5_000_000))
    }
}
