public import SDJSON

extension SourceMap {
    /// Finds the places of values in a text of that format.
    public init(scanning text: [UInt8], as format: DocumentFormat, for pointers: [JSONPointer]) {
        switch format {
        case .json: self.init(scanningJSON: text, for: pointers)
        case .yaml: self.init(scanningYAML: text, for: pointers)
        }
    }
}
