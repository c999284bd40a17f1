package import SDJSON

/// Reads mappings directly from a JSON tape with the result of `StubMapping.read`, without building JSON values: most
/// mappings have only a handful of members, and little more than their strings is kept.
package struct TapeMappingReader {
    private let tape: JSONTape
    /// The headers of the last response. Most stubs of a file have the same, which are then shared.
    private var headers: [ResponseHeader] = []
    /// Whether the last mapping may have members that `empty` does not reset.
    private var hasOthers = false

    package init(_ tape: JSONTape) {
        self.tape = tape
    }

    /// Reads a mapping.
    /// - Parameter stub: an empty mapping, or the last one that was read.
    /// - Returns: false if it has unusual members: it must then be read from its JSON value.
    package mutating func read(_ stub: inout StubMapping, at place: Int, _ reader: inout ModelReader) -> Bool {
        empty(&stub)
        let isRead = forEachMember(of: place) { this, name, value in
            switch this.length(of: name) {
            case 2 where this.isText("id", name), 4 where this.isText("uuid", name):
                guard let id = this.id(at: value) else { return false }
                stub.id = id
            case 4 where this.isText("name", name):
                guard let text = this.text(at: value) else { return false }
                stub.name = text
            case 7 where this.isText("request", name):
                return reader.within("request") { this.read(&stub.request, at: value, &$0) }
            case 8 where this.isText("response", name):
                return reader.within("response") { this.read(&stub.response, at: value, &$0) }
            case 8 where this.isText("priority", name):
                guard let number = this.integer(at: value, .boxedInt) else { return false }
                stub.priority = number
            default: return false
            }
            return true
        }
        guard isRead else {
            hasOthers = true
            return false
        }
        if stub.id == StubMapping.noID { stub.id = reader.derivedID ?? StubMapping.randomID() }
        return true
    }

    /// Resets the last mapping. To reset the usual members takes a fraction of the time of a new mapping.
    private mutating func empty(_ stub: inout StubMapping) {
        if hasOthers {
            hasOthers = false
            stub = .unread
            return
        }
        stub.id = StubMapping.noID
        stub.name = nil
        stub.priority = nil
        stub.request.method = .any
        stub.request.url = .any
        stub.response.status = 200
        stub.response.headers = []
        stub.response.body = nil
    }

    /// Replaces the headers of a response by those of the last one if they are equal.
    package mutating func shareHeaders(of response: inout ResponseDefinition) {
        if response.headers == headers { response.headers = headers } else { headers = response.headers }
    }

    // MARK: - Requests

    private mutating func read(_ pattern: inout RequestPattern, at place: Int, _ reader: inout ModelReader) -> Bool {
        var hasURL = false
        let isRead = forEachMember(of: place) { this, name, value in
            if this.isText("method", name) {
                guard let text = this.text(at: value) else { return false }
                pattern.method = text == "ANY" ? .any : .exactly(text)
                return true
            }
            if let form = this.urlForm(at: name) {
                guard !hasURL, let text = this.text(at: value), !form.wantsPath || this.beginsPath(value) else {
                    return false
                }
                hasURL = true
                pattern.url = form.pattern(text)
                return true
            }
            this.hasOthers = true
            let key = this.tape.text(at: name)
            guard let index = DialectNames.request.firstIndex(of: key) else { return false }
            var urls: [(name: String, text: String)] = []
            reader.within(key) { pattern.readMember(index, this.tape.value(at: value), urls: &urls, &$0) }
            return true
        }
        guard isRead else { return false }
        if pattern.pathParameters.isEmpty { return true }
        if case .urlPathTemplate = pattern.url { return true }
        return false
    }

    /// A URL member.
    private enum URLForm {
        case url, urlPath, urlPattern, urlPathPattern, urlPathTemplate

        /// Whether to warn about a text without a leading slash.
        var wantsPath: Bool { self == .url || self == .urlPath || self == .urlPathTemplate }

        func pattern(_ text: String) -> URLPattern {
            switch self {
            case .url: .url(text)
            case .urlPath: .urlPath(text)
            case .urlPattern: .urlPattern(text)
            case .urlPathPattern: .urlPathPattern(text)
            case .urlPathTemplate: .urlPathTemplate(text)
            }
        }
    }

    private func urlForm(at name: Int) -> URLForm? {
        switch length(of: name) {
        case 3 where isText("url", name): .url
        case 7 where isText("urlPath", name): .urlPath
        case 10 where isText("urlPattern", name): .urlPattern
        case 14 where isText("urlPathPattern", name): .urlPathPattern
        case 15 where isText("urlPathTemplate", name): .urlPathTemplate
        default: nil
        }
    }

    /// Whether a string begins with a slash that is a character of its own.
    private func beginsPath(_ place: Int) -> Bool {
        let range = tape.entries[place].range
        let bytes = tape.bytes.span
        guard !range.isEmpty, bytes[range.lowerBound] == UInt8(ascii: "/") else { return false }
        if range.count == 1 { return true }
        let second = bytes[range.lowerBound + 1]
        return second < 0x80 && second != UInt8(ascii: "\\")
    }

    // MARK: - Responses

    private mutating func read(
        _ response: inout ResponseDefinition, at place: Int, _ reader: inout ModelReader
    ) -> Bool {
        var bodies = 0
        let isRead = forEachMember(of: place) { this, name, value in
            switch this.length(of: name) {
            case 4 where this.isText("body", name):
                guard let text = this.text(at: value) else { return false }
                response.body = text
                bodies += 1
                return true
            case 6 where this.isText("status", name):
                guard let number = this.integer(at: value, .int), number > 0 else { return false }
                response.status = number
                return true
            case 7 where this.isText("headers", name): return this.readHeaders(&response, at: value)
            default: break
            }
            this.hasOthers = true
            let key = this.tape.text(at: name)
            guard let index = DialectNames.response.firstIndex(of: key), key != "stream" else { return false }
            if ResponseDefinition.bodyNames.contains(key) { bodies += 1 }
            reader.within(key) { response.readMember(index, this.tape.value(at: value), &$0) }
            return true
        }
        // Several bodies, and a body beside a stream, are reported elsewhere.
        return isRead && bodies < 2
    }

    private mutating func readHeaders(_ response: inout ResponseDefinition, at place: Int) -> Bool {
        if !isSame(headers, as: place) {
            var read: [ResponseHeader] = []
            read.reserveCapacity(tape.entries[place].count)
            let isRead = forEachMember(of: place) { this, name, value in
                guard let text = this.text(at: value) else { return false }
                read.append(ResponseHeader(this.tape.text(at: name), [text]))
                return true
            }
            guard isRead else { return false }
            headers = read
        }
        response.headers = headers
        return true
    }

    /// Whether the object at a tape index has exactly these headers, in order.
    private func isSame(_ headers: [ResponseHeader], as place: Int) -> Bool {
        guard tape.entries[place].kind == .object, tape.entries[place].count == headers.count else { return false }
        var name = place + 1
        for header in headers {
            guard header.values.count == 1, tape.entries[name + 1].kind == .string, isText(header.name, name),
                isText(header.values[0], name + 1)
            else { return false }
            name = tape.next(after: name + 1)
        }
        return true
    }

    // MARK: - Values

    /// Calls `body` with the tape indices of each member's name and value.
    /// - Returns: whether there is an object and `body` returned true for all members.
    private mutating func forEachMember(
        of place: Int, _ body: (inout TapeMappingReader, _ name: Int, _ value: Int) -> Bool
    ) -> Bool {
        guard tape.entries[place].kind == .object else { return false }
        var name = place + 1
        for _ in 0..<tape.entries[place].count {
            guard body(&self, name, name + 1) else { return false }
            name = tape.next(after: name + 1)
        }
        return true
    }

    /// The length of a string as written, in bytes.
    private func length(of place: Int) -> Int { tape.entries[place].range.count }

    private func isText(_ text: String, _ place: Int) -> Bool { tape.isText(text, at: place) }

    /// The value of a string; nil for any other value.
    private func text(at place: Int) -> String? {
        tape.entries[place].kind == .string ? tape.text(at: place) : nil
    }

    /// An integer within the range of the type; nil for any other value.
    private func integer(at place: Int, _ type: JavaInteger) -> Int? {
        let entry = tape.entries[place]
        guard entry.kind == .number, let number = entry.smallInteger(in: tape.bytes.span),
            type.range.contains(number)
        else { return nil }
        return number
    }

    private func id(at place: Int) -> StubMapping.ID? {
        let entry = tape.entries[place]
        guard entry.kind == .string, !entry.hasEscapes else { return nil }
        return StubMapping.id(bytes: tape.bytes.span.extracting(entry.range))
    }
}
