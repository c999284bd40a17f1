package import SDCommand
import SDRegularExpressions
import SDUpstream

/// What the command line alone cannot tell of options.
extension ServeOptions {
    /// The first value that what it is for cannot read, with the option and what was expected; nil if all can be read.
    package var invalidValue: (option: String, text: String, expected: String)? {
        for text in permittedSystemKeys {
            do throws(RegexProblem) {
                _ = try JavaRegex(text, .ignoringCase)
            } catch {
                let place = "\(error.reason) at character \(error.offset + 1)"
                return ("--permitted-system-keys", text, "a regular expression (\(place))")
            }
        }
        let rules = [("--allow-proxy-targets", allowedProxyTargets), ("--deny-proxy-targets", deniedProxyTargets)]
        for (option, texts) in rules {
            guard let text = texts.first(where: { !UpstreamSettings.isTargetRule($0) }) else { continue }
            return (option, text, "an address, 10.0.0.1-10.0.0.9, 10.0.0.0/8, or the name of a host, perhaps with *")
        }
        return nil
    }

    /// What is to be known of calls to other servers before the first one, a line each.
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
        return notices
    }
}
