#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

extension SystemCalls {
    /// Why a name has no address.
    public enum NameProblem: Error, Sendable, Equatable {
        /// The host does not exist.
        case unknown
        /// The resolver failed, with the system's message.
        case failed(String)
    }

    /// Resolves a host to numeric addresses, in the system's order. Blocks on the network.
    public static func addresses(of name: String) throws(NameProblem) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else {
            if code == EAI_NONAME { throw .unknown }
            throw .failed(gai_strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var entry = list
        while let one = entry {
            if let text = numericAddress(one.pointee), !found.contains(text) { found.append(text) }
            entry = one.pointee.ai_next
        }
        return found
    }

    private static func numericAddress(_ entry: addrinfo) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
            let code = getnameinfo(
                entry.ai_addr, entry.ai_addrlen, text.baseAddress, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            guard code == 0, let start = text.baseAddress else { return nil }
            return String(cString: start)
        }
    }

    /// The 4 or 16 bytes of a numeric address; nil for any other text.
    public static func addressBytes(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let isShort = bytes.withUnsafeMutableBytes { inet_pton(AF_INET, text, $0.baseAddress) } == 1
        if isShort { return Array(bytes[..<4]) }
        let isLong = bytes.withUnsafeMutableBytes { inet_pton(AF_INET6, text, $0.baseAddress) } == 1
        return isLong ? bytes : nil
    }

    /// The four bytes of an IPv4 address in any notation that `getaddrinfo` accepts without a look-up: one to four
    /// numbers, each decimal, octal or hexadecimal, the last one for all remaining bytes. Nil for any other text.
    public static func looseAddressBytes(_ text: String) -> [UInt8]? {
        var address = in_addr()
        guard inet_aton(text, &address) != 0 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }

    /// The numeric text of an address of 4 or 16 bytes.
    public static func addressText(_ bytes: [UInt8]) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            guard bytes.count == 4 || bytes.count == 16, let start = text.baseAddress,
                inet_ntop(family, bytes, start, socklen_t(text.count)) != nil
            else { return "" }
            return String(cString: start)
        }
    }
}
