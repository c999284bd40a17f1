import JSON
import JSONPath
import XML

/// A text that document matchers read, such as a request's body, parsed at most once per format for all stubs. Belongs
/// to one request and its thread.
final class ParsedDocument {
    /// The bytes as sent, without a content coding.
    let binary: ArraySlice<UInt8>
    /// The text in UTF-8.
    let text: ArraySlice<UInt8>

    init(binary: ArraySlice<UInt8>, text: ArraySlice<UInt8>) {
        self.binary = binary
        self.text = text
    }

    convenience init(_ text: ArraySlice<UInt8>) {
        self.init(binary: text, text: text)
    }

    /// Makes a document of a text whose value is known already, such as one found by JSONPath.
    convenience init(_ text: ArraySlice<UInt8>, json: JSONValue?) {
        self.init(text)
        if let json { strict = .some(json) }
    }

    private var knownTape: JSONTape??
    private var strict: JSONValue??
    private var lenient: JSONValue??
    private var xml: XMLDocument??
    private var xmlWithNamespaces: XMLDocument??

    /// The tape of what `json` reads; nil if there is a tree already, or if `JSONTape` cannot read the text.
    var tape: JSONTape? {
        if let knownTape { return knownTape }
        let read = strict == nil ? JSONTape(text) : nil
        knownTape = .some(read)
        return read
    }

    /// The value as `equalToJson` reads it: RFC 8259 with WireMock's comments; nil if the text is not JSON.
    var json: JSONValue? {
        if let strict { return strict }
        let parsed = tape?.value ?? (try? JSONValue(parsing: text, dialect: .lenient))
        strict = .some(parsed)
        return parsed
    }

    /// The document that `lenientJSON` reads, without a tree if possible.
    var lenientDocument: JSONDocument? {
        tape.map(JSONDocument.tape) ?? lenientJSON.map(JSONDocument.tree)
    }

    /// The value as `matchesJsonPath` reads it: WireMock's reader for it accepts much that is not JSON.
    var lenientJSON: JSONValue? {
        if let lenient { return lenient }
        let parsed = json ?? LenientJSON.parse(text)
        lenient = .some(parsed)
        return parsed
    }

    /// The reason why `json` is nil: Jackson's message, if Jackson finds an error too, followed by this project's.
    var jsonProblem: String {
        JacksonComplaint(Array(text)).map { "\($0.message)\n\(syntaxError)" } ?? syntaxError
    }

    /// The reason why `json` is nil; empty if it is not.
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

    /// The reason why `xml` is nil.
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
