import { userInfo } from "node:os";

/** Who calls a command, for the record: the account that its process is of. */
export function actor(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? ""}`; // of which the machine knows no name, as in many a container
  }
}
