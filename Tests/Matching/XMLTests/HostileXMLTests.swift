import SDPlatform
import SDTestSupport
import SDXML
import Testing

/// Malicious documents lead to an ordinary failure or little work.
@Suite(.timeLimit(.minutes(30))) struct HostileXMLTests {
    static let laughs: String = {
        var text = "<!DOCTYPE l [<!ENTITY l0 \"lol\">"
        for level in 1...9 {
            text += "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">"
        }
        return text + "]><l>&l9;</l>"
    }()

    static let nestedElements: String = {
        var text = "<!DOCTYPE l [<!ENTITY l0 \"<x></x>\">"
        for level in 1...60 {
            let open = String(repeating: "<x>", count: 200)
            let close = String(repeating: "</x>", count: 200)
            text += "<!ENTITY l\(level) \"\(open)&l\(level - 1);\(close)\">"
        }
        return text + "]><l>&l60;</l>"
    }()

    static let quadratic =
        "<!DOCTYPE a [<!ENTITY a \"" + String(repeating: "a", count: 100_000) + "\">]><a>"
        + String(repeating: "&a;", count: 100_000) + "</a>"

    static let parameters =
        "<!DOCTYPE a [<!ENTITY % x '<!-- text -->'><!ENTITY % p '" + String(repeating: "&#37;x;", count: 1_000) + "'>"
        + String(repeating: "%p;", count: 1_000) + "]><a/>"

    @Test(arguments: [false, true])
    func explodingEntitiesAreRefused(namespaceAware: Bool) {
        for text in [Self.laughs, Self.nestedElements, Self.quadratic, Self.parameters] {
            let budget = WorkBudget()
            #expect(throws: XMLProblem.self) {
                try XMLDocument(parsing: text.bytes, namespaceAware: namespaceAware, budget)
            }
            #expect(!budget.isSpent, "refused for its growth, not for its time")
        }
    }

    /// However few there are, since a chain of them may grow.
    @Test func aParameterEntityThatUsesAnotherIsRefused() throws {
        func parse(_ content: String) throws {
            let text = "<!DOCTYPE a [<!ENTITY % x '<!-- text -->'><!ENTITY % p '\(content)'>%p;]><a/>"
            _ = try XMLDocument(parsing: text.bytes, namespaceAware: true)
        }
        try parse("<!-- text -->")
        #expect(throws: XMLProblem.self) { try parse("&#37;x;") }
    }

    @Test func theDefaultOfAnAttributeIsNotMultiplied() throws {
        let text =
            "<!DOCTYPE a [<!ATTLIST b x CDATA '\(String(repeating: "x", count: 100_000))'>]><a>"
            + String(repeating: "<b/>", count: 100_000) + "</a>"
        let document = try XMLDocument(parsing: text.bytes, namespaceAware: true)
        #expect(XPath("count(//@x)", namespaces: nil).evaluate(document) == .value("0"))
    }

    /// A file, for anything that could be fetched.
    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY x SYSTEM '%'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY x PUBLIC 'p' '%'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY % x SYSTEM '%'> %x;]><a></a>",
        "<!DOCTYPE a SYSTEM '%'><a></a>",
        "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='%' parse='text'/></a>",
    ])
    func nothingIsFetched(document: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", "<!ENTITY y 'secret'>secret")
        let text = document.replacing("'%'", with: "'file://\(folder.path)/secret'")
        let printed = try #require(XMLText.compact(text.bytes))
        #expect(!printed.replacing("/secret", with: "").contains("secret"))
    }

    @Test func depthIsBounded() throws {
        let deep = String(repeating: "<a>", count: 1_000_000)
        #expect(throws: XMLProblem.self) { try XMLDocument(parsing: deep.bytes, namespaceAware: true) }
        let allowed = String(repeating: "<a>", count: 250) + String(repeating: "</a>", count: 250)
        let equality = try XMLEquality(expected: allowed, options: XMLEquality.Options())
        #expect(equality.matches(allowed.bytes))
        #expect(XMLText.pretty(allowed.bytes)?.contains("<a/>") == true)
    }

    @Test func anExpressionTakesABoundedNumberOfSteps() throws {
        let text = "<r>" + String(repeating: "<a><b/></a>", count: 20_000) + "</r>"
        let document = try XMLDocument(parsing: text.bytes, namespaceAware: false)
        guard
            case .failed = XPath("//a[count(//b[count(//a) > 1]) > 1]", namespaces: nil).evaluate(
                document, WorkBudget(limit: 20_000_000))
        else {
            Issue.record("evaluated to the end")
            return
        }
        #expect(XPath("count(//a)", namespaces: nil).evaluate(document) == .value("20,000"))
        // Many nodes are reached in many ways.
        guard
            case .failed = XPath("//a/following::*", namespaces: nil).evaluate(document, WorkBudget(limit: 20_000_000))
        else {
            Issue.record("evaluated to the end")
            return
        }
        // Each call of `string` reads the whole text.
        guard
            case .failed = XPath("//a[contains(string(/.), 'x')]", namespaces: nil).evaluate(
                try XMLDocument(
                    parsing: ("<r>" + String(repeating: "<a>\(String(repeating: "t", count: 60))</a>", count: 40_000)
                        + "</r>").bytes,
                    namespaceAware: false))
        else {
            Issue.record("evaluated to the end")
            return
        }
        let nested = String(repeating: "(", count: 100_000) + "1" + String(repeating: ")", count: 100_000)
        #expect(XPath(nested, namespaces: nil).problem != nil)
        #expect(!XPath(nested, namespaces: nil).matches(document))
    }

    @Test(arguments: [
        "//x[", "\0", "//a\0", "foo(", "", "]", "//\u{FFFF}", "1 + ", "'", "$x", "p:a", "foo()", "id(1, 2)", "name(1)",
        "name(a, b)",
    ])
    func badExpressionsFailAndMatchNothing(expression: String) throws {
        let document = try XMLDocument(parsing: "<a/>".bytes, namespaceAware: false)
        #expect(!XPath(expression, namespaces: nil).matches(document))
        guard
            case .failed(let reason) = XPath(expression, namespaces: nil).evaluate(
                document, WorkBudget(limit: 20_000_000))
        else {
            Issue.record("\(expression) was evaluated")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test func brokenEncodingsAreRepairedOrRefused() throws {
        let equality = try XMLEquality(expected: "<a>\u{FFFD}</a>", options: XMLEquality.Options())
        #expect(equality.matches(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)))
        let declared = "<?xml version='1.0' encoding='UTF-16'?><a>"
        #expect(equality.matches(Array(declared.utf8) + [0xE2, 0x82] + Array("</a>".utf8)))
        #expect(!equality.matches(Array("<a>".utf8) + [0] + Array("</a>".utf8)))
        #expect(!equality.matches([0xFE, 0xFF, 0, 0x3C, 0, 0x61]))
    }

    /// Random damage to documents and expressions never ends the process.
    @Test func survivesAnything() throws {
        var generator = TestGenerator()
        let expressions = [
            "//*", "//text()", "//@*", "name(//*[2])", "//namespace::*", "//a/following::*", "string(/)", "//*[@x=1]",
        ]
        let alphabet = Array("<>/&;!?'\"=[]- xa:p0\u{1}CDATA%".utf8) + [0x80, 0xC3, 0xE2, 0xF0, 0xFF, 0]
        for round in 0..<4_000 {
            var bytes = Array(RandomXML.document(&generator).utf8)
            for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                let byte = alphabet.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0...2, using: &generator) {
                case 0: bytes[place] = byte
                case 1: bytes.insert(byte, at: place)
                default: bytes.remove(at: place)
                }
            }
            var options = XMLEquality.Options()
            options.enablePlaceholders = Bool.random(using: &generator)
            options.ignoreOrderOfSameNode = Bool.random(using: &generator)
            options.namespaceAwareness = [.strict, .legacy, .none].randomElement(using: &generator) ?? .strict
            let text = String(decoding: bytes, as: UTF8.self)
            let equality = try? XMLEquality(expected: text, options: options)
            let equalsItself = equality?.matches(bytes[...]) ?? true
            #expect(equalsItself, "round \(round), seed \(generator.seed): \(text)")
            #expect((0...1).contains(equality?.distance("<a><b/>t</a>".bytes) ?? 0))
            let namespaceAware = Bool.random(using: &generator)
            if let document = try? XMLDocument(parsing: bytes[...], namespaceAware: namespaceAware) {
                let xPath = XPath(
                    expressions.randomElement(using: &generator) ?? "/",
                    namespaces: namespaceAware ? [("p", "u")] : nil)
                _ = xPath.evaluate(document)
            }
            _ = XMLText.pretty(bytes[...])
        }
    }

    @Test func oneDocumentServesManyThreads() async throws {
        let document = try XMLDocument(
            parsing: ("<r>" + String(repeating: "<a x='1'>t</a>", count: 200) + "</r>").bytes, namespaceAware: false)
        let counts = await withTaskGroup(of: XPathResult.self) { group in
            for index in 0..<64 {
                group.addTask {
                    XPath(index % 2 == 0 ? "count(//a)" : "count(//@x)", namespaces: nil).evaluate(document)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: .value("200"), count: 64))
    }
}
