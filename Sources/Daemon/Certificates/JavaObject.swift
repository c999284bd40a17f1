/// Skips a serialised Java object: JCEKS stores secret keys in this form, without a length. Supports what such keys
/// contain: objects of classes without custom serialisation, strings and byte arrays.
struct JavaObject {
    private enum Mark {
        static let null = 0x70, reference = 0x71, classDescription = 0x72, object = 0x73, text = 0x74, array = 0x75
        static let endOfBlock = 0x78
    }

    /// The type letters of an object's fields, superclass first.
    private typealias Class = [UInt8]

    private static let deepest = 16

    /// Classes of keys have about 20 fields in all.
    private static let maxFields = 4_096

    /// The objects written so far, for back references: a class, or nil for anything else.
    private var written: [Class?] = []
    /// The number of fields in `written`.
    private var kept = 0

    static func skip(_ reader: inout ByteReader) throws(StoreContents.Failure) {
        guard try reader.number(4) == 0xaced_0005 else { throw unknown }
        var object = JavaObject()
        try object.skipValue(&reader, depth: 0)
    }

    private static let unknown = StoreContents.Failure.malformed("with a secret key in no form that is known")

    private mutating func skipValue(_ reader: inout ByteReader, depth: Int) throws(StoreContents.Failure) {
        guard depth < Self.deepest else { throw Self.unknown }
        switch try reader.number(1) {
        case Mark.null: break
        case Mark.reference: _ = try reader.take(4)
        case Mark.text:
            written.append(nil)
            _ = try reader.counted(2)
        case Mark.array:
            _ = try readClass(&reader, depth: depth)
            written.append(nil)
            // Byte arrays only; there are no others.
            _ = try reader.counted(4)
        case Mark.object:
            let fields = try readClass(&reader, depth: depth)
            written.append(nil)
            for type in fields { try skipField(type, &reader, depth: depth) }
        default: throw Self.unknown
        }
    }

    private mutating func skipField(
        _ type: UInt8, _ reader: inout ByteReader, depth: Int
    ) throws(StoreContents.Failure) {
        switch type {
        case UInt8(ascii: "B"), UInt8(ascii: "Z"): _ = try reader.take(1)
        case UInt8(ascii: "C"), UInt8(ascii: "S"): _ = try reader.take(2)
        case UInt8(ascii: "I"), UInt8(ascii: "F"): _ = try reader.take(4)
        case UInt8(ascii: "J"), UInt8(ascii: "D"): _ = try reader.take(8)
        case UInt8(ascii: "["), UInt8(ascii: "L"): try skipValue(&reader, depth: depth + 1)
        default: throw Self.unknown
        }
    }

    /// - Returns: the types of a class's fields, after those of its superclasses.
    private mutating func readClass(_ reader: inout ByteReader, depth: Int) throws(StoreContents.Failure) -> Class {
        guard depth < Self.deepest else { throw Self.unknown }
        switch try reader.number(1) {
        case Mark.null: return []
        case Mark.reference:
            let index = try reader.number(4) - 0x7e_0000
            guard written.indices.contains(index), let known = written[index] else { throw Self.unknown }
            return known
        case Mark.classDescription: break
        default: throw Self.unknown
        }
        _ = try reader.counted(2)
        _ = try reader.take(8)
        let place = written.count
        written.append(nil)
        // Serialisable, without a custom `writeObject` method.
        guard try reader.number(1) == 2 else { throw Self.unknown }
        var fields: Class = []
        for _ in 0..<(try reader.number(2)) {
            let type = UInt8(try reader.number(1))
            _ = try reader.counted(2)
            if type == UInt8(ascii: "[") || type == UInt8(ascii: "L") { try skipValue(&reader, depth: depth + 1) }
            fields.append(type)
        }
        guard try reader.number(1) == Mark.endOfBlock else { throw Self.unknown }
        let all = try readClass(&reader, depth: depth + 1) + fields
        kept += all.count
        guard kept <= Self.maxFields else { throw Self.unknown }
        written[place] = all
        return all
    }
}
