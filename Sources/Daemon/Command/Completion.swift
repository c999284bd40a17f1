/// Completion scripts for several shells, made from the option table. They complete commands, options, the words and
/// paths that options take, and `DIR`.
public enum Completion {
    public static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash()
        case .zsh: zsh()
        case .fish: fish()
        }
    }

    /// The options that a command offers: those that are supported.
    static func rows(for command: CommandName) -> [Option] {
        OptionTable.options.filter { $0.isServed && $0.belongs(to: command) }
    }

    static let topics = CommandName.shown.map(\.rawValue) + ["wiremock"]
    static let shells = Shell.allCases.map(\.rawValue)

    /// The first sentence of an option's help, without its full stop.
    static func summary(of option: Option) -> String {
        let words = option.help.split(separator: " ")
        guard let last = words.firstIndex(where: { $0.hasSuffix(".") }) else { return option.help }
        return String(words[...last].joined(separator: " ").dropLast())
    }
}
