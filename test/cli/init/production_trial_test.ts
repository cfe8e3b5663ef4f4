import { assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, type ProductionFormat } from "../../../mod.ts";
import { layoutQuestions } from "../../../src/cli/init/layout_questions.ts";
import { findCauses, ProductionTrial } from "../../../src/cli/init/production_trial.ts";

/** How the file of these tests is read. */
const right: ProductionFormat = {
  column: "Leistung kW",
  time: "Zeit",
  resolution: "hour",
  unit: "kW",
  time_format: "DD.MM.YYYY HH:mm",
  time_zone: "UTC",
  decimal: ",",
  footer_rows: 1,
};

describe("production that is tried out", () => {
  let trial: ProductionTrial;
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const rows = ["26.03.2023 01:00;1,5", "26.03.2023 02:00;2,5", "26.03.2023 03:00;2,5"];
    await Deno.writeTextFile(
      `${folder}/a.csv`,
      ["Zeit;Leistung kW", ...rows, "Summe;6,5", ""].join("\n"),
    );
    trial = new ProductionTrial(`${folder}/a.csv`);
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("S5, N1: finds by the code of the reader's error which answer the file refutes", async () => {
    const wrong: readonly (readonly [keyof typeof layoutQuestions, Partial<ProductionFormat>])[] = [
      ["timeFormat", { time_format: "MM/DD/YYYY HH:mm" }],
      ["timeFormat", { time_format: "MM.DD.YYYY HH:mm" }],
      ["timeFormat", { time_format: "JJ.MM.AAAA" }],
      ["footer", { footer_rows: 0 }],
      ["footer", { footer_rows: 2 }],
      ["zone", { time_zone: "Europe/Berlin" }],
      ["zone", { time_zone: undefined }],
      ["decimal", { decimal: "." }],
      ["resolution", { resolution: "10min" }],
      ["unit", { unit: "MW" }],
    ];
    for (const [question, change] of wrong) {
      const { name } = layoutQuestions[question];
      const result = await trial.read({ ...right, ...change });
      const { message, ...facts } = result instanceof Error
        ? result
        : new ArgumentError("it was read");
      assertEquals(
        [findCauses(facts).includes(name), message.includes(folder)],
        [true, false],
        message,
      );
      assertEquals(await trial.findFault({ ...right, ...change }, { name }), message);
    }
    assertEquals((await trial.read(right)) instanceof Error, false);
  });

  it("S6: finds the rows below the table, and the first of them", async () => {
    const { footer_rows: _, ...open } = right;
    assertEquals(await trial.findFooter(open), { rows: 1, first: '"Summe" in line 5' });
    assertEquals(
      typeof await trial.findFooter({ ...open, time_format: "MM/DD/YYYY HH:mm" }),
      "string",
    );
  });

  it("names a cell that is refused with its place", async () => {
    assertEquals(
      await trial.findCell({ ...right, time_format: "MM/DD/YYYY HH:mm" }),
      '"26.03.2023 01:00" in line 2',
    );
    await Deno.writeTextFile(`${folder}/b.csv`, "Zeit;kW\n01/01/2022;1\n01/02/2022;2\n;3\n");
    const months = new ProductionTrial(`${folder}/b.csv`);
    const how: ProductionFormat = { column: "kW", time: "Zeit", resolution: "month", unit: "kWh" };
    const american = { ...how, time_format: "MM/DD/YYYY" };
    assertEquals(await months.findCell(american), '"01/02/2022" in line 3');
    assertEquals(
      await months.findCell({ ...american, time_format: "DD/MM/YYYY" }),
      "no time in line 4",
    );
    assertEquals(await months.findCell({ ...how, time_format: "JJ" }), undefined);
  });
});
