/// The kind of value that an option takes.
public enum ValueKind: Sendable, Equatable {
    case flag
    case integer(ClosedRange<Int>)
    /// Bytes: `65536`, `64KiB`, `10MB`.
    case size(ClosedRange<Int>)
    /// `500ms`, `5s`, `1.5m`, `1h`.
    case duration
    /// A whole number of milliseconds, WireMock's form; a unit may follow.
    case milliseconds
    /// Any text that is not empty.
    case text
    case file
    case folder
    case socketPath
    /// One of these words, in any case.
    case choice([String])
    /// A comma-separated list; the option may also be repeated.
    case list(ListElement)
    /// A running daemon: `http://127.0.0.1:8080`.
    case serverURL
    /// A header line, `Name: value`; the option may be repeated.
    case header
    /// `USER:PASSWORD`. Never repeated in a message.
    case credentials
    /// A text that is never repeated in a message.
    case secret

    public enum ListElement: Sendable, Equatable {
        case address
        case origin
        case hostName
        case text
    }

    /// True for a value that must not be repeated in a message.
    var isSecret: Bool {
        switch self {
        case .credentials, .secret: true
        default: false
        }
    }
}

/// A value that was read by its `ValueKind`.
enum OptionValue: Sendable, Equatable {
    case flag(Bool)
    /// Numbers and sizes.
    case integer(Int)
    case duration(Duration)
    /// Text, paths, choices and secrets.
    case text(String)
    case list([String])
    case credentials(BasicCredentials)
}
