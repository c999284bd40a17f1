private import SDCReactor
private import SDCTestTransports
public import SDHTTPTransport
import Testing

extension Server {
    /// Listens with the transport that encrypts by XOR, with the first worker. Before the server runs.
    /// - Parameter takesPlain: whether connections that do not begin with its first byte are plain.
    /// - Returns: the port.
    public func listenByXOR(seed: Int, takesPlain: Bool = false, tag: UInt64 = 0) throws -> UInt16 {
        let port = xor_listen(loop(of: 0), UInt32(seed), takesPlain ? CR_PLAIN_OR_SECURED : CR_SECURED, tag)
        if port < 0 { throw CallFailure("listen by XOR") }
        return UInt16(port)
    }
}

/// How often all connections that encrypt by XOR had to wait for the other direction, or acted otherwise than a plain
/// socket does.
public struct XORWaits: Sendable {
    public let readsForWritable, writesForReadable, partialWrites, pendingReads: UInt64

    /// Up to now.
    public static var counted: XORWaits {
        let counts = xor_count_waits()
        return XORWaits(
            readsForWritable: counts.reads_that_waited_for_writable,
            writesForReadable: counts.writes_that_waited_for_readable, partialWrites: counts.partial_writes,
            pendingReads: counts.reads_of_pending_bytes)
    }
}

/// A client of the transport that encrypts by XOR: sends and receives what is inside of its records.
public final class XORClient {
    private let raw: RawClient
    private var generator: SeededGenerator
    private var sent: UInt64 = 0
    private var received: UInt64 = 0
    /// Data that came and was not asked for yet.
    private var waiting: [UInt8] = []
    /// `F` came.
    public private(set) var sawFarewell = false
    private var maySend = true

    /// Shakes hands, unless that is left to the test.
    /// - Parameter receiveBuffer: about so many bytes are received before they are asked for; as usual where nil.
    public init(port: UInt16, seed: Int, greeting: String = "XOR?", receiveBuffer: Int32? = nil) throws {
        raw = try RawClient(port: port)
        if let receiveBuffer { raw.shrinkReceiveBuffer(to: receiveBuffer) }
        generator = SeededGenerator(seed: UInt64(seed))
        try raw.send(greeting)
        if ["XOR?", "XORM"].contains(greeting) { expectWire(raw.receive(4), "XOR!", .open) }
    }

    /// What comes without being looked at, for those who did not shake hands.
    public func receiveRaw() -> RawClient.Received { raw.receiveAll() }

    // MARK: Sending

    public func send(_ text: String) throws { try send(wire(text)) }

    /// Sends in records of any size, some of which arrive in parts.
    public func send(_ bytes: [UInt8]) throws {
        var stream: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let data = rest.prefix(Int.random(in: 1...4000, using: &generator))
            rest = rest.dropFirst(data.count)
            stream += record("D", data.map(encrypted))
        }
        try sendRaw(stream)
    }

    /// The beginning of a record, which never ends.
    public func sendHalfARecord() throws {
        try raw.send(Array(record("D", wire("GET / HTTP/1.1")).dropLast(3)))
    }

    private func sendRaw(_ stream: [UInt8]) throws {
        let cut = Int.random(in: 0...stream.count, using: &generator)
        try raw.send(Array(stream[..<cut]))
        try raw.send(Array(stream[cut...]))
    }

    private func encrypted(_ byte: UInt8) -> UInt8 {
        defer { sent += 1 }
        return byte ^ xor_key(sent)
    }

    private func record(_ kind: Unicode.Scalar, _ data: [UInt8] = []) -> [UInt8] {
        [UInt8(ascii: kind), UInt8(data.count & 0xff), UInt8(data.count >> 8)] + data
    }

    /// Ends the data of this side; answers still arrive.
    public func finishSending() throws {
        maySend = false
        try raw.send(record("F"))
        raw.finishSending()
    }

    public func close() { raw.close() }

    public func reset() { raw.reset() }

    // MARK: Receiving

    /// Receives until `count` bytes are there, the server ends the connection, or the time is over.
    public func receive(_ count: Int, within milliseconds: Int = 60_000) throws -> RawClient.Received {
        var ending = RawClient.Ending.open
        while waiting.count < count, ending == .open {
            let head = raw.receive(3, within: milliseconds)
            ending = head.ending
            guard head.bytes.count == 3 else { break }
            let length = Int(head.bytes[1]) | Int(head.bytes[2]) << 8
            let data = raw.receive(length, within: milliseconds)
            guard data.bytes.count == length else { break }
            try take(head.bytes[0], data.bytes)
        }
        let bytes = Array(waiting.prefix(count))
        waiting.removeFirst(bytes.count)
        return RawClient.Received(bytes, ending)
    }

    /// Receives until the server ends the connection, or the time is over.
    public func receiveAll(within milliseconds: Int = 60_000) throws -> RawClient.Received {
        try receive(.max, within: milliseconds)
    }

    private func take(_ kind: UInt8, _ data: [UInt8]) throws {
        switch Unicode.Scalar(kind) {
        case "D":
            for byte in data {
                waiting.append(byte ^ xor_key(received))
                received += 1
            }
        case "P":
            // A client that went on sending may be gone.
            if maySend { try? raw.send(record("R")) }
        case "F": sawFarewell = true
        case "U": break
        default: throw UnknownRecord(kind: kind)
        }
    }

    private struct UnknownRecord: Error {
        let kind: UInt8
    }
}
