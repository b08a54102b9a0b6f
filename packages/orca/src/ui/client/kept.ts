/** What a browser keeps of how somebody wants the pages. Where it keeps nothing, they are as they come. */

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param value undefined to forget it. */
export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // a browser that keeps nothing
  }
}
