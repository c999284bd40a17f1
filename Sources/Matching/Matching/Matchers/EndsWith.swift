import SDPlatform

/// `endsWith`: the end of the text.
struct EndsWithTest: TextTest {
    private let end: [UInt8]

    init(operand: String) {
        end = Array(operand.utf8)
    }

    func passes(_ text: ArraySlice<UInt8>, _ views: inout RequestViews) -> Bool {
        text.continues(with: end[...], at: text.count - end.count)
    }
}
