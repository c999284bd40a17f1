import SDJSON
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of the JSON parsing test suite: `y_` must be accepted, `n_` must be refused, `i_` is up to the parser.
enum ParsingSuite {
    static let folder = Conformance.path("json-parsing/test_parsing")

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

    static func files(_ kind: String) -> [String] { names.filter { $0.hasPrefix(kind) } }

    static func bytes(_ name: String) -> [UInt8] {
        Array(FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data())
    }
}

@Suite(.enabled(if: Conformance.isPresent("json-parsing"), "\(Conformance.absence)"))
struct ConformanceTests {
    @Test func theSuiteIsComplete() {
        #expect(ParsingSuite.files("y_").count >= 95)
        #expect(ParsingSuite.files("n_").count >= 185)
        #expect(ParsingSuite.files("i_").count >= 35)
    }

    @Test(arguments: ParsingSuite.files("y_"))
    func readsEveryValidText(name: String) throws {
        let value = try JSONValue(parsing: ParsingSuite.bytes(name))
        #expect(try JSONValue(parsing: value.compactBytes) == value)
        #expect(try JSONValue(parsing: value.prettyBytes) == value)
    }

    @Test(arguments: ParsingSuite.files("n_"))
    func refusesEveryInvalidText(name: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: ParsingSuite.bytes(name)) }
    }

    @Test(arguments: ParsingSuite.files("i_"))
    func survivesTextsThatTheStandardLeavesOpen(name: String) throws {
        let bytes = ParsingSuite.bytes(name)
        guard let value = try? JSONValue(parsing: bytes) else {
            // If it is refused, the error's position lies within the text.
            let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
            #expect((0...bytes.count).contains(error?.offset ?? -1))
            return
        }
        #expect(try JSONValue(parsing: value.compactBytes) == value)
    }
}
