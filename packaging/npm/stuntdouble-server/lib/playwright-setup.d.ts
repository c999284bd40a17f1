/** A `globalSetup` of Playwright Test: one daemon for all workers. */
declare function setUp(config?: unknown): Promise<undefined | (() => Promise<void>)>;
export = setUp;
