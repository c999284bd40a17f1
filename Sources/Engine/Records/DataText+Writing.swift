import SDJSON

extension DataText {
    /// The document with its records replaced, in the same format: a list stays a list, an object by keys stays one,
    /// and other collections in the file are unchanged.
    /// - Parameters:
    ///   - name: the collection's name.
    ///   - key: the field with a record's key.
    /// - Throws: why they cannot be written so that reading gives the same records.
    public func replacing(with records: RecordSet, name: String, key: String) throws(DataProblem) -> [UInt8] {
        switch format {
        case .csv: return try csv(records)
        case .yaml: throw DataProblem(message: "YAML is not written, since its comments would be lost")
        case .json: break
        }
        let old: JSONValue
        do throws(JSONSyntaxError) {
            old = try JSONValue(parsing: bytes)
        } catch {
            throw DataProblem(
                position: error.position, message: "what is no plain JSON would be lost", expected: error.expected,
                found: error.found)
        }
        let list = JSONValue.array(records.all.map { .object($0.value) })
        var new = list
        if case .object(var object) = old {
            if object[name]?.arrayValue != nil {
                object[name] = list
            } else {
                object = JSONObject(records.all.map { ($0.key, .object($0.value)) })
            }
            new = .object(object)
        }
        return new.prettyBytes + [UInt8(ascii: "\n")]
    }

    /// - Throws: for a value that CSV cannot represent.
    private func csv(_ records: RecordSet) throws(DataProblem) -> [UInt8] {
        let old = try CSVText(bytes)
        var names = old.header.map(\.text)
        var known = Set(names)
        records.visit { record in
            for name in record.value.keys where known.insert(name).inserted { names.append(name) }
            return true
        }
        var written = old.mark
        func add(_ cells: [[UInt8]]) {
            written += Array(cells.joined(separator: [UInt8(ascii: ",")])) + old.lineEnd
        }
        add(names.map { Self.cell($0, isText: false) })
        for record in records.all {
            var cells: [[UInt8]] = []
            for name in names {
                guard let cell = Self.cell(record.value[name] ?? .null) else {
                    throw DataProblem(
                        message: "the record \(record.key) has \(record.value[name]?.shortDescription ?? "") under "
                            + "\"\(name)\", which CSV cannot hold")
                }
                cells.append(cell)
            }
            add(cells)
        }
        return written
    }

    /// A value in the form that is parsed back to it; nil if there is none.
    private static func cell(_ value: JSONValue) -> [UInt8]? {
        switch value {
        case .null: []
        case .bool(let value): Array((value ? "true" : "false").utf8)
        case .number(let number): CSVText.plainValue(number.text) == value ? Array(number.text.utf8) : nil
        case .string(let text): cell(text, isText: true)
        case .array, .object: nil
        }
    }

    /// - Parameter isText: whether to quote a text that looks like a number, a boolean or null.
    private static func cell(_ text: String, isText: Bool) -> [UInt8] {
        let needsQuotes =
            text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
            || isText && CSVText.plainValue(text).stringValue == nil
        guard needsQuotes else { return Array(text.utf8) }
        return [0x22] + text.utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] } + [0x22]
    }
}
