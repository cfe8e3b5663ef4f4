/**
 * Valid but extreme tables: many turbines, many columns, more values than fit into memory.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { parseSite } from "../../../src/sites/declaration/site_file.ts";
import { listColumn } from "../_text.ts";

const months = { time: "month", resolution: "month", unit: "MWh" } as const;

describe("R4: readProduction() with very many turbines", () => {
  let folder: string;
  beforeAll(async () => void (folder = await Deno.makeTempDir()));
  afterAll(() => Deno.remove(folder, { recursive: true }));

  const write = async (lines: readonly string[]) => {
    const path = `${folder}/${crypto.randomUUID()}.csv`;
    await Deno.writeTextFile(path, `${lines.join("\n")}\n`);
    return path;
  };
  const list = <T>(count: number, make: (i: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));

  it("reads 10,000 turbines below each other, and their meters, without a frame for each", async () => {
    const rows = list(10_000, (i) => [`T${i},2023-01,${i}`, `T${i},2023-02,${2 * i}`]).flat();
    const path = await write(["turbine,month,energy", ...rows]);
    const how = { ...months, column: "energy", turbine: "turbine" } as const;
    const frame = await readProduction(path, how);
    assertEquals([frame.height, frame.columns], [20_000, ["turbine_id", "month", "energy"]]);
    assertEquals(listColumn(frame, "energy").slice(-2), [9999, 19_998]);
    const counted = await readProduction(path, { ...how, counter: true });
    assertEquals(counted.height, 10_000);
    assertEquals(listColumn(counted, "energy").slice(-2), [9998, 9999]);
    assertEquals(listColumn(counted, "turbine_id").slice(-2), ["T9998", "T9999"]);
  });

  it("reads 5,000 turbines side by side, each found by its name once", async () => {
    const ids = list(5000, (i) => `T ${i}`);
    const rows = ["2023-01", "2023-02"].map((month) => [month, ...ids.map((_, i) => i)].join());
    const path = await write([["month", ...ids].join(), ...rows]);
    const column = Object.fromEntries(ids.map((id) => [id, id]));
    const frame = await readProduction(path, { ...months, column });
    assertEquals(frame.height, 10_000);
    assertEquals(listColumn(frame, "energy").slice(-2), [4999, 4999]);
  });

  it("refuses more values than fit into memory, which would crash the process", async () => {
    const path = await write(["a,b", ...list(400_000, (i) => `${i},x${i}`)]);
    const script = `${folder}/read.ts`;
    const module = new URL("../../../mod.ts", import.meta.url).href;
    await Deno.writeTextFile(
      script,
      `import { readFrame } from "${module}";
      await readFrame(Deno.args[0]).catch(({ name, message }) => console.log(name, message));`,
    );
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "--allow-all", "--config", config]
        .concat("--v8-flags=--max-old-space-size=48", script, path),
    }).output();
    const output = new TextDecoder().decode(stdout);
    assertEquals(code, 0);
    assertMatch(
      output,
      /^DataFormatError Cannot read .*: it has \d+ x 2 values, more than fit into the \d+ MiB of this process/,
    );
    assertMatch(output, /Split the file, or set DENO_V8_FLAGS=--max-old-space-size=\d+\n$/);
  });
});

describe("R4: a site of very many turbines", () => {
  it("is checked in a moment, and a message about it names a few of them", () => {
    const turbine = {
      latitude: 55,
      longitude: 8,
      elevation: 10,
      hub_height: 80,
      rotor_diameter: 82,
      rated_power: 2000,
      time_zone: "Europe/Copenhagen",
      power_control: "pcPitch",
      power_curve: [{ wind_speed: 3, power: 0 }, { wind_speed: 12, power: 2000 }],
      production: [],
    };
    const site = {
      site: "many",
      climate: [],
      turbines: Array.from({ length: 3000 }, (_, i) => ({ ...turbine, id: `T${i}`, name: `${i}` })),
      production: [{ ...months, file: "p.csv", column: { U1: "power" } }],
    };
    let message = "";
    try {
      parseSite(site, "import site.json");
    } catch (error) {
      ({ message } = error as Error);
    }
    assertMatch(message, /"U1" is not the id of a turbine. Use "T0", .*"T9" and 2990 more/);
    assert(message.length < 1000, `${message.length} characters`);
  });
});
