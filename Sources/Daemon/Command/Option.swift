/// One row of the option table. Parsing, help, completion, the manual page and the reference page all come from it.
public struct Option: Sendable {
    /// The long name, without the dashes.
    public let name: String
    /// A one-letter form, where it is worth having.
    public let short: Character?
    /// Other long names of the same option.
    public let aliases: [String]
    public let value: ValueKind
    /// Whether the option may stand alone. The next argument is then taken only if it is such a value.
    public let valueIsOptional: Bool
    /// What stands for the value in the help.
    public let placeholder: String
    /// The default as a user would write it; nil if there is none.
    public let defaultText: String?
    public let group: OptionGroup
    /// One or more sentences, the first of which stands alone in a completion menu.
    public let help: String
    public let standing: Standing
    /// Whether WireMock 3 or 4 has an option of this name.
    public let isWireMock: Bool
    public let commands: Set<CommandName>
    let assign: @Sendable (inout Settings, OptionValue) -> Void

    /// The environment variable that stands in for the option where the command line does not name it.
    public var environmentName: String? {
        guard group != .general else { return nil }
        return Option.environmentPrefix
            + String(decoding: name.uppercased().utf8.map { $0 == 0x2d ? 0x5f : $0 }, as: UTF8.self)
    }

    static let environmentPrefix = "STUNTDOUBLE_"

    /// The name of the opposite of a flag: `--no-verbose`, and `--watch` for `--no-watch`.
    var inverseName: String? {
        guard case .flag = value, case .served = standing, group != .general else { return nil }
        return name.hasPrefix("no-") ? String(name.dropFirst(3)) : "no-" + name
    }

    /// `--port PORT`, or `--verbose`.
    public var usage: String {
        if value == .flag { return "--\(name)" }
        return valueIsOptional ? "--\(name)[=\(placeholder)]" : "--\(name) \(placeholder)"
    }

    var isServed: Bool {
        if case .served = standing { true } else { false }
    }
}

/// What the daemon does about an option.
public enum Standing: Sendable, Hashable {
    case served
    /// Taken, with a line that says why it changes nothing: it tunes the JVM, or turns off what is not there.
    case withoutEffect(String)
    /// A usage error with this reason: it asks for what the daemon does not do.
    case refused(String)
}

/// The sections of the help, in its order.
public enum OptionGroup: String, Sendable, Hashable, CaseIterable {
    case listening = "Listening"
    case stubs = "Stubs and responses"
    case limits = "Limits and timeouts"
    case admin = "Admin API"
    case journal = "Request journal"
    case process = "Logs and process"
    case validation = "Validation"
    case questions = "Questions"
    case general = "General"
    case wireMock = "WireMock"
}

/// The values that the rows of the table write to.
struct Settings: Sendable, Equatable {
    var serve = ServeOptions()
    var validate = ValidateOptions()
    var query = QueryOptions()
    var rootDirectory: String?
    var wantsHelp = false
    var wantsVersion = false
}
