import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Static members that begin an answer.
extension Stub.Answer {
    /// A status without a body.
    public static func status(_ status: Int, message: String? = nil) -> Stub.Answer {
        Stub.Answer().status(status, message: message)
    }

    /// A value as JSON, by `encoder`; by default with sorted keys.
    ///
    /// A value that cannot be encoded fails when the stub is added.
    @_disfavoredOverload
    public static func json(
        _ value: some Encodable, status: Int = 200, encoder: JSONEncoder? = nil
    ) -> Stub.Answer {
        Stub.Answer().status(status).json(value, encoder: encoder)
    }

    /// JSON as a literal, in source order: `.json(["message": "hello", "count": 2])`.
    public static func json(_ value: Stub.JSON, status: Int = 200) -> Stub.Answer {
        Stub.Answer().status(status).json(value)
    }

    /// JSON as text, sent unchanged, valid or not.
    public static func json(raw text: String, status: Int = 200) -> Stub.Answer {
        Stub.Answer().status(status).json(raw: text)
    }

    /// A text body.
    public static func text(
        _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
    ) -> Stub.Answer {
        Stub.Answer().status(status).text(text, type: type)
    }

    /// A body of bytes.
    public static func data(
        _ bytes: some Sequence<UInt8>, status: Int = 200, type: String = "application/octet-stream"
    ) -> Stub.Answer {
        Stub.Answer().status(status).data(bytes, type: type)
    }

    /// A file in the daemon's folder `__files`, with the type of its extension.
    public static func file(_ path: String, status: Int = 200, type: String? = nil) -> Stub.Answer {
        Stub.Answer().status(status).file(path, type: type)
    }

    /// A text with expressions such as `{{request.query.page}}`, rendered by the daemon for each request.
    public static func template(
        _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
    ) -> Stub.Answer {
        Stub.Answer().status(status).text(text, type: type).template()
    }

    /// A redirect.
    public static func redirect(to location: String, status: Int = 302) -> Stub.Answer {
        Stub.Answer().status(status).header("Location", location)
    }
}

/// Status, headers and body. A new body replaces the previous one.
extension Stub.Answer {
    /// Sets the status, and its reason phrase if it is not the standard one.
    public func status(_ status: Int, message: String? = nil) -> Stub.Answer {
        changing {
            $0.status = status
            $0.statusMessage = message ?? $0.statusMessage
        }
    }

    /// Sets a header; several values become several field lines.
    public func header(_ name: String, _ values: String...) -> Stub.Answer {
        var copy = self
        copy.definition.headers.set(name, values)
        if name.lowercased() == "content-type" { copy.hasTypeOfBody = false }
        return copy
    }

    /// Sets several headers.
    public func headers(_ headers: [String: String]) -> Stub.Answer {
        headers.sorted { $0.key < $1.key }.reduce(self) { $0.header($1.key, $1.value) }
    }

    /// Sets the body to a value as JSON, by `encoder`; by default with sorted keys.
    @_disfavoredOverload
    public func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> Stub.Answer {
        do throws(Stub.Problem) {
            return json(Stub.JSON(try JSONValue(encoding: value, by: encoder)))
        } catch {
            return failing(error)
        }
    }

    /// Sets the body to JSON as a literal.
    public func json(_ value: Stub.JSON) -> Stub.Answer {
        // In a mapping, a null `jsonBody` means no body.
        value.value.isNull ? json(raw: "null") : body(type: "application/json") { $0.jsonBody = value.value }
    }

    /// Sets the body to JSON as text, sent unchanged, valid or not.
    public func json(raw text: String) -> Stub.Answer {
        body(type: "application/json") { $0.body = text }
    }

    /// Sets the body to a text.
    public func text(_ text: String, type: String = "text/plain; charset=utf-8") -> Stub.Answer {
        body(type: type) { $0.body = text }
    }

    /// Sets the body to bytes.
    public func data(_ bytes: some Sequence<UInt8>, type: String = "application/octet-stream") -> Stub.Answer {
        body(type: type) { $0.base64Body = Data(bytes).base64EncodedString() }
    }

    /// Sets the body to a file in the daemon's folder `__files`, with the type of its extension.
    public func file(_ path: String, type: String? = nil) -> Stub.Answer {
        body(type: type ?? MediaType.suggested(forFileNamed: path)) { $0.bodyFileName = path }
    }

    /// Replaces the body, and sets its type unless the test has set one.
    func body(type: String?, _ set: (inout ResponseDefinition) -> Void) -> Stub.Answer {
        var copy = self
        copy.definition.body = nil
        copy.definition.jsonBody = nil
        copy.definition.base64Body = nil
        copy.definition.bodyFileName = nil
        copy.definition.stream = nil
        copy.definition.openapi = nil
        set(&copy.definition)
        if copy.hasTypeOfBody { copy.definition.headers.removeAll { $0.name == "Content-Type" } }
        copy.hasTypeOfBody = false
        if let type, !copy.definition.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            copy.definition.headers.append(ResponseHeader("Content-Type", [type]))
            copy.hasTypeOfBody = true
        }
        return copy
    }
}

extension [ResponseHeader] {
    /// Sets a header; names compare case-insensitively.
    mutating func set(_ name: String, _ values: [String]) {
        let header = ResponseHeader(name, values)
        if let index = firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
            self[index] = header
        } else {
            append(header)
        }
    }
}
