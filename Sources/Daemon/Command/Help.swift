/// The text of `--help` and `help`.
public enum Help {
    /// The width to which text is wrapped; terminals are rarely narrower.
    private static let width = 100
    private static let column = 34

    public static func text(_ topic: HelpTopic) -> String {
        switch topic {
        case .overview: overview()
        case .command(.serve): serve()
        case .command(let command) where CommandName.ofPrism.contains(command): prism(command)
        case .command(let command): short(command)
        case .wireMock: wireMock()
        }
    }

    private static func overview() -> String {
        var text = "stuntdouble \(Manual.version): \(Manual.tagline)\n\nUsage:\n"
        for command in CommandName.shown { text += "  stuntdouble \(command.synopsis)\n" }
        text += "\nCommands:\n"
        for command in CommandName.shown { text += entry(command.rawValue, command.summary, column: 14) }
        return text + "\n" + serveOptions() + examples() + footer()
    }

    private static func serve() -> String {
        var text = "Usage: stuntdouble \(CommandName.serve.synopsis)\n\n"
        for paragraph in Manual.description { text += fill(paragraph, indent: 0) + "\n" }
        return text + serveOptions() + examples() + footer()
    }

    private static func prism(_ command: CommandName) -> String {
        var text = "Usage: stuntdouble \(command.synopsis)\n\n\(command.summary).\n\nOptions of Prism:\n"
        for (usage, meaning) in Manual.prismOptions { text += entry("    " + usage, meaning) }
        return text + "\n" + fill("All options of serve can stand here, too: stuntdouble help serve.", indent: 0)
    }

    private static func serveOptions() -> String {
        OptionGroup.allCases.map { options(of: $0, for: .serve) }.joined()
    }

    private static func short(_ command: CommandName) -> String {
        // A command's own options come before those of `serve`.
        let own: [OptionGroup] = [.running, .verdict]
        let groups = own + OptionGroup.allCases.filter { !own.contains($0) }
        return "Usage: stuntdouble \(command.synopsis)\n\n\(command.summary).\n\n"
            + groups.map { options(of: $0, for: command) }.joined()
    }

    private static func options(of group: OptionGroup, for command: CommandName) -> String {
        let rows = Manual.rows(of: group, for: command)
        guard !rows.isEmpty else { return "" }
        return "\(group.rawValue):\n"
            + rows.map { entry(left($0), Manual.text(of: $0, for: command) + aliases($0)) }.joined() + "\n"
    }

    private static func left(_ option: Option) -> String {
        (option.short.map { "-\($0), " } ?? "    ") + option.usage
    }

    private static func aliases(_ option: Option) -> String {
        option.aliases.isEmpty ? "" : " Also " + option.aliases.map { "--" + $0 }.joined(separator: ", ") + "."
    }

    private static func examples() -> String {
        "Examples:\n" + Manual.examples.map { "  \($0.command)\n      \($0.meaning)\n" }.joined() + "\n"
    }

    private static func footer() -> String {
        fill(
            "Each option can also be set by an environment variable: --max-head-size is STUNTDOUBLE_MAX_HEAD_SIZE. "
                + "All of WireMock's options are recognized; \"stuntdouble help wiremock\" explains those that "
                + "are not listed here.", indent: 0)
    }

    private static func wireMock() -> String {
        let rows = Manual.wireMockRows
        var text = fill(
            "WireMock's options in \"stuntdouble --help\" work under the same name. The others:",
            indent: 0)
        for verdict in ["no effect", "refused"] {
            text += verdict == "refused" ? "\nRefused, for this reason:\n" : "\nAccepted without effect:\n"
            for row in rows where row.verdict == verdict { text += entry(row.option.usage, row.reason) }
        }
        return text
    }

    // MARK: - Layout

    private static func entry(_ left: String, _ right: String, column: Int = Help.column) -> String {
        let start = "  " + left
        let text = fill(right, indent: column)
        guard start.count + 2 <= column else { return start + "\n" + text }
        return start + text.dropFirst(start.count)
    }

    /// Breaks a text into lines, each ending with a newline.
    static func fill(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { margin + $0 + "\n" }.joined()
    }
}
