import SDBasics
import SDJSON
import SDOpenAPI
import SDPlatform

/// Forms, whose members are texts.
extension ContractCheck {
    /// A form as an object, by the schema and the encoding of its content.
    mutating func formValue(_ form: QueryText, _ content: APIContent) -> JSONValue {
        let shape = shape(content.schema)
        let names = shape.memberNames
        let others = Set(names)
        var members: [(String, JSONValue)] = []
        var taken: Set<String> = []
        let bracketed = form.pairs.lazy.map(\.name).filter { $0.contains("[") }.prefix(1_000).map { $0 }
        for name in names {
            guard budget.draw(50 + 5 * bracketed.count, for: Self.work) else { break }
            let own = shape.member(name)
            let encoding = content.encoding?[name]
            if let style = encoding?["style"]?.stringValue.flatMap(APIParameter.Style.init(rawValue:)) {
                let writing = ParameterWriting(
                    name: name, style: style, explode: encoding?["explode"]?.boolValue ?? (style == .form), shape: own)
                switch writing.query(form, others: others) {
                case .value(let written), .repeated(_, let written):
                    members.append((name, reading.value(of: written, own)))
                default: break
                }
                taken.insert(name)
                taken.formUnion(bracketed.lazy.filter { $0.hasPrefix(name + "[") })
                continue
            }
            let values = form.values(name)
            if values.isEmpty {
                guard bracketed.contains(where: { $0.hasPrefix(name + "[") }) else { continue }
                // Many clients write members in brackets, whatever the encoding is.
                let writing = ParameterWriting(name: name, style: .deepObject, explode: true, shape: own)
                guard case .value(let written) = writing.query(form) else { continue }
                taken.formUnion(bracketed.lazy.filter { $0.hasPrefix(name + "[") })
                members.append((name, reading.value(of: written, own)))
                continue
            }
            taken.insert(name)
            let isSplit = encoding?["explode"] == false
            members.append((name, formMember(values, own, isSplit: isSplit)))
        }
        for pair in form.pairs where taken.insert(pair.name).inserted {
            guard budget.draw(100, for: Self.work) else { break }
            let own = shape.member(pair.name)
            members.append((pair.name, formMember(form.values(pair.name), own, isSplit: false)))
        }
        return .object(JSONObject(members))
    }

    private func formMember(_ values: [ArraySlice<UInt8>], _ shape: SchemaShape, isSplit: Bool) -> JSONValue {
        let texts = values.map { QueryText.decoded($0) }
        if texts.count == 1, shape.isList || shape.isObject, let json = Self.container(texts[0].other ?? texts[0].text)
        {
            return json
        }
        if isSplit, shape.isList, let first = values.first, values.count == 1 {
            return reading.value(of: .texts(QueryText.split(first, at: [","]).map(QueryText.decoded)), shape)
        }
        if shape.isList || texts.count > 1 {
            let element = shape.element(0)
            return .array(
                texts.map { text in
                    (element.isObject ? Self.container(text.text) : nil) ?? reading.value(of: .text(text), element)
                })
        }
        return reading.value(of: .text(texts[0]), shape)
    }

    /// A list or an object that is written as JSON; nil for any other text.
    static func container(_ text: String) -> JSONValue? {
        guard let first = text.utf8.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        return try? JSONValue(parsing: Array(text.utf8))
    }

    // MARK: - Multipart

    /// A multipart body as an object; nil with a violation if it is none.
    mutating func multipartValue(_ body: [UInt8], _ content: APIContent, _ media: MediaType) -> JSONValue? {
        guard let boundary = media.parameter("boundary"), !boundary.isEmpty else {
            add(
                Violation(
                    .contentType, name: "Content-Type",
                    message: "the content type has no boundary: expected \(media.essence); boundary=…, found "
                        + JSONValue.string(media.text).compactText,
                    expected: "\(media.essence); boundary=…", found: media.text))
            return nil
        }
        guard budget.affords(2 * body.count, for: Self.work) else { return nil }
        let parts = MultipartText.parts(of: body, boundary: boundary)
        guard let parts else {
            add(
                Violation(
                    .body, message: "the body has no part: expected parts after lines of \"--\(boundary)\", found none",
                    expected: "parts after lines of \"--\(boundary)\"", found: "none"))
            return nil
        }
        let shape = shape(content.schema)
        guard shape.isObject || !shape.isList else {
            return .array(parts.map { value(of: $0, shape.element(0)) })
        }
        var members: [(name: String, values: [JSONValue])] = []
        var places: [String: Int] = [:]
        for (index, part) in parts.enumerated() {
            guard budget.draw(200 + 10 * part.headers.count, for: Self.work),
                budget.affords(8 * part.body.count, for: Self.work)
            else { break }
            let name = part.name ?? String(index)
            let own = shape.member(name)
            let element = own.isList && !isWholeList(part, own) ? own.element(0) : own
            let value = value(of: part, element)
            checkEncoding(part, name, content.encoding?[name])
            if let place = places[name] {
                members[place].values.append(value)
            } else {
                places[name] = members.count
                members.append((name, [value]))
            }
        }
        return .object(
            JSONObject(
                members.map { member in
                    let own = shape.member(member.name)
                    if member.values.count == 1, !own.isList || member.values[0].arrayValue != nil {
                        return (member.name, member.values[0])
                    }
                    return (member.name, .array(member.values))
                }))
    }

    private func isWholeList(_ part: MultipartText.Part, _ shape: SchemaShape) -> Bool {
        part.body.first { $0 > 0x20 } == UInt8(ascii: "[") && !shape.element(0).isList
            && Self.container(String(decoding: part.body, as: UTF8.self)) != nil
    }

    private func value(of part: MultipartText.Part, _ shape: SchemaShape) -> JSONValue {
        let type = MediaType(part.header("content-type") ?? "")
        if type.isJSON || shape.isObject || shape.isList, let json = try? JSONValue(parsing: part.body) {
            return json
        }
        let text = String(decoding: part.body, as: UTF8.self)
        if part.fileName != nil || shape.isBinary { return .string(text) }
        return reading.value(of: .text(WrittenText(text)), shape)
    }

    /// Checks a part's content type and headers by what the document says of it.
    private mutating func checkEncoding(_ part: MultipartText.Part, _ name: String, _ encoding: JSONValue?) {
        guard let encoding else { return }
        let subject = "the part \(JSONValue.string(name).compactText)"
        let pointer = JSONPointer([name])
        if let types = encoding["contentType"]?.stringValue, let stated = part.header("content-type") {
            let declared = types.split(separator: ",").map(\.trimmed)
            if MediaType(stated).best(of: declared, type: { $0 }) == nil {
                let shown = JSONValue.string(stated).compactText
                add(
                    Violation(
                        .body, name: name, pointer: pointer, keyword: "contentType",
                        message:
                            "\(subject) has a content type that is not declared: expected \(types), found \(shown)",
                        expected: types, found: shown))
            }
        }
        for header in encoding["headers"]?.objectValue?.members ?? [] where header.value["required"] == true {
            guard budget.draw(20 + 5 * part.headers.count, for: Self.work) else { return }
            guard part.header(header.key.lowercased()) == nil, header.key.lowercased() != "content-type" else {
                continue
            }
            add(
                Violation(
                    .body, name: name, pointer: pointer, keyword: "required",
                    message: "\(subject) has no header \(JSONValue.string(header.key).compactText), which is required",
                    expected: "the header \(JSONValue.string(header.key).compactText)", found: "none"))
        }
    }
}

/// The parts of a multipart body (RFC 2046, section 5.1).
enum MultipartText {
    struct Part {
        /// The names are in small letters.
        var headers: [(name: String, value: String)]
        var body: ArraySlice<UInt8>

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

        /// The name of the form's field.
        var name: String? { disposition("name") }
        var fileName: String? { disposition("filename") ?? disposition("filename*") }

        private func disposition(_ name: String) -> String? {
            for piece in (header("content-disposition") ?? "").split(separator: ";").dropFirst() {
                guard let mark = piece.firstIndex(of: "="), piece[..<mark].trimmed.lowercased() == name else {
                    continue
                }
                let value = piece[piece.index(after: mark)...].trimmed
                return value.utf8.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
                    ? String(value.dropFirst().dropLast()) : value
            }
            return nil
        }
    }

    static let limit = 10_000

    /// The parts; nil if the boundary does not occur.
    static func parts(of body: [UInt8], boundary: String) -> [Part]? {
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [Part] = []
        var start: Int?
        var line = 0
        var isFound = false
        while line <= body.count, parts.count < limit {
            let end = body[line...].firstIndex(of: 0x0A) ?? body.count
            if body[line..<end].starts(with: delimiter) {
                isFound = true
                if let start {
                    var last = max(start, line - 1)
                    if last > start, body[last - 1] == 0x0D { last -= 1 }
                    parts.append(part(body[start..<last]))
                }
                if body[line..<end].dropFirst(delimiter.count).starts(with: "--".utf8) { break }
                start = min(end + 1, body.count)
            }
            line = end + 1
        }
        return isFound ? parts : nil
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
        var headers: [(name: String, value: String)] = []
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            var line = rest[..<end]
            if line.last == 0x0D { line = line.dropLast() }
            rest = end == rest.endIndex ? rest[end...] : rest[(end + 1)...]
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            headers.append(
                (
                    String(decoding: line[..<colon], as: UTF8.self).lowercased(),
                    ParameterWriting.trimmed(String(decoding: line[(colon + 1)...], as: UTF8.self))
                ))
        }
        return Part(headers: headers, body: rest)
    }
}
