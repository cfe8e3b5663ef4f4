/** A path as a URL; one that ends in a slash is a folder. */
export function fileUrl(path: string): URL {
  const url = new URL("file:///");
  const slashed = Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
  url.pathname = slashed.replaceAll("%", "%25").replaceAll("\\", "%5C");
  return url;
}

/** Folder of a file. */
export function folderOf(path: string): string {
  const end = Math.max(
    path.lastIndexOf("/"),
    Deno.build.os === "windows" ? path.lastIndexOf("\\") : -1,
  );
  return end < 0 ? "." : path.slice(0, end) || "/";
}
