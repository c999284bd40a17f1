import SDXML
import Testing

/// XPath, layout and error messages equal those of WireMock 3.13.2.
@Suite struct RecordedXPathTests {
    @Test func expressionsYieldTheSameAsInWireMock() throws {
        var evaluations = 0
        var differences: [Difference: Int] = [:]
        for recorded in try Recorded.all.get().xpath {
            let xPath = recorded.xPath
            for search in recorded.cases {
                evaluations += 1
                let document = try? XMLDocument(parsing: search.text.bytes, namespaceAware: xPath.isNamespaceAware)
                let difference = Difference(recorded, search)
                let comment: Comment = "\(recorded.expression) on \(search.text)"
                let matches = document.map { xPath.matches($0) } ?? false
                let values = document.flatMap { xPath.evaluate($0).texts }
                let isSame =
                    matches == search.matches
                    && search.values.map { $0.elementsEqual(values ?? [], by: { $0.isExactly($1) }) } ?? true
                if isSame { continue }
                guard let difference else {
                    Issue.record("\(comment): \(values ?? []), recorded \(search)")
                    continue
                }
                differences[difference, default: 0] += 1
            }
        }
        #expect(evaluations >= 1_000)
        #expect(differences == [.prefixedElement: 32, .cdata: 2, .attributeOrder: 1])
    }

    /// Deviations on purpose; `docs/xml.md` lists them.
    private enum Difference {
        /// Without namespaces `//x` finds `<p:x>`, as `/a/x` and `//x[1]` do in WireMock, too.
        case prefixedElement
        /// Each CDATA section among texts is a node; in WireMock only the first of the texts is.
        case cdata
        /// Attributes are in the order of the document; in WireMock they are sorted by name.
        case attributeOrder

        init?(_ recorded: Recorded.Search, _ search: Recorded.Search.Case) {
            if search.text.contains("CDATA") {
                self = .cdata
            } else if recorded.expression == "//@*" {
                self = .attributeOrder
            } else if recorded.namespaces == nil, recorded.expression.contains("//x"), search.text.contains(":x") {
                self = .prefixedElement
            } else {
                return nil
            }
        }
    }

    /// WireMock refuses an undeclared prefix on an attribute but not on an element; here both are accepted. WireMock
    /// also breaks lines differently after CDATA that precedes an element.
    @Test func layoutIsThatOfWireMock() throws {
        let different: Set = ["<a p:b='1'/>", "<a>x<![CDATA[y]]><b/></a>"]
        let layout = try Recorded.all.get().layout
        #expect(layout.count >= 30)
        for recorded in layout {
            let compact = XMLText.compact(recorded.text.bytes)
            if recorded.compact != nil { #expect(compact == recorded.compact, "\(recorded.text)") }
            if different.contains(recorded.text) { continue }
            #expect(compact == recorded.compact, "\(recorded.text)")
            #expect(XMLText.pretty(recorded.text.bytes) == recorded.pretty, "\(recorded.text)")
            let document = try? XMLDocument(parsing: recorded.text.bytes, namespaceAware: false)
            let element = document.flatMap { XPath("/*", namespaces: nil).evaluate($0).texts }
            #expect(element == recorded.element.map { [$0] }, "\(recorded.text)")
        }
    }

    /// Other mistakes have libxml2's messages. A byte order mark is skipped.
    @Test func usualMistakesAreWordedAsInWireMock() throws {
        var same = 0
        for recorded in try Recorded.all.get().refused {
            do {
                _ = try XMLEquality(expected: recorded.text, options: XMLEquality.Options())
                #expect(recorded.detail == nil || recorded.text.hasPrefix("\u{FEFF}"), "\(recorded.text)")
            } catch {
                #expect(recorded.detail != nil, "\(recorded.text): \(error)")
                #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
                if error.description == recorded.detail { same += 1 }
            }
        }
        #expect(same >= 28)
    }
}

extension XPathResult {
    /// The texts; nil if the evaluation failed.
    fileprivate var texts: [String]? {
        switch self {
        case .nodes(let texts): texts
        case .value(let text): [text]
        case .failed: nil
        }
    }
}
