/// The differences within a document, one sentence each, such as `$.b.c[2]: expected 3, was 4`. Limited in number and
/// length, because only the first ones are read.
struct DifferenceList {
    /// The maximum number of differences listed; further ones become "and more".
    static let most = 10
    /// The maximum length of a sentence, in characters.
    private static let longest = 400

    private var texts: [String] = []
    /// Whether more differences than the maximum were found, so that the search can end.
    private(set) var isFull = false

    mutating func add(_ text: @autoclosure () -> String) {
        guard texts.count < Self.most else {
            isFull = true
            return
        }
        let text = text()
        texts.append(text.utf8.count <= Self.longest ? text : String(text.prefix(Self.longest)) + "…")
    }

    mutating func add(_ other: [String]) {
        for text in other { add(text) }
    }

    var all: [String] { isFull ? texts + ["and more"] : texts }
}
