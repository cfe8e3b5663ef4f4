/** Hashes a file for {@linkcode HashInWorker}: takes its path, posts its SHA-256, or null if it cannot be read. */
import { hashFile } from "./hashes.ts";

const worker = self as unknown as Worker;
worker.onmessage = async ({ data }: MessageEvent<string>) => {
  worker.postMessage(await hashFile(data).catch(() => null));
};
