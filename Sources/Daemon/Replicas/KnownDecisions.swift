import SDMockEngine
import SDRedis
import Synchronization

/// The decisions of each session known to this replica, with their numbers, so that they can be written again if the
/// shared server loses them.
final class KnownDecisions: Sendable {
    /// The maximum number of fields kept per session; the latest are kept.
    private static let most = 20_000
    /// The field with the number of the last decision.
    private static let number = Array("v".utf8)

    private let sessions = Mutex<[String?: Fields]>([:])

    private struct Fields {
        let key: DecisionKey
        var values: [MovedField.Name: (field: MovedField, number: Int)] = [:]

        mutating func learn(_ field: MovedField, _ number: Int) {
            if let known = values[field.name], known.number > number { return }
            values[field.name] = (field, number)
        }

        mutating func keepWithinLimit() {
            guard values.count > KnownDecisions.most else { return }
            let numbers = values.values.map(\.number).sorted()
            let middle = numbers[numbers.count / 2]
            values = values.filter { $0.value.number > middle }
        }
    }

    /// Records the fields changed by a decision.
    func learn(_ fields: [MovedField], of key: DecisionKey, _ number: Int) {
        sessions.withLock { sessions in
            var known = sessions.removeValue(forKey: key.session) ?? Fields(key: key)
            // A reset starts from scratch.
            if known.key.reset < key.reset { known = Fields(key: key) }
            if known.key == key {
                for field in fields { known.learn(field, number) }
                known.keepWithinLimit()
            }
            sessions[key.session] = known
        }
    }

    /// Records all decisions of a session on the server.
    /// - Parameter items: names and values, alternating.
    func learn(all items: [RedisValue], of key: DecisionKey) {
        var fields: [MovedField] = []
        var number: Int?
        for at in stride(from: 0, to: items.count - 1, by: 2) {
            guard case .bytes(let name) = items[at], case .bytes(let value) = items[at + 1] else { continue }
            if name == Self.number {
                number = Int(String(decoding: value, as: UTF8.self))
            } else {
                fields.append(MovedField(MovedField.Name(hash: [], name: name), value))
            }
        }
        if let number { learn(fields, of: key, number) }
    }

    /// Everything known, by session.
    var all: [(key: DecisionKey, fields: [(field: MovedField, number: Int)])] {
        sessions.withLock { $0.values.map { ($0.key, Array($0.values.values)) } }
    }

    /// Removes ended sessions.
    func forget(where isOver: (String) -> Bool) {
        let names = sessions.withLock { $0.keys.compactMap { $0 } }
        let over = names.filter(isOver)
        sessions.withLock { sessions in
            for name in over { sessions[name] = nil }
        }
    }
}
