import JSON
import JSONPath
import XML

/// A text that matchers look into, such as a request's body: parsed at most once a format, whatever the number of stubs
/// that ask. Belongs to one request and its thread.
final class ParsedDocument {
    /// As sent, without a content coding.
    let binary: ArraySlice<UInt8>
    /// In UTF-8.
    let text: ArraySlice<UInt8>

    init(binary: ArraySlice<UInt8>, text: ArraySlice<UInt8>) {
        self.binary = binary
        self.text = text
    }

    convenience init(_ text: ArraySlice<UInt8>) {
        self.init(binary: text, text: text)
    }

    /// A text that stands for a value known already, such as one that JSONPath found.
    convenience init(_ text: ArraySlice<UInt8>, json: JSONValue?) {
        self.init(text)
        if let json { strict = .some(json) }
    }

    private var knownTape: JSONTape??
    private var strict: JSONValue??
    private var lenient: JSONValue??
    private var xml: XMLDocument??
    private var xmlWithNamespaces: XMLDocument??

    /// What `json` reads, without a tree; nil where there is a tree already, and where `JSONTape` cannot read it.
    var tape: JSONTape? {
        if let knownTape { return knownTape }
        let read = strict == nil ? JSONTape(text) : nil
        knownTape = .some(read)
        return read
    }

    /// As `equalToJson` reads it, by the letter of RFC 8259 with WireMock's comments; nil where it is no JSON.
    var json: JSONValue? {
        if let strict { return strict }
        let parsed = tape?.value ?? (try? JSONValue(parsing: text, dialect: .lenient))
        strict = .some(parsed)
        return parsed
    }

    /// What `lenientJSON` reads, without a tree where that can be.
    var lenientDocument: JSONDocument? {
        tape.map(JSONDocument.tape) ?? lenientJSON.map(JSONDocument.tree)
    }

    /// As `matchesJsonPath` reads it: WireMock's reader there takes much that is no JSON.
    var lenientJSON: JSONValue? {
        if let lenient { return lenient }
        let parsed = json ?? LenientJSON.parse(text)
        lenient = .some(parsed)
        return parsed
    }

    /// Why `json` is nil: in Jackson's words, where Jackson finds a mistake too, and behind them in ours.
    var jsonProblem: String {
        JacksonComplaint(Array(text)).map { "\($0.message)\n\(syntaxError)" } ?? syntaxError
    }

    /// Why `json` is nil; empty where it is not.
    var syntaxError: String {
        do throws(JSONSyntaxError) {
            _ = try JSONValue(parsing: text, dialect: .lenient)
            return ""
        } catch {
            return "\(error)"
        }
    }

    func xml(namespaceAware: Bool) -> XMLDocument? {
        if namespaceAware {
            if let xmlWithNamespaces { return xmlWithNamespaces }
            let parsed = try? XMLDocument(parsing: text, namespaceAware: true)
            xmlWithNamespaces = .some(parsed)
            return parsed
        }
        if let xml { return xml }
        let parsed = try? XMLDocument(parsing: text, namespaceAware: false)
        xml = .some(parsed)
        return parsed
    }

    /// Why `xml` is nil.
    func xmlProblem(namespaceAware: Bool) -> String {
        do throws(XMLProblem) {
            _ = try XMLDocument(parsing: text, namespaceAware: namespaceAware)
            return ""
        } catch {
            return error.message
        }
    }

    var looksLikeXML: Bool {
        text.first { $0 != 0x20 && ($0 < 0x09 || $0 > 0x0D) } == UInt8(ascii: "<")
    }
}
