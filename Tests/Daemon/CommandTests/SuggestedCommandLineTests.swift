import SDCommand
import Testing

/// Command lines that are none, of which it is known what they mean: each with its message and the line to write instead.
@Suite struct SuggestedCommandLineTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let arguments: String
        let message: String
        let fix: String

        init(_ arguments: String, _ message: String, fix: String) {
            (self.arguments, self.message, self.fix) = (arguments, message, fix)
        }

        var testDescription: String { arguments }
    }

    private static func order(_ command: CommandName, _ meant: String) -> String {
        "the arguments are stuntdouble \(command.synopsis); did you mean \(meant)?"
    }

    static let options = [
        Mistake(
            "--host 0.0.0.0 mocks",
            #"--host is not an option of "serve"; did you mean --bind-address? It belongs to "import""#,
            fix: "stuntdouble --bind-address 0.0.0.0 mocks"),
        Mistake(
            "mocks --host=::1",
            #"--host is not an option of "serve"; did you mean --bind-address? It belongs to "import""#,
            fix: "stuntdouble mocks --bind-address=::1"),
        Mistake(
            "--data stubs", #"--data is not an option of "serve"; did you mean --root-dir? It belongs to "explain""#,
            fix: "stuntdouble --root-dir stubs"),
        Mistake(
            "mocks --log-level debug", "unknown option --log-level; did you mean --verbose?",
            fix: "stuntdouble mocks --verbose"),
        Mistake(
            "mocks --log-level=trace", "unknown option --log-level; did you mean --verbose?",
            fix: "stuntdouble mocks --verbose"),
        Mistake(
            "mocks --log-level warn",
            "there is no option --log-level: requests are logged only with --verbose, warnings and errors always",
            fix: "leave out --log-level"),
        Mistake(
            "explain POST /a --body x mocks", "unknown option --body; did you mean --data?",
            fix: "stuntdouble explain POST /a --data x mocks"),
        Mistake(
            "mocks --https 8443", "unknown option --https; did you mean --https-port?",
            fix: "stuntdouble mocks --https-port 8443"),
        Mistake(
            "run mocks --fail-on unmatched unused -- npm test",
            "--fail-on takes one list, with commas; did you mean --fail-on=unmatched,unused?",
            fix: "stuntdouble run mocks --fail-on=unmatched,unused -- npm test"),
        Mistake(
            "report --fail-on unmatched unused",
            "--fail-on takes one list, with commas; did you mean --fail-on=unmatched,unused?",
            fix: "stuntdouble report --fail-on=unmatched,unused"),
        Mistake(
            "report --fail-on=unmatched, unused, error http://localhost:1",
            "--fail-on takes one list, with commas; did you mean --fail-on=unmatched,unused,error?",
            fix: "stuntdouble report --fail-on=unmatched,unused,error http://localhost:1"),
        Mistake(
            "doctor --require https http2",
            "--require takes one list, with commas; did you mean --require=https,http2?",
            fix: "stuntdouble doctor --require=https,http2"),
    ]

    static let arguments = [
        Mistake(
            "record http://localhost:3000", order(.record, "record --target http://localhost:3000"),
            fix: "stuntdouble record --target http://localhost:3000"),
        Mistake(
            "record http://localhost:3000 stubs", order(.record, "record --target http://localhost:3000 --to stubs"),
            fix: "stuntdouble record --target http://localhost:3000 --to stubs"),
        Mistake(
            "record localhost:3000 --to stubs", order(.record, "record --target http://localhost:3000 --to stubs"),
            fix: "stuntdouble record --target http://localhost:3000 --to stubs"),
        Mistake(
            "check mocks http://localhost:3000", order(.check, "check http://localhost:3000 mocks"),
            fix: "stuntdouble check http://localhost:3000 mocks"),
        Mistake(
            "check mocks localhost:3000 --unsafe", order(.check, "check http://localhost:3000 mocks --unsafe"),
            fix: "stuntdouble check http://localhost:3000 mocks --unsafe"),
        Mistake("check mocks", order(.check, "check URL mocks"), fix: "stuntdouble check URL mocks"),
        Mistake(
            "routes http://localhost:8080", order(.routes, "routes --url http://localhost:8080"),
            fix: "stuntdouble routes --url http://localhost:8080"),
        Mistake(
            "explain GET /a localhost:8080", order(.explain, "explain GET /a --url http://localhost:8080"),
            fix: "stuntdouble explain GET /a --url http://localhost:8080"),
        Mistake("explain /a", order(.explain, "explain GET /a"), fix: "stuntdouble explain GET /a"),
        Mistake(
            "run http://localhost:8080 -- npm test", order(.run, "run --url http://localhost:8080 -- npm test"),
            fix: "stuntdouble run --url http://localhost:8080 -- npm test"),
        Mistake(
            "https://api.example", order(.serve, "serve --proxy-all https://api.example"),
            fix: "stuntdouble serve --proxy-all https://api.example"),
        Mistake(
            "import traffic.har", order(.importArchive, "import har traffic.har"),
            fix: "stuntdouble import har traffic.har"),
        Mistake("ca install", order(.ca, "ca --install"), fix: "stuntdouble ca --install"),
    ]

    static let topics = [
        Mistake(
            "help foo",
            #"no help on "foo"; expected one of serve, mock, proxy, run, report, top, wait, stop, init, validate, check, convert, schema, explain, "#
                + "routes, record, import, mcp, doctor, ca, completion, version, help, wiremock",
            fix: "stuntdouble help"),
        Mistake("help start", #"no help on "start"; did you mean serve?"#, fix: "stuntdouble help serve"),
        Mistake(
            "help port", #"no help on "port" alone; did you mean the option --port of serve?"#,
            fix: "stuntdouble help serve"),
        Mistake(
            "help --port", #"no help on "--port" alone; did you mean the option --port of serve?"#,
            fix: "stuntdouble help serve"),
    ]

    static let values = [
        Mistake(
            "--proxy-all localhost:3000",
            #"--proxy-all: did you mean "http://localhost:3000"? Expected an absolute URL such as https://real.example, http or "#
                + #"https, found "localhost:3000""#,
            fix: "stuntdouble --proxy-all http://localhost:3000"),
        Mistake(
            "--proxy-all api.example.com/v1",
            #"--proxy-all: did you mean "https://api.example.com/v1"? Expected an absolute URL such as https://real.example, "#
                + #"http or https, found "api.example.com/v1""#,
            fix: "stuntdouble --proxy-all https://api.example.com/v1"),
        Mistake(
            "--proxy-all api.example.com:8080",
            #"--proxy-all: did you mean "http://api.example.com:8080"? Expected an absolute URL such as https://real.example, "#
                + #"http or https, found "api.example.com:8080""#,
            fix: "stuntdouble --proxy-all http://api.example.com:8080"),
        Mistake(
            "--proxy-all 10.0.0.7",
            #"--proxy-all: did you mean "http://10.0.0.7"? Expected an absolute URL such as https://real.example, http or "#
                + #"https, found "10.0.0.7""#,
            fix: "stuntdouble --proxy-all http://10.0.0.7"),
        Mistake(
            "convert mocks/api.yaml --to out/all.json --no-ids",
            "--to: expected a folder, in which files are named as those that are read, found \"out/all.json\"; without --to "
                + "the one file is printed",
            fix: "stuntdouble convert mocks/api.yaml --no-ids > out/all.json"),
        Mistake(
            "convert --to=all.yaml api.json",
            "--to: expected a folder, in which files are named as those that are read, found \"all.yaml\"; without --to "
                + "the one file is printed",
            fix: "stuntdouble convert api.json > all.yaml"),
        Mistake(
            "import postman shop.postman_collection.json",
            "import reads HAR archives and OpenAPI documents, and no Postman collections: expected har or openapi, found "
                + "\"postman\"",
            fix: "stuntdouble import har FILE"),
        Mistake(
            "import insomnia api.har",
            "import reads HAR archives and OpenAPI documents, and no collections of Insomnia: expected har or openapi, "
                + "found \"insomnia\"",
            fix: "stuntdouble import har api.har"),
        Mistake(
            "wait --timeout 5",
            #"--timeout: did you mean "5s"? Expected a duration such as 500ms, 5s or 1.5m, at most 24h, found "5""#,
            fix: "stuntdouble wait --timeout 5s"),
        Mistake(
            "convert mocks --to all.json",
            #"--to: did you mean "converted"? Expected a folder, in which files are named as those that are read, found "#
                + #""all.json""#,
            fix: "stuntdouble convert mocks --to converted"),
        Mistake(
            "mocks --log-format jsn", #"--log-format: did you mean "json"? Expected one of text, json, found "jsn""#,
            fix: "stuntdouble mocks --log-format json"),
    ]

    @Test(arguments: options + arguments + topics + values)
    func whatIsMeantIsSaid(_ mistake: Mistake) throws {
        let arguments = mistake.arguments.split(separator: " ").map(String.init)
        let error = #expect(throws: CommandLineError.self) { try parse(arguments) }
        #expect(error?.message == mistake.message)
        #expect(error?.fix(of: arguments) == mistake.fix)
    }

    /// Of several extensions those that there are not are named.
    @Test func unknownExtensionsAreNamed() {
        let arguments = ["mocks", "--extensions", "org.wiremock.RandomExtension,com.acme.Foo,org.x.Bar"]
        let error = #expect(throws: CommandLineError.self) { try parse(arguments) }
        #expect(error?.message.hasPrefix("--extensions: expected classes of extensions that are built in") == true)
        #expect(error?.message.hasSuffix(#", found "com.acme.Foo,org.x.Bar""#) == true)
        let moved = #expect(throws: CommandLineError.self) {
            try parse(["--extensions", "org.wiremock.RandomExtension,org.other.StateExtension"])
        }
        #expect(
            moved?.message.hasPrefix(
                #"--extensions: did you mean "org.wiremock.RandomExtension,org.wiremock.extensions.state.StateExtension"? "#
                    + "Expected classes") == true)
    }

    /// What is said right is not guessed at.
    @Test(arguments: [
        "record --target http://localhost:3000", "check http://localhost:3000 mocks", "routes --url 8080", "help serve",
        "report --fail-on unmatched http://localhost:1", "run --fail-on unmatched,unused mocks -- true",
        "mocks --extensions org.wiremock.RandomExtension",
    ])
    func theRightLinesAreTaken(arguments: String) {
        #expect(throws: Never.self) { try parse(arguments.split(separator: " ").map(String.init)) }
    }
}
