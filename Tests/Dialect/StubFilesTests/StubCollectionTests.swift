import JSON
import StubFiles
import StubModel
import Testing

/// A large file that is read in parts, against the same file read as a whole.
@Suite struct StubCollectionTests {
    private static let filler = String(repeating: "x", count: 400)

    /// A mapping on three lines.
    private static func mapping(_ number: Int, _ more: String = "") -> String {
        #"""
        {"request": {"urlPath": "/\#(number)", "method": "GET"},\#r
         "response": {"body": "\#(filler)", "headers": {"A": "é\#(number)"}\#(more)},
         "priority": \#(number % 9 + 1)}
        """#
    }

    private static func file(_ mappings: [String], around: String = "") -> [UInt8] {
        Array("{\(around) \"mappings\": [\n\(mappings.joined(separator: ",\n\n"))\n]}".utf8)
    }

    private static func collection(_ bytes: [UInt8]) -> StubCollection? {
        StubCollection(bytes, format: .json, path: "mocks/a.json", idSeed: "a.json")
    }

    private let good = (0..<600).map { Self.mapping($0) }

    @Test(arguments: ["", #""meta": {"total": 600},"#, #""$schema": "s", "x-shared": {"a": 1},"#])
    func itsPartsMakeUpTheWhole(around: String) throws {
        let bytes = Self.file(good, around: around)
        let whole = StubFile.read(bytes, format: .json, path: "mocks/a.json", idSeed: "a.json")
        let collection = try #require(Self.collection(bytes))
        #expect(collection.count == 600)
        #expect(whole.stubs.count == 600)
        let ranges = [0..<1, 1..<256, 256..<600]
        #expect(ranges.flatMap { collection.stubs(at: $0) ?? [] } == whole.stubs)
        #expect(ranges.flatMap { collection.lines(at: $0) } == whole.lines)
        let problem = ModelProblem(pointer: JSONPointer(["response", "headers", "A"]), message: "no")
        let placed = collection.file.diagnostics(for: [problem], inStubAt: 300)
        #expect(placed == whole.diagnostics(for: [problem], inStubAt: 300))
        #expect(placed.first?.position?.line == 2 + 300 * 4 + 1)
    }

    @Test func mappingsWithProblemsAreNotReadInParts() throws {
        let bad = [
            Self.mapping(1, #", "status": []"#), Self.mapping(1, #", "bodi": """#),
            Self.mapping(1, #", "jsonBody": 1"#), #"{"GET /a": {}}"#, "7", #"{"request": {"url": "a"}}"#,
        ]
        for mapping in bad {
            let collection = try #require(Self.collection(Self.file(good + [mapping])))
            #expect(collection.stubs(at: 599..<600) != nil)
            #expect(collection.stubs(at: 599..<601) == nil, "\(mapping)")
        }
    }

    @Test func aFileOfAnotherFormIsReadAsAWhole() {
        let text = good.joined(separator: ",\n")
        let others = [
            "[\(text)]", "{\"mappings\": {}, \"a\": [\(text)]}", "{\"mappings\": [\(text)], \"other\": 1}",
            "{\"mappings\": [\(text)], \"GET /a\": {}}", "{\"mappings\": [\(text)], \"mappings\": []}",
            "{\"mappings\": [\(text)], // one\n \"meta\": 1}", "{\"mappings\": [\(text)]", "{\"mappings\": []}",
        ]
        for other in others { #expect(Self.collection(Array(other.utf8)) == nil, "\(other.suffix(40))") }
        let bytes = Self.file(good)
        #expect(StubCollection(bytes, format: .yaml, path: "a.yaml", idSeed: "a.yaml") == nil)
        #expect(Self.collection(bytes) != nil)
    }
}
