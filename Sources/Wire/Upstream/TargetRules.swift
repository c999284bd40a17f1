/// WireMock's rules about which servers may be called. Address rules apply to the addresses connected to, whatever the
/// name; other rules apply to the requested name. A list with rules of one kind allows everything of the other kind.
struct TargetRules: Sendable {
    private let allowedNames: [TargetRule]
    private let allowedAddresses: [TargetRule]
    private let denied: [TargetRule]
    /// The rules as given.
    private let texts: (allowed: [String], denied: [String])

    /// An invalid rule allows nothing, or denies everything, so that a typo opens nothing.
    init(allowed: [String], denied: [String]) {
        texts = (allowed, denied)
        let allowed = allowed.map { TargetRule($0) ?? .name(.none) }
        allowedNames = allowed.filter(\.isName)
        allowedAddresses = allowed.filter { !$0.isName }
        self.denied = denied.map { TargetRule($0) ?? .name(.any) }
    }

    /// Whether everything is allowed.
    var isEmpty: Bool { allowedNames.isEmpty && allowedAddresses.isEmpty && denied.isEmpty }

    /// Whether the rules depend on a name's addresses.
    var needAddresses: Bool { !allowedAddresses.isEmpty || denied.contains { !$0.isName } }

    /// Why a host is denied by its name alone, as a clause; nil if it is not.
    func refusal(of host: TargetHost) -> String? {
        guard !isEmpty else { return nil }
        if host.address != nil {
            return admitted([host.text], of: host).isEmpty ? refusal(of: [host.text], of: host) : nil
        }
        let names = [TargetName(host.text)]
        if let place = denied.firstIndex(where: { $0.includes(anyOf: names) }) { return denies(place) }
        return allowedNames.isEmpty || allowedNames.contains { $0.includes(anyOf: names) } ? nil : notAllowed
    }

    /// Why none of a host's addresses is allowed, as a clause.
    func refusal(of addresses: [String], of host: TargetHost) -> String {
        for text in addresses {
            guard let address = TargetAddress(text) else { return "\(text) is no address that rules could be about" }
            guard let place = denial(of: address) else { continue }
            return host.address == nil ? "it leads to \(text), and \(denies(place))" : denies(place)
        }
        guard host.address == nil, let first = addresses.first else { return notAllowed }
        return "it leads to \(first), and \(notAllowed)"
    }

    private func denies(_ place: Int) -> String { "--deny-proxy-targets has \(texts.denied[place])" }

    private var notAllowed: String {
        let rest = texts.allowed.count > 3 ? " and \(texts.allowed.count - 3) more" : ""
        return "--allow-proxy-targets has only \(texts.allowed.prefix(3).joined(separator: ", "))\(rest)"
    }

    /// The allowed addresses of a host. Empty if one of them is denied.
    func admitted(_ addresses: [String], of host: TargetHost) -> [String] {
        guard !isEmpty else { return addresses }
        var admitted: [String] = []
        for text in addresses {
            guard let address = TargetAddress(text), denial(of: address) == nil else { return [] }
            if isAllowed(address, isWritten: host.address != nil) { admitted.append(text) }
        }
        return admitted
    }

    /// The index of the rule that denies an address; nil if none does.
    private func denial(of address: TargetAddress) -> Int? {
        let places = address.places + address.routers
        let names = TargetAddress.names(of: places).map { TargetName($0) }
        return denied.firstIndex { $0.includes(anyOf: places) || $0.includes(anyOf: names) }
    }

    /// - Parameter isWritten: whether the address itself was requested, and so also is the name.
    private func isAllowed(_ address: TargetAddress, isWritten: Bool) -> Bool {
        if allowedAddresses.contains(where: { $0.includes(anyOf: address.places) }) { return true }
        guard isWritten, !allowedNames.isEmpty else { return allowedAddresses.isEmpty }
        let names = TargetAddress.names(of: address.places).map { TargetName($0) }
        return allowedNames.contains { $0.includes(anyOf: names) }
    }
}
