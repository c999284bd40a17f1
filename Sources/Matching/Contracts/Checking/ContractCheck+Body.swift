import SDJSON
import SDOpenAPI
import SDPlatform

extension ContractCheck {
    static let work = WorkBudget.Work("contract", "of a body")

    /// Checks the body of a request.
    mutating func checkBody(_ request: ContractRequest) {
        guard let body = operation.body else { return }
        guard !request.body.isEmpty else {
            if body.isRequired {
                let types = body.contents.map(\.type).joined(separator: ", ")
                add(
                    Violation(
                        .body, keyword: "required", message: "a body is required, found none",
                        expected: types.isEmpty ? "a body" : "a body of \(types)", found: "none"))
            }
            return
        }
        check(request.body, request.headers, body.contents)
    }

    /// Checks a body that is not empty.
    mutating func check(_ body: [UInt8], _ headers: [(name: String, value: String)], _ contents: [APIContent]) {
        guard !contents.isEmpty else { return }
        let stated = headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        let media = MediaType(stated)
        guard let content = media.best(of: contents, type: \.type) else {
            let types = contents.map(\.type).joined(separator: ", ")
            let isMissing = media.essence.isEmpty
            // Without a content type, `*/*` accepts any bytes.
            if isMissing, contents.contains(where: { $0.type == "*/*" }) { return }
            let found = isMissing ? "none" : JSONValue.string(stated).compactText
            return add(
                Violation(
                    .contentType, name: "Content-Type",
                    message: isMissing
                        ? "the header \"Content-Type\" is required with a body: expected \(types), found none"
                        : "the content type is not declared: expected \(types), found \(found)",
                    expected: types, found: found))
        }
        if media.isSequence, let schema = content.itemSchema ?? content.schema {
            // Before 3.2, the schema of a sequence was that of an item, unless it is a list.
            let isWhole = content.itemSchema == nil && shape(schema).isList
            if !isWhole, content.itemSchema != nil || !media.isEventStream { return checkItems(body, schema, media) }
        }
        guard let schema = content.schema, !schema.saysNothing else {
            if media.isJSON { _ = json(body[...], "the body") }
            return
        }
        guard let value = value(of: body, content, media) else { return }
        check(value, by: schema.place.inSchemas, .body, subject: "the body")
    }

    /// A body parsed by its content type; nil if that fails, which is a violation, or if there is nothing to check.
    private mutating func value(of body: [UInt8], _ content: APIContent, _ media: MediaType) -> JSONValue? {
        if media.isJSON { return json(body[...], "the body") }
        if media.isForm {
            guard budget.tryReserve(20 * body.count, for: Self.work) else { return nil }
            return formValue(QueryText(body[...]), content)
        }
        if media.isMultipart { return multipartValue(body, content, media) }
        let shape = shape(content.schema)
        if media.isXML { return xmlValue(body, content) }
        if media.isText {
            return reading.value(of: .text(WrittenText(String(decoding: body, as: UTF8.self))), shape)
        }
        // Other bytes are described by their type only.
        return nil
    }

    /// A JSON text; nil with a violation if it is invalid.
    mutating func json(_ text: ArraySlice<UInt8>, _ subject: String, at pointer: JSONPointer = .root) -> JSONValue? {
        guard budget.tryReserve(8 * text.count, for: Self.work) else { return nil }
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: text)
        } catch {
            let start = String(decoding: text.prefix(40), as: UTF8.self)
            add(
                Violation(
                    .body, pointer: pointer, message: "\(subject) is not JSON: \(error)", expected: "JSON",
                    found: JSONValue.string(start).shortDescription))
            return nil
        }
    }

    // MARK: - Sequences

    /// Checks each item of a sequence.
    private mutating func checkItems(_ body: [UInt8], _ schema: APISchema, _ media: MediaType) {
        let items: [ArraySlice<UInt8>]
        if media.isEventStream {
            for (index, event) in EventText.events(body).enumerated() {
                let value = reading.value(of: event, shape(schema))
                check(
                    value, by: schema.place.inSchemas, .body, under: JSONPointer([String(index)]),
                    subject: "event \(index + 1)")
            }
            return
        } else if media.isJSONSequence {
            items = body.split(separator: 0x1E)
        } else {
            items = body.split(separator: 0x0A)
        }
        for (index, text) in items.enumerated() where text.contains(where: { $0 > 0x20 }) {
            let pointer = JSONPointer([String(index)])
            guard let value = json(text, "item \(index + 1) of the body", at: pointer) else { continue }
            check(
                value, by: schema.place.inSchemas, .body, under: pointer, subject: "item \(index + 1) of the body")
        }
    }
}

extension MediaType {
    /// Whether it is a sequence whose items can be separated.
    var isSequence: Bool { isEventStream || isJSONLines || isJSONSequence }
}

/// The events of an event stream as objects.
enum EventText {
    static func events(_ body: [UInt8]) -> [WrittenValue] {
        var events: [WrittenValue] = []
        var members: [(name: String, value: String)] = []
        let lines = body.split(omittingEmptySubsequences: false) { $0 == 0x0A }
        for line in lines {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty {
                if !members.isEmpty { events.append(written(members)) }
                members = []
                continue
            }
            let colon = line.firstIndex(of: UInt8(ascii: ":"))
            let name = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
            if name.isEmpty { continue }
            var value = colon.map { line[($0 + 1)...] } ?? []
            if value.first == 0x20 { value = value.dropFirst() }
            let text = String(decoding: value, as: UTF8.self)
            if let place = members.firstIndex(where: { $0.name == name }) {
                members[place].value = name == "data" ? members[place].value + "\n" + text : text
            } else {
                members.append((name, text))
            }
        }
        if !members.isEmpty { events.append(written(members)) }
        return events
    }

    private static func written(_ members: [(name: String, value: String)]) -> WrittenValue {
        .members(members.map { ($0.name, .text(WrittenText($0.value))) })
    }
}
