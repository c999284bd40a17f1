import type { StartOptions } from "./index.js";

type Setup = (project: { provide: (key: "stuntdoubleUrl", url: string) => void }) => Promise<undefined | (() => Promise<void>)>;
/** A setup with options, such as the folder of stubs. */
export function setup(options?: StartOptions): Setup;
declare const setUp: Setup;
export default setUp;
