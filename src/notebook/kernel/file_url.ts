/** A path as a URL; one that ends in a slash is a folder. */
export function toFileUrl(path: string): URL {
  const url = new URL("file:///");
  const slashed = Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
  url.pathname = slashed.replaceAll("%", "%25").replaceAll("\\", "%5C");
  return url;
}

/** What parts the names of a path. */
const SEPARATORS = Deno.build.os === "windows" ? ["/", "\\"] : ["/"];

/** Where the last name of a path begins, less one. */
function findLastSeparator(path: string): number {
  return Math.max(...SEPARATORS.map((separator) => path.lastIndexOf(separator)));
}

/** Folder of a file. */
export function folderOf(path: string): string {
  const end = findLastSeparator(path);
  return end < 0 ? "." : path.slice(0, end) || "/";
}

/** Name of a notebook's file, without its ending. */
export function stemOf(path: string): string {
  return path.slice(findLastSeparator(path) + 1).replace(/\.ipynb$/, "");
}
