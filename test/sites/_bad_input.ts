/**
 * Bad input: each case gives one clear error with place and remedy, and leaves the data directory unchanged.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { VindkitError } from "../../src/api/errors.ts";
import { hashesBelow, importFile, makeSite, type TestSite } from "./_site.ts";

/** A way to break a good site. */
export interface BadInput {
  /** The fault. */
  readonly name: string;
  /** Breaks a good site. */
  readonly spoil: (site: TestSite) => void | Promise<void>;
  readonly error: new (...args: never[]) => VindkitError;
  /** Parts of the message that name the place: file, line, column, or the path in the site file. */
  readonly place: readonly string[];
  /** Remedy or expectation that the message states. */
  readonly remedy: RegExp;
}

/** Declaration of a production file of a turbine. */
export type Production = TestSite["declared"]["turbines"][number]["production"][number];

/** The example's monthly production. */
export const monthly: Production = {
  file: "production_monthly.csv",
  column: "energy",
  time: "month",
  resolution: "month",
  unit: "MWh",
};

/** Declaration of the first turbine. */
export function turbineOf({ declared }: TestSite) {
  return declared.turbines[0];
}

/** Declaration of the climate source. */
export function climateOf({ declared }: TestSite) {
  return declared.climate[0];
}

/** Changes the declaration of the first production file. */
export function produce(site: TestSite, change: Partial<Production>): void {
  Object.assign(turbineOf(site).production[0], change);
}

/** Returns a function that multiplies a field. */
export const scaled = (factor: number) => (value: string) =>
  value && String(Number(value) * factor);

/** Returns the error of an import, and asserts that it left no trace. */
async function findFailure(siteFile: string, data: string): Promise<Error | undefined> {
  const before = await hashesBelow(data);
  try {
    await importFile(siteFile, data);
    return undefined;
  } catch (error) {
    assertEquals(await hashesBelow(data), before, "the data directory has changed");
    return error as Error;
  }
}

/** Asserts that a message has the form of all messages. */
export function assertClear({ message }: Error): void {
  assertMatch(message, /^Cannot [a-z]+/, "it does not begin with what was tried");
  assert(!message.includes("\n"), "it has several lines");
  assert(!/\.$|n't/.test(message), "it ends with a period, or has a contraction");
}

/**
 * Tests imports of bad input into a data directory that already has the good site.
 *
 * @param group Name of the group
 * @param inputs The bad input
 */
export function badInputSuite(group: string, inputs: readonly BadInput[]): void {
  describe(group, () => {
    let data: string;

    beforeAll(async () => {
      data = await Deno.makeTempDir();
      await importGood();
    });
    afterAll(async () => await Deno.remove(data, { recursive: true }));

    async function importGood(): Promise<void> {
      const site = await makeSite();
      await importFile(await site.siteFile(), data);
      await Deno.remove(site.folder, { recursive: true });
    }

    for (const { name, spoil, error, place, remedy } of inputs) {
      it(`refuse ${name}, and change nothing`, async () => {
        const site = await makeSite();
        try {
          await spoil(site);
          const failure = await findFailure(await site.siteFile(), data);
          if (!failure) await importGood(); // restores the state that the next test expects
          assert(failure, "It was imported as if nothing were wrong");
          assert(failure instanceof error, `${failure.name}: ${failure.message}`);
          assertClear(failure);
          for (const part of place) assertStringIncludes(failure.message, part);
          assertMatch(failure.message, remedy);
        } finally {
          await Deno.remove(site.folder, { recursive: true });
        }
      });
    }
  });
}
