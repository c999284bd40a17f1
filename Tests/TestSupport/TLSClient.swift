private import SDCTestTransports

/// A client of TLS that is another implementation's to the server only in its role: OpenSSL over a raw client, so that a
/// test decides which bytes arrive when. For one thread at a time.
public final class TLSClient {
    public struct Options {
        public var serverName: String? = "localhost"
        /// What is offered by ALPN; nothing is where this is empty.
        public var protocols: [String] = []
        /// The only version that is spoken, such as 0x0303 for TLS 1.2; today's where 0.
        public var version: Int32 = 0
        /// The ciphers of TLS 1.2 that are offered, as OpenSSL names them; its own where nil.
        public var ciphers: String?
        /// The authority that is trusted, in PEM; everyone is where nil.
        public var trust: String?
        /// A certificate and its key in PEM.
        public var identity: (certificate: String, key: String)?
        /// The client whose session is resumed.
        public var resumed: TLSClient?
        /// The most bytes that are sent at once in the handshake.
        public var portion = Int.max
        public var receiveBuffer: Int32?

        public init() {}
    }

    public let raw: RawClient
    private let client: OpaquePointer
    private let portion: Int
    /// The server has said that nothing more comes.
    public private(set) var sawFarewell = false

    /// Connects, and shakes no hands yet.
    public init(port: UInt16, _ options: Options = Options()) throws {
        raw = try RawClient(port: port)
        if let receiveBuffer = options.receiveBuffer { raw.shrinkReceiveBuffer(to: receiveBuffer) }
        portion = options.portion
        guard let client = Self.make(options) else { throw CallFailure("make a client of TLS") }
        self.client = client
    }

    /// Connects and shakes hands.
    /// - Throws: that this failed.
    public static func connected(to port: UInt16, _ change: (inout Options) -> Void = { _ in }) throws -> TLSClient {
        var options = Options()
        change(&options)
        let client = try TLSClient(port: port, options)
        guard try client.shake() == .complete else { throw CallFailure("shake hands: \(client.problem)") }
        return client
    }

    deinit {
        tls_client_free(client)
    }

    private static func make(_ options: Options) -> OpaquePointer? {
        let protocols = options.protocols.flatMap { [UInt8($0.utf8.count)] + wire($0) }
        return withOptional(options.serverName) { name in
            withOptional(options.trust) { trust in
                withOptional(options.identity?.certificate) { certificate in
                    withOptional(options.identity?.key) { key in
                        withOptional(options.ciphers) { ciphers in
                            protocols.withUnsafeBufferPointer { protocols in
                                var raw = tls_client_options()
                                raw.server_name = name
                                raw.protocols = protocols.isEmpty ? nil : protocols.baseAddress
                                raw.protocols_length = protocols.count
                                raw.min_version = options.version == 0 ? 0x0303 : options.version
                                raw.max_version = options.version
                                raw.ciphers = ciphers
                                raw.trust = trust
                                raw.certificate = certificate
                                raw.key = key
                                raw.resumed = options.resumed?.client
                                return tls_client_new(&raw)
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: The handshake

    public enum Handshake: Sendable, Equatable {
        case complete
        /// The server ended the connection, or said why it does not go on; see `problem`.
        case failed
        /// Nothing comes.
        case waiting
    }

    public func shake(within milliseconds: Int = 60_000) throws -> Handshake {
        while true {
            let result = tls_client_handshake(client)
            // The server may be gone.
            try? flush()
            if result == 1 { return .complete }
            if result == Int32(TLS_CLIENT_FAILED) { return .failed }
            let received = raw.receiveSome(within: milliseconds)
            if received.bytes.isEmpty { return received.ending == .open ? .waiting : .failed }
            take(received.bytes)
        }
    }

    public var problem: String { String(cString: tls_client_problem(client)) }
    public var version: String { String(cString: tls_client_version(client)) }
    public var isResumed: Bool { tls_client_is_resumed(client) }

    /// What ALPN chose; nil for nothing.
    public var chosenProtocol: String? {
        var name: UnsafePointer<UInt8>?
        let length = tls_client_protocol(client, &name)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self) }
    }

    /// The common name of the server's certificate.
    public var certificateName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 200) { room in
            guard let start = room.baseAddress else { return "" }
            tls_client_server(client, start, room.count)
            return String(cString: start)
        }
    }

    // MARK: Sending

    public func send(_ text: String) throws { try send(wire(text)) }

    public func send(_ bytes: [UInt8]) throws {
        try raw.send(encrypted(bytes))
    }

    /// Bytes as they are on the wire.
    public func encrypted(_ bytes: [UInt8]) throws -> [UInt8] {
        guard tls_client_write(client, bytes, bytes.count) else { throw CallFailure("encrypt") }
        return given()
    }

    /// Says that nothing more comes; answers still arrive.
    public func finishSending() throws {
        tls_client_end(client)
        try flush()
        raw.finishSending()
    }

    /// Changes the keys of both sides.
    public func updateKeys() throws {
        guard tls_client_update_keys(client) else { throw CallFailure("update keys") }
        try flush()
    }

    private func flush() throws {
        var rest = given()[...]
        while !rest.isEmpty {
            let count = min(portion, rest.count)
            try raw.send(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
    }

    /// What is to be sent.
    private func given() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part = [UInt8](unsafeUninitializedCapacity: 65_536) { room, count in
                count = tls_client_read_output(client, room.baseAddress, room.count)
            }
            if part.isEmpty { return bytes }
            bytes += part
        }
    }

    // MARK: Receiving

    /// Receives until `count` bytes are there, the server ends the connection, or the time is over.
    public func receive(_ count: Int, within milliseconds: Int = 60_000) -> RawClient.Received {
        var received = RawClient.Received([], .open)
        while received.bytes.count < count {
            let part = [UInt8](unsafeUninitializedCapacity: min(count - received.bytes.count, 65_536)) { room, length in
                length = max(read(room), 0)
            }
            received.bytes += part
            if !part.isEmpty { continue }
            if sawFarewell {
                received.ending = .fin
                break
            }
            let wire = raw.receiveSome(within: milliseconds)
            take(wire.bytes)
            received.ending = wire.ending
            if wire.bytes.isEmpty { break }
        }
        return received
    }

    private func read(_ room: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let count = tls_client_read(client, room.baseAddress, room.count)
        if count == Int(TLS_CLIENT_ENDED) { sawFarewell = true }
        return count
    }

    /// Receives `count` bytes as a slow client does: a portion, then a pause.
    public func receiveSlowly(_ count: Int, portion: Int, everyMilliseconds pause: Int) -> RawClient.Received {
        var received = RawClient.Received([], .open)
        while received.bytes.count < count, received.ending == .open {
            let part = receive(min(portion, count - received.bytes.count))
            received = RawClient.Received(received.bytes + part.bytes, part.ending)
            if part.bytes.isEmpty { break }
            Sockets.pause(milliseconds: pause)
        }
        return received
    }

    /// Receives until the server ends the connection, or the time is over.
    public func receiveAll(within milliseconds: Int = 60_000) -> RawClient.Received {
        receive(.max, within: milliseconds)
    }

    private func take(_ bytes: [UInt8]) {
        tls_client_feed(client, bytes, bytes.count)
    }

    public func close() { raw.close() }
}

/// Calls `body` with a C string, or with nil.
private func withOptional<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString(body)
}
