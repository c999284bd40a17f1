import SDJSON
import SDMockEngine
import SDStubFiles
import SDStubModel
import SDStubs

/// A stub file with its compiled stubs.
final class LoadedFile: Sendable {
    let name: String
    /// The parsed file, without its stubs.
    let parsed: ParsedStubFile
    /// The warnings beyond those of `parsed`.
    let warnings: [FileDiagnostic]
    /// The ids of the stubs in the order of the file.
    let ids: [StubMapping.ID]
    /// The stubs without errors.
    let stubs: PreparedStubs
    let hasErrors: Bool
    /// What was read because of it.
    let neighbours: ReadNeighbours?
    /// The answers of operations that its stubs name, with the indices of these and places in them.
    let answers: [(stub: Int, place: JSONPointer, answer: OpenAPIAnswer)]

    init(
        name: String, parsed: ParsedStubFile, warnings: [FileDiagnostic], ids: [StubMapping.ID],
        stubs: PreparedStubs, hasErrors: Bool, neighbours: ReadNeighbours? = nil,
        answers: [(stub: Int, place: JSONPointer, answer: OpenAPIAnswer)] = []
    ) {
        self.neighbours = neighbours
        self.answers = answers
        self.name = name
        self.parsed = parsed
        self.warnings = warnings
        self.ids = ids
        self.stubs = stubs
        self.hasErrors = hasErrors
    }

    /// The problems of its sets of faults that reading did not find.
    var problemsOfSets: [FileDiagnostic] {
        let problems = Session.problems(ofSets: parsed.faultSets)
        return problems.isEmpty ? [] : parsed.diagnostics(ofDocument: problems)
    }

    /// Whether it has stubs and nothing else that would be told of it.
    var isPlain: Bool {
        parsed.contracts.isEmpty && parsed.diagnostics.isEmpty && warnings.isEmpty && parsed.reasonToSkip == nil
            && stubs.refusals.isEmpty && answers.isEmpty
    }

    /// Whether there are good stubs to serve. A text that cannot be read at all has none: its last good stubs are
    /// better.
    var hasGoodStubs: Bool { !hasErrors || !ids.isEmpty }
}
