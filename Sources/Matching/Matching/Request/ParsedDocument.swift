import SDJSON
import SDJSONPath
import SDPlatform
import SDXML

/// A text for document matchers, such as a request's body, parsed at most once per format for all stubs. Belongs to one
/// request and its thread.
package final class ParsedDocument {
    /// The bytes as sent, without a content coding.
    let binary: ArraySlice<UInt8>
    /// The text in UTF-8.
    let text: ArraySlice<UInt8>
    /// The budget for parsing. Once it is exhausted, only already parsed forms are available.
    let budget: WorkBudget

    init(binary: ArraySlice<UInt8>, text: ArraySlice<UInt8>, _ budget: WorkBudget) {
        self.binary = binary
        self.text = text
        self.budget = budget
    }

    convenience init(_ text: ArraySlice<UInt8>, _ budget: WorkBudget) {
        self.init(binary: text, text: text, budget)
    }

    /// Makes a document of a text whose value is already known, such as one found by JSONPath.
    convenience init(_ text: ArraySlice<UInt8>, json: JSONValue?, _ budget: WorkBudget) {
        self.init(text, budget)
        if let json { strict = .some(json) }
    }

    private var knownTape: JSONTape??
    private var strict: JSONValue??
    private var lenient: JSONValue??
    private var xml: Result<XMLDocument, XMLProblem>?
    private var xmlWithNamespaces: Result<XMLDocument, XMLProblem>?
    private var knownJSONProblem: String?
    private var knownLenientProblem: String?

    /// The minimum costs of parsing a text, in nanoseconds: per text, and per byte or tape entry.
    private enum Cost {
        static let text = 500
        static let tapeOfByte = 1
        static let treeOfEntry = 40
        static let treeOfByte = 8
    }

    private func tryReserve(_ nanoseconds: Int) -> Bool {
        budget.tryReserve(Cost.text + nanoseconds, for: WorkBudget.Work("JSON document", "of \(text.count) bytes"))
    }

    /// The text, if it is not parsed yet and the budget allows it: for a comparison that may decide without parsing.
    var unreadText: ArraySlice<UInt8>? {
        knownTape == nil && strict == nil && tryReserve(Cost.tapeOfByte * text.count) ? text : nil
    }

    /// The tape of the text that `json` parses; nil if a tree exists already, or `JSONTape` cannot read the text.
    var tape: JSONTape? {
        if let knownTape { return knownTape }
        let read = strict == nil && tryReserve(Cost.tapeOfByte * text.count) ? JSONTape(text) : nil
        knownTape = .some(read)
        return read
    }

    /// The value for `equalToJson`: RFC 8259 with WireMock's comments; nil if the text is not JSON.
    var json: JSONValue? {
        if let strict { return strict }
        let parsed: JSONValue? =
            if let tape {
                tryReserve(Cost.treeOfEntry * tape.entries.count) ? tape.value : nil
            } else {
                tryReserve(Cost.treeOfByte * text.count) ? try? JSONValue(parsing: text, dialect: .lenient) : nil
            }
        strict = .some(parsed)
        return parsed
    }

    /// The document that `lenientJSON` parses, without a tree if possible.
    var lenientDocument: JSONDocument? {
        tape.map(JSONDocument.tape) ?? lenientJSON.map(JSONDocument.tree)
    }

    /// The value for `matchesJsonPath`: WireMock's parser for it accepts much that is not JSON.
    var lenientJSON: JSONValue? {
        if let lenient { return lenient }
        let parsed = json ?? (tryReserve(Cost.treeOfByte * text.count) ? LenientJSON.parse(text) : nil)
        lenient = .some(parsed)
        return parsed
    }

    /// Why `lenientJSON` is nil, in the words of WireMock's parser.
    var lenientProblem: String {
        if let knownLenientProblem { return knownLenientProblem }
        guard tryReserve(Cost.treeOfByte * text.count) else { return "" }
        let problem = LenientJSON.problem(in: text) ?? "Unexpected text"
        knownLenientProblem = problem
        return problem
    }

    /// Why `json` is nil.
    var jsonProblem: String {
        if let knownJSONProblem { return knownJSONProblem }
        guard tryReserve(Cost.treeOfByte * text.count) else { return "" }
        let problem = syntaxError
        knownJSONProblem = problem
        return problem
    }

    /// Why `json` is nil; empty if it is not.
    var syntaxError: String {
        do throws(JSONSyntaxError) {
            _ = try JSONValue(parsing: text, dialect: .lenient)
            return ""
        } catch {
            return "\(error)"
        }
    }

    func xml(namespaceAware: Bool) -> XMLDocument? {
        try? readXML(namespaceAware: namespaceAware).get()
    }

    /// Why `xml` is nil; empty if it is not.
    func xmlProblem(namespaceAware: Bool) -> String {
        guard case .failure(let problem) = readXML(namespaceAware: namespaceAware) else { return "" }
        return problem.message
    }

    private func readXML(namespaceAware: Bool) -> Result<XMLDocument, XMLProblem> {
        if let known = namespaceAware ? xmlWithNamespaces : xml { return known }
        let read = Result { () throws(XMLProblem) in
            try XMLDocument(parsing: text, namespaceAware: namespaceAware, budget)
        }
        if namespaceAware { xmlWithNamespaces = read } else { xml = read }
        return read
    }

    var looksLikeXML: Bool {
        text.first { $0 != 0x20 && ($0 < 0x09 || $0 > 0x0D) } == UInt8(ascii: "<")
    }
}
