import SDCommand
import Testing

/// Each shell runs its own completion script in a folder with `mocks/`, `my folder/` and `notes.txt`.
@Suite struct CompletionTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
        for shell in Shell.allCases {
            try temporary.write("scripts/\(shell.rawValue)", Completion.script(for: shell))
        }
        try temporary.makeFolder("work/mocks")
        try temporary.makeFolder("work/my folder")
        try temporary.write("work/notes.txt", "")
    }

    /// The words of a line, the last of which is to be completed, and the offers that must and must not be made.
    struct Case: Sendable, CustomTestStringConvertible {
        var line: [String]
        var offers: Set<String>
        var leavesOut: Set<String> = []
        /// Whether no other offers may be made.
        var isAll = true
        var testDescription: String { line.joined(separator: " ") }
    }

    static let cases = [
        Case(line: ["--po"], offers: ["--port", "--port-file"]),
        Case(line: ["--verb"], offers: ["--verbose"]),
        Case(
            line: ["--"], offers: ["--port", "--no-watch", "--help", "--root-dir"],
            leavesOut: ["--disable-strict-http-headers", "--format", "--container-threads"], isAll: false),
        Case(line: ["serve", "--use-"], offers: ["--use-chunked-encoding"]),
        Case(line: ["--log-format", ""], offers: ["text", "json"]),
        Case(line: ["--use-chunked-encoding", "n"], offers: ["never"]),
        Case(line: ["validate", "--f"], offers: ["--format"]),
        Case(line: ["explain", "--he"], offers: ["--header", "--help"]),
        Case(line: ["routes", "--u"], offers: ["--url"]),
        Case(line: ["rou"], offers: ["routes"]),
        Case(line: ["validate", "--format", "te"], offers: ["text"]),
        // The words of a value are those of the command.
        Case(line: ["report", "--format", ""], offers: ["text", "json", "junit", "html", "github", "markdown"]),
        Case(line: ["convert", "--format", ""], offers: ["yaml", "wiremock"]),
        Case(line: ["routes", "--format", ""], offers: ["text", "json"]),
        Case(line: ["report", "--fail-on", "un"], offers: ["unmatched", "unused", "unmet"]),
        Case(line: ["doctor", "--require", "cert"], offers: ["certificates"]),
        Case(line: ["completion", ""], offers: ["bash", "zsh", "fish"]),
        Case(line: ["completion", "z"], offers: ["zsh"]),
        Case(line: ["help", "wire"], offers: ["wiremock"]),
        Case(line: ["val"], offers: ["validate"]),
        Case(line: ["serve", "mo"], offers: ["mocks"]),
        Case(line: ["--root-dir", "mo"], offers: ["mocks"]),
        Case(line: ["--port-file", "not"], offers: ["notes.txt"]),
        Case(line: ["serve", "not"], offers: []),
        Case(line: ["--port", "m"], offers: []),
    ]

    private func check(_ offered: [String], _ expected: Case, sourceLocation: SourceLocation = #_sourceLocation) {
        let offered = Set(offered.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
        #expect(offered.isSuperset(of: expected.offers), "\(offered)", sourceLocation: sourceLocation)
        #expect(offered.isDisjoint(with: expected.leavesOut), "\(offered)", sourceLocation: sourceLocation)
        if expected.isAll { #expect(offered == expected.offers, sourceLocation: sourceLocation) }
    }

    private static let bash = Program.find("bash")
    private static let zsh = Program.find("zsh")
    private static let fish = Program.find("fish")

    @Test(.enabled(if: bash != nil, "there is no bash"), arguments: cases)
    func bashCompletes(expected: Case) throws {
        let offered = try bashCompletion(of: expected.line)
        check(offered, expected)
    }

    /// Bash splits words at the equals sign.
    @Test(.enabled(if: bash != nil, "there is no bash"))
    func bashCompletesAValueAfterAnEqualsSign() throws {
        #expect(try bashCompletion(of: ["--log-format", "=", "j"]) == ["json"])
        #expect(try bashCompletion(of: ["--log-format", "="]) == ["text", "json"])
    }

    /// An element of a list is completed behind those that are there.
    @Test(.enabled(if: bash != nil, "there is no bash"))
    func bashCompletesTheElementsOfAList() throws {
        #expect(try bashCompletion(of: ["report", "--fail-on", "unmatched,unu"]) == ["unmatched,unused"])
        #expect(try bashCompletion(of: ["doctor", "--require", "https,xml,cert"]) == ["https,xml,certificates"])
    }

    private func bashCompletion(of line: [String]) throws -> [String] {
        let script = """
            source "$1"; shift
            complete -p stuntdouble >/dev/null || exit 3
            COMP_WORDS=(stuntdouble "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            _stuntdouble stuntdouble "${@: -1}" "${@: -2:1}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try #require(Self.bash).run(
            ["--norc", "-c", script, "bash", temporary.at("scripts/bash")] + line, folder: temporary.at("work"))
        #expect(result.errors == "")
        #expect(result.status == 0)
        return result.output.split(separator: "\n").map { String($0) }
    }

    @Test(.enabled(if: fish != nil, "there is no fish"), arguments: cases)
    func fishCompletes(expected: Case) throws {
        let line = (["stuntdouble"] + expected.line).joined(separator: " ")
        let result = try #require(Self.fish).run(
            ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", temporary.at("scripts/fish"), line],
            environment: ["HOME": temporary.path], folder: temporary.at("work"))
        #expect(result.errors == "")
        check(result.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }, expected)
    }

    /// Zsh completes only in a terminal: its own module provides one, and a function that prints the matches wraps the
    /// builtin that receives them.
    @Test(.enabled(if: zsh != nil, "there is no zsh"), arguments: cases)
    func zshCompletes(expected: Case) throws {
        let line = (["stuntdouble"] + expected.line).joined(separator: " ")
        try temporary.write("harness", Self.zshHarness)
        try temporary.write("setup", Self.zshSetup)
        let result = try #require(Self.zsh).run(
            ["-f", temporary.at("harness"), temporary.at("setup"), line],
            environment: ["HOME": temporary.path, "TERM": "dumb", "SCRIPT": temporary.at("scripts/zsh")],
            folder: temporary.at("work"))
        #expect(result.status == 0, "\(result.errors)")
        check(result.output.split(separator: "\n").map { String($0) }, expected)
    }

    /// Types a line into a terminal of zsh's own making and asks for its completions.
    private static let zshHarness = #"""
        zmodload zsh/zpty || exit 4
        zpty z zsh -f -i
        zpty -w z "source $1"
        zpty -r -m z REPLY '*<ready>*'
        zpty -w -n z "$2"$'\t\x18'
        zpty -r -m z REPLY '*<end>*'
        print -r -- "$REPLY" | tr -d '\r' | sed -n 's/.*<hit>\(.*\)<\/hit>.*/\1/p' | sort -u
        zpty -d z
        """#

    private static let zshSetup = #"""
        PROMPT=
        unset zle_bracketed_paste
        stty -echo
        autoload -U compinit
        compinit -u -D
        source $SCRIPT
        compadd() {
            if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
            typeset -a __hits
            builtin compadd -A __hits "$@"
            (( $#__hits )) && print -rl -- "<hit>"$^__hits"</hit>"
            builtin compadd "$@"
        }
        finish() { print "<end>" }
        zle -N finish
        bindkey "^X" finish
        bindkey "^I" list-choices
        setopt no_beep
        print "<re""ady>"
        """#
}
