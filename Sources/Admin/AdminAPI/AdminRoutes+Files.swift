import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDStubModel

/// `/__admin/files`: the body files under `__files`.
enum FileRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/files", later: list),
        AdminRoute("GET", "/files/**", later: get),
        AdminRoute("PUT", "/files/**", later: put),
        AdminRoute("DELETE", "/files/**", later: delete),
    ]

    private static func list(_ call: AdminCall) -> AdminAnswer {
        let bodies = call.session.bodies
        return call.withBodyFiles { () throws(AdminError) in
            let paths = try trying { () throws(BodyFileRefusal) in try bodies.paths() }
            return .json(.array(paths.map(JSONValue.string)))
        }
    }

    /// Sends the bytes without a content type, like WireMock.
    /// - Throws: 404 for a missing file, 403 for a path that leads out of `__files`.
    private static func get(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let path = try path(call)
        let bodies = call.session.bodies
        return call.withBodyFiles { () throws(AdminError) in
            let content = try trying { () throws(BodyFileRefusal) in try bodies.content(path) }
            return PlainResponse(status: 200, headers: [], content: [content])
        }
    }

    /// Writes the file, and answers with its bytes in Base64, like WireMock.
    /// - Throws: 403 for a path that leads out of `__files`, 409 for a folder.
    private static func put(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let path = try path(call)
        let bytes = try call.content()
        let bodies = call.session.bodies
        return call.withBodyFiles { () throws(AdminError) in
            if let rehearsal = call.rehearsal {
                do throws(BodyFileRefusal) {
                    try bodies.tryWriting(path, bytes)
                } catch {
                    rehearsal.note(AdminError(error).response)
                }
                return .empty
            }
            if !call.session.isNewer(path, than: call.request.wallTime) {
                try trying { () throws(BodyFileRefusal) in try bodies.write(path, bytes) }
            }
            return .json(.string(Base64.encode(bytes)))
        }
    }

    private static func delete(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let path = try path(call)
        let session = call.session
        return call.withBodyFiles { () throws(AdminError) in
            if session.isNewer(path, than: call.request.wallTime) { return .empty }
            try trying { () throws(BodyFileRefusal) in try session.removeBodyFile(path) }
            return .empty
        }
    }

    /// The decoded path after `/files/`.
    /// - Throws: if it is not UTF-8.
    private static func path(_ call: AdminCall) throws(AdminError) -> String {
        let path = call.parameters["0"] ?? ""
        // The replacement for invalid UTF-8; no file name contains it on purpose.
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw AdminError(.invalid("the path is not UTF-8"))
        }
        return path
    }

    private static func trying<Result>(_ body: () throws(BodyFileRefusal) -> Result) throws(AdminError) -> Result {
        do {
            return try body()
        } catch {
            throw AdminError(error)
        }
    }
}

extension AdminError {
    init(_ refusal: BodyFileRefusal) {
        switch refusal {
        case .notFound: self = .notFound
        case .outside(let reason): self.init(403, ErrorDocument(code: 50, title: reason))
        case .invalid(let reason): self.init(400, ErrorDocument(code: 10, title: reason))
        case .conflict(let reason): self.init(409, ErrorDocument(code: 50, title: reason))
        case .failed(let reason): self.init(500, ErrorDocument(code: 50, title: reason))
        }
    }
}
