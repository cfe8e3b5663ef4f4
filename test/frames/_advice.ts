import { assertAlmostEquals, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import {
  type ProductionFormat,
  readProductionRows,
} from "../../src/frames/production/production.ts";
import { convertReadings } from "../../src/frames/production/convert_readings.ts";
import { joinRows } from "../../src/frames/production/join_rows.ts";
import { listColumn, utf8 } from "./_text.ts";

/** A table and its declaration. */
interface Attempt {
  /** Content of the file. */
  readonly file?: string | Uint8Array;
  /** Fields that differ from the declaration of hours of kW in UTC. */
  readonly how?: {
    readonly [Field in keyof ProductionFormat]?: ProductionFormat[Field] | undefined;
  };
}

/** A message, and the file or declaration corrected as it advises. */
export interface AdviceCase extends Attempt {
  /** Part of the message. */
  readonly says: string;
  /** Changes that it advises; the rest stays the same. */
  readonly then: Attempt;
  /** The production afterwards, or a part of the next correct message. */
  readonly gives: readonly (number | null)[] | string;
  /** Name of the file. @default by its content */
  readonly name?: string;
}

const hourly: ProductionFormat = {
  ...{ column: "kW", time: "time", resolution: "hour", unit: "kW", time_zone: "UTC" },
};

/** Reads production as a site does, of one file. */
export async function readAttempt({ file = "", how = {} }: Attempt): Promise<DataFrame> {
  const bytes = typeof file === "string" ? utf8(file) : file;
  const format = Object.fromEntries(
    Object.entries({ ...hourly, ...how }).filter(([, value]) => value !== undefined),
  ) as unknown as ProductionFormat;
  const rows = await readProductionRows(bytes, "t.csv", format);
  const joined = joinRows([rows], format, false);
  return convertReadings(joined.frame, format, joined.place).frame;
}

/** Follows advice: the file fails with it, and can be read after the change. */
export function followAdvice(cases: readonly AdviceCase[]): void {
  for (const { says, file, how, then, gives, name = says } of cases) {
    it(`SI4 ${name}`, async () => {
      const { message } = await assertRejects(() => readAttempt({ file, how }), Error);
      assertStringIncludes(message, says);
      const changed = { file: then.file ?? file, how: { ...how, ...then.how } };
      if (typeof gives === "string") {
        const { message } = await assertRejects(() => readAttempt(changed), Error);
        assertStringIncludes(message, gives);
        return;
      }
      const frame = await readAttempt(changed);
      const power = frame.columns.find((name) => name === "power" || name === "energy")!;
      const values = listColumn(frame, power) as (number | null)[];
      assertEquals(values.length, gives.length, String(values));
      for (const [i, value] of gives.entries()) {
        if (value === null) assertEquals(values[i], null);
        else assertAlmostEquals(values[i] ?? NaN, value, 1e-9, String(values));
      }
    });
  }
}
