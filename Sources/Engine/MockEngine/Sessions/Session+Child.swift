import StubModel

extension Session {
    /// A session beside another: with its options, its log and its body files, but nothing of it that changes. What it writes
    /// stays in memory.
    convenience init(child id: SessionID, of base: Session, _ request: SessionRequest) {
        var options = base.options
        options.label = id.text
        // Small enough for every reader of JSON to give it back.
        options.seed = request.seed ?? (base.options.seed &+ id.number &* 0x9E37_79B9_7F4A_7C15) >> 12
        self.init(
            options: options, files: SessionBodies(over: base.files, base.bodies), log: base.activity.log,
            trouble: base.trouble,
            inheriting: request.inherits ? base : nil)
        if let settings = request.settings { self.settings = settings }
    }
}
