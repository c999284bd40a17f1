/// The options for calls to other servers: proxied requests and webhooks.
extension OptionTable {
    static let upstream: [Option] = [
        .path(
            "proxy-all", .targetURL, "URL", \.serve.proxyAll, .upstream, wireMock: true,
            "Proxy every unmatched request to URL, by a stub with priority 10."),
        .path(
            "pass-through", .targetURL, "URL", \.serve.passThrough, .upstream,
            "Proxy to URL every request that neither a stub nor a file answers, instead of sending the report; a "
                + "session's setting passThrough takes precedence."),
        .flag(
            "forward-proxy", \.serve.forwardProxy, .upstream,
            "Act as a proxy for clients with HTTP_PROXY and HTTPS_PROXY. Tunnels to hosts that stubs name are "
                + "intercepted with certificates of the local authority; others are relayed unchanged."),
        .flag(
            "enable-browser-proxying", \.serve.browserProxying, .upstream, wireMock: true,
            "Like --forward-proxy, but intercept every tunnel, as WireMock does."),
        .custom(
            "proxy-pass-through", .choice(["true", "false"]), "BOOL", .upstream, wireMock: true, valueIsOptional: true,
            "Send unmatched requests of the proxy's clients to their servers; with false they get a 404."
        ) { settings, value in
            if case .text(let text) = value { settings.serve.proxyPassThrough = text != "false" }
        },
        .path(
            "ca-keystore", .file, "FILE", \.serve.authorityStore, .upstream, wireMock: true,
            "The authority that issues certificates for intercepted tunnels: PEM, PKCS#12 or JKS; by default the "
                + "local one."
        ),
        .storeType(
            "ca-keystore-type", \.serve.authorityStoreType,
            "The format of --ca-keystore; by default detected from its content."),
        .path(
            "ca-keystore-password", .password, "PASSWORD", \.serve.authorityStorePassword, .upstream, wireMock: true,
            "The password of --ca-keystore. WireMock's default is `password`."),
        .flag(
            "no-upstream", \.serve.callsOthers, sets: false, .upstream,
            commands: [.serve, .validate, .importArchive],
            "Refuse every call to another server: proxied requests get a 500, webhooks are not sent."),
        .flag(
            "preserve-host-header", \.serve.preservesHost, .upstream, wireMock: true,
            "Send the client's Host header on, instead of the target's."),
        .flag(
            "preserve-user-agent-proxy-header", \.serve.preservesUserAgent, .upstream, wireMock: true,
            "Send the client's User-Agent on."),
        .list(
            "supported-proxy-encodings", .text, "CODING", \.serve.proxyEncodings, .upstream, wireMock: true,
            commands: [.serve, .record],
            "The codings that Accept-Encoding of proxied requests may name; repeatable. By default all are forwarded."),
        .list(
            "allow-proxy-targets", .text, "TARGET", \.serve.allowedProxyTargets, .upstream, wireMock: true,
            commands: [.serve, .record, .validate, .importArchive],
            "The servers that may be called: addresses, ranges such as 10.0.0.1-10.0.0.9, networks such as "
                + "10.0.0.0/8, or names with *; repeatable. Address rules apply to the address connected to, whatever "
                + "the name."),
        .list(
            "deny-proxy-targets", .text, "TARGET", \.serve.deniedProxyTargets, .upstream, wireMock: true,
            commands: [.serve, .record, .validate, .importArchive],
            "The servers that may not be called, even if they are allowed; repeatable."),
        .path(
            "proxy-via", .proxyAddress, "HOST", \.serve.proxyVia, .upstream, wireMock: true,
            "Reach other servers through this proxy: HOST:PORT, or USER:PASSWORD@HOST:PORT. The port is 80 by "
                + "default. With address rules, names are also resolved here first."),
        .milliseconds(
            "proxy-timeout", \.serve.proxyTimeout, .upstream,
            "The time limit of a call to another server, in milliseconds; 0 for none. The default is 300000."),
        .integer(
            "max-http-client-connections", 1...1_000_000, "N", \.serve.maxUpstreamConnections, .upstream,
            wireMock: true, "The maximum number of connections to other servers at a time."),
        .custom(
            "disable-connection-reuse", .choice(["true", "false"]), "BOOL", .upstream, wireMock: true,
            valueIsOptional: true, "Use each connection to another server for one call only."
        ) { settings, value in
            settings.serve.reusesUpstreamConnections = value == .text("false")
        },
        .flag(
            "trust-all-proxy-targets", \.serve.trustsAllTargets, .upstream, wireMock: true,
            "Do not verify the certificates of other servers. For stubs with proxyBaseUrl they are never verified."),
        .list(
            "trust-proxy-target", .text, "HOST", \.serve.trustedTargets, .upstream, wireMock: true,
            "A host whose certificate is not verified; repeatable."),
        .list(
            "proxy-http2", .text, "HOST", \.serve.http2Targets, .upstream, commands: [.serve, .record],
            "A server to call over HTTP/2: HOST or HOST:PORT, or * for all; repeatable. Without TLS it must speak "
                + "HTTP/2 from the first byte, as gRPC servers do. Other servers are called over HTTP/1.1."),
    ]
}
