import SDChannels
import SDFolders
import SDJSON
import SDMockEngine
import SDPlatform
import SDStubFiles
import SDStubModel
import SDStubs

/// A stub file with its compiled stubs.
final class LoadedFile: Sendable {
    let name: String
    /// The file as it was read.
    let identity: FileStamp
    /// The parsed file, without its stubs.
    let parsed: ParsedStubFile
    /// The warnings beyond those of `parsed`.
    let warnings: [FileDiagnostic]
    /// The ids of the stubs in the order of the file.
    let ids: [StubMapping.ID]
    /// The stubs without errors.
    let stubs: PreparedStubs
    let hasErrors: Bool
    /// The message stubs of a message-stub file or a routes file; nil for a message-stub file with errors.
    let messages: [CompiledMessageStub]?
    /// Whether the file has no bytes: most likely it is being written.
    let isOfNoBytes: Bool
    /// The files read because of this one.
    let neighbours: ReferencedFiles?
    /// The OpenAPI answers that its stubs name, with each stub's index and the location in it.
    let answers: [(stub: Int, place: JSONPointer, answer: OpenAPIAnswer)]

    init(
        name: String, identity: FileStamp, parsed: ParsedStubFile, warnings: [FileDiagnostic], ids: [StubMapping.ID],
        stubs: PreparedStubs, hasErrors: Bool, neighbours: ReferencedFiles? = nil,
        answers: [(stub: Int, place: JSONPointer, answer: OpenAPIAnswer)] = [], messages: [CompiledMessageStub]? = nil,
        isOfNoBytes: Bool = false
    ) {
        self.isOfNoBytes = isOfNoBytes
        self.messages = messages
        self.neighbours = neighbours
        self.answers = answers
        self.name = name
        self.identity = identity
        self.parsed = parsed
        self.warnings = warnings
        self.ids = ids
        self.stubs = stubs
        self.hasErrors = hasErrors
    }

    /// Problems of its fault sets that reading did not find.
    var problemsOfSets: [FileDiagnostic] {
        let problems = Session.problems(ofSets: parsed.faultSets)
        return problems.isEmpty ? [] : parsed.diagnostics(ofDocument: problems)
    }

    var isOfMessages: Bool { StubFolder.isOfMessages(name) }

    /// Whether it has stubs and nothing else to report or apply.
    var isPlain: Bool {
        !isOfMessages && messages?.isEmpty != false && parsed.contracts.isEmpty && parsed.diagnostics.isEmpty
            && warnings.isEmpty
            && parsed.reasonToSkip == nil
            && stubs.refusals.isEmpty && answers.isEmpty
    }

    /// Whether there are valid stubs to serve. For unparsable text there are none, and the last valid stubs stay.
    var hasGoodStubs: Bool { !hasErrors || !ids.isEmpty || messages?.isEmpty == false }
}
