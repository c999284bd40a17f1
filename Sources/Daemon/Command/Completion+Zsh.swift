extension Completion {
    static func zsh() -> String {
        """
        #compdef stuntdouble
        # Completion of stuntdouble for zsh. Save it as _stuntdouble in a folder of $fpath, or load it now:
        # source <(stuntdouble completion zsh)
        _stuntdouble() {
            local command=serve word
            local -a options commands
            for word in "${(@)words[2,CURRENT-1]}"; do
                case $word in
                    \(CommandName.shown.map(\.rawValue).joined(separator: "|"))) command=$word; break ;;
                esac
            done
            commands=(
        \(zshCommands())
            )
            case $command in
                completion)
                    _arguments '1:command:' '2:shell:(\(shells.joined(separator: " ")))'
                    return ;;
                help)
                    _arguments '1:command:' '2:topic:(\(topics.joined(separator: " ")))'
                    return ;;
        \(zshBranches())
                *)
                    options=(
        \(zshOptions(.serve))
                    ) ;;
            esac
            _arguments -s -S $options '1: :->first' '*:folder:_path_files -/'
            if [[ $state == first ]]; then
                _describe -t commands command commands
                _path_files -/
            fi
        }
        if [[ ${funcstack[1]} == _stuntdouble ]]; then
            _stuntdouble "$@"
        else
            compdef _stuntdouble stuntdouble
        fi

        """
    }

    private static func zshCommands() -> String {
        CommandName.shown.map { "        '\($0.rawValue):\(zshQuoted($0.summary))'" }.joined(separator: "\n")
    }

    /// A branch for each command with its own options.
    private static func zshBranches() -> String {
        CommandName.withOptions.filter { $0 != .serve }.map { command in
            "        \(command.rawValue))\n            options=(\n\(zshOptions(command))\n            ) ;;"
        }.joined(separator: "\n")
    }

    private static func zshOptions(_ command: CommandName) -> String {
        rows(for: command).map { option in
            let repeats =
                switch option.value {
                case .list, .header: "*"
                default: ""
                }
            let takesValue = option.value != .flag
            let help = "[\(zshQuoted(summary(of: option)))]" + (takesValue ? ":\(option.placeholder):" : "")
            let words = option.offers(for: command)?.joined(separator: " ")
            let action =
                switch option.value {
                case _ where words != nil: "(\(words ?? ""))"
                case .folder: "_path_files -/"
                case .file, .socketPath: "_files"
                default: ""
                }
            let long = "--\(option.name)" + (takesValue ? "=" : "")
            guard let short = option.short else { return "                '\(repeats)\(long)\(help)\(action)'" }
            return "                '(-\(short) --\(option.name))'{-\(short)\(takesValue ? "+" : ""),\(long)}"
                + "'\(help)\(action)'"
        }.joined(separator: "\n")
    }

    /// Escapes text in single quotes, in brackets, in a specification of `_arguments`.
    private static func zshQuoted(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "'": result += "'\\''"
            case "[", "]", ":", "\\": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
