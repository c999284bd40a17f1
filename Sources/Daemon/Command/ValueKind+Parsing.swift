import SDBasics

/// Why a text is not a value of its kind: what was expected.
struct ValueExpectation: Error, Equatable {
    let expected: String
    /// The nearest valid text; nil if `expected` lists the valid texts.
    let nearest: String?
    /// The invalid part of the text; nil for all of it.
    let wrong: String?

    init(_ expected: String, nearest: String? = nil, wrong: String? = nil) {
        self.expected = expected
        self.nearest = nearest
        self.wrong = wrong
    }
}

extension ValueKind {
    /// Parses an argument or a variable.
    /// - Throws: what was expected.
    func parse(_ text: String) throws(ValueExpectation) -> OptionValue {
        switch self {
        case .flag:
            return .flag(try booleanValue(text))
        case .integer(let range):
            guard let number = decimal(text), range.contains(number) else {
                throw ValueExpectation(rangeText(range, unit: ""))
            }
            return .integer(number)
        case .factor(let range):
            return .factor(try factorValue(text, in: range))
        case .size(let range):
            return .integer(try sizeValue(text, in: range))
        case .duration:
            return .duration(try durationValue(text, bareUnit: nil))
        case .milliseconds:
            return .duration(try durationValue(text, bareUnit: "ms"))
        case .text, .file, .folder, .secret:
            guard !text.isEmpty, !text.utf8.contains(0) else { throw ValueExpectation("non-empty text") }
            return .text(text)
        case .password:
            guard !text.utf8.contains(0) else { throw ValueExpectation("text without NUL") }
            return .text(text)
        case .socketPath:
            return .text(try socketPathValue(text))
        case .choice(let words):
            guard let word = words.first(where: { $0 == text.lowercased() }) else {
                throw ValueExpectation("one of " + words.joined(separator: ", "))
            }
            return .text(word)
        case .list(let element):
            return .list(try listValue(text, of: element))
        case .serverURL:
            guard ServerURL(text) != nil else {
                let isSecure = text.lowercased().hasPrefix("https:")
                throw ValueExpectation(
                    isSecure
                        ? "the address of the daemon's HTTP port, as this command speaks no TLS"
                        : "an address such as http://127.0.0.1:8080")
            }
            return .text(text)
        case .targetURL:
            guard isTargetURL(text) else {
                let hasHost = text == "localhost" || text.contains { ".:".contains($0) }
                // A malformed scheme is not a host.
                let hasScheme = ["http:", "http;", "http/", "https:", "https;", "https/"]
                    .contains(where: text.lowercased().hasPrefix)
                let isAddress = hasHost && !hasScheme && !text.contains(text: "://")
                let whole = (isPublicName(text) ? "https://" : "http://") + text
                throw ValueExpectation(
                    "an absolute URL such as https://real.example, http or https",
                    nearest: isAddress && isTargetURL(whole) ? whole : nil)
            }
            return .text(text)
        case .proxyAddress:
            guard isProxyAddress(text) else {
                throw ValueExpectation("HOST, HOST:PORT or USER:PASSWORD@HOST:PORT, such as proxy.example:3128")
            }
            return .text(text)
        case .header:
            guard RequestHeader(text) != nil else { throw ValueExpectation("a header such as \"Accept: text/html\"") }
            return .list([text])
        case .credentials:
            return .credentials(try credentialsValue(text))
        }
    }
}

private func booleanValue(_ text: String) throws(ValueExpectation) -> Bool {
    switch text.lowercased() {
    case "true", "yes", "on", "1": return true
    case "false", "no", "off", "0": return false
    default: throw ValueExpectation("true or false")
    }
}

/// A whole number in decimal digits; nil for a sign, a space, or a number too large for `Int`.
func decimal(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
}

private func rangeText(_ range: ClosedRange<Int>, unit: String) -> String {
    range.upperBound == Int.max
        ? "a whole number\(unit) from \(range.lowerBound)"
        : "a whole number\(unit) from \(range.lowerBound) to \(range.upperBound)"
}

private func factorValue(_ text: String, in range: ClosedRange<Double>) throws(ValueExpectation) -> Double {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let number = Double(text), range.contains(number) else {
        throw ValueExpectation("a number from \(Int(range.lowerBound)) to \(Int(range.upperBound)), such as 0.1")
    }
    return number
}

// MARK: - Sizes

private let sizeUnits: [(name: String, bytes: Int)] = [
    ("", 1), ("B", 1), ("KB", 1_000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20), ("GB", 1_000_000_000),
    ("GiB", 1 << 30),
]

private func sizeValue(_ text: String, in range: ClosedRange<Int>) throws(ValueExpectation) -> Int {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unitName = text[digits.endIndex...].lowercased()
    guard let number = decimal(digits), let unit = sizeUnits.first(where: { $0.name.lowercased() == unitName }) else {
        throw ValueExpectation("a size such as 65536, 64KiB or 10MB")
    }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit.bytes)
    guard !isTooLarge, range.contains(bytes) else {
        throw ValueExpectation(
            range.upperBound == Int.max
                ? "a size of at least \(sizeText(range.lowerBound))"
                : "a size from \(sizeText(range.lowerBound)) to \(sizeText(range.upperBound))")
    }
    return bytes
}

/// A number of bytes in the largest unit that divides it, such as `32KiB`.
func sizeText(_ bytes: Int) -> String {
    for unit in sizeUnits.reversed()
    where unit.name.hasSuffix("iB") && bytes > 0 && bytes.isMultiple(of: unit.bytes) {
        return "\(bytes / unit.bytes)\(unit.name)"
    }
    return "\(bytes)"
}

// MARK: - Durations

private let durationUnits: [(name: String, milliseconds: Int)] = [
    ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000),
]

/// Parses a duration. `bareUnit` is the unit of a number without one; with nil every number but 0 needs a unit.
/// - Throws: what was expected.
private func durationValue(_ text: String, bareUnit: String?) throws(ValueExpectation) -> Duration {
    let expectation = ValueExpectation(
        bareUnit == nil
            ? "a duration such as 500ms, 5s or 1.5m, at most 24h" : "a number of milliseconds, at most 24 hours",
        nearest: bareUnit == nil ? decimal(text).flatMap { (1...86_400).contains($0) ? text + "s" : nil } : nil)
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    var unitName = text[number.endIndex...].lowercased()
    if unitName.isEmpty {
        unitName = bareUnit ?? (number == "0" ? "s" : "")
    }
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let unit = durationUnits.first(where: { $0.name == unitName }),
        let whole = parts.first.flatMap({ decimal($0) }),
        whole <= 86_400_000 / unit.milliseconds
    else { throw expectation }
    var nanoseconds = whole * unit.milliseconds * 1_000_000
    if parts.count == 2 {
        // Six digits keep a microsecond of the longest unit and cannot overflow.
        guard let fraction = decimal(parts[1].prefix(6)), parts[1].utf8.allSatisfy({ $0 != 0x2e }) else {
            throw expectation
        }
        var scale = 1
        for _ in parts[1].prefix(6) { scale *= 10 }
        let (product, overflow) = fraction.multipliedReportingOverflow(by: unit.milliseconds * 1_000_000)
        guard !overflow else { throw expectation }
        nanoseconds += product / scale
    }
    guard nanoseconds <= 86_400_000_000_000 else { throw expectation }
    return .nanoseconds(nanoseconds)
}

/// A duration in the largest unit of which it is a whole number, such as `5s`.
func durationText(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    for unit in durationUnits.reversed() where milliseconds > 0 && milliseconds.isMultiple(of: unit.milliseconds) {
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }
    return "\(milliseconds)ms"
}

// MARK: - Names and addresses

/// The maximum length of a Unix socket's path in bytes, without the final NUL.
private var longestSocketPath: Int {
    #if os(Linux)
        107
    #else
        103
    #endif
}

private func socketPathValue(_ text: String) throws(ValueExpectation) -> String {
    guard !text.isEmpty, !text.utf8.contains(0), text.utf8.count <= longestSocketPath else {
        throw ValueExpectation("a path of 1 to \(longestSocketPath) bytes, the limit of a socket's address")
    }
    return text
}

private func credentialsValue(_ text: String) throws(ValueExpectation) -> BasicCredentials {
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
        throw ValueExpectation("USER:PASSWORD")
    }
    return BasicCredentials(username: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
}

private func listValue(_ text: String, of element: ValueKind.ListElement) throws(ValueExpectation) -> [String] {
    if element == .failReason { return try failReasons(text) }
    if case .word(let words) = element { return try listed(text, of: words) }
    if element == .javaClass { return try javaClasses(text) }
    var elements: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let word = String(part.trimmingSpaces)
        guard !word.isEmpty else { throw ValueExpectation("a list such as A,B without empty elements") }
        switch element {
        case .text: elements.append(word)
        case .address: elements.append(try address(word))
        case .origin: elements.append(try origin(word, in: text))
        case .hostName: elements.append(try hostName(word, in: text))
        case .javaClass, .failReason, .word: elements.append(word)
        }
    }
    return elements
}

private func failReasons(_ text: String) throws(ValueExpectation) -> [String] {
    do throws(FailReasonProblem) {
        return try FailOn(reading: text).words
    } catch {
        throw ValueExpectation(error.expected, nearest: list(text, with: error.nearest, for: error.found))
    }
}

private func listed(_ text: String, of words: [String]) throws(ValueExpectation) -> [String] {
    let found = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingSpaces) }
    guard let wrong = found.first(where: { !words.contains($0) }) else { return found }
    throw ValueExpectation(
        "a list of " + words.joined(separator: ", "),
        nearest: list(text, with: meantName(by: wrong, among: words), for: wrong))
}

/// A list with one element replaced.
private func list(_ text: String, with element: String?, for wrong: String) -> String? {
    guard let element else { return nil }
    return text.split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.trimmingSpaces == wrong ? element : String($0) }.joined(separator: ",")
}

private func address(_ word: String) throws(ValueExpectation) -> String {
    if word.lowercased() == "localhost" { return "127.0.0.1" }
    let bare = word.hasPrefix("[") && word.hasSuffix("]") ? String(word.dropFirst().dropLast()) : word
    guard isIPv4(bare) || isIPv6(bare) else {
        throw ValueExpectation("an IPv4 or IPv6 address such as 127.0.0.1, 0.0.0.0 or ::1")
    }
    // Unchanged: the zone of an IPv6 address is the name of an interface, which is case-sensitive.
    return bare
}

/// Parses an origin as a browser sends it, or a pattern of origins, as `cors` takes them.
/// - Parameter text: the whole list, for the error.
/// - Throws: what was expected.
private func origin(_ word: String, in text: String) throws(ValueExpectation) -> String {
    guard word == "*" || OriginPattern(word) != nil else {
        throw ValueExpectation(
            "* or an origin such as https://app.example:8443 or http://localhost:*, without a path",
            nearest: list(text, with: OriginPattern.meant(by: word), for: word))
    }
    return word.lowercased()
}

/// Parses a host that the admin API answers for: a name, an address, `*.NAME` for all names below one, or `*` for all.
/// - Parameter text: the whole list, for the error.
/// - Throws: what was expected; also for a text that looks like a name but cannot be a host's.
private func hostName(_ word: String, in text: String) throws(ValueExpectation) -> String {
    if word == "*" { return word }
    let below = word.hasPrefix("*.")
    let name = below ? word.dropFirst(2) : word[...]
    // A trailing dot names the DNS root.
    let labels = (name.hasSuffix(".") ? name.dropLast() : name).split(separator: ".", omittingEmptySubsequences: false)
    if labels.allSatisfy(isHostLabel), !(below && isIPv4(name)) { return word.lowercased() }
    let bare = word.hasPrefix("[") && word.hasSuffix("]") ? word.dropFirst().dropLast() : word[...]
    guard isIPv6(bare) else {
        let meant = word.hasPrefix(".") ? "*" + word : below ? String(name) : nil
        throw ValueExpectation(
            "a host name such as mocks.example, *.example or *, or an IP address, without a port",
            nearest: list(text, with: meant.flatMap { try? hostName($0, in: $0) }, for: word))
    }
    return bare.lowercased()
}

/// Whether a text is a valid label of a host name. Underscores are allowed, as in Compose.
private func isHostLabel(_ text: Substring) -> Bool {
    !text.isEmpty
        && text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
                || $0 == 0x5f
        }
}

/// The classes of WireMock extensions whose features are built in.
private let builtInClasses = [
    "com.github.tomakehurst.wiremock.extension.responsetemplating.ResponseTemplateTransformer",
    "org.wiremock.RandomExtension", "org.wiremock.extensions.state.StateExtension",
    "org.wiremock.extension.jwt.JwtExtensionFactory", "io.github.nilwurtz.GraphqlBodyMatcher",
    "com.nilwurtz.GraphqlBodyMatcher", "org.wiremock.webhooks.Webhooks",
]

private func javaClasses(_ text: String) throws(ValueExpectation) -> [String] {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingSpaces) }
    let wrong = words.filter { !builtInClasses.contains($0) }
    guard let first = wrong.first else { return words }
    // Often only the package differs.
    func name(_ word: String) -> String { String(word.split(separator: ".").last ?? "") }
    let meant = wrong.map { word in
        builtInClasses.first { name($0) == name(word) } ?? nearestName(to: word, among: builtInClasses)
    }
    throw ValueExpectation(
        "classes of extensions that are built in, as there is no JVM to load others: "
            + builtInClasses.joined(separator: ", "),
        nearest: wrong.count == 1 ? meant[0].flatMap { list(text, with: $0, for: first) } : nil,
        wrong: wrong.joined(separator: ","))
}

extension Substring {
    /// The text without the spaces and tabs around it.
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

// MARK: - Other servers

/// Whether a text without a scheme starts with a public server name, to be reached over HTTPS: with a dot, not an
/// address, without a port.
private func isPublicName(_ text: String) -> Bool {
    let host = text.prefix { !"/?#".contains($0) }.lowercased()
    return host.contains(".") && !host.contains(":") && !isIPv4(host)
        && ![".local", ".localhost", ".internal", ".test"].contains { host.hasSuffix($0) }
}

private func isTargetURL(_ text: String) -> Bool {
    let lower = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix) else { return false }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { $0 != 0x2f && $0 != 0x3f && $0 != 0x23 }
    return !authority.isEmpty && authority.first != 0x3a && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
}

private func isProxyAddress(_ text: String) -> Bool {
    let host = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text[...]
    guard !host.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x2f }) else { return false }
    guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return true }
    return decimal(host[host.index(after: colon)...]).map { (1...65_535).contains($0) } ?? false
        && colon > host.startIndex
}
