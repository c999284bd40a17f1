import SDPlatform
import SDTestSupport
import SDXML
import Testing

@Suite struct XMLEqualityTests {
    @Test(arguments: [
        ("<a>x<b/>y</a>", "<a>x<b/>y</a>", true),
        ("<a>x<b/>y</a>", "<a>x<b/>z</a>", false),
        ("<a><?p q?><b/></a>", "<a><b/><?p q?></a>", true),
        ("<a>1 &lt; 2</a>", "<a><![CDATA[1 < 2]]></a>", true),
        ("<a>one</a>", "<a>o<!-- c --><![CDATA[n]]>e</a>", true),
        ("<a>é</a>", "<a>e\u{301}</a>", false),
        ("<a/>", "", false),
    ])
    func comparesWhatWireMockCannot(expected: String, actual: String, equals: Bool) throws {
        let equality = try XMLEquality(expected: expected, options: XMLEquality.Options())
        #expect(equality.matches(actual.bytes) == equals)
    }

    /// Siblings are paired in linear time: the names come in another order, and every name many times.
    @Test(arguments: [false, true])
    func comparesAHundredThousandSiblings(byText: Bool) throws {
        var generator = TestGenerator()
        let children = (0..<100_000).map { "<n\($0 % 1_000)>\($0)</n\($0 % 1_000)>" }
        let groups = (0..<1_000).map { name in stride(from: name, to: 100_000, by: 1_000).map { children[$0] }.joined()
        }
        var options = XMLEquality.Options()
        options.ignoreOrderOfSameNode = byText
        let equality = try XMLEquality(expected: "<r>\(children.joined())</r>", options: options)
        let shuffled = "<r>\((byText ? children : groups).shuffled(using: &generator).joined())</r>"
        // Far more than linear work takes, and far less than the ten thousand million comparisons of all with all.
        var budget: WorkBudget { WorkBudget(limit: UInt64(8 * ProcessFacts.patience) * WorkBudget.standardLimit) }
        let isMatched = equality.matches(shuffled.bytes, budget)
        #expect(isMatched, "seed \(generator.seed)")
        let isOtherMatched = equality.matches(shuffled.replacing("<n1>1</n1>", with: "<n1>x</n1>").bytes, budget)
        #expect(!isOtherMatched)
        let whole = budget
        #expect(equality.distance(shuffled.bytes, whole) > 0)
        #expect(!whole.isSpent)
    }

    @Test func aDocumentServesManyComparisons() throws {
        let document = try XMLDocument(parsing: "<a><b>1</b></a>".bytes, namespaceAware: true)
        for number in 0..<3 {
            let equality = try XMLEquality(expected: "<a><b>\(number)</b></a>", options: XMLEquality.Options())
            #expect(equality.matches(document) == (number == 1))
            #expect(equality.distance(document) == (number == 1 ? 0 : 1.0 / 13))
        }
    }

    @Test func everyDocumentEqualsItself() throws {
        var generator = TestGenerator()
        for _ in 0..<300 {
            let text = RandomXML.document(&generator)
            let equality = try XMLEquality(expected: text, options: XMLEquality.Options())
            #expect(equality.matches(text.bytes), "\(text), seed \(generator.seed)")
            #expect(equality.distance(text.bytes) == 0, "\(text), seed \(generator.seed)")
            let compact = try #require(XMLText.compact(text.bytes))
            // CDATA sections become adjacent when the blank text between them is dropped.
            let isSame = text.contains("CDATA") || XMLText.compact(compact.bytes) == compact
            #expect(isSame, "\(text), seed \(generator.seed)")
            #expect(XMLText.pretty(text.bytes)?.hasSuffix(">\n") == true, "\(text), seed \(generator.seed)")
        }
    }
}
