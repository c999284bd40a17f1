import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

/// `contains` in texts that are searched in pieces.
@Suite struct TextSearchTests {
    private func passes(_ part: String, in body: [UInt8], _ matcher: String = "contains") throws -> Bool {
        let pattern = try CompiledPattern(
            RequestPattern(json: ["bodyPatterns": .array([.object([matcher: .string(part)])])]))
        return pattern.matches(TestRequest("POST", "/", body: body))
    }

    /// Around the ends of pieces of 16 KiB, for parts searched in either way and one longer than a piece.
    @Test(arguments: [1, 2, 31, 32, 33, 100, 20_000]) func findsWhatLiesAcrossABorder(length: Int) throws {
        let part = String(repeating: "a", count: length - 1) + "b"
        let piece = max(16 << 10, 2 * length)
        for end in [
            length, piece - 1, piece, piece + 1, piece + length - 1, piece + length, piece + length + 1, 2 * piece,
        ] {
            guard end >= length else { continue }
            var body = [UInt8](repeating: UInt8(ascii: "a"), count: 3 * piece)
            body[end - 1] = UInt8(ascii: "b")
            #expect(try passes(part, in: body), "\(length) letters that end at \(end)")
            #expect(try !passes(part, in: body, "doesNotContain"), "\(length) letters that end at \(end)")
            body[end - 1] = UInt8(ascii: "c")
            #expect(try !passes(part, in: body), "\(length) letters that end nowhere")
        }
    }

    @Test func findsAPartAtTheEndOfALongText() throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_003) + Array("end".utf8)
        #expect(try passes("xend", in: body))
        #expect(try !passes("end!", in: body))
    }
}
