/// WireMock's unsupported options. A flag that tunes the JVM, or turns off a feature that does not exist, is accepted
/// with a note that it has no effect; a flag that asks for a feature that does not exist is rejected.
extension OptionTable {
    static let wireMock: [Option] = withoutEffect + otherwiseRefused

    private static let count = ValueKind.integer(0...Int.max)
    private static let boolean = ValueKind.choice(["true", "false"])

    private static let noThreads =
        "event loops serve all connections, and delays use timers instead of threads; --workers sets the number of loops"

    private static let withoutEffect: [Option] = [
        .idle(
            "disable-banner", "Print no banner.",
            "there is no banner; only the ready line is written to standard output"),
        .idle("container-threads", count, "The number of request threads.", noThreads),
        .idle("async-response-enabled", boolean, valueIsOptional: true, "Answer on other threads.", noThreads),
        .idle("async-response-threads", count, "The number of response threads.", noThreads),
        .idle("jetty-acceptor-threads", count, "The number of accepting threads.", noThreads),
        .idle(
            "jetty-accept-queue-size", count, "The length of the queue of new connections.",
            "the event loop accepts connections as they arrive"),
        .idle(
            "jetty-header-response-size", .size(0...Int.max), "The buffer for response heads.",
            "a response head has no fixed buffer and no limit"),
        .idle(
            "timeout", .milliseconds, valueIsOptional: true, "The time limit of asynchronous responses.",
            "a response may take as long as its stub specifies"),
        .idle("webhook-threadpool-size", count, "The number of webhook threads.", noThreads),
        .idle(
            "local-response-templating", "Render templates in stubs that ask for it; WireMock's default.",
            "it is the default here, too"),
        .idle(
            "max-template-cache-entries", count, valueIsOptional: true, "The size of the template cache.",
            "a template is compiled once, when its stub is added"),
        .idle(
            "extensions", .list(.javaClass), "Java classes to load.",
            "what these classes do is built in; others are refused, as there is no JVM to load them"),
        .idle(
            "disable-extensions-scanning", "Do not look for Java extensions.", "no Java extension is ever loaded"),
        .idle(
            "disable-optimize-xml-factories-loading", "Look up the JVM's XML factories each time.",
            "there is no JVM"),
    ]

    private static let otherwiseRefused: [Option] = [
        .refused(
            "load-resources-from-classpath", .text, "Read stubs from the class path.",
            "there is no Java class path; specify the folder with --root-dir"),
        .refused(
            "disable-strict-http-headers", "Parse request headers leniently.",
            "the request parser has no lenient mode"),
    ]
}
