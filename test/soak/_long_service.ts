import { DatabaseSync } from "node:sqlite";
import { addLicence } from "../../src/service/licences/licence_book.ts";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import type { FileType } from "../../src/api/operations/climate_data.ts";
import { sha256 } from "../../src/disk/hashes.ts";
import { importFile, makeSite } from "../sites/_site.ts";
import { buildPath, ORDERED } from "../service/_answers.ts";
import { pause } from "./_processes.ts";

/** Years of an order: some 10 MB, more than the buffers between two processes hold. */
const YEARS = { start_year: 2005, end_year: 2024 };

/** A row of an order in the database. */
export interface OrderRow {
  readonly id: string;
  readonly state: string;
  readonly file: string | null;
}

/** A data directory with 21 years of climate, a licence, and the expected hashes of its orders. */
export class LongService {
  /** The data directory. */
  readonly data: string;
  /** Its licence. */
  readonly licence: { readonly serialNumber: string; readonly email: string };
  /** A key issued at the start. */
  readonly key: string;
  /** Hashes of the direct downloads, by format. */
  readonly hashes = new Map<FileType, string>();

  private constructor(data: string, licence: LongService["licence"], key: string) {
    [this.data, this.licence, this.key] = [data, licence, key];
  }

  /** Imports the climate. */
  static async prepare(): Promise<LongService> {
    const data = await Deno.makeTempDir();
    const site = await makeSite({ climate: ["2005-01-01T00", "2025-01-01T01"] });
    await importFile(await site.siteFile(), data);
    await Deno.remove(site.folder, { recursive: true });
    const licence = { serialNumber: "S-1", email: "a@example.com" };
    return new LongService(data, licence, (await addLicence(data, licence, { key: true })).key!);
  }

  /** Path of an order or a direct download, by format and place; each place is a different order. */
  path(operation: "place_order" | "download_climate", filetype: FileType, lat: number): string {
    return buildPath(operation, { ...ORDERED, ...YEARS, filetype, lat });
  }

  /** Requests a path of a service. */
  async ask(url: string, path: string, key: string = this.key): Promise<Response> {
    return await fetch(new URL(path, url), { headers: { [KEY_HEADER]: key } });
  }

  /** Waits until an order has its address. */
  async addressOf(url: string, id: string): Promise<string> {
    for (;;) {
      const response = await this.ask(url, buildPath("order_status", { order_id: id }));
      const text = await response.text();
      if (!response.ok) throw new Error(`order ${id}: ${response.status} ${text}`);
      const word = JSON.parse(text);
      if (word.startsWith("http")) return word;
      if (word === "unknown") throw new Error(`order ${id} failed`);
      await pause(20);
    }
  }

  /** Expected hash of the file of a format. */
  async hashOf(url: string, filetype: FileType): Promise<string> {
    let hash = this.hashes.get(filetype);
    if (hash === undefined) {
      const path = this.path("download_climate", filetype, ORDERED.lat);
      hash = sha256(await (await this.ask(url, path)).bytes());
      this.hashes.set(filetype, hash);
    }
    return hash;
  }

  /** Orders of a place in the database. */
  orders(lat: number): OrderRow[] {
    using database = new DatabaseSync(`${this.data}/vindkit.sqlite`);
    return database
      .prepare(
        `SELECT id, body ->> '$.state' AS state, body ->> '$.file' AS file FROM contents
         WHERE kind = 'order' AND body ->> '$.parameters.lat' = ?`,
      )
      .all(lat) as unknown as OrderRow[];
  }

  /** Removes it. */
  async remove(): Promise<void> {
    await Deno.remove(this.data, { recursive: true });
  }
}
