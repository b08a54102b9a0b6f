import { OrcaError } from "./errors.ts";

const NAME_BYTES_MAX = 128;

/** Checks the name of a pipeline or a step: it becomes part of paths, URLs and metrics. @throws OrcaError `invalid-pipeline`. */
export function checkName(what: string, name: unknown): asserts name is string {
  if (typeof name === "string" && name.length <= NAME_BYTES_MAX && /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name)) return;
  const text = String(name);
  const shown = text.length > NAME_BYTES_MAX ? `${text.slice(0, NAME_BYTES_MAX)}…` : text;
  throw new OrcaError(
    "invalid-pipeline",
    `'${shown}' isn't ${what}'s name: use 1 to ${NAME_BYTES_MAX} letters, digits and ._-, beginning with a letter, a digit or _`,
  );
}
