package import SDHTTPMessages
package import SDRequestTemplates
package import SDStubModel
package import SDTemplating

/// The condition of a stub that answers only if its body file exists: the field `fallThrough`. The file's name is
/// rendered during matching, so it sees what a `state-matcher` sees: the request and the state.
package struct FileCondition: Sendable {
    private let text: String
    /// The template of the name; nil for a literal name.
    private let template: Template?

    /// The condition of a response; nil if it does not fall through.
    package init?(_ response: borrowing ResponseDefinition, _ mode: TemplatingMode) {
        guard response.fallThrough == true, response.fault == nil, let name = response.bodyFileName else { return nil }
        text = name
        guard mode.applies(to: response) else {
            template = nil
            return
        }
        // A template with an error is reported when the stub is added.
        let template = try? Template(name)
        self.template = template?.isPlain == true ? nil : template
    }

    /// The name of the file for a request; nil if it cannot be rendered during matching. The stub answers then, and its
    /// client gets the error.
    package func name(_ environment: () -> RenderEnvironment) -> String? {
        guard let template else { return text }
        return try? template.text(environment())
    }
}

/// The lookups of body files during matching. Each file is looked up once, regardless of later changes, and not under
/// the session's lock: the disk would block other requests.
package struct BodyFileLookups {
    /// Whether disk access is allowed.
    package var mayLook = true
    /// Whether a file exists, by path. Equal strings may have different bytes and so name different files. Nil until a
    /// stub needs a lookup.
    private var known: [[UInt8]: Bool]?
    private var wanted: String?

    package init() {}

    /// Whether an unknown file was needed, so that the results of this search are invalid.
    package var isIncomplete: Bool { wanted != nil }

    /// Whether a file exists; an unreadable file counts as existing.
    package mutating func has(_ path: String, in files: any BodyFileSource) -> Bool {
        let bytes = Array(path.utf8)
        if let known = known?[bytes] { return known }
        guard mayLook else {
            wanted = path
            return true
        }
        let isThere = files.problem(of: path) == nil
        known = (known ?? [:]).merging([bytes: isThere]) { $1 }
        return isThere
    }

    /// Looks up the file that was needed.
    package mutating func lookForWanted(_ files: any BodyFileSource) {
        guard let path = wanted else { return }
        wanted = nil
        mayLook = true
        _ = has(path, in: files)
    }
}
