import SDBasics
import SDJournal

/// What of a filter of requests is not understood, and taken for text.
enum FilterRemarks {
    /// A sentence for each word.
    static func all(of filter: String) -> [String] {
        FilterWord.all(in: filter).compactMap { word in
            guard let key = word.key, !word.isQuoted else { return nil }
            if key == "is" {
                let states = RequestFilter.states
                let unknown = word.values.first { !states.contains($0.lowercased()) }
                return unknown.map { "is: has no \(quoted($0))" + meaning($0.lowercased(), among: states) }
            }
            // An address, such as `http://localhost`, and a part of a document are texts.
            guard !RequestFilter.keys.contains(key), key.allSatisfy(\.isLetter), !word.value.hasPrefix("//") else {
                return nil
            }
            return "there is no filter \(quoted(key + ":"))" + meaning(key, among: RequestFilter.keys)
        }
    }

    private static func meaning(_ name: String, among names: [String]) -> String {
        let nearest = nearestName(to: name, among: names)
        return (nearest == nil ? " (of \(names.joined(separator: ", ")))" : didYouMean(nearest))
            + "; it was looked for as text"
    }
}
