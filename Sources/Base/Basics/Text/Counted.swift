extension Int {
    /// The number with a noun in the right form: `1 stub`, `2 stubs`.
    public func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
