import SDPlatform

/// Which servers may be called: WireMock's rules. A rule with an address, or a range of them, is about addresses, any other
/// about names. A list of rules about one of the two allows everything of the other.
struct TargetRules: Sendable {
    private enum Rule: Sendable {
        case address([UInt8])
        case range([UInt8], [UInt8])
        /// In lower case; `*` stands for one character or more.
        case name([UInt8])

        init(_ text: String) {
            let ends = text.split(separator: Character("-"), maxSplits: 1).map { SystemCalls.addressBytes(String($0)) }
            if ends.count == 2, let first = ends[0], let last = ends[1], first.count == last.count {
                self = .range(first, last)
            } else if let address = SystemCalls.addressBytes(text) {
                self = .address(address)
            } else {
                self = .name(Array(text.lowercased().utf8))
            }
        }

        var isName: Bool { if case .name = self { true } else { false } }

        func includes(address: [UInt8]) -> Bool {
            switch self {
            case .address(let own): own == address
            case .range(let first, let last):
                address.count == first.count && !address.lexicographicallyPrecedes(first)
                    && !last.lexicographicallyPrecedes(address)
            case .name: false
            }
        }

        func includes(name: [UInt8]) -> Bool {
            if case .name(let pattern) = self { Self.matches(pattern[...], name[...]) } else { false }
        }

        /// Each `*` is tried at its last place first only where the text behind it fits, which names are short enough for.
        private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
            // The place of the last star, and what it has taken so far.
            var star: (pattern: Int, name: Int)?
            var at = pattern.startIndex
            var place = name.startIndex
            while place < name.endIndex {
                if at < pattern.endIndex, pattern[at] == 0x2A {
                    star = (at + 1, place + 1)
                    at += 1
                    place += 1
                } else if at < pattern.endIndex, pattern[at] == name[place] {
                    at += 1
                    place += 1
                } else if let last = star {
                    star = (last.pattern, last.name + 1)
                    at = last.pattern
                    place = last.name + 1
                } else {
                    return false
                }
            }
            return at == pattern.endIndex
        }
    }

    private let allowed: [Rule]
    private let denied: [Rule]
    private let allowsNames: Bool
    private let allowsAddresses: Bool

    init(allowed: [String], denied: [String]) {
        self.allowed = allowed.map { Rule($0) }
        self.denied = denied.map { Rule($0) }
        allowsNames = !self.allowed.contains { $0.isName }
        allowsAddresses = self.allowed.allSatisfy { $0.isName }
    }

    /// Whether everything is allowed.
    var isEmpty: Bool { allowed.isEmpty && denied.isEmpty }

    /// Whether a host may be called, as far as its name says.
    func allows(name: String) -> Bool {
        let name = Array(name.utf8)
        return (allowsNames || allowed.contains { $0.includes(name: name) })
            && !denied.contains { $0.includes(name: name) }
    }

    /// Whether the list denies an address by itself, and whether it is among those that are allowed.
    func denies(address: String) -> Bool {
        guard let address = SystemCalls.addressBytes(address) else { return true }
        return denied.contains { $0.includes(address: address) }
    }

    func allows(address: String) -> Bool {
        guard allowsAddresses || SystemCalls.addressBytes(address) != nil else { return false }
        guard let bytes = SystemCalls.addressBytes(address) else { return false }
        return (allowsAddresses || allowed.contains { $0.includes(address: bytes) }) && !denies(address: address)
    }
}
