public import SDJSON
public import SDStubModel

/// Answers piece by piece.
extension StubbedResponse {
    /// Server-sent events, or raw pieces, with gaps between them:
    /// `.stream(.event("tick", data: ["n": 1]), .data("done").after(.milliseconds(200)))`.
    /// - Parameters:
    ///   - name: the name under which the test pushes further events; the stream then stays open after its own.
    ///   - items: the events and pieces, in order.
    ///   - rounds: how often the events are sent; nil for once.
    public static func stream(
        name: String? = nil, _ items: StreamDefinition.Item..., repeat rounds: StreamDefinition.Rounds? = nil
    ) -> StubbedResponse {
        StubbedResponse().stream(StreamDefinition(name: name, items, rounds: rounds))
    }

    /// Sends a stream in place of a body.
    public func stream(_ stream: StreamDefinition) -> StubbedResponse {
        body(type: nil) { $0.stream = stream }
    }
}

extension StreamDefinition.Item {
    /// A server-sent event.
    public static func event(
        _ type: String? = nil, id: String? = nil, data: JSONValue? = nil, retry: Duration? = nil,
        comment: String? = nil
    ) -> StreamDefinition.Item {
        var event = StreamEvent(event: type, id: id, data: data)
        event.retryMilliseconds = retry?.wholeMilliseconds
        event.comment = comment
        return StreamDefinition.Item(.event(event))
    }

    /// An event of data alone: a text, each line of which is a line of the event, or any other JSON.
    public static func data(_ data: JSONValue) -> StreamDefinition.Item { event(data: data) }

    /// A line that clients skip.
    public static func comment(_ text: String) -> StreamDefinition.Item { event(comment: text) }

    /// A piece of the body, sent as it is.
    public static func chunk(_ text: String) -> StreamDefinition.Item { StreamDefinition.Item(.chunk(text)) }

    /// A piece of the body, sent as it is.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> StreamDefinition.Item {
        StreamDefinition.Item(.base64(Base64.encode(bytes)))
    }

    /// Makes the rest wait at a gate until the test releases it.
    /// - Parameters:
    ///   - gate: the name of the gate.
    ///   - timeout: the longest wait; nil for as long as it takes.
    ///   - then: what happens after it; nil sends the rest.
    public static func hold(
        _ gate: String, timeout: Duration? = nil, then: GateHold.Timeout? = nil
    ) -> StreamDefinition.Item {
        StreamDefinition.Item(
            .hold(GateHold(gate, timeoutMilliseconds: timeout?.wholeMilliseconds, onTimeout: then)))
    }

    /// Sends it that long after what comes before.
    public func after(_ gap: Duration) -> StreamDefinition.Item {
        StreamDefinition.Item(content, after: gap.wholeMilliseconds)
    }
}
