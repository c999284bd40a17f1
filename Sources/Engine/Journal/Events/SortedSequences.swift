extension [UInt64] {
    /// Inserts an element into an ascending array, nearly always at its end.
    mutating func insert(ascending element: UInt64) {
        if let last, last > element { insert(element, at: firstIndex(above: element)) } else { append(element) }
    }

    /// The index of the first element above `bound` in an ascending list; the end index if there is none.
    func firstIndex(above bound: UInt64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > bound { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
