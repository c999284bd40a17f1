import SDTestData
import SDTestSupport
import Testing

@testable import SDRedis

/// Replies out of bytes, without a connection.
@Suite struct DecoderTests {
    /// Parts of replies, right and wrong, that are put together at random.
    static let parts = [
        "*2\r\n", "*0\r\n", "*-1\r\n", "*3\r\n", "*1\r\n", "$3\r\nabc\r\n", "$0\r\n\r\n", "$-1\r\n", ":12\r\n",
        "+OK\r\n", "-ERR x\r\n",
        ":-9223372036854775808\r\n", ":9223372036854775808\r\n", "*1000000000\r\n", "$1000000000\r\n", "\r\n", "\n",
        "\r", "*", "$",
        ":", "%1\r\n", "~1\r\n", "#t\r\n", ",1.5\r\n", "_\r\n", "(1\r\n", "=5\r\ntxt:a\r\n", ">1\r\n", "-2\r\n",
        "$-2\r\n", "*-2\r\n",
        "*4294967297\r\n", "x", " ", "\u{0}",
    ]

    /// What comes out of pieces, at last perhaps a failure.
    private func read(_ pieces: [ArraySlice<UInt8>], most: Int) -> ([RedisValue], RedisFailure.Kind?) {
        let decoder = RedisDecoder(most: most)
        var values: [RedisValue] = []
        do throws(RedisFailure) {
            for piece in pieces {
                Array(piece).withUnsafeBufferPointer(decoder.feed)
                while let value = try decoder.next() { values.append(value) }
            }
            return (values, nil)
        } catch {
            return (values, error.kind)
        }
    }

    /// Replies are the same however they come, and nothing that comes is too much.
    @Test func anything() throws {
        try #require(RedisDecoder.missing == nil)
        var random = TestGenerator()
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                // What is right comes more often.
                let count = Bool.random(using: &random) ? 11 : Self.parts.count
                bytes += Array(Self.parts[Int.random(in: 0..<count, using: &random)].utf8)
            }
            let most = Int.random(in: 1...2_000, using: &random)
            let whole = read([bytes[...]], most: most)
            let single = read(bytes.indices.map { bytes[$0...$0] }, most: most)
            let shown = "seed \(random.seed): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
            #expect(whole.0 == single.0, "\(shown)")
            #expect((whole.1 == nil) == (single.1 == nil), "\(shown)")
        }
    }

    @Test func accessors() {
        #expect(RedisValue.bytes(Array("12".utf8)).int == 12)
        #expect(RedisValue.integer(3).int == 3 && RedisValue.integer(3).text == nil)
        #expect(RedisValue.status("OK").text == "OK" && RedisValue.error("ERR x").errorText == "ERR x")
        #expect(RedisValue.array([.null]).list == [.null] && RedisValue.null.list == nil)
        #expect(RedisValue.bytes([0xFF]).data == [0xFF] && RedisValue.bytes([0xFF]).int == nil)
    }
}
