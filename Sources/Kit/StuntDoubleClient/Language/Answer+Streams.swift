import SDJSON
package import SDStubModel

/// Streamed answers.
extension Stub.Answer {
    /// Streams server-sent events or raw chunks, with gaps between them:
    /// `.stream(.event("tick", data: ["n": 1]), .data("done").after(.milliseconds(200)))`.
    /// - Parameters:
    ///   - name: the name under which the test pushes further events; a named stream stays open after its own items.
    ///   - items: the events and chunks, in order.
    ///   - rounds: how often the items are sent; nil for once.
    public static func stream(
        name: String? = nil, _ items: Stub.Piece..., repeat rounds: Stub.Rounds? = nil
    ) -> Stub.Answer {
        Stub.Answer().stream(StreamDefinition(name: name, items.map(\.model), rounds: rounds?.model))
    }

    /// Replaces the body with a stream.
    package func stream(_ stream: StreamDefinition) -> Stub.Answer {
        body(type: nil) { $0.stream = stream }
    }
}

extension Stub.Piece {
    /// A server-sent event.
    public static func event(
        _ type: String? = nil, id: String? = nil, data: Stub.JSON? = nil, retry: Duration? = nil,
        comment: String? = nil
    ) -> Stub.Piece {
        var event = StreamEvent(event: type, id: id, data: data?.value)
        event.retryMilliseconds = retry?.wholeMilliseconds
        event.comment = comment
        return Stub.Piece(content: .event(event))
    }

    /// An event with data only: a text, split into lines, or any other JSON.
    public static func data(_ data: Stub.JSON) -> Stub.Piece { event(data: data) }

    /// A comment line, which clients skip.
    public static func comment(_ text: String) -> Stub.Piece { event(comment: text) }

    /// A chunk of the body, sent unchanged.
    public static func chunk(_ text: String) -> Stub.Piece { Stub.Piece(content: .chunk(text)) }

    /// A chunk of the body, sent unchanged.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> Stub.Piece {
        Stub.Piece(content: .base64(Base64.encode(bytes)))
    }

    /// Holds the rest of the stream at a gate until the test releases it.
    /// - Parameters:
    ///   - gate: the name of the gate.
    ///   - timeout: the longest wait; nil for no limit.
    ///   - then: the action at the timeout; nil sends the rest.
    public static func hold(
        _ gate: String, timeout: Duration? = nil, then: Stub.Timeout? = nil
    ) -> Stub.Piece {
        Stub.Piece(
            content: .hold(GateHold(gate, timeoutMilliseconds: timeout?.wholeMilliseconds, onTimeout: then?.model)))
    }

    /// Sends the item that long after the previous one.
    public func after(_ gap: Duration) -> Stub.Piece {
        Stub.Piece(content: model.content, after: gap.wholeMilliseconds)
    }

    private init(content: StreamDefinition.Content, after: Int? = nil) {
        self.init(model: SDStubModel.StreamDefinition.Item(content, after: after))
    }
}

extension Stub {
    /// How often the items of a stream are sent.
    public enum Rounds: Sendable, Hashable {
        /// That many times.
        case times(Int)
        /// Until the client disconnects.
        case forever

        package var model: StreamDefinition.Rounds {
            switch self {
            case .times(let count): .times(count)
            case .forever: .forever
            }
        }
    }
}
