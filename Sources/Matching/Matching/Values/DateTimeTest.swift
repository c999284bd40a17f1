import JavaTime

/// `before`, `after` and `equalToDateTime`, by the clock of the request: a stub matches the same way however late it is
/// asked again about that request.
struct DateTimeTest: Sendable {
    let matcher: DateTimeMatcher

    func passes(_ text: String, _ views: inout RequestViews) -> Bool {
        matcher.matches(text, now: views.now)
    }
}
