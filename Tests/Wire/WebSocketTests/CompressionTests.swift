import SDCWebSocket
import SDTestSupport
import Testing

/// permessage-deflate without a state between messages.
@Suite struct CompressionTests {
    private static func deflate(_ bytes: [UInt8], window: UInt32) -> [UInt8]? {
        var packed = cr_ws_bytes()
        defer { cr_ws_bytes_free(&packed) }
        guard cr_ws_deflate(bytes, bytes.count, window, &packed) else { return nil }
        return Array(UnsafeBufferPointer(start: packed.bytes, count: packed.length))
    }

    private static func inflate(_ bytes: [UInt8], limit: Int) -> (fault: cr_ws_error, bytes: [UInt8], capacity: Int) {
        var found = cr_ws_bytes()
        defer { cr_ws_bytes_free(&found) }
        let fault = cr_ws_inflate(bytes, bytes.count, UInt64(limit), &found)
        return (fault, Array(UnsafeBufferPointer(start: found.bytes, count: found.length)), found.capacity)
    }

    @Test(arguments: [0, 1, 7, 64, 249, 250, 251, 511, 513, 4096, 70_000], 8...15)
    func whatIsCompressedIsInflatedAgain(count: Int, window: Int) throws {
        let bytes = (0..<count).map { $0.isMultiple(of: 3) ? UInt8(truncatingIfNeeded: $0 / 300) : pattern(4)[$0 & 3] }
        let packed = try #require(Self.deflate(bytes, window: UInt32(window)))
        let found = Self.inflate(packed, limit: count)
        #expect(found.fault == CR_WS_OK && found.bytes == bytes)
        #expect(count == 0 || Self.inflate(packed, limit: count - 1).fault == CR_WS_INFLATES_TOO_LARGE)
    }

    /// A bomb costs no more memory than its limit.
    @Test func whatInflatesIsBoundedWhileItGrows() throws {
        let bomb = try #require(Self.deflate([UInt8](repeating: 0, count: 16 << 20), window: 15))
        #expect(bomb.count < 100_000)
        let found = Self.inflate(bomb, limit: 100_000)
        #expect(found.fault == CR_WS_INFLATES_TOO_LARGE && found.capacity == 100_001)
    }

    /// A window of 256 bytes, which zlib does not have, is kept: no distance goes further back.
    @Test func theSmallestWindowIsKept() throws {
        let line = pattern(255)
        let packed = try #require(Self.deflate(line + line + line, window: 8))
        let wide = try #require(Self.deflate(line + line + line, window: 15))
        #expect(wide.count < 300 && packed.count > 600)
    }

    @Test func aTextInUTF8IsKnownByEachByte() {
        func isText(_ bytes: [UInt8]) -> Bool {
            var at = cr_ws_utf8()
            return bytes.allSatisfy { cr_ws_utf8_feed(&at, [$0], 1) } && at.left == 0
        }
        let ends: [UInt8] = [
            0, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF,
        ]
        for first in UInt8.min...UInt8.max {
            for second in ends {
                for third in ends {
                    for bytes in [[first, second, third], [first, second], [first, second, third, 0x80]] {
                        #expect(isText(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
                    }
                }
            }
        }
    }
}
