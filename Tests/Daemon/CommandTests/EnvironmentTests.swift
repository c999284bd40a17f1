import SDCommand
import Testing

@Suite struct EnvironmentTests {
    @Test func aVariableReplacesAnOption() throws {
        let options = try serveOptions(
            [], environment: ["STUNTDOUBLE_PORT": "9", "STUNTDOUBLE_ROOT_DIR": "stubs", "STUNTDOUBLE_NO_WATCH": "yes"])
        #expect(options.port == 9)
        #expect(options.root.path == "stubs")
        #expect(!options.watch)
    }

    @Test func anArgumentWinsOverAVariable() throws {
        let environment = [
            "STUNTDOUBLE_PORT": "9", "STUNTDOUBLE_ROOT_DIR": "stubs", "STUNTDOUBLE_ADMIN_CORS": "*",
            "STUNTDOUBLE_JETTY_IDLE_TIMEOUT": "1",
        ]
        let options = try serveOptions(
            ["mocks", "--port=10", "--admin-cors=http://a.example", "--idle-timeout=2s"], environment: environment)
        #expect(options.port == 10)
        #expect(options.root.path == "mocks")
        #expect(options.adminOrigins == ["http://a.example"])
        #expect(options.idleTimeout == .seconds(2))
    }

    @Test func anEmptyVariableCountsAsUnset() throws {
        #expect(try serveOptions([], environment: ["STUNTDOUBLE_PORT": ""]).port == 8080)
    }

    /// As they are in a container beside a service that is called `stuntdouble`.
    @Test(arguments: [
        ["serve"], ["run", "--", "true"], ["serve", "--https-port=1"], ["record", "--target=http://a"],
    ])
    func theVariablesOfAServiceAreNotOurs(arguments: [String]) throws {
        let linked = [
            "STUNTDOUBLE_PORT": "tcp://10.0.0.1:8080", "STUNTDOUBLE_HTTPS_PORT": "udp://[fd00::1]:8443",
            "STUNTDOUBLE_SERVICE_HOST": "10.0.0.1", "STUNTDOUBLE_SERVICE_PORT": "8080",
            "STUNTDOUBLE_SERVICE_PORT_HTTP": "8080", "STUNTDOUBLE_PORT_8080_TCP": "tcp://10.0.0.1:8080",
            "STUNTDOUBLE_PORT_8080_TCP_PROTO": "tcp", "STUNTDOUBLE_PORT_8080_TCP_PORT": "8080",
            "STUNTDOUBLE_PORT_8080_TCP_ADDR": "10.0.0.1",
        ]
        #expect(try parse(arguments, environment: linked) == parse(arguments, environment: [:]))
    }

    @Test(arguments: [
        ("STUNTDOUBLE_PORT", "x", #"STUNTDOUBLE_PORT: expected a whole number from 0 to 65535, found "x""#),
        ("STUNTDOUBLE_VERBOSE", "maybe", #"STUNTDOUBLE_VERBOSE: expected true or false, found "maybe""#),
        (
            "STUNTDOUBLE_DISABLE_STRICT_HTTP_HEADERS", "true",
            "STUNTDOUBLE_DISABLE_STRICT_HTTP_HEADERS is refused: the request parser has no lenient mode"
        ),
        ("WIREMOCK_OPTIONS", "--verbose --prot 1", "in WIREMOCK_OPTIONS: unknown option --prot; did you mean --port?"),
        (
            "WIREMOCK_OPTIONS", "x",
            #"in WIREMOCK_OPTIONS: unexpected argument "x" after stuntdouble [serve] [DIR|FILE] [OPTIONS]"#
        ),
    ])
    func aBadVariableIsNamed(name: String, value: String, text: String) {
        #expect(message([], environment: [name: value]) == text)
    }

    @Test func aRefusedFlagThatAVariableTurnsOffIsAccepted() throws {
        #expect(try serveOptions([], environment: ["STUNTDOUBLE_DISABLE_HTTP": "false"]).notices.isEmpty)
    }

    @Test func aMisspeltVariableIsNoted() throws {
        let options = try serveOptions([], environment: ["STUNTDOUBLE_PROT": "9", "STUNTDOUBLE_CONFORMANCE": "/x"])
        #expect(options.notices == ["the variable STUNTDOUBLE_PROT matches no option; did you mean STUNTDOUBLE_PORT?"])
    }

    @Test func wireMocksVariableMayRequestHelp() throws {
        #expect(try parse([], environment: ["WIREMOCK_OPTIONS": "--help"]) == .help(.overview))
        #expect(try parse([], environment: ["WIREMOCK_OPTIONS": "--version"]) == .version)
    }

    @Test func optionsInWireMocksVariableHaveTheLowestPrecedence() throws {
        let environment = [
            "WIREMOCK_OPTIONS": " --port 1  --verbose --disable-banner\n--max-request-journal-entries=7",
            "STUNTDOUBLE_PORT": "2",
        ]
        let options = try serveOptions(["--no-verbose"], environment: environment)
        #expect(options.port == 2)
        #expect(!options.verbose)
        #expect(options.maxJournalEntries == 7)
        #expect(options.notices.map { $0.prefix(16) } == ["--disable-banner"])
    }
}
