/** An inner process that says that it is over, and writes what it hears. */
import { writeSync } from "node:fs";
import { connectToOuter } from "./supervised.ts";

const outer = connectToOuter();
outer.signal.addEventListener("abort", () => writeSync(1, `${outer.signal.reason} `));
await outer.over();
writeSync(1, "over");
