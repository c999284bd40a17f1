import SDJSON
import SDStubFiles
import SDStubModel
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

    /// The parts of a file; nil unless it was read as a list of mappings and nothing else.
    private static func parts(_ bytes: [UInt8]) -> [StubCollection.Part]? {
        guard var collection = collection(bytes) else { return nil }
        var parts: [StubCollection.Part] = []
        while let part = collection.next() { parts.append(part) }
        return collection.isWhole ? parts : nil
    }

    private static func read(_ part: StubCollection.Part) -> (isGood: Bool, stubs: [StubMapping], lines: [Int]) {
        var stubs: [StubMapping] = []
        var lines: [Int] = []
        let isGood = part.readStubs { stub, line in
            stubs.append(copy stub)
            lines.append(line)
        }
        return (isGood, stubs, lines)
    }

    private let good = (0..<600).map { Self.mapping($0) }

    @Test(arguments: ["", #""meta": {"total": 600},"#, #""$schema": "s", "x-shared": {"a": 1},"#])
    func itsPartsMakeUpTheWhole(around: String) throws {
        let bytes = Self.file(good, around: around)
        let whole = StubFile.read(bytes, format: .json, path: "mocks/a.json", idSeed: "a.json")
        let collection = try #require(Self.collection(bytes))
        let parts = try #require(Self.parts(bytes))
        #expect(parts.map(\.start) == [0, 256, 512])
        #expect(whole.stubs.count == 600)
        let read = parts.map(Self.read)
        #expect(read.allSatisfy { $0.isGood })
        #expect(read.flatMap(\.stubs) == whole.stubs)
        #expect(read.flatMap(\.lines) == whole.lines)
        // By the size of the first part, and of all of them.
        #expect(abs(parts[0].expectedTotal - 600) < 30)
        #expect(parts.last?.expectedTotal == 600)
        let problem = ModelProblem(pointer: JSONPointer(["response", "headers", "A"]), message: "no")
        let placed = collection.file.diagnostics(for: [problem], inStubAt: 300)
        #expect(placed == whole.diagnostics(for: [problem], inStubAt: 300))
        #expect(placed.first?.position?.line == 2 + 300 * 4 + 1)
    }

    /// A text that is never in memory as a whole, in blocks of a size.
    private static func collection(_ bytes: [UInt8], block: Int) -> StubCollection? {
        let text = StubCollection.Text(count: bytes.count) { unused, offset in
            let read = bytes.dropFirst(offset).prefix(max(block, unused.count))
            return read.isEmpty ? nil : Array(unused + read)
        } whole: {
            bytes
        }
        return StubCollection(text, format: .json, path: "mocks/a.json", idSeed: "a.json")
    }

    @Test(arguments: [1_000, 50_000]) func blocksOfATextMakeUpTheWhole(block: Int) throws {
        let bytes = Self.file(good, around: #""meta": {"total": 600},"#)
        let whole = StubFile.read(bytes, format: .json, path: "mocks/a.json", idSeed: "a.json")
        var collection = try #require(Self.collection(bytes, block: block))
        let file = collection.file
        var stubs: [StubMapping] = []
        var lines: [Int] = []
        var expectedTotal = 0
        while let part = collection.next() {
            let read = Self.read(part)
            #expect(read.isGood && part.start == stubs.count)
            stubs += read.stubs
            lines += read.lines
            expectedTotal = part.expectedTotal
        }
        #expect(collection.isWhole)
        #expect(abs(expectedTotal - 600) < 10)
        #expect(stubs == whole.stubs)
        #expect(lines == whole.lines)
        let problem = ModelProblem(pointer: JSONPointer(["response", "headers", "A"]), message: "no")
        #expect(file.diagnostics(for: [problem], inStubAt: 599) == whole.diagnostics(for: [problem], inStubAt: 599))
    }

    @Test func aTextThatEndsEarlyIsNotWhole() throws {
        let bytes = Self.file(good)
        for count in [0, 1, 100, 1_000, bytes.count - 100, bytes.count - 1] {
            var collection = Self.collection(Array(bytes.prefix(count)), block: 4_096)
            while collection?.next() != nil {}
            #expect(collection?.isWhole != true, "\(count) bytes")
        }
    }

    @Test func mappingsWithProblemsAreNotReadInParts() throws {
        let bad = [
            Self.mapping(1, #", "status": []"#), Self.mapping(1, #", "bodi": """#),
            Self.mapping(1, #", "jsonBody": 1"#), #"{"GET /a": {}}"#, "7", #"{"request": {"url": "a"}}"#,
        ]
        for mapping in bad {
            let parts = try #require(Self.parts(Self.file(good + [mapping])))
            let read = parts.map(Self.read)
            #expect(read.map(\.isGood) == [true, true, false], "\(mapping)")
            #expect(read.last?.stubs.count == 600 - 512, "the bad mapping was handed on: \(mapping)")
        }
    }

    @Test func aFileOfAnotherFormIsReadAsAWhole() {
        let text = good.joined(separator: ",\n")
        let others = [
            "[\(text)]", "{\"mappings\": {}, \"a\": [\(text)]}", "{\"mappings\": [\(text)], \"other\": 1}",
            "{\"mappings\": [\(text)], \"GET /a\": {}}", "{\"mappings\": [\(text)], \"mappings\": []}",
            "{\"mappings\": [\(text)], // one\n \"meta\": 1}", "{\"mappings\": [\(text)]", "{\"mappings\": []}",
            "{\"mappings\": [\(text),]}", "{\"mappings\": [\(text)]} {}", "{\"mappings\": [\(text)},",
            "{\"mappings\": [\(text)], \"meta\": {\"a\": 1, \"a\": 2}}",
        ]
        for other in others { #expect(Self.parts(Array(other.utf8)) == nil, "\(other.suffix(40))") }
        let bytes = Self.file(good)
        #expect(StubCollection(bytes, format: .yaml, path: "a.yaml", idSeed: "a.yaml") == nil)
        #expect(Self.collection(bytes) != nil)
    }
}
