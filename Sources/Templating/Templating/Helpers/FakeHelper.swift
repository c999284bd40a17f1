import SDFakeValues

/// `{{random 'Name.firstName'}}`: made-up names, addresses and so on, in the names of WireMock's faker extension, from
/// own word lists. With `seed=` the same seed gives the same value; otherwise they come from the session's generator.
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
