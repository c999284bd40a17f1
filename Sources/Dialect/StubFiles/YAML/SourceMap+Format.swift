public import SDJSON

extension SourceMap {
    /// Locates values in a text of a format.
    public init(scanning text: [UInt8], as format: DocumentFormat, for pointers: [JSONPointer]) {
        switch format {
        case .json: self.init(scanningJSON: text, for: pointers)
        case .yaml: self.init(scanningYAML: text, for: pointers)
        }
    }
}
