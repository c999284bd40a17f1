/// The name in `candidates` nearest to a misspelt `name`: the one with the fewest edits (insert, delete, replace, swap
/// two neighbours), ignoring case. The first of several wins. Nil if none is near: one edit per three letters is
/// allowed, but at least one. With two or more edits the name must begin with the same letter, or with the first two
/// swapped: people rarely mistype both.
public func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
    // Longer texts are not names, and the comparison is quadratic.
    let limit = 64
    let wanted = Array(name.lowercased().unicodeScalars.prefix(limit + 1))
    guard !wanted.isEmpty, wanted.count <= limit else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
        let letters = Array(candidate.lowercased().unicodeScalars.prefix(limit + 1))
        let allowed = max(1, max(wanted.count, letters.count) / 3)
        guard letters.count <= limit, abs(letters.count - wanted.count) <= allowed else { continue }
        let distance = editDistance(wanted, letters)
        guard distance <= allowed, distance < best?.distance ?? .max,
            distance == 1 || wanted.first == letters.first || wanted.prefix(2).contains(letters[0])
        else { continue }
        best = (candidate, distance)
    }
    return best?.name
}

/// The restricted Damerau-Levenshtein distance.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for (row, leftLetter) in left.enumerated() {
        var current = [row + 1]
        for (column, rightLetter) in right.enumerated() {
            var cost = min(previous[column + 1], current[column]) + 1
            cost = min(cost, previous[column] + (leftLetter == rightLetter ? 0 : 1))
            if row > 0, column > 0, leftLetter == right[column - 1], left[row - 1] == rightLetter {
                cost = min(cost, beforePrevious[column - 1] + 1)
            }
            current.append(cost)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[right.count]
}
