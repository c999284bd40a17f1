import SDJSON

/// Recorded stubs: `metadata` holds a checksum.
extension StubMapping {
    private static let recordedName = "recorded"

    /// A checksum of the request and response, independent of the file format.
    private var checksum: String {
        var stub = self
        stub.id = Self.noID
        stub.metadata = nil
        stub.insertionIndex = nil
        stub.persistent = nil
        stub.answersHead = false
        stub.response.forgetPlainText()
        if var sequence = stub.responses {
            for index in sequence.entries.indices { sequence.entries[index].response.forgetPlainText() }
            stub.responses = sequence
        }
        return String(Self.id(hashing: stub.json(view: .file).compactText).lowercasedString.prefix(8))
    }

    /// Marks the stub as recorded in `metadata`.
    package mutating func markAsRecorded() { metadata = [Self.recordedName: .string(checksum)] }

    /// Whether the stub is unchanged since it was recorded, so that oddities in it come from the client or server.
    package var isAsRecorded: Bool { metadata?[Self.recordedName]?.stringValue == checksum }
}

extension ResponseDefinition {
    /// Removes an explicit `template: false`, which routes write only where the text looks like a template.
    fileprivate mutating func forgetPlainText() {
        if template == false { template = nil }
    }
}
