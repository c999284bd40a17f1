/// The options for calls to other servers: proxied requests and webhooks.
extension OptionTable {
    static let upstream: [Option] = [
        .path(
            "proxy-all", .targetURL, "URL", \.serve.proxyAll, .upstream, wireMock: true,
            "Send every request on to URL that no stub answers, by a stub of the priority 10."),
        .path(
            "pass-through", .targetURL, "URL", \.serve.passThrough, .upstream,
            "Send on to URL what neither a stub nor a file answers, instead of the report; a session's setting passThrough "
                + "takes precedence."),
        .flag(
            "no-upstream", \.serve.callsOthers, sets: false, .upstream,
            "Refuse every call to another server: proxied requests get a 500, webhooks are not sent."),
        .flag(
            "preserve-host-header", \.serve.preservesHost, .upstream, wireMock: true,
            "Send the client's Host header on, instead of the target's."),
        .flag(
            "preserve-user-agent-proxy-header", \.serve.preservesUserAgent, .upstream, wireMock: true,
            "Send the client's User-Agent on."),
        .list(
            "supported-proxy-encodings", .text, "CODING", \.serve.proxyEncodings, .upstream, wireMock: true,
            "The codings that Accept-Encoding of proxied requests may name; repeatable. By default all are sent on."),
        .list(
            "allow-proxy-targets", .text, "TARGET", \.serve.allowedProxyTargets, .upstream, wireMock: true,
            "The servers that may be called: addresses, ranges such as 10.0.0.1-10.0.0.9, or names with *; repeatable."),
        .list(
            "deny-proxy-targets", .text, "TARGET", \.serve.deniedProxyTargets, .upstream, wireMock: true,
            "The servers that may not be called, even if they are allowed; repeatable."),
        .path(
            "proxy-via", .proxyAddress, "HOST", \.serve.proxyVia, .upstream, wireMock: true,
            "Reach other servers through this proxy: HOST:PORT, or USER:PASSWORD@HOST:PORT. The port is 80 by default."),
        .milliseconds(
            "proxy-timeout", \.serve.proxyTimeout, .upstream,
            "The time limit of a call to another server, in milliseconds. The default is 300000."),
        .integer(
            "max-http-client-connections", 1...1_000_000, "N", \.serve.maxUpstreamConnections, .upstream,
            wireMock: true, "The maximum number of connections to other servers at a time, for each worker."),
        .custom(
            "disable-connection-reuse", .choice(["true", "false"]), "BOOL", .upstream, wireMock: true,
            valueIsOptional: true, "Use each connection to another server for one call only."
        ) { settings, value in
            if case .text(let text) = value { settings.serve.reusesUpstreamConnections = text == "false" }
        },
        .flag(
            "trust-all-proxy-targets", \.serve.trustsAllTargets, .upstream, wireMock: true,
            "Call servers whatever certificate they have. Stubs with proxyBaseUrl do so anyway."),
        .list(
            "trust-proxy-target", .text, "HOST", \.serve.trustedTargets, .upstream, wireMock: true,
            "A host that is called whatever certificate it has; repeatable."),
    ]
}
