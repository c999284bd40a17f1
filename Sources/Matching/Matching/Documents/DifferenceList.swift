/// What differs inside of a document, one sentence each, such as `$.b.c[2]: expected 3, was 4`. Bounded in number and length:
/// people read the first ones.
struct DifferenceList {
    /// More than this are told of as "and more".
    static let most = 10
    /// Of one sentence, in characters.
    private static let longest = 400

    private var texts: [String] = []
    /// There are more than are kept: nothing further need be looked for.
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
