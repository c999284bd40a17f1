/// The kind of an option's value.
public enum ValueKind: Sendable, Equatable {
    case flag
    case integer(ClosedRange<Int>)
    /// A decimal number, such as `0.1`.
    case factor(ClosedRange<Double>)
    /// A number of bytes, such as `65536`, `64KiB` or `10MB`.
    case size(ClosedRange<Int>)
    /// A duration, such as `500ms`, `5s`, `1.5m` or `1h`.
    case duration
    /// A whole number of milliseconds, as in WireMock; a unit is allowed.
    case milliseconds
    /// Any non-empty text.
    case text
    case file
    case folder
    case socketPath
    /// One of these words, in any case.
    case choice([String])
    /// A comma-separated list; the option may also be repeated.
    case list(ListElement)
    /// The address of a running daemon: `http://127.0.0.1:8080`.
    case serverURL
    /// The base URL of another server: `https://real.example/v1`.
    case targetURL
    /// A proxy: `host`, `host:port`, `user:password@host:port`.
    case proxyAddress
    /// A header line, `Name: value`; the option may be repeated.
    case header
    /// `USER:PASSWORD`, which messages never repeat.
    case credentials
    /// A text that messages never repeat.
    case secret
    /// A text that messages never repeat, and that may be empty.
    case password

    public enum ListElement: Sendable, Equatable {
        case address
        case origin
        case hostName
        /// The class of a WireMock extension that is built in.
        case javaClass
        /// A reason to fail a verdict; `none` alone means no reason.
        case failReason
        /// One of these words.
        case word([String])
        case text
    }

    /// Whether messages must not repeat the value.
    var isSecret: Bool {
        switch self {
        case .credentials, .secret, .password: true
        default: false
        }
    }
}

/// A value parsed by its `ValueKind`.
enum OptionValue: Sendable, Equatable {
    case flag(Bool)
    /// Numbers and sizes.
    case integer(Int)
    case duration(Duration)
    case factor(Double)
    /// Text, paths, choices and secrets.
    case text(String)
    case list([String])
    case credentials(BasicCredentials)
}
