import SDBasics

/// The reference page of the command line, in Markdown.
public enum ReferencePage {
    public static var text: String {
        var page = "<!-- Generated from the option table by \"stuntdouble generate-docs\". Do not edit. -->\n\n"
        page += "# The command line\n\n"
        for command in CommandName.shown { page += "    stuntdouble \(command.synopsis)\n" }
        page += "\n" + Manual.description.map { escape($0) + "\n\n" }.joined()
        page += table(["Command", ""], CommandName.shown.map { [code($0.rawValue), escape($0.summary)] })
        page += "\n## Options\n\n\(escape(Manual.parsing))\n\n\(escape(Manual.environment))\n"
        for group in OptionGroup.allCases {
            let rows = Manual.rows(of: group)
            if rows.isEmpty { continue }
            page += "\n### \(group.rawValue)\n\n"
            page += table(
                ["Option", "Default", "Variable", "Meaning"],
                rows.map { option in
                    [
                        names(option), option.defaultText.map(code) ?? "", option.environmentName.map(code) ?? "",
                        meaning(option),
                    ]
                })
        }
        page += "\n## WireMock's other options\n\n"
        page += escape(Manual.wireMockNote) + "\n\n"
        page += table(
            ["Option", "Effect", "Why"],
            Manual.wireMockRows.map { [code($0.option.usage), $0.verdict, escape($0.reason)] })
        page += "\n\(escape(Manual.differingDefaults))\n"
        page += "\n## Other variables\n\n"
        page += table(["Variable", ""], Manual.otherVariables.map { [code($0.name), escape($0.meaning)] })
        page += "\n## Signals\n\n"
        page += table(["Signal", ""], Manual.signals.map { [escape($0.name), escape($0.meaning)] })
        page += "\n## Exit status\n\n"
        page += table(["Status", ""], Manual.exitStatus.map { [code($0.code), escape($0.meaning)] })
        page += "\n## Examples\n"
        for example in Manual.examples {
            page += "\n\(escape(example.meaning)):\n\n```sh\n\(example.command)\n```\n"
        }
        return page
    }

    private static func names(_ option: Option) -> String {
        var names = [code((option.short.map { "-\($0), " } ?? "") + option.usage)]
        for alias in option.aliases { names.append(code("--\(alias) \(option.placeholder)")) }
        return names.joined(separator: "<br>")
    }

    private static func meaning(_ option: Option) -> String {
        var text = escape(option.help)
        if case .choice(let words) = option.value { text += " One of " + words.map(code).joined(separator: ", ") + "." }
        return text
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    /// Inline code for a table cell; bars are escaped, because they would end the cell.
    private static func code(_ text: String) -> String {
        "`" + escapeBars(text) + "`"
    }

    private static func escapeBars(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    /// Text escaped for Markdown. Words that start with two dashes or contain two underscores become code.
    private static func escape(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            let end = word.lastIndex { !".,;:)".contains($0) }.map { word.index(after: $0) } ?? word.startIndex
            let core = word[..<end]
            let opening = core.hasPrefix("(") ? "(" : ""
            let bare = core.dropFirst(opening.count)
            let isCode = bare.hasPrefix("--") || bare.contains("_") || bare == "*"
            guard isCode, !bare.contains("`") else { return escapeBars(String(word)) }
            return opening + code(String(bare)) + String(word[end...])
        }
        return words.joined(separator: " ")
    }
}
