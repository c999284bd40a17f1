/// Which servers may be called: WireMock's rules. Rules with addresses are about what is connected to, whatever name led
/// there; others are about the name that was asked for. A list of rules about one of the two allows everything of the other.
struct TargetRules: Sendable {
    private let allowedNames: [TargetRule]
    private let allowedAddresses: [TargetRule]
    private let denied: [TargetRule]

    /// A text that is no rule allows nothing, or denies everything: a slip of the pen opens no gate.
    init(allowed: [String], denied: [String]) {
        let allowed = allowed.map { TargetRule($0) ?? .name(.none) }
        allowedNames = allowed.filter(\.isName)
        allowedAddresses = allowed.filter { !$0.isName }
        self.denied = denied.map { TargetRule($0) ?? .name(.any) }
    }

    /// Whether everything is allowed.
    var isEmpty: Bool { allowedNames.isEmpty && allowedAddresses.isEmpty && denied.isEmpty }

    /// Whether the addresses of a name have a say.
    var needAddresses: Bool { !allowedAddresses.isEmpty || denied.contains { !$0.isName } }

    /// Whether a host is refused by its name, without a look at its addresses.
    func refuse(_ host: TargetHost) -> Bool {
        guard !isEmpty else { return false }
        if host.address != nil { return admitted([host.text], of: host).isEmpty }
        let names = [TargetName(host.text)]
        return !allowedNames.isEmpty && !allowedNames.contains { $0.includes(anyOf: names) }
            || denied.contains { $0.includes(anyOf: names) }
    }

    /// The addresses of a host, of those that were found, that may be connected to. None if one of them is denied.
    func admitted(_ addresses: [String], of host: TargetHost) -> [String] {
        guard !isEmpty else { return addresses }
        var admitted: [String] = []
        for text in addresses {
            guard let address = TargetAddress(text), !isDenied(address) else { return [] }
            if isAllowed(address, isWritten: host.address != nil) { admitted.append(text) }
        }
        return admitted
    }

    private func isDenied(_ address: TargetAddress) -> Bool {
        let places = address.places + address.routers
        let names = TargetAddress.names(of: places).map { TargetName($0) }
        return denied.contains { $0.includes(anyOf: places) || $0.includes(anyOf: names) }
    }

    /// - Parameter isWritten: whether the address itself was asked for, which then stands for the name, too.
    private func isAllowed(_ address: TargetAddress, isWritten: Bool) -> Bool {
        if allowedAddresses.contains(where: { $0.includes(anyOf: address.places) }) { return true }
        guard isWritten, !allowedNames.isEmpty else { return allowedAddresses.isEmpty }
        let names = TargetAddress.names(of: address.places).map { TargetName($0) }
        return allowedNames.contains { $0.includes(anyOf: names) }
    }
}
