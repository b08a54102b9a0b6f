/** Makes what the suite runs besides Node, once before all of its files. */
import { isJavaReady, prepareJava } from "./java.ts";
import { preparePython } from "./python.ts";

export default function setup(): void {
  preparePython();
  prepareJava();
  // what is passed over is said, and counted as skipped
  if (!isJavaReady())
    process.stderr.write("\nNO MAVEN: tables are not compared with the reference implementation in Java\n\n");
}
