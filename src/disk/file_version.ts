import { statSync } from "node:fs";

/**
 * Reads what a new content of a file changes: which file it is, its times in nanoseconds and its size.
 *
 * @returns `undefined` where it is missing
 */
export function readFileVersion(path: string): string | undefined {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info && [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(" ");
}
