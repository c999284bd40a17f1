extension Completion {
    static func bash() -> String {
        """
        # Completion of stuntdouble for bash.
        # Load it now: source <(stuntdouble completion bash)
        _stuntdouble() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=serve word known
            COMPREPLY=()
            # Bash treats the equals sign of --option=value as a separate word.
            if [[ $cur == "=" ]]; then
                cur=
            elif [[ $prev == "=" ]]; then
                prev=${COMP_WORDS[COMP_CWORD-2]}
            fi
            for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case $word in
                    \(commandWords("|"))) command=$word; break ;;
                esac
            done
            case $prev in
        \(bashValues())
            esac
            case $command in
                completion) COMPREPLY=($(compgen -W "\(shells.joined(separator: " "))" -- "$cur")); return ;;
                help) COMPREPLY=($(compgen -W "\(topics.joined(separator: " "))" -- "$cur")); return ;;
            esac
            if [[ $cur == -* ]]; then
                case $command in
        \(bashOptions())
                esac
            else
                compopt -o filenames 2>/dev/null
                COMPREPLY=($(compgen -d -- "$cur"))
                if ((COMP_CWORD == 1)); then
                    COMPREPLY+=($(compgen -W "\(commandWords(" "))" -- "$cur"))
                fi
            fi
        }
        complete -F _stuntdouble stuntdouble

        """
    }

    private static func commandWords(_ separator: String) -> String {
        CommandName.shown.map(\.rawValue).joined(separator: separator)
    }

    private static func bashOptions() -> String {
        CommandName.withOptions.map { command in
            let names = rows(for: command).map { "--" + $0.name }.joined(separator: " ")
            return "            \(command.rawValue)) COMPREPLY=($(compgen -W \"\(names)\" -- \"$cur\")) ;;"
        }.joined(separator: "\n")
    }

    /// The completion code for an option's words, with a branch for each command whose words differ.
    private static func bashWords(of option: Option) -> String {
        // A list element is completed after the elements already typed.
        let isList = if case .list = option.value { true } else { false }
        let known = isList ? " known=; [[ $cur == *,* ]] && known=${cur%,*},;" : ""
        func reply(_ words: [String]) -> String {
            let words = words.joined(separator: " ")
            return isList
                ? "\(known) COMPREPLY=($(compgen -P \"$known\" -W \"\(words)\" -- \"${cur##*,}\"));"
                : " COMPREPLY=($(compgen -W \"\(words)\" -- \"$cur\"));"
        }
        let commands = CommandName.withOptions.filter(option.belongs)
        let lists = [[String]: [CommandName]](grouping: commands) { option.offers(for: $0) ?? [] }
            .sorted { commands.firstIndex(of: $0.value[0]) ?? 0 < commands.firstIndex(of: $1.value[0]) ?? 0 }
        if lists.count == 1, let words = lists.first?.key { return reply(words) }
        let branches = lists.map { words, commands in
            " \(commands.map(\.rawValue).joined(separator: "|")))\(reply(words));"
        }
        return " case $command in\(branches.joined()) esac;"
    }

    /// A branch for each option that takes a value.
    private static func bashValues() -> String {
        OptionTable.options.compactMap { option -> String? in
            guard option.isServed, option.value != .flag else { return nil }
            var names = ([option.name] + option.aliases).map { "--" + $0 }
            if let short = option.short { names.append("-\(short)") }
            let reply =
                switch option.value {
                case _ where option.offers(for: .serve) != nil: bashWords(of: option)
                case .folder: " compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$cur\"));"
                case .file, .socketPath: " compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\"));"
                default: ""
                }
            return "        \(names.joined(separator: "|")))\(reply) return ;;"
        }.joined(separator: "\n")
    }
}
