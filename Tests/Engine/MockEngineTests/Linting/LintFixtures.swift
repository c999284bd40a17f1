import JSON
import MockEngine
import StubModel
import Testing

/// Stubs as a file has them, the last one tried first among those of one priority.
struct LintedFile {
    let session = Session()

    /// - Parameter text: a list of mappings as JSON.
    init(_ text: String) throws {
        let document = StubDocument(json: try JSONValue(parsing: text, dialect: .lenient), idSeed: "test")
        try #require(document.problems.isEmpty, "\(document.problems)")
        try #require(session.update([(name: "a.json", stubs: document.stubs)]).isEmpty)
    }

    /// A stub with this request pattern alone.
    init(request: String) throws {
        try self.init(#"[{"name": "it", "request": \#(request)}]"#)
    }
}

extension StubFinding {
    /// `code pointer`, for tables.
    var summary: String { "\(code.rawValue) \(pointer.text)" }
}
