extension JSONParser {
    /// The location of a value for a source map.
    struct Place {
        var spot: SourceMap.Spot
        var keyOffset: Int?
        var valueOffset: Int
    }

    /// Locates the values that a map tracks, in text order. Other values are skipped and need not be valid.
    mutating func places(of map: SourceMap) -> [Place] {
        var places: [Place] = []
        do throws(Failure) {
            skipMark()
            try skipBlanks()
            try find(0, keyOffset: nil, map, &places)
        } catch {
            // The text ends here.
        }
        return places
    }

    private mutating func find(
        _ spot: SourceMap.Spot, keyOffset: Int?, _ map: SourceMap, _ places: inout [Place]
    ) throws(Failure) {
        places.append(Place(spot: spot, keyOffset: keyOffset, valueOffset: index))
        guard map.hasSpots(in: spot) else { return try skipValue() }
        switch current {
        case UInt8(ascii: "{"): try findMembers(of: spot, map, &places)
        case UInt8(ascii: "["): try findElements(of: spot, map, &places)
        default: try skipValue()
        }
    }

    private mutating func findMembers(
        of spot: SourceMap.Spot, _ map: SourceMap, _ places: inout [Place]
    ) throws(Failure) {
        try descend()
        try skipBlanks()
        var isFirst = true
        while !consume(UInt8(ascii: "}")) {
            if !isFirst {
                guard consume(UInt8(ascii: ",")) else { throw Failure(offset: index, expected: "\",\" or \"}\"") }
                try skipBlanks()
            }
            let keyOffset = index
            let key = try memberName(isFirst: isFirst)
            isFirst = false
            try skipBlanks()
            guard consume(UInt8(ascii: ":")) else { throw Failure(offset: index, expected: "\":\"") }
            try skipBlanks()
            if let inner = map.spot(key, in: spot) {
                try find(inner, keyOffset: keyOffset, map, &places)
            } else {
                try skipValue()
            }
            try skipBlanks()
        }
        depth -= 1
    }

    private mutating func findElements(
        of spot: SourceMap.Spot, _ map: SourceMap, _ places: inout [Place]
    ) throws(Failure) {
        try descend()
        try skipBlanks()
        var number = 0
        while !consume(UInt8(ascii: "]")) {
            if number > 0 {
                guard consume(UInt8(ascii: ",")) else { throw Failure(offset: index, expected: "\",\" or \"]\"") }
                try skipBlanks()
            }
            if let inner = map.spot(String(number), in: spot) {
                try find(inner, keyOffset: nil, map, &places)
            } else {
                try skipValue()
            }
            number += 1
            try skipBlanks()
        }
        depth -= 1
    }

    /// Skips a value, up to the comma or bracket after it.
    private mutating func skipValue() throws(Failure) {
        var open = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): skipString(UInt8(ascii: "\""))
            case UInt8(ascii: "'") where isLenient: skipString(UInt8(ascii: "'"))
            case UInt8(ascii: "/") where isLenient: try skipComment()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open > 0 else { return }
                open -= 1
                index += 1
            case UInt8(ascii: ",") where open == 0: return
            default: index += 1
            }
        }
    }

    /// Skips a string. Only escaped quotes and backslashes matter.
    private mutating func skipString(_ quote: UInt8) {
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == quote { return }
            if byte == UInt8(ascii: "\\") { index += 1 }
        }
    }
}
