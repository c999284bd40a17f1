package import SDHTTPTransport
package import SDPlatform
import Synchronization

/// Connections for tunnels, whose bytes are passed on as they are.
extension Upstream {
    /// The host, in the form in which it is judged, and the port of an authority; nil if it is none.
    package static func hostAndPort(_ authority: ArraySlice<UInt8>) -> (host: String, port: Int)? {
        guard let (host, port) = UpstreamTarget.hostAndPort(authority), let port else { return nil }
        return (host.text, port)
    }

    package typealias Connected = @Sendable (sending Result<FileDescriptorBox, UpstreamProblem>) -> Void

    /// Connects to another server, by the rules of all calls. Callable on the loop's thread.
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
            return done(.failure(UpstreamProblem(.other, "tunnels do not lead through the proxy of --proxy-via")))
        }
        admit(host, text, on: loop, within: .max) { admitted in
            switch admitted {
            case .success(let addresses): Connecting(text, port, loop, addresses, done).next(nil)
            case .failure(let problem): done(.failure(problem))
            }
        }
    }
}

/// A socket on its way from one owner to another.
package final class FileDescriptorBox: Sendable {
    private let descriptor: Mutex<FileDescriptor?>

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = Mutex(consume descriptor)
    }

    /// Takes the socket out, once.
    package func take() -> FileDescriptor? { descriptor.withLock { $0.take() } }
}

/// One connection that is being made: one address after the other. Used on its loop's thread alone.
private final class Connecting: @unchecked Sendable {
    /// The time for each address, in nanoseconds.
    private static let patience: UInt64 = 10_000_000_000

    private let place: String
    private let port: Int
    private let loop: Loop
    private var done: Upstream.Connected?
    private var addresses: ArraySlice<String>
    private var timer: ScheduledWork?
    private var watch: DescriptorWatch?
    private var socket: FileDescriptorBox?
    private var problem: UpstreamProblem?

    init(_ place: String, _ port: Int, _ loop: Loop, _ addresses: [String], _ done: @escaping Upstream.Connected) {
        (self.place, self.port, self.loop, self.addresses, self.done) = (place, port, loop, addresses[...], done)
    }

    private func fail(_ problem: UpstreamProblem) {
        timer?.cancel()
        watch?.stop()
        (timer, watch, socket) = (nil, nil, nil)
        done.take()?(.failure(problem))
    }

    /// Tries the next address.
    func next(_ failure: UpstreamProblem?) {
        timer?.cancel()
        watch?.stop()
        (watch, socket) = (nil, nil)
        if problem == nil { problem = failure }
        guard let address = addresses.popFirst() else {
            return fail(problem ?? UpstreamProblem(.other, "\(place) has no address"))
        }
        do throws(SystemError) {
            let socket = try SystemCalls.beginConnecting(address: address, port: port)
            let number = socket.number
            self.socket = FileDescriptorBox(socket)
            timer = loop.after(nanoseconds: Self.patience) { [self] in
                next(UpstreamProblem(.timedOut, "\(place) did not accept the connection in time"))
            }
            watch = try? loop.watch(descriptor: number, for: .writable) { [self] _ in settle(number) }
            if watch == nil { fail(UpstreamProblem(.other, "the connection to \(place) cannot be watched")) }
        } catch {
            next(Self.problem(error, place))
        }
    }

    private func settle(_ number: Int32) {
        if let error = SystemCalls.connectionProblem(of: number, to: place) { return next(Self.problem(error, place)) }
        timer?.cancel()
        watch?.stop()
        (timer, watch) = (nil, nil)
        guard let socket = socket.take() else { return }
        done.take()?(.success(socket))
    }

    private static func problem(_ error: SystemError, _ place: String) -> UpstreamProblem {
        UpstreamProblem(.refusedConnection, "\(place) cannot be reached: \(error.reason)")
    }
}
