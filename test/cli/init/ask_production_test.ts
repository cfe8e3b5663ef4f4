import { assertEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { askProduction } from "../../../src/cli/init/ask_production.ts";
import { Dialogue } from "../../../src/cli/init/dialogue.ts";
import { InputFiles } from "../../../src/cli/init/input_files.ts";
import { greenbyteEvents, greenbyteFile, tenMinutes } from "../../frames/presets/_files.ts";

describe("production that is asked for", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const write = (name: string, bytes: Uint8Array) => Deno.writeFile(`${folder}/${name}`, bytes);
    for (const turbine of ["Kelmarsh 1", "Kelmarsh 2"]) {
      const name = turbine.replace(" ", "_");
      const rows = (from: string) => tenMinutes(from, ["100", "NaN", "300"]);
      const file = (from: string) => greenbyteFile({ turbine, rows: rows(from) });
      await write(`Turbine_Data_${name}_2016.csv`, file("2016-03-01 00:00:00"));
      await write(`Turbine_Data_${name}_2017.csv`, file("2017-03-01 00:00:00"));
      await write(`Status_${name}_2016.csv`, greenbyteEvents([]));
    }
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Asks with a terminal that answers lines. */
  async function ask(lines: readonly string[]) {
    const printed: string[] = [];
    const waiting = [...lines];
    const dialogue = new Dialogue({
      given: () => [],
      yes: false,
      terminal: {
        write: (text) => void printed.push(text),
        readLine: () => Promise.resolve(waiting.shift()),
      },
      signal: new AbortController().signal,
    });
    return { found: await askProduction(dialogue, new InputFiles()), text: printed.join("") };
  }

  it("is found in a folder of a preset, without its status logs, with the files of each turbine", async () => {
    const { found, text } = await ask([folder, "", "", "2"]);
    assertEquals(found?.how, { preset: "greenbyte" });
    assertEquals(found?.turbines, ["Kelmarsh 2"]);
    assertEquals(found?.files.map(({ turbines }) => turbines), [
      ["Kelmarsh 1"],
      ["Kelmarsh 1"],
      ["Kelmarsh 2"],
      ["Kelmarsh 2"],
    ]);
    assertStringIncludes(text, "4 files are csv of the preset greenbyte.");
    assertStringIncludes(text, "Status_Kelmarsh_1_2016.csv (greenbyte events)");
    assertStringIncludes(text, "Kelmarsh 1, 2016-03-01 00:00 to 2017-03-01 00:20: 4 of ");
  });

  it("is asked for again where it cannot be read, or is not right", async () => {
    const file = `${folder}/local.csv`;
    await Deno.writeTextFile(
      file,
      "Zeit;Leistung kW\n26.03.2023 01:00;1,5\n26.03.2023 02:00;2,5\n26.03.2023 04:00;3,5\n",
    );
    const enter = ["", "", "", "", "", ""]; // columns, turbine, period, format, unit
    const { found, text } = await ask([
      ...[file, ...enter, "Europe/Berlin", "start", "", ""],
      ...["", ...enter, "UTC", "end", "", "", "no"],
      ...["", ...enter, "", "start", "", "", "yes"],
    ]);
    assertStringIncludes(text, "does not exist in Europe/Berlin");
    assertStringIncludes(text, "[UTC]: ");
    assertEquals(found?.how, {
      column: "Leistung kW",
      time: "Zeit",
      resolution: "hour",
      unit: "kW",
      timeFormat: "DD.MM.YYYY HH:mm",
      timeZone: "UTC",
      stamp: "start",
      decimal: ",",
    });
  });
});
