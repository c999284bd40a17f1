import SDBasics
public import SDJSON

/// A document inside a stub. The stubs of one route share it, together with a value derived from it.
public final class InlineDocument: Sendable, Hashable {
    /// The document.
    public let json: JSONValue
    private let made = Lock<(any Sendable)?>(nil)

    /// Makes a document of a value.
    public init(_ json: JSONValue) {
        self.json = json
    }

    /// The value derived by `make`, computed by the first caller and shared by the others.
    /// - Parameter isFit: whether a value computed for another caller is usable.
    /// - Throws: what `make` throws; the next caller then tries again.
    package func shared<Made: Sendable, Failure: Error>(
        where isFit: (Made) -> Bool, _ make: (JSONValue) throws(Failure) -> Made
    ) throws(Failure) -> Made {
        try made.withLock { made throws(Failure) in
            if let known = made as? Made, isFit(known) { return known }
            let new = try make(json)
            made = new
            return new
        }
    }

    public static func == (left: InlineDocument, right: InlineDocument) -> Bool {
        left === right || left.json == right.json
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
