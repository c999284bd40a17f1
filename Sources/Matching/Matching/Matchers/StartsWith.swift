import SDPlatform

/// `startsWith`: the start of the text.
struct StartsWithTest: TextTest {
    private let start: [UInt8]

    init(operand: String) {
        start = Array(operand.utf8)
    }

    func passes(_ text: ArraySlice<UInt8>, _ views: inout RequestViews) -> Bool {
        text.continues(with: start[...], at: 0)
    }
}
