/// What is found in a template: the first few findings, and the number of the others, of which nothing is said.
struct BoundedFindings {
    /// The place in the template, in bytes, what is said, what is valid there, and what was meant.
    typealias Found = (offset: Int, message: String, expected: String, suggestion: String?)

    /// The most findings of a kind that are told.
    static let most = 20

    private(set) var told: [Found] = []
    private(set) var others = 0

    /// Adds a finding, whose words are made only if they are told.
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
