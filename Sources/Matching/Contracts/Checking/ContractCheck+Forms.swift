import SDBasics
import SDJSON
import SDOpenAPI
import SDPlatform

/// Forms, whose members are texts.
extension ContractCheck {
    /// A form as an object, by its content's schema and encoding.
    mutating func formValue(_ form: QueryText, _ content: APIContent) -> JSONValue {
        let shape = shape(content.schema)
        let names = shape.memberNames
        let others = Set(names)
        var members: [(String, JSONValue)] = []
        var taken: Set<String> = []
        let bracketed = form.pairs.lazy.map(\.name).filter { $0.contains("[") }.prefix(1_000).map { $0 }
        for name in names {
            guard budget.spend(50 + 5 * bracketed.count, for: Self.work) else { break }
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
                // Many clients write members in brackets, whatever the encoding says.
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
            guard budget.spend(100, for: Self.work) else { break }
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

    /// A list or object written as JSON; nil for any other text.
    static func container(_ text: String) -> JSONValue? {
        guard let first = text.utf8.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        return try? JSONValue(parsing: Array(text.utf8))
    }

    // MARK: - Multipart

    /// A multipart body as an object; nil with a violation if it is invalid.
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
        guard budget.tryReserve(2 * body.count, for: Self.work) else { return nil }
        let reading = MultipartText.parts(of: body[...], boundary: boundary.utf8)
        guard reading.hasBoundary else {
            add(
                Violation(
                    .body, message: "the body has no part: expected parts after lines of \"--\(boundary)\", found none",
                    expected: "parts after lines of \"--\(boundary)\"", found: "none"))
            return nil
        }
        let parts = reading.parts
        if media.isFormData { checkNames(of: parts) }
        let shape = shape(content.schema)
        guard shape.isObject || !shape.isList else {
            return .array(parts.map { value(of: $0, shape.element(0)) })
        }
        var members: [(name: String, values: [JSONValue])] = []
        var places: [String: Int] = [:]
        for (index, part) in parts.enumerated() {
            guard budget.spend(200 + 10 * part.headers.count, for: Self.work),
                budget.tryReserve(8 * part.body.count, for: Self.work)
            else { break }
            // A part without a name is not a form field.
            guard let name = part.name ?? (media.isFormData ? nil : String(index)) else { continue }
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

    /// Checks that each part is a field of the form (RFC 7578, section 4.2).
    private mutating func checkNames(of parts: [MultipartText.Part]) {
        for (index, part) in parts.enumerated() where part.name == nil {
            guard budget.spend(50, for: Self.work) else { return }
            let hasDisposition = part.header("content-disposition") != nil
            add(
                Violation(
                    .body, pointer: JSONPointer([String(index)]),
                    message: "part \(index + 1) of the form "
                        + (hasDisposition ? "has no name" : "has no Content-Disposition")
                        + ": expected Content-Disposition: form-data; name=…",
                    expected: "Content-Disposition: form-data; name=…",
                    found: part.headerText("content-disposition").map { JSONValue.string($0).shortDescription }
                        ?? "none"))
        }
    }

    private func isWholeList(_ part: MultipartText.Part, _ shape: SchemaShape) -> Bool {
        part.body.first { $0 > 0x20 } == UInt8(ascii: "[") && !shape.element(0).isList
            && Self.container(String(decoding: part.body, as: UTF8.self)) != nil
    }

    private func value(of part: MultipartText.Part, _ shape: SchemaShape) -> JSONValue {
        let type = MediaType(part.headerText("content-type") ?? "")
        if type.isJSON || shape.isObject || shape.isList, let json = try? JSONValue(parsing: part.body) {
            return json
        }
        let text = String(decoding: part.body, as: UTF8.self)
        if part.isFile || shape.isBinary { return .string(text) }
        return reading.value(of: .text(WrittenText(text)), shape)
    }

    /// Checks a part's content type and headers against its description.
    private mutating func checkEncoding(_ part: MultipartText.Part, _ name: String, _ encoding: JSONValue?) {
        guard let encoding else { return }
        let subject = "the part \(JSONValue.string(name).compactText)"
        let pointer = JSONPointer([name])
        if let types = encoding["contentType"]?.stringValue, let stated = part.headerText("content-type") {
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
            guard budget.spend(20 + 5 * part.headers.count, for: Self.work) else { return }
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

extension MultipartText.Part {
    /// A header's value as a text; nil without one.
    func headerText(_ name: String) -> String? { header(name).map { String(decoding: $0, as: UTF8.self) } }

    /// The name of the form's field.
    var name: String? { dispositionParameter("name").map { String(decoding: $0, as: UTF8.self) } }
    var isFile: Bool { dispositionParameter("filename") != nil || dispositionParameter("filename*") != nil }
}
