import SDJSON
import SDLinting
import SDMockEngine
import SDShorthand
import SDStubModel
import Testing

/// Stubs as a file has them; among those of one priority the last one is tried first.
struct LintedFile {
    let session = Session()

    /// Parses stubs.
    /// - Parameter text: a list of mappings as JSON.
    init(_ text: String) throws {
        let document = StubDocument(json: try JSONValue(parsing: text, dialect: .lenient), idSeed: "test")
        try #require(document.problems.isEmpty, "\(document.problems)")
        try #require(session.update([(name: "a.json", stubs: document.stubs)]).isEmpty)
    }

    /// Makes a stub with only this request pattern.
    init(request: String) throws {
        try self.init(#"[{"name": "it", "request": \#(request)}]"#)
    }
}

extension StubFinding {
    /// The finding as `code pointer`, for tables.
    var summary: String { "\(code.rawValue) \(pointer.text)" }
}
