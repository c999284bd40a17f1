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
            "forward-proxy", \.serve.forwardProxy, .upstream,
            "Be a proxy for clients with HTTP_PROXY and HTTPS_PROXY. Tunnels to hosts that stubs name are opened by certificates of "
                + "the local authority; others lead to their servers untouched."),
        .flag(
            "enable-browser-proxying", \.serve.browserProxying, .upstream, wireMock: true,
            "Like --forward-proxy, but open every tunnel, as WireMock does."),
        .custom(
            "proxy-pass-through", .choice(["true", "false"]), "BOOL", .upstream, wireMock: true, valueIsOptional: true,
            "Send on what clients of the proxy ask for and nothing answers; with false they get a 404."
        ) { settings, value in
            if case .text(let text) = value { settings.serve.proxyPassThrough = text != "false" }
        },
        .path(
            "ca-keystore", .file, "FILE", \.serve.authorityStore, .upstream, wireMock: true,
            "The authority that issues certificates for tunnels that are opened, PEM, PKCS#12 or JKS; by default the local one."
        ),
        .storeType(
            "ca-keystore-type", \.serve.authorityStoreType, "The form of --ca-keystore; by default that of its content."
        ),
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
            "The codings that Accept-Encoding of proxied requests may name; repeatable. By default all are sent on."),
        .list(
            "allow-proxy-targets", .text, "TARGET", \.serve.allowedProxyTargets, .upstream, wireMock: true,
            commands: [.serve, .record, .validate, .importArchive],
            "The servers that may be called: addresses, ranges such as 10.0.0.1-10.0.0.9, networks such as 10.0.0.0/8, or names "
                + "with *; repeatable. Judged is what is connected to, whatever name leads there."),
        .list(
            "deny-proxy-targets", .text, "TARGET", \.serve.deniedProxyTargets, .upstream, wireMock: true,
            commands: [.serve, .record, .validate, .importArchive],
            "The servers that may not be called, even if they are allowed; repeatable."),
        .path(
            "proxy-via", .proxyAddress, "HOST", \.serve.proxyVia, .upstream, wireMock: true,
            "Reach other servers through this proxy: HOST:PORT, or USER:PASSWORD@HOST:PORT. The port is 80 by default. Where rules are "
                + "about addresses, names are looked up here first."),
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
            "Call servers whatever certificate they have. Stubs with proxyBaseUrl do so anyway."),
        .list(
            "trust-proxy-target", .text, "HOST", \.serve.trustedTargets, .upstream, wireMock: true,
            "A host that is called whatever certificate it has; repeatable."),
        .list(
            "proxy-http2", .text, "HOST", \.serve.http2Targets, .upstream, commands: [.serve, .record],
            "A server that is called in HTTP/2, HOST or HOST:PORT, or * for all; repeatable. In the clear it has to speak it from the "
                + "first byte, as servers of gRPC do. Others are called in HTTP/1.1."),
    ]
}
