/// The placeholder for a secret in reports, logs and documents.
public enum HiddenValue {
    public static let mark = "(redacted)"
}
