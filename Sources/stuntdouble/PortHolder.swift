import HTTPTransport

/// Who holds a port that is taken.
enum PortHolder {
    static func explanation(of error: HTTPTransport.SystemError) -> String {
        ""
    }
}
