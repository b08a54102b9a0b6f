/** Makes what the suite runs besides Node, once before all of its files. */
import { preparePython } from "./python.ts";

export default function setup(): void {
  preparePython();
}
