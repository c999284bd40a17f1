import SDJSON
import SDPlatform

/// The cost of rendering, reserved from the budget in advance: no clock interrupts a running helper.
extension RenderEnvironment {
    /// Minimum times, in nanoseconds.
    enum Cost {
        static let tapeOfByte = 2
        static let treeOfByte = 40
        /// Converting a value of a list, map or document.
        static let node = 150
        /// A byte of text inside a value, or of a member's indentation.
        static let byte = 2
        /// A digit of a number, in bytes of a text.
        static let digit = 8
        /// A digit of a long number, whose digits are processed one by one, more than once.
        static let digitOfLong = 30
        /// Adding the name or value of a member to a list of its own.
        static let part = 60

        /// The cost of a number, in bytes of a text.
        static func number(_ number: JSONNumber) -> Int {
            let count = number.text.utf8.count
            return count * (count > 40 ? digitOfLong : digit)
        }
    }

    /// Reserves time for uninterruptible work; exhausts the budget if it does not fit.
    func tryReserve(_ nanoseconds: Int) -> Bool { budget.tryReserve(nanoseconds, for: work) }

    /// Reserves time for reading a helper's parameters.
    func tryReserve(_ call: HelperCall, reading: Reading) -> Bool {
        func tryReserve(_ value: TemplateValue) -> Bool {
            switch (value, reading) {
            case (_, .nothing): true
            case (.text(let text), .texts(let cost)), (.text(let text), .elements(let cost)),
                (.text(let text), .all(let cost)):
                text.utf8.count < 64 || self.tryReserve(cost * text.utf8.count)
            case (_, .texts): true
            case (_, .elements): tryReserveElements(of: value)
            case (_, .all): tryReserveText(of: value)
            }
        }
        guard call.parameters.allSatisfy({ tryReserve($0) }), call.hash.allSatisfy({ tryReserve($0.value) }) else {
            return false
        }
        return !call.parameters.isEmpty || call.isBlock || tryReserve(call.renderer.current)
    }

    /// Reserves time for converting a value to text.
    func tryReserveText(of value: TemplateValue) -> Bool {
        var bytes = 0
        return tryReserve(value, depth: 0, &bytes) && tryReserve(Cost.byte * bytes)
    }

    /// Reserves time for traversing a value.
    /// - Parameters:
    ///   - depth: the number of enclosing lists and maps.
    ///   - bytes: increased by the size of its texts and of its members' possible indentation.
    private func tryReserve(_ value: TemplateValue, depth: Int, _ bytes: inout Int) -> Bool {
        switch value {
        case .list(let elements):
            guard tryReserve(Cost.node * elements.count) else { return false }
            if elements.hasOnlyNumbers { return true }
            for element in elements {
                guard tryReserve(element, depth: depth + 1, &bytes) else { return false }
            }
        case .map(let map):
            guard tryReserve(Cost.node * map.members.count) else { return false }
            bytes += 2 * depth * map.members.count
            for member in map.members {
                guard tryReserve(member.value, depth: depth + 1, &bytes) else { return false }
            }
        case .values(let values):
            if let first = values.first { return tryReserve(first, depth: depth + 1, &bytes) }
        case .json(let json): return tryReserve(json, depth: depth, &bytes)
        case .text(let text): bytes += text.utf8.count
        case .decimal(let number): bytes += Cost.number(number)
        default: break
        }
        return true
    }

    /// Reserves time for making the elements or members of a value.
    func tryReserveElements(of value: TemplateValue) -> Bool {
        switch value {
        case .json(let json): tryReserve(json)
        case .list(let elements) where elements.hasOnlyNumbers: tryReserve(Cost.node * elements.count)
        default: true
        }
    }

    /// Reserves time for making a member of a value.
    func tryReserveMember(_ name: String, of value: TemplateValue) -> Bool {
        switch value {
        case .json(.object(let object)): object[name].map { tryReserve($0) } ?? true
        case .json(.array(let elements)):
            Int(name).flatMap { elements.indices.contains($0) ? tryReserve(elements[$0]) : nil } ?? true
        case .text(let text): text.utf8.count < 64 || tryReserve(30 * text.utf8.count)
        case .list, .map, .values:
            if name == "toString" || name == "entrySet" {
                tryReserveText(of: value)
            } else if case .map(let map) = value, name == "keySet" || name == "values" {
                tryReserve(Cost.part * map.members.count)
            } else if case .map(let map) = value {
                budget.spend(map.members.count / 4, for: work)
            } else {
                true
            }
        default: true
        }
    }

    /// Reserves time for converting a document to other values, or to indented text.
    func tryReserve(_ json: JSONValue) -> Bool {
        var bytes = 0
        return tryReserve(json, depth: 0, &bytes) && tryReserve(Cost.byte * bytes)
    }

    private func tryReserve(_ json: JSONValue, depth: Int, _ bytes: inout Int) -> Bool {
        switch json {
        case .array(let elements):
            guard tryReserve(Cost.node * elements.count) else { return false }
            for element in elements {
                guard tryReserve(element, depth: depth + 1, &bytes) else { return false }
            }
        case .object(let object):
            guard tryReserve(Cost.node * object.members.count) else { return false }
            bytes += 2 * depth * object.members.count
            for member in object.members {
                guard tryReserve(member.value, depth: depth + 1, &bytes) else { return false }
            }
        case .string(let text): bytes += text.utf8.count
        case .number(let number): bytes += Cost.number(number)
        default: break
        }
        return true
    }
}

/// The part of its parameters that a helper reads. The number is the minimum time for each byte of text, in
/// nanoseconds.
enum Reading {
    /// Only whether values exist, or how they start.
    case nothing
    /// Texts; the helper reserves time for other values itself.
    case texts(Int)
    /// Texts, and the elements of lists.
    case elements(Int)
    /// All values.
    case all(Int)

    static func of(_ helper: String) -> Reading { table[helper] ?? .all(5) }

    private static let table: [String: Reading] = [
        "if": .nothing, "unless": .nothing, "with": .nothing, "and": .nothing, "or": .nothing, "not": .nothing,
        "val": .nothing, "log": .nothing, "partial": .nothing, "block": .nothing, "defaultIfEmpty": .nothing,
        "array": .nothing, "assign": .all(2),
        // The budget is charged while they run, or once the amount of work is known.
        "matches": .texts(2), "regexExtract": .texts(2), "xPath": .texts(1), "soapXPath": .texts(1),
        "jsonPath": .texts(1), "lookup": .texts(20), "eq": .all(3), "neq": .all(3),
        "each": .texts(0), "size": .texts(2), "contains": .all(3), "arrayAdd": .elements(0),
        "arrayRemove": .elements(0), "pickRandom": .elements(0),
        // Character by character, with Unicode tables.
        "capitalize": .all(30), "lower": .all(25), "upper": .all(20), "slugify": .all(40), "stringFormat": .all(100),
        "numberFormat": .all(40), "math": .all(10), "wordWrap": .all(30), "substring": .all(30), "abbreviate": .all(30),
        "base64": .all(10), "urlEncode": .all(60), "formData": .all(60), "random": .all(40), "now": .all(40),
        "date": .all(40),
        "dateFormat": .all(40), "parseDate": .all(40), "capitalizeFirst": .all(10),
        // A tree is built, and a text from it.
        "parseJson": .all(60), "formatJson": .all(100), "toJson": .all(20), "jsonMerge": .all(100),
        "jsonRemove": .all(100), "jsonArrayAdd": .all(100), "jsonSort": .all(100), "formatXml": .all(40),
    ]
}
