/// The kinds of rows. Each row has the setting that its option writes to, and reads the default from there.
extension Option {
    /// Makes the key path of a setting. Lazy, because making those of all rows takes longer than parsing the command
    /// line.
    typealias Setting<Value> = @Sendable () -> any WritableKeyPath<Settings, Value> & Sendable

    private init(
        _ name: String, short: Character? = nil, aliases: [String] = [], _ value: ValueKind,
        valueIsOptional: Bool = false, _ placeholder: String,
        default makeDefaultText: @autoclosure @escaping @Sendable () -> String?, _ group: OptionGroup,
        support: OptionSupport = .served, wireMock: Bool, commands: [CommandName], _ help: String,
        assign: @escaping @Sendable (inout Settings, OptionValue) -> Void
    ) {
        self.name = name
        self.short = short
        self.aliases = aliases
        self.value = value
        self.valueIsOptional = valueIsOptional
        self.placeholder = placeholder
        self.makeDefaultText = makeDefaultText
        self.group = group
        self.help = help
        self.support = support
        self.isWireMock = wireMock
        self.commands = commands
        self.assign = assign
    }

    static func flag(
        _ name: String, short: Character? = nil, _ setting: @autoclosure @escaping Setting<Bool>, sets: Bool = true,
        _ group: OptionGroup,
        wireMock: Bool = false, commands: [CommandName] = [.serve], _ help: String
    ) -> Option {
        Option(
            name, short: short, .flag, "", default: nil, group, wireMock: wireMock, commands: commands, help
        ) { settings, value in
            if case .flag(let isOn) = value { settings[keyPath: setting()] = isOn ? sets : !sets }
        }
    }

    static func integer(
        _ name: String, short: Character? = nil, _ range: ClosedRange<Int>, _ placeholder: String,
        _ setting: @autoclosure @escaping Setting<Int>, _ group: OptionGroup, wireMock: Bool = false,
        commands: [CommandName] = [.serve], _ help: String
    ) -> Option {
        Option(
            name, short: short, .integer(range), placeholder, default: String(Settings()[keyPath: setting()]), group,
            wireMock: wireMock, commands: commands, help
        ) { settings, value in
            if case .integer(let number) = value { settings[keyPath: setting()] = number }
        }
    }

    static func size(
        _ name: String, aliases: [String] = [], _ range: ClosedRange<Int>,
        _ setting: @autoclosure @escaping Setting<Int>,
        _ group: OptionGroup, _ help: String
    ) -> Option {
        Option(
            name, aliases: aliases, .size(range), "SIZE", default: sizeText(Settings()[keyPath: setting()]), group,
            wireMock: false, commands: [.serve], help
        ) { settings, value in
            if case .integer(let bytes) = value { settings[keyPath: setting()] = bytes }
        }
    }

    static func duration(
        _ name: String, _ setting: @autoclosure @escaping Setting<Duration>, _ group: OptionGroup, _ help: String
    ) -> Option {
        Option(
            name, .duration, "DURATION", default: durationText(Settings()[keyPath: setting()]), group,
            wireMock: false, commands: [.serve], help
        ) { settings, value in
            if case .duration(let duration) = value { settings[keyPath: setting()] = duration }
        }
    }

    /// A duration in WireMock's form. Shows no default: the row of the main form does.
    static func milliseconds(
        _ name: String, _ setting: @autoclosure @escaping Setting<Duration>, _ group: OptionGroup, _ help: String
    ) -> Option {
        Option(
            name, .milliseconds, "MS", default: nil, group, wireMock: true, commands: [.serve], help
        ) { settings, value in
            if case .duration(let duration) = value { settings[keyPath: setting()] = duration }
        }
    }

    /// A path or another text without a default.
    static func path(
        _ name: String, short: Character? = nil, _ kind: ValueKind, _ placeholder: String,
        _ setting: @autoclosure @escaping Setting<String?>,
        _ group: OptionGroup,
        wireMock: Bool = false, commands: [CommandName] = [.serve], _ help: String
    ) -> Option {
        Option(
            name, short: short, kind, placeholder, default: nil, group, wireMock: wireMock, commands: commands,
            help
        ) { settings, value in
            if case .text(let text) = value { settings[keyPath: setting()] = text }
        }
    }

    static func choice<Choice: CaseIterable & RawRepresentable & Sendable>(
        _ name: String, _ placeholder: String, _ setting: @autoclosure @escaping Setting<Choice>, _ group: OptionGroup,
        wireMock: Bool = false, commands: [CommandName] = [.serve], _ help: String
    ) -> Option where Choice.RawValue == String {
        Option(
            name, .choice(Choice.allCases.map(\.rawValue)), placeholder,
            default: Settings()[keyPath: setting()].rawValue, group, wireMock: wireMock, commands: commands, help
        ) { settings, value in
            if case .text(let text) = value, let choice = Choice(rawValue: text) {
                settings[keyPath: setting()] = choice
            }
        }
    }

    /// The format of a certificate file.
    static func storeType(
        _ name: String, _ setting: @autoclosure @escaping Setting<StoreType?>, commands: [CommandName] = [.serve],
        _ help: String
    ) -> Option {
        custom(
            name, .choice(StoreType.allCases.map(\.rawValue)), "TYPE", .https, wireMock: true, commands: commands, help
        ) {
            if case .text(let text) = $1 { $0[keyPath: setting()] = StoreType(rawValue: text) }
        }
    }

    static func list(
        _ name: String, _ element: ValueKind.ListElement, _ placeholder: String,
        _ setting: @autoclosure @escaping Setting<[String]>,
        _ group: OptionGroup, wireMock: Bool = false, commands: [CommandName] = [.serve], _ help: String
    ) -> Option {
        Option(
            name, .list(element), placeholder, default: listText(Settings()[keyPath: setting()]), group,
            wireMock: wireMock, commands: commands, help
        ) { settings, value in
            if case .list(let elements) = value { settings[keyPath: setting()] = elements }
        }
    }

    private static func listText(_ elements: [String]) -> String? {
        elements.isEmpty ? nil : elements.joined(separator: ",")
    }

    static func custom(
        _ name: String, short: Character? = nil, _ kind: ValueKind, _ placeholder: String,
        default defaultText: String? = nil, _ group: OptionGroup,
        wireMock: Bool = false, commands: [CommandName] = [.serve], valueIsOptional: Bool = false, _ help: String,
        assign: @escaping @Sendable (inout Settings, OptionValue) -> Void
    ) -> Option {
        Option(
            name, short: short, kind, valueIsOptional: valueIsOptional, placeholder, default: defaultText, group,
            wireMock: wireMock, commands: commands, help,
            assign: assign)
    }

    /// A flag that selects an action of `stuntdouble ca`.
    static func action(_ name: String, _ action: AuthorityOptions.Action, _ help: String) -> Option {
        Option(
            name, .flag, "", default: nil, .authority, wireMock: false, commands: [.ca], help
        ) { settings, value in
            if value == .flag(true) { settings.authority.action = action }
        }
    }

    /// A WireMock option that is accepted without effect, with the reason.
    static func idle(
        _ name: String, _ kind: ValueKind, valueIsOptional: Bool = false, _ help: String, _ reason: String
    ) -> Option {
        inert(name, kind, valueIsOptional: valueIsOptional, help, .withoutEffect(reason))
    }

    static func idle(_ name: String, _ help: String, _ reason: String) -> Option {
        inert(name, .flag, help, .withoutEffect(reason))
    }

    /// A WireMock option that is rejected, with the reason.
    static func refused(_ name: String, _ kind: ValueKind, _ help: String, _ reason: String) -> Option {
        inert(name, kind, help, .refused(reason))
    }

    static func refused(_ name: String, _ help: String, _ reason: String) -> Option {
        inert(name, .flag, help, .refused(reason))
    }

    private static func inert(
        _ name: String, _ kind: ValueKind, valueIsOptional: Bool = false, _ help: String, _ support: OptionSupport
    ) -> Option {
        Option(
            name, kind, valueIsOptional: valueIsOptional, inertPlaceholder(kind), default: nil, .wireMock,
            support: support, wireMock: true,
            commands: [.serve], help, assign: { _, _ in })
    }

    private static func inertPlaceholder(_ kind: ValueKind) -> String {
        switch kind {
        case .flag: ""
        case .integer: "N"
        case .milliseconds: "MS"
        case .list: "LIST"
        case .choice: "BOOL"
        default: "VALUE"
        }
    }
}
