private import SDCResources

/// The recorder's page for people: the file `recorder.html` of `CResources`.
enum RecorderPage {
    static var html: [UInt8] {
        var length = 0
        let start = rs_recorder(&length)
        return [UInt8](UnsafeBufferPointer(start: start, count: length))
    }
}
