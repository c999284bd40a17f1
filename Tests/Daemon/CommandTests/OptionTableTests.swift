import SDBasics
import SDCommand
import Testing

@Suite struct OptionTableTests {
    /// The options in WireMock 3.13.2's `--help`, and those that 4.0 adds.
    static let wireMockNames = [
        "admin-api-basic-auth", "admin-api-require-https", "allow-proxy-targets", "async-response-enabled",
        "async-response-threads", "bind-address", "ca-keystore", "ca-keystore-password", "ca-keystore-type",
        "container-threads", "deny-proxy-targets", "disable-banner", "disable-connection-reuse",
        "disable-extensions-scanning", "disable-gzip", "disable-http", "disable-http2-plain", "disable-http2-tls",
        "disable-optimize-xml-factories-loading", "disable-request-logging", "disable-response-templating",
        "disable-strict-http-headers", "enable-browser-proxying", "enable-stub-cors", "extensions",
        "filename-template", "global-response-templating", "help", "https-keystore", "https-port",
        "https-require-client-cert", "https-truststore", "jetty-accept-queue-size", "jetty-acceptor-threads",
        "jetty-header-buffer-size", "jetty-header-request-size", "jetty-header-response-size", "jetty-idle-timeout",
        "jetty-stop-timeout", "key-manager-password", "keystore-password", "keystore-type",
        "load-resources-from-classpath", "local-response-templating", "logged-response-body-size-limit",
        "match-headers", "max-http-client-connections", "max-request-journal-entries", "max-template-cache-entries",
        "no-request-journal", "permitted-system-keys", "port", "preserve-host-header",
        "preserve-user-agent-proxy-header", "print-all-network-traffic", "proxy-all", "proxy-pass-through",
        "proxy-timeout", "proxy-via", "record-mappings", "root-dir", "supported-proxy-encodings", "timeout",
        "trust-all-proxy-targets", "trust-proxy-target", "truststore-password", "truststore-type",
        "use-chunked-encoding", "verbose", "version", "webhook-threadpool-size",
        "websocket-idle-timeout", "websocket-max-text-message-size", "websocket-max-binary-message-size",
    ]

    @Test(arguments: wireMockNames)
    func theTableHasEveryWireMockOption(name: String) throws {
        let option = try #require(
            OptionTable.options.first { ($0.name == name || $0.aliases.contains(name)) && $0.commands.contains(.serve) }
        )
        #expect(option.isWireMock || option.aliases.contains(name))
    }

    /// A command line for WireMock means the same, whatever options of our own begin alike.
    @Test func whatAbbreviatesOneOptionOfWireMockMeansThatOne() throws {
        func meaning(_ name: String, like option: Option) -> Result<Invocation, CommandLineError> {
            let value = Self.arguments(for: option).dropFirst()
            return Result { () throws(CommandLineError) in try parse(["--" + name] + value) }
        }
        let ours = Set(OptionTable.options.flatMap { [$0.name] + $0.aliases })
        for name in Self.wireMockNames {
            let option = try #require(OptionTable.options.first { $0.name == name || $0.aliases.contains(name) })
            for count in 1..<name.count {
                let short = String(name.prefix(count))
                // A name that is one in full comes first, with WireMock's parser as with ours.
                guard Self.wireMockNames.filter({ $0.hasPrefix(short) }).count == 1, !ours.contains(short) else {
                    continue
                }
                #expect(meaning(short, like: option) == meaning(name, like: option), "--\(short)")
            }
        }
        #expect(try serveOptions(["--max-request-journal", "100"]).maxJournalEntries == 100)
        #expect(message(["--max", "1"])?.hasPrefix("--max is ambiguous; it could be ") == true)
    }

    @Test(arguments: [
        "com.github.tomakehurst.wiremock.extension.responsetemplating.ResponseTemplateTransformer",
        "org.wiremock.RandomExtension,org.wiremock.extensions.state.StateExtension",
        "org.wiremock.extension.jwt.JwtExtensionFactory", "io.github.nilwurtz.GraphqlBodyMatcher",
        "org.wiremock.webhooks.Webhooks",
    ])
    func anExtensionThatIsBuiltInIsAccepted(classes: String) throws {
        var options = try serveOptions(["--extensions", classes])
        #expect(options.notices.count == 1)
        #expect(
            options.notices.first?.hasPrefix("--extensions has no effect: what these classes do is built in") == true)
        options.notices = []
        #expect(try options == serveOptions([]))
    }

    @Test func anotherExtensionIsRefusedWithThoseThatAreBuiltIn() {
        let text = message(["--extensions", "org.wiremock.RandomExtension,com.example.Own"]) ?? ""
        #expect(text.hasPrefix("--extensions: expected classes of extensions that are built in, as there is no JVM"))
        #expect(text.contains("org.wiremock.extensions.state.StateExtension"))
        #expect(text.hasSuffix(#"found "com.example.Own""#))
    }

    @Test func noNameOccursTwice() {
        // That of WireMock means nothing here, and another of the same name has a meaning for other commands.
        let options = OptionTable.options.filter { $0.name != "timeout" || !$0.isWireMock }
        let names = options.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        let letters = OptionTable.options.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
    }

    /// The option with a sample value if it takes one.
    private static func arguments(for option: Option) -> [String] {
        switch option.value {
        case .flag: ["--\(option.name)"]
        case _ where option.valueIsOptional: ["--\(option.name)"]
        case .choice(let words): ["--\(option.name)", words[0]]
        case .list(.javaClass): ["--\(option.name)", "org.wiremock.RandomExtension"]
        default: ["--\(option.name)", "100"]
        }
    }

    @Test(arguments: OptionTable.options.filter { if case .refused = $0.support { true } else { false } })
    func aRefusedOptionSaysWhy(option: Option) throws {
        guard case .refused(let reason) = option.support else { return }
        #expect(message(Self.arguments(for: option)) == "--\(option.name) is refused: \(reason)")
    }

    @Test(arguments: OptionTable.options.filter { if case .withoutEffect = $0.support { true } else { false } })
    func anOptionWithoutEffectSaysWhyAndChangesNothing(option: Option) throws {
        guard case .withoutEffect(let reason) = option.support else { return }
        var options = try serveOptions(Self.arguments(for: option))
        #expect(options.notices == ["--\(option.name) has no effect: \(reason)"])
        options.notices = []
        #expect(try options == serveOptions([]))
    }

    @Test func anOptionalValueIsTakenOnlyIfItIsValid() throws {
        #expect(try serveOptions(["--timeout", "stubs"]).root.path == "stubs")
        #expect(try serveOptions(["--timeout", "3000", "stubs"]).root.path == "stubs")
        #expect(message(["--timeout=x"])?.hasPrefix("--timeout: expected a number of milliseconds") == true)
    }

    /// WireMock accepts a value after its flags, and scripts use it.
    @Test func aFlagMayBeSetOnOrOff() throws {
        #expect(try serveOptions(["--verbose=true", "--enable-stub-cors=false"]) == serveOptions(["--verbose"]))
        #expect(try serveOptions(["--no-verbose=false"]) == serveOptions(["--verbose"]))
        #expect(try serveOptions(["--disable-gzip=TRUE"]).gzip == false)
        for name in ["async-response-enabled"] {
            for form in [["--\(name)"], ["--\(name)=true"], ["--\(name)", "false"], ["--\(name)=false"]] {
                #expect(try serveOptions(form).notices.count == 1, "\(form)")
            }
        }
    }

    /// Parsing a default value as shown in the table yields the default.
    @Test(arguments: OptionTable.options.filter { $0.defaultText != nil && $0.commands.contains(.serve) })
    func aShownDefaultIsTheDefault(option: Option) throws {
        let text = try #require(option.defaultText)
        #expect(try serveOptions(["--\(option.name)=\(text)"]) == serveOptions([]))
    }
}

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("prot", "port"), ("Port", "port"), ("pport", "port"), ("pot", "port"), ("bind-adress", "bind-address"),
        ("x", nil), ("", nil), ("journal", nil), (String(repeating: "a", count: 10_000), nil),
    ])
    func suggestsTheIntendedName(word: String, name: String?) {
        #expect(nearestName(to: word, among: ["port", "bind-address", "workers"]) == name)
    }
}

@Suite struct AddressTests {
    @Test(arguments: [
        "127.0.0.1", "0.0.0.0", "255.255.255.255", "::", "::1", "1::", "fe80::1%eth0", "1:2:3:4:5:6:7:8",
        "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "2001:DB8::ff00:42:8329", "[::1]",
    ])
    func anAddressIsAccepted(text: String) throws {
        #expect(try serveOptions(["--bind-address", text]).bindAddresses.count == 1)
    }

    @Test(arguments: [
        "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1..2.3", ":", ":::", "::1::", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        ":1", "1:", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", "12345::", "g::", "1.2.3.4::", "fe80::1%", "[::1", "::1]",
        "1:2:3:4:5:6:7:1.2.3.4", "::1/64",
        "127.0.0.1:80", "", ",", "١.٢.٣.٤",
    ])
    func anInvalidAddressIsRefused(text: String) {
        #expect(message(["--bind-address=\(text)"])?.hasPrefix("--bind-address: expected a") == true)
    }
}
