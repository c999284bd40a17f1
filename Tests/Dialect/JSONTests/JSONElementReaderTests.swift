import SDJSON
import SDTestSupport
import Testing

/// The elements of an array read a few at a time, against the tape of the whole text.
@Suite struct JSONElementReaderTests {
    private struct Reading {
        var values: [JSONValue] = []
        var lines: [Int] = []
        var keys: [String] = []
        var isWhole = false
    }

    /// - Parameter block: the size of the blocks in which the text comes; nil for the whole text.
    private func read(_ text: String, most: Int, block: Int? = nil) -> Reading? {
        guard var reader = Self.reader(Array(text.utf8), block: block) else { return nil }
        var reading = Reading()
        while let part = reader.next(most) {
            reading.values += part.places.map { part.tape.value(at: $0) }
            reading.lines += part.lines
        }
        reading.keys = reader.keys
        reading.isWhole = reader.end == .document
        #expect(reader.end != nil)
        if reading.isWhole { #expect(reader.position == text.utf8.count) }
        return reading
    }

    private static func reader(_ text: [UInt8], block: Int?) -> JSONElementReader? {
        guard let block else { return JSONElementReader(text, of: "list") }
        return JSONElementReader(Array(text.prefix(block)), of: "list") { unused, offset in
            let read = text.dropFirst(offset).prefix(max(block, unused.count))
            return read.isEmpty ? nil : Array(unused + read)
        }
    }

    @Test(arguments: [
        #"{"list":[]}"#, #"{"list":[1]}"#, "\u{FEFF}" + #" {"a":{"b":[1]},"list":[1,"]",[2,{"c":"}"}],null],"z":"é"} "#,
        #"{"list":[{"a":1},{"a":1}],"b":[{"list":[3]}]}"#, #"{"list":[1,2,3,4,5,6,7],"\u00e9":true}"#,
    ])
    func elementsAreThoseOfTheWholeDocument(text: String) throws {
        let tape = try #require(JSONTape(Array(text.utf8)[...]))
        let list = try #require(tape.member("list", of: 0))
        for (most, block) in Self.ways {
            let reading = try #require(read(text, most: most, block: block))
            #expect(reading.isWhole)
            #expect(reading.values == tape.elements(of: list).map { tape.value(at: $0) })
            #expect(reading.keys == tape.keys(of: 0))
        }
    }

    /// The elements that are read together, and the size of the blocks.
    private static let ways: [(most: Int, block: Int?)] =
        (1...4).map { ($0, nil) } + (3...50).flatMap { block in [1, 3, 100].map { ($0, block) } }

    @Test(arguments: [
        #"{"list":[1,2"#, #"{"list":[1,2}"#, #"{"list":[1,,2]}"#, #"{"list":[1,]}"#, #"{"list":[1 2]}"#,
        #"{"list":[1]"#, #"{"list":[1]}}"#, #"{"list":[1],}"#, #"{"list":[1],"a"}"#, #"{"list":[1],"list":[2]}"#,
        #"{"list":[1],"a":1,"a":2}"#, #"{"list":[1],"a":{"b":1,"b":2}}"#, #"{"list":[{"b":1,"b":2}]}"#,
        #"{"list":[1], // one\n"a":1}"#, #"{"list":['a']}"#, #"{"list":[tru]}"#, #"{"list":["\u{1}"]}"#,
    ])
    func whatHasNoTapeIsNeverReadToItsEnd(text: String) {
        #expect(JSONTape(Array(text.utf8)[...]) == nil)
        for (most, block) in Self.ways { #expect(read(text, most: most, block: block)?.isWhole != true) }
    }

    @Test(arguments: [
        "", "[1]", "1", "{}", #"{"other":[1]}"#, #"{"list":1}"#, #"{"list":{"a":[1]}}"#, #"{"a":1,"a":2,"list":[1]}"#,
    ])
    func aTextWithoutTheListHasNoReader(text: String) {
        for (most, block) in Self.ways { #expect(read(text, most: most, block: block) == nil) }
    }

    @Test func nestingIsLimitedAsInATape() {
        for depth in [JSONValue.maximumDepth, JSONValue.maximumDepth + 1] {
            let nested = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
            let text = "{\"list\":[0,\(nested)]}"
            #expect((JSONTape(Array(text.utf8)[...]) == nil) == (depth > JSONValue.maximumDepth))
            #expect(read(text, most: 2)?.isWhole == (depth <= JSONValue.maximumDepth))
        }
    }

    @Test func linesEndWithEitherKindOfLineEnd() throws {
        let text = "\n{\r\n\"list\":\r[ 1,\n\n2, 3\r,\r\n4],\n\"a\": 1}"
        #expect(try #require(read(text, most: 3)).lines == [4, 6, 6, 8])
    }

    /// Lines are counted eight letters at a time.
    @Test func linesAreThoseOfTheText() throws {
        var generator = TestGenerator()
        for _ in 0..<200 {
            let parts = ["\n", "\r", "\r\n", " ", "        ", "\t"]
            func blanks() -> String {
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in parts.randomElement(using: &generator)! }
                    .joined()
            }
            let elements = (0..<20).map { number in
                let letters = ["a", "é", "漢字", "12345678"].randomElement(using: &generator)!
                return "\(blanks())[\"\(number)#\(letters)\",\(blanks())\(number)]\(blanks())"
            }
            let text = "{\"list\":[\(elements.joined(separator: ","))]}"
            let index = LineIndex(Array(text.utf8))
            let lines = try (0..<20).map { number in
                let place = try #require(text.firstRange(of: "[\"\(number)#")).lowerBound
                return index.position(of: text.utf8.distance(from: text.startIndex, to: place)).line
            }
            for block in [nil, Int.random(in: 3...300, using: &generator)] {
                #expect(
                    try #require(read(text, most: 3, block: block)).lines == lines,
                    "seed \(generator.seed), block \(block ?? 0): \(text.debugDescription)")
            }
        }
    }
}
