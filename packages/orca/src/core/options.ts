import { OrcaError, type ErrorCode } from "./errors.ts";
import { nearest } from "./nearest.ts";

/**
 * Refuses options that don't exist: a mistyped one would otherwise be left out in silence. The compiler says the same of literals.
 *
 * @throws OrcaError with `code`, naming the nearest option.
 */
export function checkOptions(what: string, given: object, allowed: readonly string[], code: ErrorCode): void {
  if (typeof given !== "object" || given === null) throw new OrcaError(code, `${what} takes its options as an object`);
  for (const option of Object.keys(given)) {
    if (allowed.includes(option)) continue;
    const meant = nearest(option, allowed);
    throw new OrcaError(
      code,
      `'${option}' isn't an option of ${what}${meant === undefined ? `: it takes ${allowed.join(", ")}` : `: write ${meant}`}`,
    );
  }
}
