declare class Buffer extends Uint8Array {}
