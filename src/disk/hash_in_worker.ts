import { hashFile } from "./hashes.ts";

/** SHA-256 of a large file, computed in a worker while this thread reads the file. */
export class HashInWorker implements Disposable {
  readonly #worker = new Worker(new URL("./hash_worker.ts", import.meta.url), { type: "module" });
  readonly #hex: Promise<string>;

  constructor(path: string) {
    this.#hex = new Promise((resolve) => {
      // Where the worker fails, this thread hashes the file, or says why it cannot.
      this.#worker.onmessage = ({ data }: MessageEvent<string | null>) =>
        resolve(data ?? hashFile(path));
      this.#worker.onerror = (event) => {
        event.preventDefault();
        resolve(hashFile(path));
      };
    });
    this.#hex.catch(() => {}); // who reads the file may have failed before, and does not ask for it
    this.#worker.postMessage(path);
  }

  /**
   * The hash, hexadecimal.
   *
   * @throws If the file cannot be read
   */
  hex(): Promise<string> {
    return this.#hex;
  }

  /** Ends the worker; a hash that is not complete is never returned. */
  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}
