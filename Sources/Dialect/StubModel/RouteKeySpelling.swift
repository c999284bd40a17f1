import JSON
import Spelling

/// What a key that is no route was probably meant to be.
enum RouteKeySpelling {
    /// Those that a misspelt word may mean.
    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY",
    ]

    /// Whether a key is meant as a route: a method, well spelt or not, and something behind it; a path or a regular
    /// expression behind any word; or a path alone.
    static func isLikely(_ key: String) -> Bool {
        // Asked of every member of every mapping, most of which no route's key resembles.
        guard key.utf8.contains(where: isRouteSign) || mayBeMethod(key) else { return false }
        guard let blank = key.utf8.firstIndex(where: RouteKey.isBlank) else {
            return key.hasPrefix("/") || key.hasPrefix("~/") || isMethod(key) || split(key) != nil
        }
        let target = key[blank...].drop { $0 == " " || $0 == "\t" }
        return target.hasPrefix("/") || target.hasPrefix("~") || target.hasPrefix("*") || target.contains("://")
            || method(for: key[..<blank]) != nil
    }

    /// A blank, a slash or a tilde: only routes have one in their keys.
    private static func isRouteSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "~")
    }

    /// Whether the first letter and the length allow it.
    private static func mayBeMethod(_ word: String) -> Bool {
        guard (3...7).contains(word.utf8.count), let first = word.utf8.first else { return false }
        switch first | 0x20 {
        case UInt8(ascii: "g"), UInt8(ascii: "h"), UInt8(ascii: "p"), UInt8(ascii: "d"), UInt8(ascii: "o"),
            UInt8(ascii: "t"), UInt8(ascii: "c"), UInt8(ascii: "a"):
            return true
        default: return false
        }
    }

    /// Whether this is a usual method in whatever letters.
    static func isMethod(_ word: some StringProtocol) -> Bool { methods.contains(word.uppercased()) }

    /// The route that `key` becomes with its obvious mistakes mended; nil where none is known or there are others.
    static func corrected(_ key: String) -> String? {
        guard let (word, target) = split(key) else { return nil }
        let method = method(for: word) ?? String(word)
        let corrected = "\(method) \(path(target))"
        return corrected != key && (try? RouteKey(reading: corrected)) != nil ? corrected : nil
    }

    /// The two parts of a key, also of one without a blank.
    private static func split(_ key: String) -> (method: Substring, target: String)? {
        if key.hasPrefix("/") || key.hasPrefix("~/") { return ("GET", key) }
        if let blank = key.utf8.firstIndex(where: RouteKey.isBlank) {
            return (key[..<blank], String(key[blank...]).trimmingBlanks)
        }
        if isMethod(key) { return (key[...], "/") }
        guard let slash = key.firstIndex(of: "/") else { return nil }
        var word = key[..<slash]
        while word.last == ":" || word.last == "~" { word.removeLast() }
        return isMethod(word) ? (word, String(key[word.endIndex...].drop { $0 == ":" })) : nil
    }

    /// Upper case, and the usual spelling; nil where the word is no method that is known.
    private static func method(for word: Substring) -> String? {
        let names = word.split(separator: "|", omittingEmptySubsequences: false).map { $0.uppercased() }
        let known = names.compactMap { name in
            if methods.contains(name) { return name }
            return name.count >= 3 && name.allSatisfy(\.isLetter) ? nearestName(to: name, among: methods) : nil
        }
        return known.count == names.count ? known.joined(separator: "|") : nil
    }

    private static func path(_ target: String) -> String {
        if target.hasPrefix("/") || target.hasPrefix("~") { return target }
        if let scheme = target.firstRange(of: "://") {
            let rest = target[scheme.upperBound...]
            return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        }
        return "/" + target
    }
}
