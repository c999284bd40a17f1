import SDJSON

/// Stubs that a recorder has written: `metadata` holds a checksum.
extension StubMapping {
    private static let recordedName = "recorded"

    /// A checksum of what the stub matches and answers, however it was saved.
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

    /// Says in `metadata` that the stub is as it was recorded.
    package mutating func markAsRecorded() { metadata = [Self.recordedName: .string(checksum)] }

    /// Whether the stub is as it was recorded: nobody has changed it, and what is odd about it is what a client or server
    /// has sent.
    package var isAsRecorded: Bool { metadata?[Self.recordedName]?.stringValue == checksum }
}

extension ResponseDefinition {
    /// Forgets that it is no template, which routes say only where it looks like one.
    fileprivate mutating func forgetPlainText() {
        if template == false { template = nil }
    }
}
