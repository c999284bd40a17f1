public import Testing

/// Expects exactly these bytes and this ending.
public func expectWire(
    _ received: RawClient.Received, _ bytes: [UInt8], _ ending: RawClient.Ending, _ context: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let expected = RawClient.Received(bytes, ending)
    if received == expected { return }
    let place = zip(received.bytes, bytes).enumerated().first { $1.0 != $1.1 }?.offset
    let difference = place ?? min(received.bytes.count, bytes.count)
    Issue.record(
        """
        \(context)
        expected \(bytes.count) bytes, then \(ending):
        \(shortened(bytes))
        received \(received.bytes.count) bytes, then \(received.ending), other from byte \(difference) on:
        \(shortened(received.bytes))
        """, sourceLocation: sourceLocation)
}

public func expectWire(
    _ received: RawClient.Received, _ text: String, _ ending: RawClient.Ending, _ context: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expectWire(received, wire(text), ending, context, sourceLocation: sourceLocation)
}

private func shortened(_ bytes: [UInt8]) -> String {
    bytes.count <= 4000 ? readable(bytes) : readable(bytes.prefix(2000)) + "\n…\n" + readable(bytes.suffix(2000))
}
