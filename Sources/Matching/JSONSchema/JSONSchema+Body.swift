public import JSON

extension JSONSchema {
    /// Whether the body of a request satisfies the schema, by WireMock's rule for `matchesJsonSchema`: a body that is not
    /// JSON counts as a string with that text; one that is a number, a truth value or null and does not satisfy the
    /// schema is tried as a string as well. An empty body is neither and never matches.
    ///
    /// - Parameters:
    ///   - body: The body as text.
    ///   - parsed: The body as JSON; nil if it is none.
    public func validate(body: String, parsed: JSONValue?) -> Bool {
        let (first, second) = Self.readings(of: body, parsed)
        if let first, validate(first) { return true }
        return second.map { validate($0) } ?? false
    }

    /// How far a body is from satisfying the schema, by the same rule and in the unit of `distance(of:)`; 1 for an empty
    /// body.
    public func distance(ofBody body: String, parsed: JSONValue?) -> Double {
        let (first, second) = Self.readings(of: body, parsed)
        guard let first else { return 1 }
        let distance = distance(of: first)
        if distance == 0 { return 0 }
        return second.map { self.distance(of: $0) } ?? distance
    }

    /// Why a body does not satisfy the schema, by the same rule: violations of what it is first taken for, up to `most`, and
    /// what that is; nil where it satisfies the schema, and where it is empty.
    public func errors(
        inBody body: String, parsed: JSONValue?, most: Int
    ) -> (errors: [SchemaError], document: JSONValue)? {
        guard let first = Self.readings(of: body, parsed).0, !validate(body: body, parsed: parsed) else { return nil }
        return (errors(in: first, most: most), first)
    }

    /// What a body may be taken for, in order.
    private static func readings(of body: String, _ parsed: JSONValue?) -> (JSONValue?, JSONValue?) {
        if body.isEmpty { return (nil, nil) }
        switch parsed {
        case nil: return (.string(body), nil)
        case .null, .bool, .number: return (parsed, .string(body))
        default: return (parsed, nil)
        }
    }
}
