import SDTestSupport
import Testing

@testable import SDCommand

/// Passwords on the command line and in the environment.
@Suite struct SecretArgumentTests {
    private static let passwords: [(name: String, store: String, value: @Sendable (ServeOptions) -> String?)] = [
        ("keystore-password", "https-keystore", { $0.keyStorePassword }),
        ("key-manager-password", "https-keystore", { $0.keyPassword }),
        ("truststore-password", "https-truststore", { $0.trustStorePassword }),
        ("ca-keystore-password", "ca-keystore", { $0.authorityStorePassword }),
    ]

    @Test(arguments: passwords.indices) func aPasswordMayBeEmpty(index: Int) throws {
        let (name, store, value) = Self.passwords[index]
        let others = ["--\(store)=a", "--https-port=0", "--forward-proxy"]
        #expect(value(try serveOptions(others)) == nil)
        #expect(value(try serveOptions(others + ["--\(name)", ""])) == "")
        #expect(value(try serveOptions(others + ["--\(name)="])) == "")
        let variable = "STUNTDOUBLE_" + name.uppercased().split(separator: "-").joined(separator: "_")
        #expect(value(try serveOptions(others, environment: [variable: ""])) == "")
        #expect(value(try serveOptions(others, environment: ["WIREMOCK_OPTIONS": "--\(name)="])) == "")
        #expect(message(others + ["--\(name)=a\0"]) == "--\(name): expected text without NUL")
    }

    /// What is printed about a wrong command line, as text and in `--json`, has no secret.
    @Test(arguments: [
        ["serve", "--keystore-password", "s3cret", "--https-prot", "1"],
        ["serve", "--keystore-pasword", "s3cret"], ["serve", "--keystore-pasword=s3cret"],
        ["serve", "-keystore-password=s3cret"], ["serve", "-keystore-password", "s3cret"],
        ["serve", "--key-manager-password=s3cret", "--https-prot=1"], ["serve", "--keys=s3cret", "--elephant"],
        ["serve", "--keys", "s3cret", "--elephant"], ["serve", "--admin-token", "s3cret", "--log-format", "jsn"],
        ["serve", "--truststore-password", "--admin-token=s3cret"], ["serve", "--admin-api-basic-auth", "s3cret"],
        ["serve", "--admin-api-basic-auth=a:s3cret", "--prot", "1"],
        ["serve", "--truststore-password=s3cret", "--port"],
        ["run", "--keystore-password", "s3cret", "npm", "test"], ["run", "--keystore-password=s3cret", "npm", "test"],
        ["explain", "mocks", "GET", "--admin-token=s3cret", "/a", "/b", "/c"],
        ["serve", "--https-keystore=a", "--keystore-password=s3cret\0", "--https-port=0"],
        ["serve", "--keystore-password=s3cret"], ["serve", "--ca-keystore-password=s3cret", "nowhere"],
    ])
    func noMessageHasASecret(arguments: [String]) {
        do throws(CommandLineError) {
            _ = try parse(arguments, environment: [:], folders: ["mocks"])
            Issue.record("understood")
        } catch {
            let told = [error.message, error.fix(of: arguments), error.expected, error.found, error.nearest]
            for text in told.compactMap(\.self) { #expect(!text.contains("s3cret"), "\(text)") }
        }
    }

    /// The password of a URL is a secret as well, also where the URL is none.
    @Test(
        arguments: [
            ["serve", "--proxy-all", "http://ada:s3cret x@h"], ["serve", "--proxy-all=http:/ada:s3cret@h"],
            ["serve", "--proxy-all", "http;//ada:s3cret@h"], ["serve", "--pass-through", "http//ada:s3cret@h"],
            ["serve", "--pass-through=ada:s3cret@h.example"], ["serve", "--proxy-via", "ada:s3cret@127.0.0.1:x"],
            ["serve", "--proxy-via=http://ada:s3cret@h"],

            ["record", "--target", "ftp://ada:s3cret@h"],
            ["record", "--target=http:ada:s3cret@h"], ["record", "http://ada:s3cret@h"], ["http://ada:s3cret@h"],
            ["routes", "http://ada:s3cret@h"], ["check", "http://ada:s3cret/x@h", "mocks", "x"],
            ["check", "ftp://ada:s3cret@h", "mocks"], ["report", "--url", "http://ada:s3cret@127.0.0.1:1"],
            ["report", "--url=http://ada:s3cret/x@h"], ["wait", "http://ada:s3cret@127.0.0.1:1"],

            ["serve", "--admin-cors=http://ada:s3cret@h"], ["serve", "--admin-host", "http://ada:s3cret@h"],
            ["serve", "--port", "http://ada:s3cret@h"], ["serve", "--bind-address=http://ada:s3cret@h"],

            ["serve", "--proxy-all=http://ada:s3cret@h", "--prot", "1"],
        ])
    func noMessageHasThePasswordOfAURL(arguments: [String]) {
        for environment in [[:], ["STUNTDOUBLE_URL": "http://ada:s3cret@h"]] {
            do throws(CommandLineError) {
                _ = try parse(arguments, environment: environment, folders: ["mocks"])
                Issue.record("understood")
            } catch {
                let told = [error.message, error.fix(of: arguments), error.expected, error.found, error.nearest]
                for text in told.compactMap(\.self) { #expect(!text.contains("s3cret"), "\(text)") }
            }
        }
    }

    @Test func aLineWithoutItsSecretsSaysWhatTheyAre() {
        let line = ["run", "--keystore-password", "s3cret", "--admin-token=t", "--port=1", "--", "a"]
        #expect(
            CommandLineError.withoutSecrets(line)
                == ["run", "--keystore-password", "PASSWORD", "--admin-token=TOKEN", "--port=1", "--", "a"])
        // Behind the two dashes is a command of the user's own.
        let command = [
            "run", "--admin-token", "t", "--", "pytest", "-k", "ok", "--key", "x", "--password=y", "--", "--token", "z",
        ]
        #expect(CommandLineError.withoutSecrets(command) == ["run", "--admin-token", "TOKEN"] + command.dropFirst(3))
        // What follows is no value.
        #expect(CommandLineError.withoutSecrets(["--admin-token", "--port=1"]) == ["--admin-token", "--port=1"])
    }
}
