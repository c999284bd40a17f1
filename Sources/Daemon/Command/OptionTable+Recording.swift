/// The options of WireMock's recorder, and those of `stuntdouble record`.
extension OptionTable {
    static let recordMappings: [Option] = [
        .flag(
            "record-mappings", \.serve.recordsMappings, .upstream, wireMock: true,
            "Write a stub, and a file with its body, for each new request that goes on to another server. They are served "
                + "after the next start."),
        .list(
            "match-headers", .text, "NAME", \.serve.matchedHeaders, .upstream, wireMock: true,
            "The request headers that the stubs of --record-mappings match; repeatable."),
    ]

    static let recording: [Option] = [
        .path(
            "target", .targetURL, "URL", \.record.givenTarget, .recording, commands: [.record],
            "The server whose answers are recorded."),
        .path(
            "to", .folder, "DIR", \.record.folder, .recording, commands: [.record, .importArchive, .convert],
            "The folder that the stubs are written to. Of record and import: mocks by default; of convert: without it one file is printed."
        ),
        .list(
            "host", .text, "HOST", \.hosts, .recording, commands: [.importArchive],
            "Make stubs of the exchanges with this host alone: api.example, localhost:8080 or *.example; repeatable."),
        .flag(
            "only-unmatched", \.record.onlyUnmatched, .recording, commands: [.record],
            "Serve the stubs of the folder, and record what they do not answer."),
        .flag(
            "keep-timing", \.record.keepsTiming, .recording, commands: [.record],
            "Keep latencies, and the gaps between the events of a stream."),
    ]
}
