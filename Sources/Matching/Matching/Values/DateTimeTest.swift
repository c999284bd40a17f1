import SDJavaTime

/// `before`, `after` and `equalToDateTime`, by the time of the request: a stub gives the same result however late that
/// request is matched again.
struct DateTimeTest: Sendable {
    let matcher: DateTimeMatcher

    func passes(_ text: String, _ views: inout RequestViews) -> Bool {
        matcher.matches(text, now: views.now)
    }
}
