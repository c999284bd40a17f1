import SDJournal
import SDStubModel

extension Session {
    /// Makes a child session with the base's options, log and body files but none of its state. It writes only to
    /// memory.
    convenience init(
        child id: SessionID, of base: Session, _ request: SessionRequest, endpoint: (any SessionEndpoint)?
    ) {
        var options = base.options
        options.label = id.text
        options.name = request.name
        // Small enough for any JSON parser.
        options.seed = request.seed ?? (base.options.seed &+ id.number &* 0x9E37_79B9_7F4A_7C15) >> 12
        self.init(
            options: options, files: SessionBodies(over: base.files, base.bodies), log: base.activity.log,
            trouble: base.trouble,
            inheriting: request.inherits ? base : nil, origin: request.origin, endpoint: endpoint, sharing: base.shared)
        if let settings = request.settings { self.settings = settings }
        if let passThrough = request.passThrough { settings.passThrough = passThrough }
    }
}
