public import Testing

extension MockServer.Count: CustomTestStringConvertible {
    /// The count in the kit's notation: `.exactly(2)`.
    public var testDescription: String {
        switch (least, most) {
        case (0, 0): ".never"
        case (1, 1): ".once"
        case (let least?, let most?): least == most ? ".exactly(\(least))" : ".between(\(least)...\(most))"
        case (let least?, nil): ".atLeast(\(least))"
        case (nil, let most?): ".atMost(\(most))"
        case (nil, nil): "any number"
        }
    }
}
