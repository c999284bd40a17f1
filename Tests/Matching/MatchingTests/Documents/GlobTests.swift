import SDMatching
import SDPlatform
import SDTestSupport
import Testing

@Suite struct GlobTests {
    private static let texts: [(String, matching: [String], others: [String])] = [
        ("", [""], ["a", "/"]), ("abc", ["abc"], ["ab", "abcd", "xabc", "ABC"]),
        ("*", ["", "abc", "a.b"], ["/", "a/b"]), ("**", ["", "a/b/c", "/", "\n"], []),
        ("/api/*", ["/api/", "/api/x"], ["/api", "/api/x/y"]), ("/api/**", ["/api/", "/api/x/y"], ["/api"]),
        ("/**/x", ["/a/x", "/a/b/x", "//x"], ["/x", "/a/xx"]), ("a*c", ["ac", "abc", "abbc"], ["ab", "a/c", "acd"]),
        ("*.{json,yaml}", ["a.json", ".yaml"], ["a.yml", "a.jsonx", "x/a.json"]),
        ("?", ["a", "é", "😀"], ["", "/", "ab"]),
        ("[abc]x", ["ax", "cx"], ["dx", "x", "abx"]), ("[a-c0-9]", ["b", "7"], ["d", "-"]),
        ("[!a-c]", ["d", "é"], ["a", "/", ""]),
        ("[^a]", ["b"], ["a"]), ("[]a]", ["]", "a"], ["b"]), ("[!]]", ["a"], ["]"]), ("[a-]", ["a", "-"], ["b"]),
        ("[\\]]", ["]"], ["\\"]), ("[é-ü]", ["ö"], ["e"]), ("\\*\\?\\[\\{\\\\", ["*?[{\\"], ["a?[{\\"]),
        ("{a,b,}c", ["ac", "bc", "c"], ["abc", "dc"]), ("{a,{b,c}d}", ["a", "bd", "cd"], ["b", "ad"]),
        ("{a}", ["a"], ["{a}"]),
        ("{*,**/x}y", ["ay", "a/xy"], ["a/y"]), ("a,b}", ["a,b}"], ["a"]), ("{\\,,x}", [",", "x"], [""]),
        ("{,}", [""], [","]),
        ("***", ["a/b"], []), ("é*", ["é", "éx"], ["e"]), ("{}", [""], ["a"]),
    ]

    @Test(arguments: texts)
    func matchesWholeTexts(glob: String, matching: [String], others: [String]) throws {
        let compiled = try Glob(glob)
        for text in matching { #expect(compiled.matches(text.bytes), "\(glob) on \(text)") }
        for text in others { #expect(!compiled.matches(text.bytes), "\(glob) on \(text)") }
    }

    private static let badGlobs: [(String, column: Int, message: String)] = [
        ("ab[c", 3, "\"[\" without \"]\""), ("[]", 1, "\"[\" without \"]\""), ("a{b,c", 2, "\"{\" without \"}\""),
        ("{a,{b}", 1, "\"{\" without \"}\""), ("a\\", 2, "a lone backslash"), ("x[z-a]", 3, "write a-z"),
        ("[a\\", 1, "\"[\""),
        (String(repeating: "a", count: 1_025), 1_025, "at most 1024"),
    ]

    @Test(arguments: badGlobs)
    func badGlobsAreRefusedWithTheirPlace(glob: String, column: Int, message: String) {
        let problem = #expect(throws: Glob.Problem.self) { try Glob(glob) }
        #expect(problem?.column == column)
        #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    }

    @Test func brokenBytesCountAsOneReplacementCharacter() throws {
        #expect(try Glob("a?b").matches([0x61, 0xFF, 0x62]))
        #expect(try Glob("*").matches([0xC3, 0x28]))
    }

    private static let hardGlobs: [(String, length: Int)] = [
        (String(repeating: "*a", count: 30) + "b", 1_000), (String(repeating: "{a,*}", count: 100) + "b", 300),
        (String(repeating: "*?", count: 100) + "b", 500),
        (String(repeating: "{", count: 500) + "*" + String(repeating: "}", count: 500) + "b", 1_000),
        (String(repeating: "{a,", count: 200) + String(repeating: "}", count: 200) + "**b", 20_000),
    ]

    /// Backtracking would take longer than the age of the universe for these.
    @Test(arguments: hardGlobs)
    func noGlobTakesExponentialTime(glob: String, length: Int) throws {
        let text = [UInt8](repeating: 97, count: length)
        let compiled = try Glob(glob)
        #expect(!compiled.matches(text[...]))
        #expect(compiled.matches((text + [98])[...]))
    }

    @Test func agreesWithAnExhaustiveSearch() throws {
        var generator = TestGenerator()
        let seed = generator.seed
        let parts = ["a", "b", "/", "*", "**", "?", "[ab]", "[!a]", "{a,b*}", "{,/}", "\\*"]
        for _ in 0..<2_000 {
            let chosen = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }
            let glob = chosen.joined()
            let text = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                "ab/*".randomElement(using: &generator) ?? "a"
            }
            #expect(
                try Glob(glob).matches(String(text).bytes) == Self.matches(Self.merged(chosen)[...], text[...]),
                "seed \(seed): \(glob) on \(String(text))")
        }
    }

    /// Merges adjacent stars, which mean `**`.
    private static func merged(_ parts: [String]) -> [String] {
        parts.reduce(into: []) { merged, part in
            if part.hasPrefix("*"), merged.last?.hasPrefix("*") == true {
                merged[merged.count - 1] = "**"
            } else {
                merged.append(part)
            }
        }
    }

    private static func matches(_ parts: ArraySlice<String>, _ text: ArraySlice<Character>) -> Bool {
        guard let part = parts.first else { return text.isEmpty }
        let rest = parts.dropFirst()
        func one(_ accepts: (Character) -> Bool) -> Bool {
            guard let first = text.first, accepts(first) else { return false }
            return matches(rest, text.dropFirst())
        }
        switch part {
        case "*", "**":
            if matches(rest, text) { return true }
            guard let first = text.first, part == "**" || first != "/" else { return false }
            return matches(parts, text.dropFirst())
        case "?": return one { $0 != "/" }
        case "[ab]": return one { $0 == "a" || $0 == "b" }
        case "[!a]": return one { $0 != "a" && $0 != "/" }
        case "{a,b*}": return matches(["a"] + rest, text) || matches(["b", "*"] + rest, text)
        case "{,/}": return matches(rest, text) || matches(["/"] + rest, text)
        case "\\*": return one { $0 == "*" }
        default: return one { String($0) == part }
        }
    }
}
