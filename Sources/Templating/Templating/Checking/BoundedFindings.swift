/// The findings in a template: the first few in detail, and the number of the others.
struct BoundedFindings {
    /// The byte offset in the template, the message, what is valid there, and the suggestion.
    typealias Found = (offset: Int, message: String, expected: String, suggestion: String?)

    /// The maximum number of detailed findings of a kind.
    static let most = 20

    private(set) var told: [Found] = []
    private(set) var others = 0

    /// Adds a finding; its text is built only if it is reported.
    mutating func add(
        _ offset: Int, _ message: @autoclosure () -> String, expected: @autoclosure () -> String,
        suggestion: @autoclosure () -> String?
    ) {
        if told.count < Self.most {
            told.append((offset, message(), expected(), suggestion()))
        } else {
            others += 1
        }
    }
}
