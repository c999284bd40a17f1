internal import SDPlatform

/// The line printed to standard output when the daemon is ready. Scripts wait for it and read the port from it.
public struct ReadyReport: Sendable, Hashable {
    public struct Listener: Sendable, Hashable {
        /// An IP address without brackets.
        public var address: String
        public var port: Int
        /// The protocol of its clients.
        public var kind: Kind

        public enum Kind: Sendable, Hashable {
            case http, https
            /// Either, by the first byte.
            case both
        }

        public init(address: String, port: Int, kind: Kind = .http) {
            self.address = address
            self.port = port
            self.kind = kind
        }

        var takesHTTP: Bool { kind != .https }
        var takesHTTPS: Bool { kind != .http }

        /// `http://127.0.0.1:8080`; two URLs for a listener that accepts both.
        public var urls: [String] {
            let authority = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
            return (takesHTTP ? ["http://\(authority)"] : []) + (takesHTTPS ? ["https://\(authority)"] : [])
        }

        /// The first of `urls`.
        public var url: String { urls[0] }
    }

    public var version: String
    public var listeners: [Listener]
    public var unixSocket: String?
    /// The port of the admin API alone; nil without one.
    public var adminPort: Int?
    /// Why a replica serves without the others; nil if it does not.
    public var isAlone: String?
    /// The URL of the daemon's page; nil without a listener for it.
    public var page: String?
    public var stubCount: Int
    /// The folder as the user named it.
    public var folder: String
    /// The time since the start of the process.
    public var duration: Duration

    public init(
        version: String, listeners: [Listener], unixSocket: String?, stubCount: Int, folder: String, duration: Duration
    ) {
        self.version = version
        self.listeners = listeners
        self.unixSocket = unixSocket
        self.stubCount = stubCount
        self.folder = folder
        self.duration = duration
    }

    /// `stuntdouble 0.1.0 ready on http://127.0.0.1:8080 (12 stubs from mocks, 3 ms)`, or a JSON object with the
    /// process id and all ports; both with a newline.
    public func line(_ format: Log.Format) -> String {
        switch format {
        case .text: textLine
        case .json: LogValue.object(fields).json + "\n"
        }
    }

    /// The plain HTTP port; nil if there is none.
    var httpPort: Int? { listeners.first(where: \.takesHTTP)?.port }

    /// The HTTPS port, preferring one of its own to one for both; nil if there is none.
    var httpsPort: Int? { (listeners.first { $0.kind == .https } ?? listeners.first(where: \.takesHTTPS))?.port }

    /// The ports in a port file: plain HTTP, then HTTPS if it differs.
    public var ports: [Int] {
        let ports = [httpPort, httpsPort].compactMap(\.self)
        return ports.count == 2 && ports[0] == ports[1] ? [ports[0]] : ports
    }

    /// The lines, in WireMock's words, that scripts wait for in its verbose output. In WireMock the port is not open
    /// yet at the first line; here requests are answered from then on.
    public var linesOfWireMock: [String] {
        let ports = [("port", httpPort), ("https-port", httpsPort)].compactMap { name, port -> String? in
            guard let port else { return nil }
            return name + ":" + String(repeating: " ", count: 29 - name.utf8.count) + "\(port)"
        }
        return ["Verbose logging enabled"] + ports
    }

    private var milliseconds: Int {
        let (seconds, attoseconds) = duration.components
        return Int(clamping: seconds).multipliedReportingOverflow(by: 1_000).partialValue
            &+ Int(attoseconds / 1_000_000_000_000_000)
    }

    private var textLine: String {
        let places = listeners.flatMap(\.urls) + (unixSocket.map { ["unix:\($0)"] } ?? [])
        let stubs = stubCount == 1 ? "1 stub" : "\(stubCount) stubs"
        return singleLine(
            "stuntdouble \(version) ready on \(places.joined(separator: ", ")) "
                + "(\(stubs) from \(folder), \(milliseconds) ms)"
                + (isAlone.map { ", without the other replicas: \($0)" } ?? "")) + "\n"
    }

    private var fields: [LogField] {
        [
            LogField("event", "ready"), LogField("version", .string(version)),
            LogField("pid", .integer(Int(SystemCalls.processIdentifier))),
            LogField("port", httpPort.map { .integer($0) } ?? .null),
            LogField("httpsPort", httpsPort.map { .integer($0) } ?? .null),
            LogField(
                "listeners",
                .list(
                    listeners.flatMap { listener in
                        listener.urls.map { url in
                            .object([
                                LogField("address", .string(listener.address)),
                                LogField("port", .integer(listener.port)),
                                LogField("scheme", .string(url.hasPrefix("https:") ? "https" : "http")),
                                LogField("url", .string(url)),
                            ])
                        }
                    })),
            LogField("unixSocket", unixSocket.map { .string($0) } ?? .null),
        ] + (adminPort.map { [LogField("adminPort", .integer($0))] } ?? []) + [
            LogField("page", page.map { .string($0) } ?? .null),
            LogField("stubs", .integer(stubCount)), LogField("folder", .string(folder)),
            LogField("milliseconds", .integer(milliseconds)),
        ] + (isAlone.map { [LogField("withoutReplicas", .string($0))] } ?? [])
    }
}
