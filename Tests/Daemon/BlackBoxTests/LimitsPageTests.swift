import SDCommand
import Testing

/// `docs/limits.md` against the option table: a limit that can be set stands on the page, with its default.
@Suite struct LimitsPageTests {
    /// The options with a number, a size or a time that limits nothing.
    private static let noLimits: Set = ["port", "https-port", "admin-port", "seed", "workers"]

    /// The options that are served and whose values are numbers, sizes or times, without those.
    static let limits = OptionTable.options.filter { option in
        guard case .served = option.support, !noLimits.contains(option.name) else { return false }
        switch option.value {
        case .integer, .factor, .size, .duration, .milliseconds: return true
        default: return false
        }
    }

    private let page: MarkdownPage

    init() throws {
        page = try MarkdownPage("docs/limits.md")
    }

    /// WireMock's form of another option has no row of its own.
    @Test(arguments: limits) func aLimitHasARowWithItsDefault(option: Option) throws {
        if option.value == .milliseconds {
            #expect(page.code.contains(option.usage), "the page does not say `\(option.usage)`")
            return
        }
        let row = try #require(
            page.rows.first { $0.code.contains(option.usage) }, "no row of a table says `\(option.usage)`")
        // 0 stands for what the row says in words.
        guard let standard = option.defaultText, standard != "0" else { return }
        let written = row.cells[1].filter { $0 != " " && $0 != "," }
        #expect(written.hasPrefix(standard), "the default of --\(option.name) is \(standard): \(row.text)")
    }

    @Test(arguments: limits) func otherNamesOfALimitAreSaid(option: Option) {
        for name in option.aliases { #expect(page.code.contains("--\(name)"), "the page does not say `--\(name)`") }
    }

    @Test func thePageNamesNoOtherOptions() {
        let known = Set(OptionTable.options.flatMap { [$0.name] + $0.aliases })
        let named = page.code.filter { $0.hasPrefix("--") }.map { $0.dropFirst(2).prefix { $0 != " " && $0 != ":" } }
        #expect(named.count >= Self.limits.count)
        for name in named { #expect(known.contains(String(name)), "there is no --\(name)") }
    }

    @Test(arguments: noLimits.sorted()) func whatIsNoLimitIsAnOption(name: String) {
        #expect(OptionTable.options.contains { $0.name == name })
    }
}
