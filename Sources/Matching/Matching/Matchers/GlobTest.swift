/// `glob`: a glob for the whole text.
struct GlobTest: TextTest {
    private let glob: Glob

    init(operand: String) throws {
        glob = try Glob(operand)
    }

    func passes(_ text: ArraySlice<UInt8>, _ views: inout RequestViews) -> Bool { glob.matches(text, views.budget) }
}
