/**
 * Bad input: each has one clear error that names the place and what to do, and the data directory stays as it was.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { VindkitError } from "../../src/api/errors.ts";
import { hashesBelow, importFile, makeSite, type TestSite } from "./_site.ts";

/** A way to spoil a good site. */
export interface BadInput {
  /** What is wrong about it. */
  readonly name: string;
  /** Makes a good site bad. */
  readonly spoil: (site: TestSite) => void | Promise<void>;
  readonly error: new (...args: never[]) => VindkitError;
  /** Parts of the message that name the place: file, line, column, or the path in the site file. */
  readonly place: readonly string[];
  /** What the message says to do, or what is to be otherwise. */
  readonly remedy: RegExp;
}

/** A production file of a turbine as declared. */
export type Production = TestSite["declared"]["turbines"][number]["production"][number];

/** The example's monthly production. */
export const monthly: Production = {
  file: "production_monthly.csv",
  column: "energy",
  time: "month",
  resolution: "month",
  unit: "MWh",
};

/** The turbine as declared. */
export function turbineOf({ declared }: TestSite) {
  return declared.turbines[0];
}

/** The climate source as declared. */
export function climateOf({ declared }: TestSite) {
  return declared.climate[0];
}

/** Changes the first production file's declaration. */
export function produce(site: TestSite, change: Partial<Production>): void {
  Object.assign(turbineOf(site).production[0], change);
}

/** Multiplies a field. */
export const scaled = (factor: number) => (value: string) =>
  value && String(Number(value) * factor);

/** An import that failed must leave no trace; this one checks it. */
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

/** Whether a message keeps to the form of all messages. */
export function assertClear({ message }: Error): void {
  assertMatch(message, /^Cannot [a-z]+/, "it does not begin with what was tried");
  assert(!message.includes("\n"), "it has several lines");
  assert(!/\.$|n't/.test(message), "it ends with a period, or has a contraction");
}

/**
 * Describes what imports do with bad input, in a data directory that holds the good site already.
 *
 * @param what Name of the group
 * @param inputs The bad input
 */
export function badInputSuite(what: string, inputs: readonly BadInput[]): void {
  describe(what, () => {
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
          if (!failure) await importGood(); // so that the next test finds what it expects
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
