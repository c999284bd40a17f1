import SDJSON
package import SDStubModel

extension ResponseDefinition {
    /// Whether the body in the definition is too long for a loop to write it into a list of stubs. Reads only as much
    /// of a JSON body as needed.
    package var hasLongBody: Bool {
        var room = 64 << 10
        return (body?.utf8.count ?? 0) > room || (base64Body?.utf8.count ?? 0) > room
            || jsonBody.map { !$0.fits(into: &room) } ?? false
    }
}

extension RequestPattern {
    /// Whether it expects a document that is too long for a loop to write it into a report.
    package var hasLongBody: Bool {
        bodyPatterns.contains { matcher in
            var room = 64 << 10
            return !matcher.operand.fits(into: &room)
        }
    }
}

extension JSONValue {
    /// Subtracts the approximate size of its text from `room`.
    /// - Returns: false if `room` does not suffice.
    fileprivate func fits(into room: inout Int) -> Bool {
        room -= 4
        switch self {
        case .null, .bool, .number: break
        case .string(let text): room -= text.utf8.count
        case .array(let elements): return room > 0 && elements.allSatisfy { $0.fits(into: &room) }
        case .object(let object):
            return room > 0
                && object.members.allSatisfy { member in
                    room -= member.key.utf8.count
                    return member.value.fits(into: &room)
                }
        }
        return room > 0
    }
}
