/// The name that a misspelt one was probably meant to be, or nil if none is near enough.
///
/// Near means at most a third of the word's letters, and at most three, were left out, added, changed or swapped with
/// their neighbour. Case does not count. Among equally near names the first one is taken.
public func nearestName(to word: String, among names: [String]) -> String? {
    let wanted = Array(word.lowercased().utf8)
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    let limit = min(3, max(1, wanted.count / 3))
    var best: (name: String, distance: Int)?
    for name in names {
        let candidate = Array(name.lowercased().utf8)
        guard abs(candidate.count - wanted.count) <= limit else { continue }
        let distance = editDistance(wanted, candidate)
        if distance <= limit, distance < best?.distance ?? Int.max {
            best = (name, distance)
        }
    }
    return best?.name
}

/// The number of single steps from one word to the other, a swap of two neighbours being one step (the optimal string
/// alignment distance).
private func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...second.count)
    for row in first.indices {
        var current = [row + 1]
        current.reserveCapacity(second.count + 1)
        for column in second.indices {
            let isSame = first[row] == second[column]
            var distance = min(previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                distance = min(distance, beforePrevious[column - 1] + 1)
            }
            current.append(distance)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[second.count]
}
