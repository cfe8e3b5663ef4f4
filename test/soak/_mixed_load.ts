import { fileTypes } from "../../src/api/operations/climate_data.ts";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import type { SeededRandom } from "../../src/stats/seeded_random.ts";
import { buildPath, DATASET, ORDERED } from "../service/_answers.ts";

const turbine = { turbine_id: "E1" };

/** A kind of call, and its allowed answers. */
interface Act {
  /** Relative frequency. */
  readonly share: number;
  readonly expected: readonly number[];
  readonly run: () => Promise<Response | undefined>;
}

/** Clients that make all kinds of calls, wrong ones too. */
export class MixedLoad {
  /** Number of calls by kind. */
  readonly counts = new Map<string, number>();
  /** Wrong answers. */
  readonly faults: string[] = [];
  readonly #url: string;
  readonly #key: string;
  readonly #random: SeededRandom;
  readonly #tags = new Map<string, string>();
  readonly #acts: Readonly<Record<string, Act>>;
  readonly #names: readonly string[];

  /**
   * @param url The service
   * @param key A key for it
   * @param random Draws the next call
   */
  constructor(url: string, key: string, random: SeededRandom) {
    [this.#url, this.#key, this.#random] = [url, key, random];
    const ok = [200];
    const month = () => 1 + random.below(12);
    this.#acts = {
      month: {
        share: 40,
        expected: ok,
        run: () =>
          this.#get(buildPath("monthly_index", { ...turbine, year: 2023, month: month() })),
      },
      "not modified": { share: 20, expected: [200, 304], run: () => this.#again() },
      indices: {
        share: 10,
        expected: ok,
        run: () => this.#get(buildPath("wind_indices", turbine)),
      },
      details: {
        share: 5,
        expected: ok,
        run: () => this.#get(buildPath("turbine_details", turbine)),
      },
      model: { share: 5, expected: ok, run: () => this.#get(this.#modelPath()) },
      "aborted model": { share: 3, expected: ok, run: () => this.#aborted(this.#modelPath()) },
      report: {
        share: 5,
        expected: ok,
        run: () => this.#get(buildPath("monthly_report", { ...turbine, period: "2023-05" })),
      },
      coverage: {
        share: 5,
        expected: ok,
        run: () => this.#get(buildPath("coverage", { service_id: DATASET, lat: 55.5, lon: 8 })),
      },
      order: { share: 1, expected: ok, run: () => this.#order() },
      "direct download": {
        share: 1,
        expected: [200, 406],
        run: () => this.#get(this.#climatePath("download_climate")),
      },
      "aborted download": {
        share: 1,
        expected: [200, 406],
        run: () => this.#aborted(this.#climatePath("download_climate")),
      },
      "wrong key": {
        share: 3,
        expected: [401, 429],
        run: () =>
          this.#get(buildPath("turbines"), { [KEY_HEADER]: random.below(1e9).toString(16) }),
      },
      "unknown path": {
        share: 3,
        expected: [404],
        run: () => this.#get(`/none/${random.below(1e9)}`),
      },
      "wrong parameter": {
        share: 2,
        expected: [422],
        run: () => this.#get(`${buildPath("model_data", turbine)}?start_date=${random.below(1e9)}`),
      },
    };
    this.#names = Object.entries(this.#acts).flatMap(([name, { share }]) =>
      Array(share).fill(name)
    );
  }

  /** Makes the next call, to its end. */
  async next(): Promise<void> {
    const name = this.#names[this.#random.below(this.#names.length)];
    const { expected, run } = this.#acts[name];
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    try {
      const response = await run();
      if (!response) return;
      const body = await response.text();
      if (!expected.includes(response.status)) {
        this.faults.push(`${name}: ${response.status} ${body.slice(0, 200)}`);
      }
    } catch (error) {
      this.faults.push(`${name}: ${error}`);
    }
  }

  #modelPath(): string {
    const start = `2023-${String(1 + this.#random.below(12)).padStart(2, "0")}-01`;
    return buildPath("model_data", { ...turbine, start_date: start, end_date: "2025-01-01" });
  }

  #climatePath(operation: "download_climate" | "place_order"): string {
    return buildPath(operation, {
      ...ORDERED,
      lat: 55 + this.#random.below(1000) / 1000,
      filetype: fileTypes[this.#random.below(fileTypes.length)],
    });
  }

  async #get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return await fetch(new URL(path, this.#url), {
      headers: { [KEY_HEADER]: this.#key, ...headers },
    });
  }

  /** Requests a known path again, with its tag. */
  async #again(): Promise<Response> {
    const path = buildPath("wind_indices", turbine);
    const tag = this.#tags.get(path);
    const response = await this.#get(path, tag ? { "if-none-match": tag } : {});
    this.#tags.set(path, response.headers.get("etag")!);
    return response;
  }

  /** Aborts after the first chunk. */
  async #aborted(path: string): Promise<Response | undefined> {
    const response = await this.#get(path);
    if (response.status !== 200) return response;
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
  }

  /** Orders, waits and downloads. */
  async #order(): Promise<Response> {
    const placed = await this.#get(this.#climatePath("place_order"));
    if (!placed.ok) return placed;
    const status = buildPath("order_status", { order_id: await placed.json() });
    for (;;) {
      const response = await this.#get(status);
      if (!response.ok) return response;
      const word = await response.json();
      if (word.startsWith("http")) return await fetch(word);
      if (word === "unknown") throw new Error("the order failed");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
