public import SDJSON
import SDStubModel

/// The origin of a message stub in its file's document.
public struct MessageOrigin: Sendable {
    /// The pointer of the stub, or of the part of a route that defines it.
    public var place: JSONPointer
    /// The origin of its route, by whose conditions channels are selected; nil for a stub in a file of message stubs.
    var route: StubOrigin?
    /// The sources of its parts.
    var sources: [StubOrigin.Source] = []

    public init(place: JSONPointer) { self.place = place }

    init(place: JSONPointer, route: StubOrigin) {
        self.place = place
        self.route = route
    }

    private static let channel = ["trigger", "channel", "initiatingRequestPattern"]

    /// The pointer in the document for `pointer` in the stub.
    public func place(of pointer: JSONPointer) -> (place: JSONPointer, isName: Bool) {
        guard let route else { return (place.appending(pointer), true) }
        if pointer.tokens.starts(with: Self.channel) {
            return route.place(of: JSONPointer(["request"] + pointer.tokens.dropFirst(Self.channel.count)))
        }
        let named = sources.filter { pointer.tokens.starts(with: $0.pointer.tokens) }
        guard let source = named.max(by: { $0.pointer.tokens.count < $1.pointer.tokens.count }) else {
            return (place, true)
        }
        let rest = pointer.tokens.dropFirst(source.pointer.tokens.count)
        return (source.keepsRest ? JSONPointer(source.place.tokens + rest) : source.place, false)
    }
}

/// A message stub with its origin.
struct LocatedMessage {
    var stub: MessageStub
    var origin: MessageOrigin
}
