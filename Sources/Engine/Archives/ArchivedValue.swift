import SDJSON

/// A value of an archive and its place. Null counts as absent, as some tools write it for what they do not know.
struct ArchivedValue {
    let value: JSONValue?
    let pointer: JSONPointer

    init(_ value: JSONValue?, at pointer: JSONPointer = .root) {
        self.value = value?.isNull == true ? nil : value
        self.pointer = pointer
    }

    var isAbsent: Bool { value == nil }

    /// The member `name`; absent if this is no object.
    subscript(name: String) -> ArchivedValue {
        ArchivedValue(value?[name], at: pointer.appending(name))
    }

    /// - Throws: if the value is absent.
    func required(_ expected: String) throws(ArchiveProblem) -> ArchivedValue {
        guard isAbsent else { return self }
        throw ArchiveProblem("is missing", at: pointer, expected: expected)
    }

    /// The value itself, which is an object or absent.
    func object() throws(ArchiveProblem) -> ArchivedValue {
        guard let value, value.objectValue == nil else { return self }
        throw mismatch("an object")
    }

    /// The elements of a list; none if it is absent.
    func elements() throws(ArchiveProblem) -> [ArchivedValue] {
        guard let value else { return [] }
        guard let elements = value.arrayValue else { throw mismatch("a list") }
        return elements.enumerated().map { ArchivedValue($1, at: pointer.appending($0)) }
    }

    func text() throws(ArchiveProblem) -> String? {
        switch value {
        case nil: return nil
        case .string(let text): return text
        case .number(let number): return number.text
        default: throw mismatch("a text")
        }
    }

    func number() throws(ArchiveProblem) -> Double? {
        switch value {
        case nil: return nil
        case .number(let number): return number.doubleValue
        case .string(let text):
            guard let number = JSONNumber(text: text) else { throw mismatch("a number") }
            return number.doubleValue
        default: throw mismatch("a number")
        }
    }

    /// A number of bytes, or another whole number; nil if it is absent or does not fit.
    func integer() throws(ArchiveProblem) -> Int? {
        try number().flatMap { Int(exactly: $0.rounded()) }
    }

    /// Names and values of a list of headers, cookies or parameters. Chrome writes headers of one name as one, with
    /// line breaks between the values.
    func fields() throws(ArchiveProblem) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for element in try elements() {
            let name = try element.object()["name"].required("the name of a field").text() ?? ""
            let value = try element["value"].text() ?? ""
            let lines = value.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" || $0 == "\0" }
            fields += lines.isEmpty ? [(name, "")] : lines.map { (name, String($0)) }
        }
        return fields
    }

    func mismatch(_ expected: String) -> ArchiveProblem {
        ArchiveProblem("is of the wrong type", at: pointer, expected: expected, found: value?.shortDescription)
    }
}
