/// The options of WireMock's recorder, and those of `stuntdouble record`.
extension OptionTable {
    static let recordMappings: [Option] = [
        .flag(
            "record-mappings", \.serve.recordsMappings, .upstream, wireMock: true,
            "Write a stub and its body file for each new proxied request. They are served after the next start."),
        .list(
            "match-headers", .text, "NAME", \.serve.matchedHeaders, .upstream, wireMock: true,
            "The request headers that the stubs of --record-mappings match; repeatable."),
    ]

    static let recording: [Option] = [
        .path(
            "target", .targetURL, "URL", \.record.givenTarget, .recording, commands: [.record],
            "The server to record."),
        .path(
            "to", .folder, "DIR", \.record.folder, .recording, commands: [.record, .importArchive, .convert],
            "The folder to write the stubs to. For record and import it is mocks by default; convert without it "
                + "prints one file."
        ),
        .list(
            "host", .text, "HOST", \.hosts, .recording, commands: [.importArchive],
            "Import only exchanges with this host: api.example, localhost:8080 or *.example; repeatable."),
        .flag(
            "only-unmatched", \.record.onlyUnmatched, .recording, commands: [.record],
            "Serve the stubs of the folder, and record unmatched requests only."),
        .flag(
            "keep-timing", \.record.keepsTiming, .recording, commands: [.record],
            "Record latencies and the gaps between the events of a stream."),
    ]
}
