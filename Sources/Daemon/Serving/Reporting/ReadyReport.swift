internal import SDPlatform

/// The line that the daemon prints to standard output when it is ready, so that a script can wait for it and read the
/// port from it.
public struct ReadyReport: Sendable, Hashable {
    public struct Listener: Sendable, Hashable {
        /// An IP address without brackets.
        public var address: String
        public var port: Int

        public init(address: String, port: Int) {
            self.address = address
            self.port = port
        }

        /// `http://127.0.0.1:8080`
        public var url: String { address.contains(":") ? "http://[\(address)]:\(port)" : "http://\(address):\(port)" }
    }

    public var version: String
    public var listeners: [Listener]
    public var unixSocket: String?
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

    private var milliseconds: Int {
        let (seconds, attoseconds) = duration.components
        return Int(clamping: seconds).multipliedReportingOverflow(by: 1_000).partialValue
            &+ Int(attoseconds / 1_000_000_000_000_000)
    }

    private var textLine: String {
        let places = listeners.map(\.url) + (unixSocket.map { ["unix:\($0)"] } ?? [])
        let stubs = stubCount == 1 ? "1 stub" : "\(stubCount) stubs"
        return singleLine(
            "stuntdouble \(version) ready on \(places.joined(separator: ", ")) "
                + "(\(stubs) from \(folder), \(milliseconds) ms)") + "\n"
    }

    private var fields: [LogField] {
        [
            LogField("event", "ready"), LogField("version", .string(version)),
            LogField("pid", .integer(Int(SystemCalls.processIdentifier))),
            LogField("port", listeners.first.map { .integer($0.port) } ?? .null),
            LogField(
                "listeners",
                .list(
                    listeners.map { listener in
                        .object([
                            LogField("address", .string(listener.address)), LogField("port", .integer(listener.port)),
                            LogField("url", .string(listener.url)),
                        ])
                    })),
            LogField("unixSocket", unixSocket.map { .string($0) } ?? .null),
            LogField("stubs", .integer(stubCount)), LogField("folder", .string(folder)),
            LogField("milliseconds", .integer(milliseconds)),
        ]
    }
}
