import SDBasics
import Testing

@testable import SDCommand

/// Runs share a daemon if, and only if, their options have the same effect.
@Suite struct IdentityTests {
    /// Whoever adds an option says whether it is compared.
    @Test func eachOptionIsComparedOrSaidNotToBe() {
        let options = Mirror(reflecting: ServeOptions()).children.compactMap(\.label)
        let compared = ServeOptions.compared.map(\.name)
        #expect(Set(compared).count == compared.count)
        #expect(Set(compared).isDisjoint(with: ServeOptions.notCompared.keys))
        #expect(Set(options) == Set(compared).union(ServeOptions.notCompared.keys))
    }

    /// What stands beside a name is that option's own value.
    @Test func aChangedOptionIsAnotherIdentity() throws {
        let usual = ServeOptions()
        var changed: Set<String> = []
        for option in OptionTable.options where option.commands.contains(.serve) {
            // Some values are none of that option, and some options need another.
            for value in [[], ["100"], ["a.example"], ["http://a.example"]] {
                guard case .serve(var options)? = try? parse(["--\(option.name)"] + value) else { continue }
                options.root = usual.root
                options.notices = []
                let names = zip(Mirror(reflecting: options).children, Mirror(reflecting: usual).children)
                    .filter { "\($0.value)" != "\($1.value)" }.compactMap { $0.0.label }
                #expect((options.identity == usual.identity) == names.isEmpty, "--\(option.name): \(names)")
                for part in ServeOptions.compared {
                    let isChanged = part.text(options) != part.text(usual)
                    #expect(isChanged == names.contains(part.name), "--\(option.name): \(part.name)")
                }
                changed.formUnion(names)
            }
        }
        #expect(changed.count > 40, "\(changed.sorted())")
    }

    @Test func noticesChangeNothing() {
        var options = ServeOptions()
        options.notices = ["x"]
        #expect(options.identity == ServeOptions().identity)
    }

    /// What a replica answers by is compared with the others'; where it is, and whom it lets in, is not.
    @Test func replicasCompareWhatTheyAnswerBy() throws {
        let usual = ServeOptions().ofReplicas
        for own in [
            ["--port", "1"], ["--admin-token", "a"], ["--https-port", "2"], ["--no-watch"], ["--log-format", "json"],
        ] {
            #expect(try serveOptions(own).ofReplicas == usual, "\(own)")
        }
        for common in [
            ["--no-request-journal"], ["--global-response-templating"], ["--match-budget", "9"],
            ["--proxy-all", "http://a"],
        ] {
            #expect(try serveOptions(common).ofReplicas != usual, "\(common)")
        }
    }

    @Test func theOrderOfASetIsNone() {
        func options(_ names: [String]) -> ServeOptions {
            var options = ServeOptions()
            options.adminOrigins = names
            options.adminHosts = names
            options.permittedSystemKeys = names
            options.matchedHeaders = names
            options.proxyEncodings = names
            options.allowedProxyTargets = names
            options.deniedProxyTargets = names
            options.trustedTargets = names
            options.http2Targets = names
            options.redactedNames = names
            return options
        }
        #expect(options(["a", "b"]).identity == options(["b", "a", "b"]).identity)
        #expect(options(["a", "b"]).identity != options(["a"]).identity)
    }

    @Test func textsDoNotRunIntoEachOther() {
        func identity(_ change: (inout ServeOptions) -> Void) -> String {
            var options = ServeOptions()
            change(&options)
            return options.identity
        }
        #expect(identity { $0.adminHosts = ["a", "b"] } != identity { $0.adminHosts = ["a b"] })
        #expect(identity { $0.adminHosts = ["a", "b"] } != identity { $0.adminHosts = ["a 1 b"] })
        #expect(identity { $0.portFile = "none" } != identity { $0.portFile = nil })
        #expect(identity { $0.portFile = "x\nverbose 4 true" } != identity { ($0.portFile, $0.verbose) = ("x", true) })
        let credentials = [("a b", "c"), ("a", "b c")].map { BasicCredentials(username: $0, password: $1) }
        #expect(identity { $0.adminBasicAuth = credentials[0] } != identity { $0.adminBasicAuth = credentials[1] })
    }
}
