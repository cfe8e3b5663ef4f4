import { SideFile } from "../../disk/side_file.ts";

/** Compressions under way by path: concurrent requests for the same file wait for one. */
const underWay = new Map<string, Promise<string>>();

/**
 * Whether an `Accept-Encoding` header takes gzip (RFC 9110, section 12.5.3).
 *
 * @param header Value of the header; `null` where there is none
 */
export function acceptsGzip(header: string | null): boolean {
  const weights = new Map(
    (header ?? "").toLowerCase().split(",").map((entry) => {
      const [coding, ...parameters] = entry.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/**
 * Gzips an immutable file at its first use; the result is stored beside the file.
 *
 * @param path The file
 * @returns Path of the gzipped one
 */
export async function gzipFile(path: string): Promise<string> {
  const target = `${path}.gz`;
  const there = await Deno.stat(target).then((info) => info.isFile, () => false);
  if (there) return target;
  let work = underWay.get(target);
  if (!work) {
    work = compress(path, target).finally(() => underWay.delete(target));
    underWay.set(target, work);
  }
  return await work;
}

/** Part by part, so that other requests are answered meanwhile. */
async function compress(path: string, target: string): Promise<string> {
  const source = await Deno.open(path); // closed by its stream
  await using side = await SideFile.create(target);
  for await (const part of source.readable.pipeThrough(new CompressionStream("gzip"))) {
    await side.write(part);
  }
  await side.commit(target);
  return target;
}
