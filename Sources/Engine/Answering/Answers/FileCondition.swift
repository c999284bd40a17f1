package import SDHTTPMessages
package import SDRequestTemplates
package import SDStubModel
package import SDTemplating

/// The condition of a stub that answers only if its body file is there: the field `fallThrough`. The file's name is
/// rendered while the request is matched, so it sees what a `state-matcher` sees: the request and the state.
package struct FileCondition: Sendable {
    private let text: String
    /// The template of the name; nil for a name that stands for itself.
    private let template: Template?

    /// The condition of a response; nil for one that does not fall through.
    package init?(_ response: borrowing ResponseDefinition, _ mode: TemplatingMode) {
        guard response.fallThrough == true, response.fault == nil, let name = response.bodyFileName else { return nil }
        text = name
        guard mode.applies(to: response) else {
            template = nil
            return
        }
        // One that cannot be read is told when the stub is added.
        let template = try? Template(name)
        self.template = template?.isPlain == true ? nil : template
    }

    /// The name of the file for a request; nil if it cannot be rendered while the request is matched. The stub answers
    /// then, and its client learns why.
    package func name(_ environment: () -> RenderEnvironment) -> String? {
        guard let template else { return text }
        return try? template.text(environment())
    }
}

/// What was found out about body files while a request was matched. Each is looked for once, whatever becomes of it
/// meanwhile, and none under the session's lock, as the disk would keep other requests waiting.
package struct BodyFileLooks {
    /// Whether there is time for the disk.
    package var mayLook = true
    /// Whether a file is there, by its path. Equal strings may have different bytes and thus name different files.
    /// Nil as long as no stub asked.
    private var known: [[UInt8]: Bool]?
    private var wanted: String?

    package init() {}

    /// Whether a file was asked for that is unknown, so that nothing counts that was found since.
    package var isIncomplete: Bool { wanted != nil }

    /// Whether a file is there. One that is there but cannot be read counts.
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

    /// Looks for the file that was asked for.
    package mutating func lookForWanted(_ files: any BodyFileSource) {
        guard let path = wanted else { return }
        wanted = nil
        mayLook = true
        _ = has(path, in: files)
    }
}
