/** Converts a path to a URL; a path that ends in a slash is a folder. */
export function toFileUrl(path: string): URL {
  const url = new URL("file:///");
  const slashed = Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
  url.pathname = slashed.replaceAll("%", "%25").replaceAll("\\", "%5C");
  return url;
}

const SEPARATORS = Deno.build.os === "windows" ? ["/", "\\"] : ["/"];

/** Position of the last separator; -1 if there is none. */
function findLastSeparator(path: string): number {
  return Math.max(...SEPARATORS.map((separator) => path.lastIndexOf(separator)));
}

/** Folder of a file; "." for a bare name. */
export function folderOf(path: string): string {
  const end = findLastSeparator(path);
  return end < 0 ? "." : path.slice(0, end) || "/";
}

/** Name of a notebook's file, without its ending. */
export function stemOf(path: string): string {
  return path.slice(findLastSeparator(path) + 1).replace(/\.ipynb$/, "");
}
