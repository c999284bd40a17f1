import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The beginnings of an answer.
extension Stub.Answer {
    /// An answer of a status alone, without a body.
    public static func status(_ status: Int, message: String? = nil) -> Stub.Answer {
        Stub.Answer().status(status, message: message)
    }

    /// A value as JSON, encoded by `encoder`, otherwise by one that sorts the keys.
    ///
    /// A value that cannot be encoded is an error when the stub is added.
    @_disfavoredOverload
    public static func json(
        _ value: some Encodable, status: Int = 200, encoder: JSONEncoder? = nil
    ) -> Stub.Answer {
        Stub.Answer().status(status).json(value, encoder: encoder)
    }

    /// JSON as a literal, in the order in which it is written: `.json(["message": "hello", "count": 2])`.
    public static func json(_ value: Stub.JSON, status: Int = 200) -> Stub.Answer {
        Stub.Answer().status(status).json(value)
    }

    /// JSON as text, sent as it stands, valid or not.
    public static func json(raw text: String, status: Int = 200) -> Stub.Answer {
        Stub.Answer().status(status).json(raw: text)
    }

    /// A text.
    public static func text(
        _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
    ) -> Stub.Answer {
        Stub.Answer().status(status).text(text, type: type)
    }

    /// Bytes.
    public static func data(
        _ bytes: some Sequence<UInt8>, status: Int = 200, type: String = "application/octet-stream"
    ) -> Stub.Answer {
        Stub.Answer().status(status).data(bytes, type: type)
    }

    /// A file of the daemon's folder `__files`, with the type that its extension says.
    public static func file(_ path: String, status: Int = 200, type: String? = nil) -> Stub.Answer {
        Stub.Answer().status(status).file(path, type: type)
    }

    /// A text with expressions, `{{request.query.page}}`, which the daemon fills in for each request.
    public static func template(
        _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
    ) -> Stub.Answer {
        Stub.Answer().status(status).text(text, type: type).template()
    }

    /// A redirection.
    public static func redirect(to location: String, status: Int = 302) -> Stub.Answer {
        Stub.Answer().status(status).header("Location", location)
    }
}

/// Status, headers and body. A body takes the place of the one before.
extension Stub.Answer {
    /// Sets the status, and the words after it if the usual ones will not do.
    public func status(_ status: Int, message: String? = nil) -> Stub.Answer {
        changing {
            $0.status = status
            $0.statusMessage = message ?? $0.statusMessage
        }
    }

    /// Sets a header; several values become several header lines.
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

    /// Sets the body to a value as JSON, encoded by `encoder`, otherwise by one that sorts the keys.
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
        // In a mapping, null stands for no body.
        value.value.isNull ? json(raw: "null") : body(type: "application/json") { $0.jsonBody = value.value }
    }

    /// Sets the body to JSON as text, sent as it stands, valid or not.
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

    /// Sets the body to a file of the daemon's folder `__files`, with the type that its extension says.
    public func file(_ path: String, type: String? = nil) -> Stub.Answer {
        body(type: type ?? MediaType.suggested(forFileNamed: path)) { $0.bodyFileName = path }
    }

    /// Puts a body in the place of any other, with its type unless the test has set one.
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
    /// Sets a header, whose name compares without case.
    mutating func set(_ name: String, _ values: [String]) {
        let header = ResponseHeader(name, values)
        if let index = firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
            self[index] = header
        } else {
            append(header)
        }
    }
}
