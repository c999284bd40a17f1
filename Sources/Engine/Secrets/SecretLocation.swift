/// The place of a secret in a text.
package struct SecretLocation: Sendable, Hashable {
    /// Its type in JSON.
    package enum Kind: Sendable {
        case text, number, boolean
    }

    package var range: Range<Int>
    package var kind = Kind.text
    /// The encoding of the surrounding text; nil for one with one byte per ASCII character.
    var encoding: WideEncoding?
    /// Whether it was guessed from its context, in prose: it is hidden there, but not a sufficient reason to hide it
    /// elsewhere.
    var isLoose = false

    init(_ range: Range<Int>, _ kind: Kind = .text) {
        self.range = range
        self.kind = kind
    }

    /// The place in the text that contains the layer.
    func within(_ layer: TextLayer) -> SecretLocation {
        var place = self
        place.range = layer.origin(range)
        return place
    }

    /// The place shifted by an offset.
    func moved(by count: Int) -> SecretLocation {
        var place = self
        place.range = (range.lowerBound + count)..<(range.upperBound + count)
        return place
    }
}

extension [SecretLocation] {
    /// Combines these places of a document in a wide encoding with those of its bytes, because a start that looks like
    /// UTF-16 may mislead. Byte secrets with zeros are dropped: they belong to wide characters.
    func joined(withBytes places: [SecretLocation], in document: [UInt8]) -> [SecretLocation] {
        let bytes = places.filter { !document[$0.range].contains(0) }.merged()
        if bytes.isEmpty { return self }
        let wide = merged()
        var next = 0
        return wide
            + bytes.filter { place in
                while next < wide.count, wide[next].range.upperBound <= place.range.lowerBound { next += 1 }
                return next == wide.count || wide[next].range.lowerBound >= place.range.upperBound
            }
    }

    /// The places in order, with overlapping ones merged.
    package func merged() -> [SecretLocation] {
        var merged: [SecretLocation] = []
        for place in sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where !place.range.isEmpty {
            guard let last = merged.last, place.range.lowerBound < last.range.upperBound else {
                merged.append(place)
                continue
            }
            let whole = last.range.lowerBound..<Swift.max(last.range.upperBound, place.range.upperBound)
            var result = last
            if last.range == place.range {
                if last.kind == .text { result.kind = place.kind }
            } else if whole == place.range {
                result = place
            } else if whole != last.range {
                result.kind = .text
            }
            result.range = whole
            result.isLoose = last.isLoose && place.isLoose
            merged[merged.count - 1] = result
        }
        return merged
    }
}
