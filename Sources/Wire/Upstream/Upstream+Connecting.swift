package import SDHTTPTransport
package import SDPlatform
import Synchronization

/// Connections for tunnels, whose bytes are relayed unchanged.
extension Upstream {
    /// The normalised host, and the port of an authority; nil if it is invalid.
    package static func hostAndPort(_ authority: ArraySlice<UInt8>) -> (host: String, port: Int)? {
        guard let (host, port) = UpstreamTarget.hostAndPort(authority), let port else { return nil }
        return (host.text, port)
    }

    package typealias Connected = @Sendable (sending Result<FileDescriptorBox, UpstreamProblem>) -> Void

    /// Connects to another server, under the rules for all calls. Callable on the loop's thread.
    /// - Parameters:
    ///   - authority: the host, a colon and the port.
    ///   - done: called once, on the loop's thread, perhaps before this returns.
    package func connect(to authority: ArraySlice<UInt8>, on loop: Loop, _ done: @escaping Connected) {
        let text = String(decoding: authority, as: UTF8.self)
        guard let (host, port) = UpstreamTarget.hostAndPort(authority), let port else {
            return done(.failure(UpstreamProblem(.badURL, "\(text) is no host with a port")))
        }
        if let refusal = refusal(of: host, text) { return done(.failure(refusal)) }
        guard settings.via == nil else {
            let reason = "tunnels do not lead through the proxy of --proxy-via; --enable-browser-proxying opens them"
            return done(.failure(UpstreamProblem(.other, "\(text) cannot be reached: \(reason)")))
        }
        admit(host, text, on: loop, within: .max) { admitted in
            switch admitted {
            case .success(let addresses):
                Dial.start(
                    ServerAddress.read(addresses), port: port, on: loop, within: Self.connectTimeout
                ) { done(Self.connected($0, text)) }
            case .failure(let problem): done(.failure(problem))
            }
        }
    }
}

extension Upstream {
    /// The timeout for connecting a tunnel, in nanoseconds.
    private static let connectTimeout: UInt64 = 10_000_000_000

    private static func connected(
        _ outcome: consuming Dial.Outcome, _ place: String
    ) -> sending Result<FileDescriptorBox, UpstreamProblem> {
        switch consume outcome {
        case .connected(let socket): return .success(FileDescriptorBox(socket))
        case .timedOut:
            return .failure(UpstreamProblem(.timedOut, "\(place) did not accept the connection in time"))
        case .failed(let errno):
            let reason = SystemError(code: errno, call: "connect", path: place).reason
            return .failure(UpstreamProblem(.refusedConnection, "\(place) cannot be reached: \(reason)"))
        }
    }
}

/// Hands a socket from one owner to another.
package final class FileDescriptorBox: Sendable {
    private let descriptor: Mutex<FileDescriptor?>

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = Mutex(consume descriptor)
    }

    /// Takes the socket out, once.
    package func take() -> FileDescriptor? { descriptor.withLock { $0.take() } }
}
