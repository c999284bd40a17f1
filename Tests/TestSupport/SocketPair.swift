#if canImport(Glibc)
    private import Glibc
#elseif canImport(Darwin)
    private import Darwin
#endif

/// Two ends of a connection inside of this process, closed when this goes away.
public final class SocketPair: Sendable {
    public let near: Int32
    private let far: Int32

    public init() throws(CallFailure) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let code = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        #else
            let code = socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
        #endif
        guard code == 0 else { throw CallFailure("open a pair of sockets") }
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(near)
        close(far)
    }

    /// Makes the near end readable.
    public func sendFromFar() {
        _ = [UInt8(0x78)].withUnsafeBytes { write(far, $0.baseAddress, 1) }
    }

    /// Takes one byte from the near end, where one is waiting.
    public func receive() -> Bool {
        var byte: UInt8 = 0
        return recv(near, &byte, 1, Int32(MSG_DONTWAIT)) == 1
    }
}

/// A descriptor of a file that is empty, closed when this goes away.
public final class OpenFile: Sendable {
    public let descriptor: Int32

    public init(in folder: TemporaryFolder) throws(CallFailure) {
        descriptor = open(folder.path + "/empty", O_RDWR | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw CallFailure("open a file") }
    }

    deinit {
        close(descriptor)
    }
}

/// Tells threads apart.
public enum ThreadIdentity {
    public static var current: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
