import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// Faults over HTTP/2, as the frames that a client gets.
@Suite(.enabled(if: HTTPVersion.http2Problem == nil, "nghttp2 is not here")) struct HTTP2FaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fault: String
        /// Further members of the response.
        var response = ""
        /// The frames of the answer.
        let frames: String
        var ending = RawClient.Ending.open
        /// What the serve event says of the faults.
        let acted: String

        var testDescription: String { fault }
    }

    private static let garbage = "(lskdu018973t09sylgasjkfg1][]'./.sdlv)"

    private static func cut(_ end: String, _ frames: String, _ ending: RawClient.Ending = .open) -> Case {
        Case(
            fault: #"{"cutAfter": 4, "then": \#(end)}"#,
            frames: "HEADERS DATA(0123)" + (frames.isEmpty ? "" : " " + frames), ending: ending, acted: "cutAfter[4]")
    }

    static let all: [Case] = [
        cut(#""fin""#, "", .fin), cut(#""rst""#, "", .rst), cut(#""cut""#, "", .fin), cut(#""hang""#, ""),
        cut(#""garbage""#, garbage, .fin), cut(#"{"resetStream": "CANCEL"}"#, "RST_STREAM(8)"),
        cut(#"{"resetStream": 4294967295}"#, "RST_STREAM(4294967295)"),
        cut(#"{"goAway": "ENHANCE_YOUR_CALM", "lastStream": 0}"#, "GOAWAY(0, 11)", .fin),
        cut(#"{"goAway": "NO_ERROR"}"#, "GOAWAY(1, 0)", .fin),
        Case(
            fault: #"{"cutAfter": "nothing", "then": {"resetStream": "REFUSED_STREAM"}}"#, frames: "RST_STREAM(7)",
            acted: "cutAfter[]"),
        Case(
            fault: #"{"cutAfter": "headers", "then": {"resetStream": "INTERNAL_ERROR"}}"#,
            frames: "HEADERS RST_STREAM(2)", acted: "cutAfter[]"),
        Case(
            fault: #"{"dropTrailers": true}"#, response: #", "trailers": {"T": "1"}"#,
            frames: "HEADERS DATA(0123456789)!", acted: "dropTrailers[]"),
        Case(
            fault: #"{"probability": 0, "dropTrailers": true}"#, response: #", "trailers": {"T": "1"}"#,
            frames: "HEADERS DATA(0123456789) HEADERS!", acted: ""),
        Case(fault: #"{"status": 503}"#, frames: "HEADERS DATA(503: a fault answers\n)!", acted: "status[]"),
        Case(fault: #"{"neverAnswer": true}"#, frames: "", acted: "neverAnswer[]"),
        // WireMock's own, byte for byte as from its HTTP/2.
        Case(fault: #"{"kind": "EMPTY_RESPONSE"}"#, frames: "", ending: .fin, acted: "kind[]"),
        Case(fault: #"{"kind": "CONNECTION_RESET_BY_PEER"}"#, frames: "", ending: .rst, acted: "kind[]"),
        Case(
            fault: #"{"kind": "MALFORMED_RESPONSE_CHUNK"}"#, frames: "HEADERS " + garbage, ending: .fin,
            acted: "kind[]"),
        Case(fault: #"{"kind": "RANDOM_DATA_THEN_CLOSE"}"#, frames: garbage, ending: .fin, acted: "kind[]"),
    ]

    @Test(arguments: all) func anAnswerBreaksAsItsFaultSays(_ example: Case) throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"urlPath": "/x"}, "response": {"body": "0123456789", "fault": \#(example.fault)\#(example.response)}}"#
        )
        let client = try FrameClient(port: mock.port)
        try client.ask("/x")
        let seen = client.receive(until: example.frames, example.ending)
        #expect(seen.frames == example.frames)
        #expect(seen.ending == example.ending)
        let event = eventually(within: 5_000) {
            mock.session.events.first { $0.faults.map(\.text).joined(separator: " ") == example.acted }
        }
        #expect(event != nil, "\(mock.session.events.map { $0.faults.map(\.text) })")
    }

    @Test func theWindowOfAnUploadThatIsNeverReadIsNotWidened() throws {
        let mock = try TestMock()
        _ = try mock.admin("POST", "/faults", #"{"request": {"urlPath": "/x"}, "neverRead": true}"#, status: 201)
        let client = try FrameClient(port: mock.port)
        try client.ask("/x", isWhole: false)
        // All that its window allows.
        for count in [16_384, 16_384, 16_384, 16_383] {
            try client.send(0, stream: 1, [UInt8](repeating: 0x62, count: count))
        }
        let seen = client.receiveUntilQuiet(milliseconds: 200)
        #expect(seen.frames == "" && seen.ending == .open)
        #expect(!client.widened.contains(1))
        #expect(try mock.admin("GET", "/faults")["faults"]?[0]?["acted"] == 1)
        #expect(mock.session.events.isEmpty)
    }

    @Test func settingsNeverCome() throws {
        let mock = try TestMock()
        _ = try mock.admin("POST", "/faults", #"{"http2": "noSettings", "first": 1}"#, status: 201)
        let client = try FrameClient(port: mock.port)
        try client.ask("/x")
        let seen = client.receiveUntilQuiet(milliseconds: 200)
        #expect(seen.frames == "" && seen.ending == .open && !client.sawSettings)
        #expect(try mock.admin("GET", "/faults")["faults"]?[0]?["acted"] == 1)
        // Only the first connection.
        let next = try FrameClient(port: mock.port)
        try next.ask("/__admin/health")
        #expect(next.receive(until: "HEADERS", .open).frames.hasPrefix("HEADERS") && next.sawSettings)
    }

    @Test func aConnectionMayBeginWithGarbage() throws {
        let mock = try TestMock()
        _ = try mock.admin("POST", "/faults", #"{"http2": "garbage"}"#, status: 201)
        let client = try FrameClient(port: mock.port)
        try? client.ask("/x")
        let seen = client.receive(until: Self.garbage, .fin)
        #expect(seen.frames == Self.garbage && seen.ending != .open && !client.sawSettings)
        // Other protocols begin as ever.
        #expect(try Exchange(mock.port, "GET", "/x").status == 404)
        #expect(try mock.admin("GET", "/faults")["faults"]?[0]?["acted"] == 1)
    }
}

/// A client of HTTP/2 that asks one thing and writes down the frames that it gets.
private final class FrameClient {
    private let raw: RawClient
    private var bytes: [UInt8] = []
    private var frames: [String] = []
    private(set) var sawSettings = false
    /// The streams whose windows were widened.
    private(set) var widened: [Int] = []

    init(port: UInt16) throws {
        raw = try RawClient(port: port)
        try raw.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        try send(4, stream: 0, [])
    }

    func send(_ kind: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8]) throws {
        let length = [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255)]
        try raw.send(length + [kind, flags, 0, 0, 0, stream] + payload)
    }

    /// Sends a GET on stream 1, or the head of a POST.
    func ask(_ path: String, isWhole: Bool = true) throws {
        // Fields of the static table (RFC 7541, appendix A), and literals with names of it.
        let path = wire(path)
        let block = [isWhole ? 0x82 : 0x83, 0x86, 0x01, 1, UInt8(ascii: "a"), 0x04, UInt8(path.count)] + path
        try send(1, flags: isWhole ? 5 : 4, stream: 1, block)
    }

    /// Receives until the frames are there and the connection has ended, unless it is to stay open.
    func receive(until text: String, _ ending: RawClient.Ending) -> (frames: String, ending: RawClient.Ending) {
        while true {
            let part = raw.receiveSome(within: ending == .open && !text.isEmpty && seen.hasPrefix(text) ? 50 : 5_000)
            take(part.bytes)
            if part.ending != .open { return (seen, part.ending) }
            if part.bytes.isEmpty { return (seen, .open) }
            if ending == .open, text.isEmpty { return receiveUntilQuiet(milliseconds: 100) }
        }
    }

    func receiveUntilQuiet(milliseconds: Int) -> (frames: String, ending: RawClient.Ending) {
        let rest = raw.receiveUntilQuiet(milliseconds: milliseconds)
        take(rest.bytes)
        return (seen, rest.ending)
    }

    private var seen: String {
        let rest = bytes.isEmpty ? [] : ["(\(String(decoding: bytes, as: UTF8.self)))"]
        return (frames + rest).joined(separator: " ")
    }

    private func take(_ more: [UInt8]) {
        bytes += more
        while bytes.count >= 9 {
            let length = number(bytes[..<3])
            guard bytes.count >= 9 + length, bytes[3] < 10 else { return }
            note(bytes[3], bytes[4], number(bytes[5..<9]), bytes[9..<9 + length])
            bytes.removeFirst(9 + length)
        }
    }

    private func note(_ kind: UInt8, _ flags: UInt8, _ stream: Int, _ payload: ArraySlice<UInt8>) {
        let end = flags & 1 == 1 ? "!" : ""
        switch kind {
        case 0: frames.append("DATA(\(String(decoding: payload, as: UTF8.self)))" + end)
        case 1: frames.append("HEADERS" + end)
        case 3: frames.append("RST_STREAM(\(number(payload)))")
        case 4: sawSettings = true
        case 7: frames.append("GOAWAY(\(number(payload.prefix(4))), \(number(payload.dropFirst(4).prefix(4))))")
        case 8: widened.append(stream)
        default: frames.append("FRAME \(kind)")
        }
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
