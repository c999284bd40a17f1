import SDBasics
import SDJSON
import SDStubModel

/// Guesses the intended route from an invalid key.
package enum RouteKeySpelling {
    /// The methods that a misspelt word may mean.
    static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "ANY",
    ]

    /// Whether a key is probably a route: a method, possibly misspelt, followed by something; a path or regular
    /// expression after any word; or a path alone.
    package static func isLikely(_ key: String) -> Bool {
        // Called for every member of every mapping, few of which resemble a route key.
        guard mayBeMethod(key) || hasRouteSign(key) else { return false }
        guard let blank = key.utf8.firstIndex(where: RouteKey.isBlank) else {
            return key.hasPrefix("/") || key.hasPrefix("~/") || isMethod(key) || split(key) != nil
        }
        let target = key[blank...].drop { $0 == " " || $0 == "\t" }
        return target.hasPrefix("/") || target.hasPrefix("~") || target.hasPrefix("*") || target.hasPrefix("=/")
            || target.hasPrefix("=~") || target.contains(text: "://")
            || method(for: key[..<blank]) != nil || splitList(key) != nil
    }

    private static func hasRouteSign(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { $0.contains(where: isRouteSign) }
    }

    /// Whether the byte is a space, a slash or a tilde, which only route keys contain.
    private static func isRouteSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "~")
    }

    /// Whether the first letter and the length are those of a method.
    private static func mayBeMethod(_ word: String) -> Bool {
        guard (3...7).contains(word.utf8.count), let first = word.utf8.first else { return false }
        switch first | 0x20 {
        case UInt8(ascii: "g"), UInt8(ascii: "h"), UInt8(ascii: "p"), UInt8(ascii: "d"), UInt8(ascii: "o"),
            UInt8(ascii: "t"), UInt8(ascii: "c"), UInt8(ascii: "a"):
            return true
        default: return false
        }
    }

    /// Whether the word is a common method in any case.
    static func isMethod(_ word: some StringProtocol) -> Bool { methods.contains(word.uppercased()) }

    /// The key with obvious mistakes corrected; nil if there are none, or others remain.
    package static func corrected(_ key: String) -> String? {
        guard let (word, target) = split(key) else { return nil }
        let method = method(for: word) ?? String(word)
        let corrected = "\(method) \(path(target))"
        return corrected != key && (try? RouteKey(reading: corrected)) != nil ? corrected : nil
    }

    /// Splits a key with a list of methods in other tools' notation, `[GET, POST] /a`; nil for any other key. The
    /// methods are returned as `GET|POST`.
    private static func splitList(_ key: String) -> (method: Substring, target: String)? {
        let signs = " \t,|+&[](){}'\""
        guard let start = key.firstIndex(where: { "/~".contains($0) }) else { return nil }
        var head = key[..<start]
        var rest = key[start...]
        // GET/POST /a
        while let blank = rest.firstIndex(where: { " \t,".contains($0) }), isMethod(rest[..<blank].dropFirst()) {
            let next = rest[blank...].dropFirst().firstIndex { "/~".contains($0) }
            guard let next else { return nil }
            head = key[..<next]
            rest = key[next...]
        }
        let words = head.split { signs.contains($0) || $0 == "/" }.filter { !["or", "and"].contains($0.lowercased()) }
        let names = words.map { $0.uppercased() }
        guard !names.isEmpty, names.allSatisfy(methods.contains),
            head.contains(where: { signs.contains($0) || $0 == "/" })
        else { return nil }
        let joined = names.contains("ANY") ? "ANY" : names.joined(separator: "|")
        return (joined[...], String(rest))
    }

    /// Whether a method in a key is a list with a wrong separator: `GET+POST`.
    static func isList(_ name: String) -> Bool {
        let parts = name.split { "+&".contains($0) }
        return parts.count > 1 && parts.allSatisfy(isMethod)
    }

    /// Names for any method in other tools, which no client sends.
    static let namesForAny: Set = ["*", "ALL", "USE"]

    /// Other tools' names for WebSockets in place of a method.
    private static let webSocketNames: Set = ["WSS", "WEBSOCKET", "WEBSOCKETS", "SOCKET"]

    /// Splits a key into method and target, even without a space.
    private static func split(_ key: String) -> (method: Substring, target: String)? {
        if let list = splitList(key) { return list }
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

    /// The method in upper case and correct spelling; nil for an unknown word.
    private static func method(for word: Substring) -> String? {
        let names = word.split(separator: "|", omittingEmptySubsequences: false).map { $0.uppercased() }
        let known = names.compactMap { name in
            if namesForAny.contains(name) { return "ANY" }
            let known = methods + [RouteKey.resourceWord]
            if known.contains(name) || name == RouteKey.webSocketWord { return name }
            if webSocketNames.contains(name) { return RouteKey.webSocketWord }
            return name.count >= 3 && name.allSatisfy(\.isLetter) ? nearestName(to: name, among: known) : nil
        }
        return known.count == names.count ? known.joined(separator: "|") : nil
    }

    private static func path(_ target: String) -> String {
        if target.hasPrefix("/") || target.hasPrefix("~") || target.hasPrefix("=") { return target }
        if let path = target.pathOfURL { return path }
        if target.hasPrefix("^") { return expression(String(target.dropFirst())) }
        return "/" + target
    }

    /// The target for an anchored regular expression; anchors are redundant because the whole path must match. It is a
    /// plain path if the expression has no operators.
    private static func expression(_ anchored: String) -> String {
        let pattern = anchored.hasSuffix("$") && !anchored.hasSuffix("\\$") ? String(anchored.dropLast()) : anchored
        let isPath = pattern.hasPrefix("/") && !pattern.contains { "\\^$.|?*+()[]{}".contains($0) }
        return isPath ? pattern : "~" + pattern
    }
}
