#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A socket address to connect to.
struct SocketAddress: Sendable, Hashable {
    let family: Int32
    /// The system's `sockaddr`.
    let bytes: [UInt8]

    /// Resolves a host to at least one address, in order of preference. Names other than `localhost` are looked up on a
    /// separate thread, because a look-up may be slow.
    /// - Parameter then: called once; with a failure for an unknown host.
    static func resolve(
        _ host: String, port: Int, _ then: @escaping @Sendable (Result<[SocketAddress], MockServerError>) -> Void
    ) {
        let take: @Sendable ([SocketAddress]) -> Void = { found in
            then(found.isEmpty ? .failure(MockServerError("\(host): there is no such host")) : .success(found))
        }
        let numeric = numericHosts(host).flatMap { lookUp($0, port: port, isNumeric: true) }
        if !numeric.isEmpty { return take(numeric) }
        let isStarted = SocketCalls.startThread { take(lookUp(host, port: port, isNumeric: false)) }
        if !isStarted { take([]) }
    }

    /// Resolves a host to at least one address, in order of preference.
    /// - Throws: `MockServerError` for an unknown host.
    static func resolve(_ host: String, port: Int) async throws(MockServerError) -> [SocketAddress] {
        try await withCheckedContinuation { continuation in
            resolve(host, port: port) { continuation.resume(returning: $0) }
        }.get()
    }

    /// The loopback addresses for `localhost` and names below it, on every system.
    private static func numericHosts(_ host: String) -> [String] {
        let name = host.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") ? ["127.0.0.1", "::1"] : [host]
    }

    private static func lookUp(_ host: String, port: Int, isNumeric: Bool) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0)
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                let bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
                addresses.append(SocketAddress(family: entry.ai_family, bytes: bytes))
            }
            next = entry.ai_next
        }
        return addresses
    }
}
