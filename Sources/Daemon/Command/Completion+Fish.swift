extension Completion {
    static func fish() -> String {
        let commands = CommandName.shown.map(\.rawValue).joined(separator: " ")
        var lines = [
            "# Completion of stuntdouble for fish. Save it as ~/.config/fish/completions/stuntdouble.fish, or load it",
            "# now: stuntdouble completion fish | source",
            "complete -c stuntdouble -f",
        ]
        for command in CommandName.shown {
            lines.append(
                "complete -c stuntdouble -n 'not __fish_seen_subcommand_from \(commands)' -a \(command.rawValue) "
                    + "-d '\(fishQuoted(command.summary))'")
        }
        lines.append(
            "complete -c stuntdouble -n '__fish_seen_subcommand_from completion' -a '\(shells.joined(separator: " "))'")
        lines.append(
            "complete -c stuntdouble -n '__fish_seen_subcommand_from help' -a '\(topics.joined(separator: " "))'")
        lines.append(
            "complete -c stuntdouble -n 'not __fish_seen_subcommand_from completion help' "
                + "-a '(__fish_complete_directories)'")
        let others = CommandName.shown.filter { $0 != .serve }.map(\.rawValue).joined(separator: " ")
        for command in CommandName.withOptions {
            let condition =
                command == .serve
                ? "not __fish_seen_subcommand_from \(others)" : "__fish_seen_subcommand_from \(command.rawValue)"
            for option in rows(for: command) {
                lines.append("complete -c stuntdouble -n '\(condition)' " + fishOption(option, of: command))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishOption(_ option: Option, of command: CommandName) -> String {
        let names = (option.short.map { "-s \($0) " } ?? "") + "-l \(option.name)"
        let words = option.offers(for: command)?.joined(separator: " ")
        let value =
            switch option.value {
            case .flag: ""
            case _ where words != nil: " -x -a '\(words ?? "")'"
            case .folder: " -x -a '(__fish_complete_directories)'"
            case .file, .socketPath: " -r -F"
            default: " -x"
            }
        return "\(names)\(value) -d '\(fishQuoted(summary(of: option)))'"
    }

    private static func fishQuoted(_ text: String) -> String {
        var result = ""
        for character in text {
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        }
        return result
    }
}
