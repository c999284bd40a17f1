import SDJSON

/// A value of an archive with its location. Null counts as absent, since some tools write it for unknown values.
struct ArchivedValue {
    let value: JSONValue?
    let pointer: JSONPointer

    init(_ value: JSONValue?, at pointer: JSONPointer = .root) {
        self.value = value?.isNull == true ? nil : value
        self.pointer = pointer
    }

    var isAbsent: Bool { value == nil }

    /// The member `name`; absent if this is not an object.
    subscript(name: String) -> ArchivedValue {
        ArchivedValue(value?[name], at: pointer.appending(name))
    }

    /// - Throws: if the value is absent.
    func required(_ expected: String) throws(ArchiveProblem) -> ArchivedValue {
        guard isAbsent else { return self }
        throw ArchiveProblem("is missing", at: pointer, expected: expected)
    }

    /// The value itself, which must be an object or absent.
    func object() throws(ArchiveProblem) -> ArchivedValue {
        guard let value, value.objectValue == nil else { return self }
        throw mismatch("an object")
    }

    /// The elements of a list; empty if it is absent.
    func elements() throws(ArchiveProblem) -> [ArchivedValue] {
        guard let value else { return [] }
        guard let elements = value.arrayValue else { throw mismatch("a list") }
        return elements.enumerated().map { ArchivedValue($1, at: pointer.appending($0)) }
    }

    func text() throws(ArchiveProblem) -> String? {
        guard let value else { return nil }
        guard let text = value.stringValue else { throw mismatch("a text") }
        return text
    }

    func number() throws(ArchiveProblem) -> Double? {
        guard let value else { return nil }
        guard case .number(let number) = value, number.doubleValue.isFinite else { throw mismatch("a number") }
        return number.doubleValue
    }

    /// A whole number, which some tools write as `200.0`.
    func integer(_ expected: String) throws(ArchiveProblem) -> Int? {
        guard let value else { return nil }
        guard case .number(let number) = value else { throw mismatch(expected) }
        guard let integer = Int(exactly: number.doubleValue) else { throw wrong("is no whole number", expected) }
        return integer
    }

    /// A number of bytes; nil if absent or -1 (unknown).
    func size() throws(ArchiveProblem) -> Int? {
        let expected = "a number of bytes, or -1 for one that is not known"
        guard let size = try integer(expected), size != -1 else { return nil }
        guard size >= 0 else { throw wrong("is no size", expected) }
        return size
    }

    /// False if it is absent.
    func flag() throws(ArchiveProblem) -> Bool {
        guard let value else { return false }
        guard let flag = value.boolValue else { throw mismatch("true or false") }
        return flag
    }

    /// The names and values of a list of headers, cookies or parameters. Chrome joins headers of one name, with line
    /// breaks between the values.
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

    func mismatch(_ expected: String) -> ArchiveProblem { wrong("is of the wrong type", expected) }

    func wrong(_ message: String, _ expected: String) -> ArchiveProblem {
        ArchiveProblem(message, at: pointer, expected: expected, found: value?.shortDescription)
    }
}
