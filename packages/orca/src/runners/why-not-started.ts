/** Says why a program can't be started, in a sentence. */
export function whyNotStarted({ code, message }: { readonly code?: unknown; readonly message: string }): string {
  if (code === "ENOENT") return "there is no such file, or none of the name that is in its first line after #!";
  if (code === "EACCES") return "it may not be executed";
  if (code === "ENOEXEC") return "it isn't a program";
  return message;
}
