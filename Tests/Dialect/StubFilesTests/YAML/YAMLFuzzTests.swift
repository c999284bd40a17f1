import SDJSON
import SDStubFiles
import SDTestSupport
import Testing

/// JSON is YAML, and mutated YAML can be anything.
@Suite struct YAMLFuzzTests {
    static let samples = [
        "GET /a/{b}:\n  headers: { X: y }\n  json: [1, 2.5, 'x', \"y\\n\"]\n",
        "a: &x { b: 1 }\nc: { <<: *x, d: |\n  text\n  }\n",
        "- - - 1\n  - !!str 2\n- ? k\n  : v\n- >-\n  folded\n  text\n",
        "%YAML 1.1\n---\n'é': \"\\u00e9\\x41\"\n...\n",
    ]

    @Test func mutatedTextsNeverCrashTheReader() throws {
        let seed = TestGenerator.newSeed
        var generator = TestGenerator(seed: seed)
        print("YAML mutatedTextsNeverCrashTheReader: seed \(seed)")
        for _ in 0..<3_000 {
            let sample = Self.samples.randomElement(using: &generator) ?? ""
            let bytes = Self.mutate(Array(sample.utf8), using: &generator)
            do throws(YAMLError) {
                let value = try JSONValue(parsingYAML: bytes)
                #expect((try? JSONValue(parsing: value.compactBytes)) == value, "seed \(seed)")
            } catch {
                #expect(error.line >= 1 && error.column >= 1, "seed \(seed)")
                #expect((0...bytes.count).contains(error.position.offset), "seed \(seed)")
                #expect(!error.message.isEmpty, "seed \(seed)")
            }
            _ = SourceMap(scanningYAML: bytes, for: [JSONPointer(["c", "b"])])
        }
    }

    @Test func jsonIsReadAsYAML() throws {
        let text = #"{"a": [1, -2.5e3, true, null, "x: y", "\u00e9\n\"/"], "b": {"c": {}}, "d": []}"#
        #expect(try JSONValue(parsingYAML: text) == JSONValue(parsing: text))
    }

    private static func mutate(_ bytes: [UInt8], using generator: inout TestGenerator) -> [UInt8] {
        let odd: [UInt8] = Array("{}[]:,&*!|>'\"%@`#?-\n\t \\~<0é".utf8) + [0, 0xFF, 0xC3]
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.insert(odd.randomElement(using: &generator) ?? 0, at: place)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] = odd.randomElement(using: &generator) ?? 0
            case 3 where place < bytes.count:
                let end = min(bytes.count, place + Int.random(in: 1...12, using: &generator))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
            default: break
            }
        }
        return bytes
    }
}
