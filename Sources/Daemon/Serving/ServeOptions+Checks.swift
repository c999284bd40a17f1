package import SDCommand
import SDHTTPTransport
import SDRedis
import SDRegularExpressions
import SDUpstream

/// Checks of options that need more than the command line.
extension ServeOptions {
    /// The problem with the first value that its parser rejects; nil if all are valid.
    package var invalidValue: CommandLineError? {
        func refuse(_ option: String, _ text: String, _ expected: String, nearest: String? = nil) -> CommandLineError {
            .invalidValue(.option(option), found: text, expected: expected, nearest: nearest)
        }
        for text in permittedSystemKeys {
            do throws(RegexProblem) {
                _ = try JavaRegex(text, .ignoringCase)
            } catch {
                let place = "\(error.reason) at character \(error.offset + 1)"
                return refuse("--permitted-system-keys", text, "a regular expression (\(place))")
            }
        }
        let rules = [("--allow-proxy-targets", allowedProxyTargets), ("--deny-proxy-targets", deniedProxyTargets)]
        for (option, texts) in rules {
            guard let text = texts.first(where: { !UpstreamSettings.isTargetRule($0) }) else { continue }
            return refuse(
                option, text, "an address, 10.0.0.1-10.0.0.9, 10.0.0.0/8, or the name of a host, perhaps with *")
        }
        let servers = [
            ("--proxy-http2", http2Targets.filter { $0 != "*" }, "HOST, HOST:PORT, or * for all"),
            ("--trust-proxy-target", trustedTargets, "HOST or HOST:PORT"),
        ]
        for (option, texts, expected) in servers {
            guard let text = texts.first(where: { !ServerNames.isName($0) }) else { continue }
            return refuse(option, text, "\(expected), without a scheme or path", nearest: ServerNames.name(in: text))
        }
        return shared.flatMap(Self.problem(ofShared:))
    }

    /// The problem with the address of the shared server; nil if there is none.
    package static func problem(ofShared text: String) -> CommandLineError? {
        do throws(RedisAddressProblem) {
            _ = try RedisAddress(text)
            return nil
        } catch {
            return .unusable(.option("--shared"), problem: error.description, form: RedisAddress.form)
        }
    }

    /// Notices about calls to other servers, one line each.
    var gateNotices: [String] {
        guard callsOthers else { return [] }
        var notices: [String] = []
        let places = bindAddresses.filter { !$0.hasPrefix("127.") && $0 != "::1" }
        let sendsOn = isForwardProxy || proxyAll != nil || passThrough != nil
        if sendsOn, !places.isEmpty, allowedProxyTargets.isEmpty, deniedProxyTargets.isEmpty {
            notices.append(
                "everybody who reaches this machine at \(places.joined(separator: ", ")) can call other servers through it; "
                    + "--allow-proxy-targets says which")
        }
        if proxyVia != nil, UpstreamSettings(self).hasAddressRules {
            notices.append(
                "--proxy-via looks up names by itself: rules about addresses are kept as far as names mean the same here"
            )
        }
        if !http2Targets.isEmpty, let reason = HTTPVersion.http2Problem { notices.append(reason) }
        if proxyVia != nil, forwardProxy, !browserProxying {
            notices.append(
                "--proxy-via leads no tunnels on: with --forward-proxy, https:// servers that no stub names get a 502; "
                    + "--enable-browser-proxying opens every tunnel, and sends what is in it through that proxy")
        }
        return notices
    }
}
