private import CPlatform

extension SystemCalls {
    /// Returns memory that the process has freed to the system, after work that needed much of it. Takes some
    /// milliseconds; does nothing where the allocator does so by itself.
    public static func releaseFreeMemory() {
        cp_release_free_memory()
    }
}
