/// The manual page `stuntdouble(1)`, in the man macros.
public enum ManualPage {
    public static var text: String {
        var page = ".\\\" Generated from the option table by \"stuntdouble generate-docs\". Do not edit.\n"
        page += ".TH STUNTDOUBLE 1 \"\" \"stuntdouble \(Manual.version)\" \"User Commands\"\n"
        page += ".SH NAME\nstuntdouble \\- \(escape(Manual.tagline))\n"
        page += ".SH SYNOPSIS\n.nf\n"
        for command in CommandName.shown { page += "\\fBstuntdouble\\fR \(escape(command.synopsis))\n" }
        page += ".fi\n.SH DESCRIPTION\n" + paragraphs(Manual.description)
        page += ".SH COMMANDS\n"
        for command in CommandName.shown { page += entry(command.rawValue, command.summary + ".") }
        page += ".SH OPTIONS\n" + paragraphs([Manual.parsing])
        for group in OptionGroup.allCases {
            let rows = Manual.rows(of: group)
            if rows.isEmpty { continue }
            page += ".SS \(escape(group.rawValue))\n" + rows.map(option).joined()
        }
        page += ".SH WIREMOCK OPTIONS\n"
        page += paragraphs([Manual.wireMockNote])
        for row in Manual.wireMockRows { page += entry(row.option.usage, sentence(row.verdict + ": " + row.reason)) }
        page += ".SH ENVIRONMENT\n" + paragraphs([Manual.environment])
        for variable in Manual.otherVariables { page += entry(variable.name, variable.meaning + ".") }
        page += ".SH SIGNALS\n" + Manual.signals.map { entry($0.name, $0.meaning + ".") }.joined()
        page += ".SH EXIT STATUS\n" + Manual.exitStatus.map { entry($0.code, $0.meaning + ".") }.joined()
        page += ".SH EXAMPLES\n"
        page += Manual.examples.map { example in
            "\(escape(example.meaning)):\n.PP\n.RS 4\n.nf\n\(escape(example.command))\n.fi\n.RE\n"
        }.joined(separator: ".PP\n")
        return page
    }

    private static func option(_ option: Option) -> String {
        var names = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        names += usage(option, named: option.name)
        for alias in option.aliases { names += ", " + usage(option, named: alias) }
        var text = Manual.text(of: option)
        if let variable = option.environmentName { text += " Variable: \(variable)." }
        return ".TP\n\(names)\n\(lines(text))"
    }

    private static func usage(_ option: Option, named name: String) -> String {
        let flag = "\\fB\(escape("--" + name))\\fR"
        return option.placeholder.isEmpty ? flag : flag + " \\fI\(escape(option.placeholder))\\fR"
    }

    private static func entry(_ name: String, _ text: String) -> String {
        ".TP\n\\fB\(escape(name))\\fR\n\(lines(text))"
    }

    private static func paragraphs(_ texts: [String]) -> String {
        texts.map(lines).joined(separator: ".PP\n")
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    /// The text with one sentence per line, as usual in manual pages; no line begins with a troff control character.
    private static func lines(_ text: String) -> String {
        var result = ""
        var line = ""
        for word in text.split(separator: " ") {
            line += line.isEmpty ? String(word) : " " + word
            if word.hasSuffix(".") || line.count > 90 {
                result += escape(line) + "\n"
                line = ""
            }
        }
        return line.isEmpty ? result : result + escape(line) + "\n"
    }

    /// The text escaped for troff.
    private static func escape(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case ".", "*":
                if result.isEmpty, character == "." { result += "\\&" }
                result.append(character)
            default: result.append(character)
            }
        }
        return result
    }
}
