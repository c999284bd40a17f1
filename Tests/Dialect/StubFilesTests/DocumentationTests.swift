import SDJSON
import SDStubFiles
import SDStubModel
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Fence {
    /// The examples in YAML and JSON of a kind, such as `routes`.
    static func documents(_ kind: String) -> [Fence] { of("yaml \(kind)", "json \(kind)") }

    func parse() -> (stubs: Int, diagnostics: [FileDiagnostic]) {
        let format: StubFile.Format = info.hasPrefix("json") ? .json : .yaml
        let result = StubFile.read(Array(text.utf8), format: format, path: page)
        return (result.stubs.count + result.messageStubs.count, result.diagnostics)
    }
}

@Suite struct DocumentationTests {
    @Test func thePagesHaveExamples() {
        #expect(Fence.documents("routes").count >= 10)
        #expect(Fence.documents("routes-error").count >= 6)
        #expect(Fence.documents("stubs").count >= 5)
    }

    @Test(arguments: Fence.documents("routes") + Fence.documents("stubs") + Fence.documents("mapping"))
    func examplesParseWithoutDiagnostics(fence: Fence) {
        let (stubs, diagnostics) = fence.parse()
        #expect(stubs > 0)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
    }

    @Test(arguments: Fence.documents("routes-error") + Fence.documents("stubs-error"))
    func examplesOfErrorsFail(fence: Fence) {
        let (stubs, diagnostics) = fence.parse()
        #expect(stubs == 0)
        #expect(diagnostics.contains { $0.severity == .error })
    }

    /// Every key of the shorthand is in the page's table.
    @Test func everyKeyIsDocumented() throws {
        let page = try #require(FileManager.default.contents(atPath: "\(PackageFiles.root)/docs/routes.md"))
        let text = String(decoding: page, as: UTF8.self)
        let unknown = StubFile.parse("GET /a: { xyzzy: 1 }".utf8, format: .yaml, path: "x").diagnostics
        let expected = try #require(unknown.first?.expected).dropFirst("one of ".count)
        let keys = expected.split(separator: ",").map { $0.drop { $0 == " " } }
        #expect(keys.count >= 28)
        for key in keys { #expect(text.contains("| `\(key)` |"), "\(key)") }
    }

    @Test(
        arguments: [
            ("GET /a: { when: { xyzzy: 1 } }", 22), ("GET /a: { when: { multipart: { xyzzy: 1 } } }", 10),
        ])
    func everyConditionIsDocumented(file: String, count: Int) throws {
        let page = try #require(FileManager.default.contents(atPath: "\(PackageFiles.root)/docs/routes.md"))
        let tables = String(decoding: page, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let documented = Set(
            tables.flatMap { row in
                (row.split(separator: "|").first ?? "").split(separator: ",").map { $0.filter { !"` ".contains($0) } }
            })
        let unknown = StubFile.parse(file.utf8, format: .yaml, path: "x").diagnostics
        let expected = try #require(unknown.first?.expected).dropFirst("one of ".count)
        let keys = expected.split(separator: ",").map { $0.filter { $0 != " " } }
        #expect(keys.count == count)
        for key in keys { #expect(documented.contains(key), "\(key)") }
    }

    /// Every operator and option is on the page of matchers.
    @Test(arguments: ValueMatcher.Operator.allCases)
    func everyMatcherIsDocumented(name: ValueMatcher.Operator) throws {
        let page = try #require(FileManager.default.contents(atPath: "\(PackageFiles.root)/docs/matching.md"))
        let text = String(decoding: page, as: UTF8.self)
        let missing = ([name.rawValue] + name.options).filter { !text.contains("`\($0)`") }
        #expect(missing == [], "docs/matching.md has no row for them")
    }

    /// Every operator is beside its form in Swift.
    @Test(arguments: ValueMatcher.Operator.allCases)
    func everyMatcherIsOnThePageOfTheKit(name: ValueMatcher.Operator) throws {
        let page = try #require(FileManager.default.contents(atPath: "\(PackageFiles.root)/docs/swift/stubs.md"))
        #expect(
            String(decoding: page, as: UTF8.self).contains("`\(name.rawValue)`"),
            "docs/swift/stubs.md has no row for it")
    }
}

/// The package's example folder.
@Suite struct ExampleMocksTests {
    static let files: [String] = {
        // Where none is found, `thereAreExamplesInBothFormats` fails.
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: "\(PackageFiles.root)/mocks")) ?? []
        return all.filter { !$0.hasPrefix("__files/") && StubFile.Format(path: $0) != nil }.sorted()
    }()

    @Test func thereAreExamplesInBothFormats() {
        #expect(Self.files.count >= 6)
        #expect(Self.files.contains { $0.hasSuffix(".json") })
        #expect(Self.files.contains { $0.hasSuffix(".yaml") })
    }

    @Test(arguments: files)
    func examplesParseWithoutDiagnostics(file: String) throws {
        let path = "\(PackageFiles.root)/mocks/\(file)"
        let bytes = try #require(FileManager.default.contents(atPath: path))
        let format = try #require(StubFile.Format(path: file))
        let (stubs, diagnostics) = StubFile.parse(bytes, format: format, path: file)
        #expect(!stubs.isEmpty)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        for name in stubs.compactMap(\.response.bodyFileName) {
            #expect(FileManager.default.fileExists(atPath: "\(PackageFiles.root)/mocks/__files/\(name)"), "\(name)")
        }
    }
}
