import SDTestSupport
import SDWebSocket

/// The cases of the public conformance suite as raw bytes, by its sections, and some beside them.
enum FrameCases {
    static let all: [FrameCase] = {
        let sections: [[FrameCase]] = [
            sizedTexts, sizedBytes, masks, pings, reserved, reservedOfControl, opcodes, fragments, emptyTexts,
            validTexts,
            invalidTexts, cutTexts, closes, validCodes, invalidCodes, lengths, limits, deflated,
        ]
        return sections.flatMap { $0 }
    }()

    private static let (text, binary, close, ping, pong) = (
        UInt8(0x81), UInt8(0x82), UInt8(0x88), UInt8(0x89), UInt8(0x8A)
    )
    private static let sizes = [0, 1, 125, 126, 127, 128, 65_535, 65_536, 65_537]
    private static func stars(_ count: Int) -> String { String(repeating: "*", count: count) }

    // MARK: 1: Framing

    private static let sizedTexts: [FrameCase] = sizes.map { size in
        FrameCase("a text of \(size)", [frame(text, stars(size))], [.text(stars(size))])
    }
    private static let sizedBytes: [FrameCase] = sizes.map { size in
        FrameCase("\(size) bytes", [frame(binary, pattern(size))], [.binary(pattern(size))])
    }
    private static let masks: [FrameCase] = [
        FrameCase("a mask of zeros", [frame(text, utf8("Hello"), mask: [0, 0, 0, 0])], [.text("Hello")]),
        FrameCase("a client's frame without a mask", [answered(text, utf8("Hello"))], [.refused(1002, "not masked")]),
    ]

    // MARK: 2: Pings and pongs

    private static let pings: [FrameCase] = [
        FrameCase("2.1", [frame(ping)], [.ping([])]),
        FrameCase("2.2", [frame(ping, "Hello, world!")], [.ping(utf8("Hello, world!"))]),
        FrameCase("2.3", [frame(ping, [0x00, 0xFF, 0xFE, 0xFD, 0xFC])], [.ping([0x00, 0xFF, 0xFE, 0xFD, 0xFC])]),
        FrameCase("2.4", [frame(ping, pattern(125))], [.ping(pattern(125))]),
        FrameCase("2.5", [frame(ping, pattern(126))], [.refused(1002, "more than 125")]),
        FrameCase("2.7", [frame(pong)], [.pong([])]),
        FrameCase("2.8", [frame(pong, "unasked")], [.pong(utf8("unasked"))]),
        FrameCase("2.9", [frame(pong, "unasked"), frame(ping, "p")], [.pong(utf8("unasked")), .ping(utf8("p"))]),
        FrameCase("2.10", (0..<10).map { frame(ping, "\($0)") }, (0..<10).map { .ping(utf8("\($0)")) }),
        FrameCase("a pong of 126", [frame(pong, pattern(126))], [.refused(1002, "more than 125")]),
    ]

    // MARK: 3 and 4: What is reserved

    private static let reserved: [FrameCase] = (1...7).map { (bits: UInt8) -> FrameCase in
        let words = bits & 3 != 0 ? "RSV2 or RSV3" : "RSV1"
        let wrong: UInt8 = 0x81 | bits << 4
        return FrameCase(
            "3.\(bits)", [frame(text, "a"), frame(wrong, "b"), frame(ping)], [.text("a"), .refused(1002, words)])
    }
    private static let reservedOfControl: [FrameCase] = [
        FrameCase("RSV1 of a ping", [frame(0xC9, "a")], [.refused(1002, "RSV1")]),
        FrameCase("RSV2 of a close frame", [frame(0xA8)], [.refused(1002, "RSV2 or RSV3")]),
    ]

    private static let opcodes: [FrameCase] = ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).flatMap { opcode in
        [
            FrameCase("4, opcode \(opcode)", [frame(0x80 | opcode)], [.refused(1002, "opcode")]),
            FrameCase(
                "4, opcode \(opcode), with a payload, behind a text", [frame(text, "a"), frame(0x80 | opcode, "x")],
                [.text("a"), .refused(1002, "opcode")]),
        ]
    }

    // MARK: 5: Fragments

    private static let fragments: [FrameCase] = [
        FrameCase("5.1", [frame(0x09, "a"), frame(0x80, "b")], [.refused(1002, "control frame is fragmented")]),
        FrameCase("5.2", [frame(0x0A, "a"), frame(0x80, "b")], [.refused(1002, "control frame is fragmented")]),
        FrameCase("a close frame in parts", [frame(0x08)], [.refused(1002, "control frame is fragmented")]),
        FrameCase("5.3", [frame(0x01, "one"), frame(0x80, "two")], [.text("onetwo")]),
        FrameCase(
            "5.6", [frame(0x01, "one"), frame(ping, "p"), frame(0x80, "two")], [.ping(utf8("p")), .text("onetwo")]),
        FrameCase("a pong between", [frame(0x01, "1"), frame(pong), frame(0x80, "2")], [.pong([]), .text("12")]),
        FrameCase("5.9", [frame(0x80, "x"), frame(text, "a")], [.refused(1002, "without a message")]),
        FrameCase("5.12", [frame(0x00, "x"), frame(text, "a")], [.refused(1002, "without a message")]),
        FrameCase(
            "5.15", [frame(0x01, "1"), frame(0x80, "2"), frame(0x00, "3"), frame(0x01, "4"), frame(0x80, "5")],
            [.text("12"), .refused(1002, "without a message")]),
        FrameCase("5.18", [frame(0x01, "a"), frame(text, "b")], [.refused(1002, "expected a continuation")]),
        FrameCase(
            "a binary message within a text", [frame(0x01, "a"), frame(binary, "b")],
            [.refused(1002, "expected a continuation")]),
        FrameCase(
            "5.19",
            [
                frame(0x01, "1"), frame(0x00, "2"), frame(ping, "p"), frame(0x00, "3"), frame(0x00, "4"),
                frame(ping, "q"), frame(0x80, "5"),
            ], [.ping(utf8("p")), .ping(utf8("q")), .text("12345")]),
        FrameCase("empty parts", [frame(0x01), frame(0x00), frame(0x80)], [.text("")]),
        FrameCase("empty parts around one", [frame(0x02), frame(0x00, "m"), frame(0x80)], [.binary(utf8("m"))]),
        FrameCase(
            "two messages in parts", [frame(0x01, "a"), frame(0x80, "b"), frame(0x02, "c"), frame(0x80, "d")],
            [.text("ab"), .binary(utf8("cd"))]),
        FrameCase(
            "a close frame within", [frame(0x01, "a"), frame(close, closing(1000)), frame(0x80)], [.close(1000, "")]),
        FrameCase(
            "parts of all sizes", [frame(0x02, pattern(126)), frame(0x00, pattern(1)), frame(0x80, pattern(4000))],
            [.binary(pattern(126) + pattern(1) + pattern(4000))]),
    ]

    // MARK: 6: UTF-8

    private static let valid = [
        "κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}",
        "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{1FFFE}", "\u{FEFF}a", "日本語 🙂🏳️‍🌈",
    ]
    /// Bytes that no text has, each with the number of them after which that is known.
    private static let invalid: [(String, Int)] = [
        ("80", 1), ("bf", 1), ("c0 80", 1), ("c1 bf", 1), ("c2 41", 2), ("c2 c2", 2), ("e0 80 80", 2), ("e0 9f bf", 2),
        ("e1 80 41", 3), ("ed a0 80", 2), ("ed bf bf", 2), ("ed a0 80 ed b0 80", 2), ("f0 80 80 80", 2),
        ("f0 8f bf bf", 2), ("f1 80 80 41", 4), ("f4 90 80 80", 2), ("f5 80 80 80", 1), ("f8 88 80 80 80", 1),
        ("fc 84 80 80 80 80", 1), ("fe", 1), ("ff", 1), ("fe fe ff ff", 1),
    ]

    private static let emptyTexts: [FrameCase] = [
        FrameCase("6.1.2", [frame(0x01), frame(0x00), frame(0x80)], [.text("")]),
        FrameCase("6.1.3", [frame(0x01), frame(0x00, "middle"), frame(0x80)], [.text("middle")]),
        FrameCase("bytes that are no text", [frame(0x82, [0xFF, 0xC0])], [.binary([0xFF, 0xC0])]),
        FrameCase(
            "a character in two frames, with a ping between",
            [frame(0x01, [0xCE]), frame(0x89, [0xFF]), frame(0x80, [0xBA])], [.ping([0xFF]), .text("κ")]),
    ]
    private static let validTexts: [FrameCase] = valid.enumerated().flatMap { index, text -> [FrameCase] in
        let whole = FrameCase("6, valid \(index)", [frame(0x81, text)], [.text(text)])
        return [whole, FrameCase("6, valid \(index), a byte a frame", bytewise(utf8(text)), [.text(text)])]
    }
    private static let invalidTexts: [FrameCase] = invalid.flatMap { text, known -> [FrameCase] in
        let bytes = hex(text)
        let refused: [FrameCase.Told] = [.refused(1007, "UTF-8")]
        // The last frame says that much follows, which never comes.
        let long = frame(0x01, Array(bytes.prefix(known)) + utf8(stars(99)))
        let begun = Array(long.prefix(6 + known))
        return [
            FrameCase("6, invalid \(text)", [frame(0x81, utf8("ab") + bytes + utf8("c"))], refused),
            FrameCase("6, invalid \(text), a byte a frame", bytewise(bytes + [0x61]), refused),
            FrameCase("6.4, invalid \(text)", [begun], refused),
        ]
    }
    private static let cutTexts: [FrameCase] = (1...3).map { count in
        let cut = Array(utf8("a🙂").prefix(1 + count))
        return FrameCase("6, a text that ends after \(count) of 4 bytes", [frame(0x81, cut)], [.refused(1007, "UTF-8")])
    }

    private static func bytewise(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.enumerated().map { (index: Int, byte: UInt8) -> [UInt8] in
            let (last, first): (UInt8, UInt8) = (index == bytes.count - 1 ? 0x80 : 0, index == 0 ? 1 : 0)
            return frame(last | first, [byte])
        }
    }

    // MARK: 7: Closing

    private static let closes: [FrameCase] = [
        FrameCase("7.1.1", [frame(text, "a"), frame(close, closing(1000))], [.text("a"), .close(1000, "")]),
        FrameCase("7.1.3", [frame(close, closing(1000)), frame(ping)], [.close(1000, "")]),
        FrameCase("7.1.4", [frame(close, closing(1000)), frame(text, "late")], [.close(1000, "")]),
        FrameCase("two close frames", [frame(close, closing(1000)), frame(close, closing(1001))], [.close(1000, "")]),
        FrameCase("7.3.1", [frame(close)], [.close(1005, "")]),
        FrameCase("7.3.2", [frame(close, [3])], [.refused(1002, "1 byte")]),
        FrameCase("7.3.4", [frame(close, closing(1000, "Hello"))], [.close(1000, "Hello")]),
        FrameCase("7.3.5", [frame(close, closing(1000, stars(123)))], [.close(1000, stars(123))]),
        FrameCase("7.3.6", [frame(close, closing(1000, stars(124)))], [.refused(1002, "more than 125")]),
        FrameCase("7.5.1", [frame(close, closing(1000) + hex("ce ba e1 bd ed a0 80"))], [.refused(1007, "reason")]),
        FrameCase(
            "a reason cut within a character", [frame(close, closing(1000) + [0xCE])], [.refused(1007, "reason")]),
    ]
    private static let validCodes: [FrameCase] = [
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
    ].map { (code: Int) -> FrameCase in FrameCase("7.7, \(code)", [frame(0x88, closing(code))], [.close(code, "")]) }
    private static let invalidCodes: [FrameCase] = [
        0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535,
    ].flatMap { (code: Int) -> [FrameCase] in
        let refused: [FrameCase.Told] = [.refused(1002, "must not be sent")]
        return [
            FrameCase("7.9, \(code)", [frame(0x88, closing(code))], refused),
            FrameCase("7.9, \(code), with a reason", [frame(0x88, closing(code, "r"))], refused),
        ]
    }

    // MARK: Lengths that are wrong

    private static let lengths: [FrameCase] = [
        FrameCase(
            "125 in 2 bytes", [frame(binary, pattern(125), length: [126, 0, 125])], [.refused(1002, "more bytes than")]),
        FrameCase("0 in 2 bytes", [frame(binary, [], length: [126, 0, 0])], [.refused(1002, "more bytes than")]),
        FrameCase(
            "65535 in 8 bytes", [frame(binary, pattern(9), length: [127, 0, 0, 0, 0, 0, 0, 255, 255])],
            [.refused(1002, "more bytes than")]),
        FrameCase(
            "a length with its highest bit", [frame(binary, [], length: [127, 128, 0, 0, 0, 0, 0, 0, 0])],
            [.refused(1002, "highest bit")]),
        FrameCase(
            "a ping that states 2 bytes of length", [frame(ping, [], length: [126, 0, 1])],
            [.refused(1002, "more than 125")]),
        FrameCase(
            "the largest length", [frame(binary, [], length: [127, 127, 255, 255, 255, 255, 255, 255, 255])],
            [.refused(1009, "binary message")]),
    ]

    // MARK: 9: Limits

    private static let limits: [FrameCase] = plainLimits.map { sent in
        sent.limited { ($0.textLimit, $0.binaryLimit, $0.fragmentLimit) = (10, 20, 4) }
    }
    private static let plainLimits: [FrameCase] = [
        FrameCase("a text of the limit", [frame(text, stars(10))], [.text(stars(10))]),
        FrameCase("a text beyond it", [Array(frame(text, stars(11)).prefix(6))], [.refused(1009, "text message")]),
        FrameCase(
            "a text beyond it in parts", [frame(0x01, stars(6)), frame(0x80, stars(5))],
            [.refused(1009, "text message")]),
        FrameCase("a text of the limit in parts", [frame(0x01, stars(6)), frame(0x80, stars(4))], [.text(stars(10))]),
        FrameCase("bytes have their own limit", [frame(binary, pattern(20))], [.binary(pattern(20))]),
        FrameCase("bytes beyond it", [frame(binary, pattern(21))], [.refused(1009, "binary message")]),
        FrameCase("as many parts as allowed", [frame(0x01), frame(0), frame(0), frame(0x80)], [.text("")]),
        FrameCase(
            "one part too many", [frame(0x01), frame(0), frame(0), frame(0), frame(0x80)], [.refused(1009, "fragments")]
        ),
    ]

    // MARK: 12 and 13: Compression

    /// `Hello`, as RFC 7692, section 7.2.3 has it.
    private static let hello = hex("f2 48 cd c9 c9 07 00")

    private static let deflated: [FrameCase] = packed.map(\.deflated)
    private static let packed: [FrameCase] = [
        FrameCase("7.2.3.1", [frame(0xC1, hello)], [.text("Hello")]),
        FrameCase(
            "7.2.3.1 in parts", [frame(0x41, Array(hello.prefix(3))), frame(0x80, Array(hello.dropFirst(3)))],
            [.text("Hello")]),
        FrameCase(
            "7.2.3.1 in parts, with a ping between",
            [frame(0x41, Array(hello.prefix(3))), frame(ping), frame(0x80, Array(hello.dropFirst(3)))],
            [.ping([]), .text("Hello")]),
        FrameCase("7.2.3.3, no compression", [frame(0xC1, hex("00 05 00 fa ff 48 65 6c 6c 6f 00"))], [.text("Hello")]),
        FrameCase("7.2.3.4, BFINAL", [frame(0xC1, hex("f3 48 cd c9 c9 07 00 00"))], [.text("Hello")]),
        FrameCase(
            "7.2.3.5, two blocks", [frame(0xC1, hex("f2 48 05 00 00 00 ff ff ca c9 c9 07 00"))], [.text("Hello")]),
        FrameCase("7.2.3.6, nothing", [frame(0xC1, [0])], [.text("")]),
        FrameCase(
            "a message in the clear", [frame(text, "plain"), frame(0xC2, hello)],
            [.text("plain"), .binary(utf8("Hello"))]),
        FrameCase("two messages", [frame(0xC1, hello), frame(0xC1, hello)], [.text("Hello"), .text("Hello")]),
        FrameCase(
            "7.2.3.2, a window that is kept", [frame(0xC1, hello), frame(0xC1, hex("f2 00 11 00 00"))],
            [.text("Hello"), .refused(1007, "inflated")]),
        FrameCase(
            "RSV1 of a continuation", [frame(0x41, Array(hello.prefix(3))), frame(0xC0, Array(hello.dropFirst(3)))],
            [.refused(1002, "RSV1")]),
        FrameCase("RSV1 of a ping", [frame(0xC9, hello)], [.refused(1002, "RSV1")]),
        FrameCase("RSV2 beside RSV1", [frame(0xE1, hello)], [.refused(1002, "RSV2 or RSV3")]),
        FrameCase("bytes that are not deflated", [frame(0xC1, [0xFF, 0xFF, 0xFF])], [.refused(1007, "inflated")]),
        FrameCase("a block that was cut", [frame(0xC2, hex("00 05 00 fa ff 48 65"))], [.refused(1007, "inflated")]),
        FrameCase("an empty payload with RSV1", [frame(0xC2)], [.refused(1007, "inflated")]),
        FrameCase(
            "a compressed text that is not UTF-8", [frame(0xC1, hex("00 02 00 fd ff c3 28 00"))],
            [.refused(1007, "UTF-8")]),
    ]
}
