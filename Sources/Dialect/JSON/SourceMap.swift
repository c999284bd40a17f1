/// The positions of values and member names in a document's text. Built from the text when an error needs a position,
/// so that `JSONValue` carries none.
package struct SourceMap: Sendable {
    package struct Entry: Sendable, Hashable {
        /// The position of the member's name; nil for the root and for array elements.
        package var key: TextPosition?
        package var value: TextPosition

        package init(key: TextPosition?, value: TextPosition) {
            self.key = key
            self.value = value
        }
    }

    /// A value that may be tracked, by number; 0 is the whole document.
    package typealias Spot = Int

    private struct Step: Hashable, Sendable {
        var spot: Spot
        var token: String
    }

    /// The tracked values inside others; complete before the text is scanned.
    private var inner: [Step: Spot] = [:]
    /// By spot, whether there are tracked values inside it.
    private var isOpen: [Bool] = [false]
    /// By spot; nil for a value that was not found.
    private var entries: [Found?] = [nil]
    /// The lines of the text, if only offsets are recorded.
    private var lines: LineIndex?

    private enum Found: Sendable {
        case entry(Entry)
        /// Most entries are only asked for their lines.
        case offsets(key: Int?, value: Int)
    }

    /// An empty map for the values at `pointers` and their ancestors, which serve as fallbacks.
    package init(for pointers: some Sequence<JSONPointer>) {
        for pointer in pointers {
            var spot = 0
            for token in pointer.tokens {
                let step = Step(spot: spot, token: token)
                if let known = inner[step] {
                    spot = known
                    continue
                }
                isOpen[spot] = true
                spot = entries.count
                inner[step] = spot
                entries.append(nil)
                isOpen.append(false)
            }
        }
    }

    /// Whether values inside this one are tracked.
    package func hasSpots(in spot: Spot) -> Bool { isOpen[spot] }

    /// The spot of a member or element; nil if it is not tracked.
    package func spot(_ token: String, in spot: Spot) -> Spot? {
        isOpen[spot] ? inner[Step(spot: spot, token: token)] : nil
    }

    /// Records an entry. A later one for the same value replaces it, because the last of duplicate keys wins.
    package mutating func note(_ spot: Spot, _ entry: Entry) {
        entries[spot] = .entry(entry)
    }

    package subscript(pointer: JSONPointer) -> Entry? {
        let (found, isExact) = nearest(to: pointer)
        return isExact ? found.flatMap(entry) : nil
    }

    /// The position of the value at `pointer`, or of the nearest enclosing value that exists.
    package func position(ofValueAt pointer: JSONPointer) -> TextPosition? {
        nearest(to: pointer).found.flatMap(entry)?.value
    }

    /// The line of `position(ofKeyAt:)`, computed faster.
    package func line(ofKeyAt pointer: JSONPointer) -> Int? {
        switch nearest(to: pointer) {
        case (.offsets(let key, let value), let isExact): lines?.line(of: isExact ? key ?? value : value)
        case (.entry(let entry), let isExact): (isExact ? entry.key ?? entry.value : entry.value).line
        case (nil, _): nil
        }
    }

    /// The position of the name of the member at `pointer`; the value's position for an array element or the root.
    package func position(ofKeyAt pointer: JSONPointer) -> TextPosition? {
        self[pointer]?.key ?? position(ofValueAt: pointer)
    }

    /// The entry of the value at `pointer`, or of its nearest ancestor.
    private func nearest(to pointer: JSONPointer) -> (found: Found?, isExact: Bool) {
        var spot = 0
        var found = entries[0]
        var isExact = true
        for token in pointer.tokens {
            guard let next = self.spot(token, in: spot) else { return (found, false) }
            spot = next
            isExact = entries[spot] != nil
            found = entries[spot] ?? found
        }
        return (found, isExact)
    }

    private func entry(_ found: Found) -> Entry? {
        switch found {
        case .entry(let entry): entry
        case .offsets(let key, let value):
            lines.map { lines in
                Entry(key: key.map { lines.position(of: $0) }, value: lines.position(of: value))
            }
        }
    }
}

extension SourceMap {
    /// Locates the values at `pointers` and their ancestors in a JSON text. Other values are skipped. An invalid text
    /// yields the entries up to its error.
    package init(
        scanningJSON bytes: some Sequence<UInt8>, for pointers: some Sequence<JSONPointer>,
        dialect: JSONValue.Dialect = .lenient
    ) {
        self.init(for: pointers)
        var parser = JSONParser(bytes: Array(bytes), dialect: dialect)
        for place in parser.places(of: self) {
            entries[place.spot] = .offsets(key: place.keyOffset, value: place.valueOffset)
        }
        lines = LineIndex(parser.bytes)
    }
}
