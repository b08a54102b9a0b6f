/** Where an error comes from, for whoever reads a log. */
const CAUSES_MAX = 5;
const LINES_MAX = 100;

/**
 * The stacks of an error and of what caused it. Of its other members none is shown: some hold what is secret.
 *
 * @param shown makes of a stack what a reader wants to see of it.
 */
export function stackLines(error: Error, shown: (stack: string) => string): readonly string[] {
  const stacks: string[] = [];
  try {
    for (let e: unknown = error; e instanceof Error && stacks.length < CAUSES_MAX; e = e.cause)
      stacks.push(shown(String(e.stack)));
  } catch {
    // an error's members are whatever a user's class makes of them: reading one may throw
  }
  return stacks.join("\ncaused by: ").split("\n").slice(0, LINES_MAX);
}
