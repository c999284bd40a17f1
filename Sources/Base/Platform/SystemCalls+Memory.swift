private import SDCPlatform

extension SystemCalls {
    /// Tunes the process's heap for a program that begins by reading many files. Must be called before everything else.
    public static func growHeapInLargeSteps() {
        cp_grow_heap_in_large_steps()
    }

    /// Makes room for some megabytes in the part of the heap that this thread uses, at once. For a thread that is about
    /// to allocate so much in small pieces; repeated from time to time, it costs nothing as long as there is room.
    public static func makeRoomInHeap() {
        cp_make_room_in_heap()
    }

    /// Returns memory that the process has freed to the system, after work that needed much of it. Takes some
    /// milliseconds, in which it waits for threads of its own; does nothing where the allocator does so by itself.
    public static func releaseFreeMemory() {
        cp_release_free_memory()
    }

    /// Bounds what the allocator keeps for threads that come and go: they share a few of its pools. Each loop has one,
    /// and the other threads share three at most. Call it at the start.
    public static func boundFreeMemory(loops: Int) {
        cp_share_free_memory(Int32(clamping: loops + min(processorCount, 3)))
    }
}
