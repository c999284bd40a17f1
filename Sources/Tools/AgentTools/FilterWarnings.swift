import SDBasics
import SDJournal

/// Warnings about words of a request filter that are taken as plain text.
enum FilterWarnings {
    /// One sentence per word.
    static func all(of filter: String) -> [String] {
        FilterWord.all(in: filter).compactMap { word in
            guard let key = word.key, !word.isQuoted else { return nil }
            if key == "is" {
                let states = RequestFilter.states
                let unknown = word.values.first { !states.contains($0.lowercased()) }
                return unknown.map { "is: has no \(quoted($0))" + meaning($0.lowercased(), among: states) }
            }
            // URLs, such as `http://localhost`, and fragments of documents are plain text.
            guard !RequestFilter.keys.contains(key), key.allSatisfy(\.isLetter), !word.value.hasPrefix("//") else {
                return nil
            }
            return "there is no filter \(quoted(key + ":"))" + meaning(key, among: RequestFilter.keys)
        }
    }

    private static func meaning(_ name: String, among names: [String]) -> String {
        let nearest = nearestName(to: name, among: names)
        return (nearest == nil ? " (of \(names.joined(separator: ", ")))" : didYouMean(nearest))
            + "; it was searched as plain text"
    }
}
