/// The place of a secret in a text.
package struct SecretPlace: Sendable, Hashable {
    /// What it is in JSON.
    package enum Kind: Sendable {
        case text, number, boolean
    }

    package var range: Range<Int>
    package var kind = Kind.text
    /// The encoding of what stands around it; nil for one with a byte for each character of ASCII.
    var encoding: WideEncoding?
    /// Whether it was guessed from what stands around it, in prose: hidden there, and hardly a reason to hide it elsewhere.
    var isLoose = false

    init(_ range: Range<Int>, _ kind: Kind = .text) {
        self.range = range
        self.kind = kind
    }

    /// The place in the text in which the layer stands.
    func within(_ layer: TextLayer) -> SecretPlace {
        var place = self
        place.range = layer.origin(range)
        return place
    }

    /// The place in a text of which this is in a part.
    func moved(by count: Int) -> SecretPlace {
        var place = self
        place.range = (range.lowerBound + count)..<(range.upperBound + count)
        return place
    }
}

extension [SecretPlace] {
    /// The places in a document of wide characters, and those that its bytes show: what begins like UTF-16 may be none.
    /// A secret of wide characters has zeros in it.
    func joined(withBytes places: [SecretPlace], in document: [UInt8]) -> [SecretPlace] {
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

    /// The places in order, those that overlap as one.
    package func merged() -> [SecretPlace] {
        var merged: [SecretPlace] = []
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
