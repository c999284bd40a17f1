public import SDJSON
public import SDPlatform

extension JSONSchema {
    /// Whether a request body satisfies the schema, by WireMock's rule for `matchesJsonSchema`: a body that is not JSON
    /// counts as a string with that text. A number, boolean or null that does not satisfy the schema is also tried as a
    /// string. An empty body never matches.
    ///
    /// - Parameters:
    ///   - body: the body as text.
    ///   - parsed: the body as JSON; nil if it is not JSON.
    public func validate(body: String, parsed: JSONValue?, _ budget: WorkBudget = WorkBudget()) -> Bool {
        let (first, second) = Self.readings(of: body, parsed)
        if let first, validate(first, budget) { return true }
        return second.map { validate($0, budget) } ?? false
    }

    /// The distance of a body from satisfying the schema, by the same rule and in the unit of `distance(of:)`; 1 for an
    /// empty body.
    public func distance(ofBody body: String, parsed: JSONValue?, _ budget: WorkBudget = WorkBudget()) -> Double {
        let (first, second) = Self.readings(of: body, parsed)
        guard let first else { return 1 }
        let distance = distance(of: first, budget)
        if distance == 0 { return 0 }
        return second.map { self.distance(of: $0, budget) } ?? distance
    }

    /// The violations of the schema by the first reading of the body, at most `most`, and that reading. Nil if the body
    /// is valid or empty.
    public func errors(
        inBody body: String, parsed: JSONValue?, most: Int, _ budget: WorkBudget = WorkBudget()
    ) -> (errors: [SchemaError], document: JSONValue)? {
        guard let first = Self.readings(of: body, parsed).0, !validate(body: body, parsed: parsed, budget) else {
            return nil
        }
        return (errors(in: first, most: most, budget), first)
    }

    /// The readings of a body, in the order in which they are tried.
    private static func readings(of body: String, _ parsed: JSONValue?) -> (JSONValue?, JSONValue?) {
        if body.isEmpty { return (nil, nil) }
        switch parsed {
        case nil: return (.string(body), nil)
        case .null, .bool, .number: return (parsed, .string(body))
        default: return (parsed, nil)
        }
    }
}
