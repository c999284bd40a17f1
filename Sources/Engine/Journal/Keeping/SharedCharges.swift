/// The sizes of objects that several events of a journal share: each is charged once, as long as an event references
/// it.
struct SharedCharges {
    private var charges: [ObjectIdentifier: Charge] = [:]

    private struct Charge {
        var users: Int
        let size: Int
    }

    package var isEmpty: Bool { charges.isEmpty }

    /// Counts another event that references an object.
    /// - Parameter size: the object's size in bytes; read for its first event.
    /// - Returns: the number of bytes to charge.
    package mutating func add(_ object: ObjectIdentifier, size: @autoclosure () -> Int) -> Int {
        if let known = charges.index(forKey: object) {
            charges.values[known].users += 1
            return 0
        }
        return set(object, users: 1, size: size())
    }

    /// Sets the number of events that reference an object.
    /// - Returns: the number of bytes to charge.
    package mutating func set(_ object: ObjectIdentifier, users: Int, size: Int) -> Int {
        let before = charges.updateValue(Charge(users: users, size: size), forKey: object)
        return size - (before?.size ?? 0)
    }

    /// Records that an event no longer references an object.
    /// - Returns: the number of bytes that are no longer charged.
    package mutating func release(_ object: ObjectIdentifier) -> Int {
        guard let known = charges.index(forKey: object) else { return 0 }
        charges.values[known].users -= 1
        return charges.values[known].users == 0 ? charges.remove(at: known).value.size : 0
    }
}
