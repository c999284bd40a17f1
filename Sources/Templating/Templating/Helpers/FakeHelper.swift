import SDFakeValues

/// `{{random 'Name.firstName'}}`: fake names, addresses and so on, with the keys of WireMock's faker extension and our
/// own word lists. Equal seeds in `seed=` give equal values; without one, the session's generator is used.
enum FakeHelper {
    static let helper: Helper = { call throws(RenderError) in
        let name = call.parameter(0).text
        let system = call.renderer.environment.system
        var source = FakeSource { system.random() }
        if let seed = call.option("seed") { source.seed(UInt64(bitPattern: Int64(seed.text.javaHashCode)) &+ 1) }
        guard let made = FakeValues.value(named: name, &source) else {
            return call.error("Unable to evaluate the expression \(name)")
        }
        return .text(made)
    }
}
