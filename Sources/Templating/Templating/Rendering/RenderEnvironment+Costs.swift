import SDJSON
import SDPlatform

/// The cost of rendering, drawn from the budget before it is done: no clock interrupts a helper that has begun.
extension RenderEnvironment {
    /// The least times, in nanoseconds.
    enum Cost {
        static let tapeOfByte = 2
        static let treeOfByte = 40
        /// A value of a list, map or document that is made into another form.
        static let node = 150
        /// A byte of a text within a value, or of the indentation of a member.
        static let byte = 2
        /// A digit of a number, in bytes of a text.
        static let digit = 8
        /// The same of a long number, whose digits are gone through one by one, and more than once.
        static let digitOfLong = 30
        /// The name or value of a member that is put into a list of its own.
        static let part = 60

        /// A number, in bytes of a text.
        static func number(_ number: JSONNumber) -> Int {
            let count = number.text.utf8.count
            return count * (count > 40 ? digitOfLong : digit)
        }
    }

    /// Whether work that nothing can interrupt still fits; if not, the budget is spent.
    func affords(_ nanoseconds: Int) -> Bool { budget.affords(nanoseconds, for: work) }

    /// Whether a helper may read what it is called with.
    func affords(_ call: HelperCall, reading: Reading) -> Bool {
        func affords(_ value: TemplateValue) -> Bool {
            switch (value, reading) {
            case (_, .nothing): true
            case (.text(let text), .texts(let cost)), (.text(let text), .elements(let cost)),
                (.text(let text), .all(let cost)):
                text.utf8.count < 64 || self.affords(cost * text.utf8.count)
            case (_, .texts): true
            case (_, .elements): affordsElements(of: value)
            case (_, .all): affordsText(of: value)
            }
        }
        guard call.parameters.allSatisfy(affords), call.hash.allSatisfy({ affords($0.value) }) else { return false }
        return !call.parameters.isEmpty || call.isBlock || affords(call.renderer.current)
    }

    /// Whether a value may be made a text.
    func affordsText(of value: TemplateValue) -> Bool {
        var bytes = 0
        return affords(value, depth: 0, &bytes) && affords(Cost.byte * bytes)
    }

    /// Whether the parts of a value may be gone through.
    /// - Parameters:
    ///   - depth: the number of lists and maps around it.
    ///   - bytes: grows by those of its texts, and of the indentation that its members may have.
    private func affords(_ value: TemplateValue, depth: Int, _ bytes: inout Int) -> Bool {
        switch value {
        case .list(let elements):
            guard affords(Cost.node * elements.count) else { return false }
            if elements.hasOnlyNumbers { return true }
            for element in elements {
                guard affords(element, depth: depth + 1, &bytes) else { return false }
            }
        case .map(let map):
            guard affords(Cost.node * map.members.count) else { return false }
            bytes += 2 * depth * map.members.count
            for member in map.members {
                guard affords(member.value, depth: depth + 1, &bytes) else { return false }
            }
        case .values(let values):
            if let first = values.first { return affords(first, depth: depth + 1, &bytes) }
        case .json(let json): return affords(json, depth: depth, &bytes)
        case .text(let text): bytes += text.utf8.count
        case .decimal(let number): bytes += Cost.number(number)
        default: break
        }
        return true
    }

    /// Whether the elements or members of a value may be made.
    func affordsElements(of value: TemplateValue) -> Bool {
        switch value {
        case .json(let json): affords(json)
        case .list(let elements) where elements.hasOnlyNumbers: affords(Cost.node * elements.count)
        default: true
        }
    }

    /// Whether a member of a value may be made.
    func affordsMember(_ name: String, of value: TemplateValue) -> Bool {
        switch value {
        case .json(.object(let object)): object[name].map { affords($0) } ?? true
        case .json(.array(let elements)):
            Int(name).flatMap { elements.indices.contains($0) ? affords(elements[$0]) : nil } ?? true
        case .text(let text): text.utf8.count < 64 || affords(30 * text.utf8.count)
        case .list, .map, .values:
            if name == "toString" || name == "entrySet" {
                affordsText(of: value)
            } else if case .map(let map) = value, name == "keySet" || name == "values" {
                affords(Cost.part * map.members.count)
            } else if case .map(let map) = value {
                budget.draw(map.members.count / 4, for: work)
            } else {
                true
            }
        default: true
        }
    }

    /// Whether a document may be gone through and made into other values, or into a text with indented lines.
    func affords(_ json: JSONValue) -> Bool {
        var bytes = 0
        return affords(json, depth: 0, &bytes) && affords(Cost.byte * bytes)
    }

    private func affords(_ json: JSONValue, depth: Int, _ bytes: inout Int) -> Bool {
        switch json {
        case .array(let elements):
            guard affords(Cost.node * elements.count) else { return false }
            for element in elements {
                guard affords(element, depth: depth + 1, &bytes) else { return false }
            }
        case .object(let object):
            guard affords(Cost.node * object.members.count) else { return false }
            bytes += 2 * depth * object.members.count
            for member in object.members {
                guard affords(member.value, depth: depth + 1, &bytes) else { return false }
            }
        case .string(let text): bytes += text.utf8.count
        case .number(let number): bytes += Cost.number(number)
        default: break
        }
        return true
    }
}

/// The part of its values that a helper reads. A number is the least time that it takes for a byte of a
/// text, in nanoseconds.
enum Reading {
    /// Only whether values exist, or how they begin.
    case nothing
    /// Texts; the helper draws for other values itself.
    case texts(Int)
    /// Texts, and the elements of lists.
    case elements(Int)
    /// Everything.
    case all(Int)

    static func of(_ helper: String) -> Reading { table[helper] ?? .all(5) }

    private static let table: [String: Reading] = [
        "if": .nothing, "unless": .nothing, "with": .nothing, "and": .nothing, "or": .nothing, "not": .nothing,
        "val": .nothing, "log": .nothing, "partial": .nothing, "block": .nothing, "defaultIfEmpty": .nothing,
        "array": .nothing, "assign": .all(2),
        // The budget is drawn from while they work, or once they know what there is to do.
        "matches": .texts(2), "regexExtract": .texts(2), "xPath": .texts(1), "soapXPath": .texts(1),
        "jsonPath": .texts(1), "lookup": .texts(20), "eq": .all(3), "neq": .all(3),
        "each": .texts(0), "size": .texts(2), "contains": .all(3), "arrayAdd": .elements(0),
        "arrayRemove": .elements(0), "pickRandom": .elements(0),
        // Character by character, by the tables of Unicode.
        "capitalize": .all(30), "lower": .all(25), "upper": .all(20), "slugify": .all(40), "stringFormat": .all(100),
        "numberFormat": .all(40), "math": .all(10), "wordWrap": .all(30), "substring": .all(30), "abbreviate": .all(30),
        "base64": .all(10), "urlEncode": .all(60), "formData": .all(60), "random": .all(40), "now": .all(40),
        "date": .all(40),
        "dateFormat": .all(40), "parseDate": .all(40), "capitalizeFirst": .all(10),
        // A tree is made, and a text of it.
        "parseJson": .all(60), "formatJson": .all(100), "toJson": .all(20), "jsonMerge": .all(100),
        "jsonRemove": .all(100), "jsonArrayAdd": .all(100), "jsonSort": .all(100), "formatXml": .all(40),
    ]
}
