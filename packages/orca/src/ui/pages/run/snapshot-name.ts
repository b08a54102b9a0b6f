/** `taxi.trips@…9045`. */
export function snapshotName(dataset: string, snapshot: string | null): string {
  if (snapshot === null) return `${dataset}, empty`;
  return `${dataset}@${snapshot.length > 6 ? `…${snapshot.slice(-4)}` : snapshot}`;
}
