/// What reports, logs and documents show in place of a secret.
public enum HiddenValue {
    public static let mark = "(redacted)"
}
