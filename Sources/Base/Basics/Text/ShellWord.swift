/// A word for a shell command line, quoted if needed.
package func shellWord(_ text: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+".utf8)
    if !text.isEmpty, text.utf8.allSatisfy(plain.contains) { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
