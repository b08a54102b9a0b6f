/** `@scope/name` of `@scope/name/file`: the package that an import names. */
export function packageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
