import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Ajv2020 } from "ajv/2020";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import {
  type PowerCurveDocument,
  readPowerCurve,
  savePowerCurve,
} from "../../../src/sites/power_curves/iec_power_curve.ts";
import type { ReadPowerCurveOptions } from "../../../src/sites/declaration/site_definition.ts";
import { readTurbine } from "../../../src/sites/power_curves/read_turbine.ts";
import { SourceFiles } from "../../../src/sites/source_files.ts";
import { makeSite, type TestSite } from "../_site.ts";
import { makeDocument, SPEEDS } from "./_iec_document.ts";
import { parseSite } from "../../../src/sites/declaration/site_file.ts";

const STANDARD = new URL("../../../../shared/data/iec_61400_16/", import.meta.url);
const EXAMPLES = ["generic-120-3", "generic-120-3-with-extra-parameters", "generic-274-20"];

function isThere(): boolean {
  try {
    return Deno.statSync(STANDARD).isDirectory;
  } catch {
    return false;
  }
}

const named = (name: string) => isThere() ? name : `${name} (skipped: ../shared/data is not here)`;
const official = isThere() ? it : it.ignore;

/** Changes every number below a level of lists. */
const mapDeep = (value: unknown, change: (number: number) => number): unknown =>
  Array.isArray(value) ? value.map((one) => mapDeep(one, change)) : change(value as number);

describe("power curves of IEC 61400-16", () => {
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  async function write(document: unknown): Promise<string> {
    const path = `${folder}/${++count}.json`;
    const bytes = document instanceof Uint8Array ? document : new TextEncoder().encode(
      typeof document === "string" ? document : JSON.stringify(document),
    );
    await Deno.writeFile(path, bytes);
    return path;
  }

  const read = async (document: unknown, options?: ReadPowerCurveOptions) =>
    await readPowerCurve(await write(document), options);

  const refusal = async (document: unknown, options?: ReadPowerCurveOptions) => {
    const error = await assertRejects(() => read(document, options), Error);
    assert(error instanceof ArgumentError || error instanceof DataFormatError, error.stack);
    return error.message.replace(/^Cannot read \S+: /, "");
  };

  describe("of the official examples", () => {
    for (const name of isThere() ? EXAMPLES : EXAMPLES.slice(0, 1)) {
      official(named(`are read, written and read again without loss: ${name}`), async () => {
        const validate = new Ajv2020({ strict: false }).compile(
          JSON.parse(await Deno.readTextFile(new URL("schema.json", STANDARD))),
        );
        const path = new URL(`${name}.json`, STANDARD);
        const options = name.endsWith("parameters")
          ? { at: { "reference-turbulence-intensity": 0.2 } }
          : {};
        const first = await readPowerCurve(path, options);
        const copy = `${folder}/${name}.json`;
        await savePowerCurve(copy, first.document);
        const [original, written] = [path, copy].map((file) =>
          JSON.parse(Deno.readTextFileSync(file))
        );
        assertEquals(JSON.stringify(written), JSON.stringify(original)); // the order of fields too
        assert(validate(written), JSON.stringify(validate.errors));
        assertEquals(await readPowerCurve(copy, options), first);
      });
    }

    official(
      named("have the curves that the documents show, in kW, by mode and density"),
      async () => {
        const of = (name: string, options?: ReadPowerCurveOptions) =>
          readPowerCurve(new URL(`${name}.json`, STANDARD), options);
        const small = await of("generic-120-3");
        assertEquals(small.points[10], { wind_speed: 8, power: 1522 });
        assertEquals(small.thrustCoefficients[10], 0.794);
        assertEquals([small.ratedPower, small.rotorDiameter], [3450, 120]);
        assertEquals(small.conditions, { "air-density": 1.225 });
        const large = await of("generic-274-20");
        assertEquals([large.mode, large.points.at(-1)], [
          "mode_1",
          { wind_speed: 30, power: 12_405.3333 }, // it falls in storm
        ]);
        const reduced = await of("generic-274-20", { mode: "mode_2", at: { "air-density": 1.1 } });
        assert(reduced.points[10].power < large.points[10].power);
        await assertRejects(
          () => of("generic-120-3-with-extra-parameters"),
          DataFormatError,
          'reference-turbulence-intensity is not chosen. Give at: { "reference-turbulence-intensity": … }, one of "0 to 0.08"',
        );
      },
    );
  });

  it("are chosen by the values of parameters; the upper bound of a range is of the next", async () => {
    const { points, thrustCoefficients, conditions } = await read(makeDocument(), {
      at: { "turbulence-intensity": 0.1 },
    });
    assertEquals(points.map(({ power }) => power), [75, 775, 1950, 2000]);
    assertEquals(thrustCoefficients, [0.81, 0.8, 0.45, 0.04]);
    assertEquals(conditions, {
      "air-density": 1.225,
      "turbulence-intensity": { min: 0.1, max: 0.2 },
    });
    const light = { at: { "air-density": 1.1, "turbulence-intensity": 0.05 } };
    assertEquals((await read(makeDocument(), light)).points[1], { wind_speed: 8, power: 690 });
  });

  it("say what there is where a value, a parameter or a mode does not exist", async () => {
    const calm = { "turbulence-intensity": 0 };
    assertEquals(
      await refusal(makeDocument(), { at: { ...calm, "air-density": 1.2 } }),
      'air-density is 1.2. Give at: { "air-density": … }, one of "1.1", "1.225"',
    );
    assertEquals(
      await refusal(makeDocument(), { at: { ...calm, "wind-veer": 3 } }),
      'mode standard has no wind-veer to choose, but "air-density", "turbulence-intensity"',
    );
    assertEquals(
      await refusal(makeDocument(), { mode: "quiet" }),
      '"quiet" is no operating mode. Give mode, one of "standard"',
    );
    const { power_curves, ...rest } = makeDocument();
    const [mode] = power_curves.operating_modes;
    const operating_modes = [mode, { ...mode, label: "quiet" }];
    assertMatch(
      await refusal({ ...rest, power_curves: { operating_modes } }),
      /Give mode, one of "standard", "quiet"/,
    );
    const proposed = { default_operating_mode_label: "quiet", operating_modes };
    assertEquals((await read({ ...rest, power_curves: proposed }, { at: calm })).mode, "quiet");
  });

  it("have the same figures whatever the order of the axes, and in kW as in W", async () => {
    const [parameters, power] = [
      [
        { label: "wind-speed", axis: 0, values: SPEEDS },
        { label: "air-density", axis: 1, values: [1.1, 1.225] },
      ],
      [[60, 70], [690, 770], [1900, 2000], [2000, 2000]],
    ];
    const thrust_coefficient = SPEEDS.map(() => [0.8, 0.7]);
    const curves = [1, 1000].map((unit) =>
      read(makeDocument({ parameters, thrust_coefficient, power: mapDeep(power, (n) => n * unit) }))
    );
    const [kilowatts, watts] = await Promise.all(curves);
    assertEquals(kilowatts.points, watts.points);
    assertEquals(watts.points.map((point) => point.power), [70, 770, 2000, 2000]);
    assertEquals(watts.thrustCoefficients, [0.7, 0.7, 0.7, 0.7]);
    const megawatts = mapDeep(power, (n) => n / 1000);
    assertMatch(
      await refusal(makeDocument({ parameters, thrust_coefficient, power: megawatts })),
      /largest power is .* neither in W nor in kW/,
    );
  });

  it("keep what only the caller knows, digits beyond 2^53 too, and replace no file unasked", async () => {
    const more = { additional: { data: { serial: "#", __proto: null, list: [[]], 7: "x" } } };
    const text = JSON.stringify(makeDocument({}, more)).replace('"#"', "12345678901234567890");
    const { document } = await read(text, { at: { "turbulence-intensity": 0 } });
    const path = `${folder}/kept.json`;
    await savePowerCurve(path, document);
    const compact = (await Deno.readTextFile(path)).replaceAll(/\s*\n\s*/g, "");
    assertEquals(compact.replaceAll('": ', '":'), text);
    const error = await assertRejects(() => savePowerCurve(path, document), ArgumentError);
    assertMatch(error.message, /the file exists.*overwrite: true/);
    await savePowerCurve(path, document, { overwrite: true });
  });

  it("are refused by what is wrong with them", async () => {
    const curve = { parameters: [{ label: "wind-speed", axis: 0, values: SPEEDS }] };
    const list = (power: unknown) =>
      makeDocument({ ...curve, power, thrust_coefficient: SPEEDS.map(() => 0.5) });
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{}, /no power curve of IEC 61400-16, 2 faults:\n {2}turbine: .*\n {2}power_curves: /],
      [[], /no power curve of IEC 61400-16/],
      ["null", /no power curve of IEC 61400-16/],
      ["[".repeat(1000), /not JSON that can be read: .* more than 100 deep/],
      ['{"turbine": 1, "turbine": 2}', /"turbine" is duplicated/],
      [new Uint8Array([0x7b, 0xff]), /byte 1 is not UTF-8/],
      [makeDocument({ label: "\u001b[2J" }), /operating_modes\[0\]\.label/],
      [makeDocument({ parameters: [] }), /mode standard has no axis wind-speed/],
      [list([1, 2, 3].map((n) => n * 1e5)), /does not have 4 entries along wind-speed/],
      [list([1e5, null, 1e6, 2e6]), /a curve has null/],
      [list([1e5, "<b>", 1e6, 2e6]), /a curve has "<b>"/],
      [list([-5e3, 1e5, 1e6, 2e6]), /point 1 has a negative power/],
      [list([[1e5, 1e6, 2e6, 2e6], [1e5, 1e6, 2e6, 2e6]]), /does not have 4 entries/],
      [
        makeDocument({ ...curve, power: Array(10_001).fill(0), thrust_coefficient: [] }),
        /power: Too big/,
      ],
    ];
    for (const [document, message] of wrong) assertMatch(await refusal(document), message);
    await assertRejects(
      () => savePowerCurve(`${folder}/no.json`, { points: [] } as PowerCurveDocument),
      ArgumentError,
      "no.json: it is no power curve of IEC 61400-16",
    );
    await assertRejects(() => readPowerCurve(folder), ArgumentError, "it is a folder");
  });

  describe("in a site", () => {
    let site: TestSite;

    beforeAll(async () => {
      site = await makeSite();
    });
    afterAll(() => Deno.remove(site.folder, { recursive: true }));

    /** The turbine of the site with its power curve declared so. */
    function declare(powerCurve: unknown) {
      const [turbine] = site.declared.turbines;
      const changed = { ...site.declared, turbines: [{ ...turbine, power_curve: powerCurve }] };
      const [declared] = parseSite(changed, "import site.json").turbines;
      return readTurbine(declared, new SourceFiles({ folder: site.folder, frames: new Map() }));
    }

    it("give the same turbine as their points in a CSV file", async () => {
      const fromCsv = await readTurbine(
        site.declared.turbines[0],
        new SourceFiles({ folder: site.folder, frames: new Map() }),
      );
      const points = fromCsv.powerCurve;
      const values = points.map((point) => point.wind_speed);
      const document = makeDocument({
        parameters: [
          { label: "air-density", value: 1.225 },
          { label: "wind-speed", axis: 0, values },
        ],
        power: points.map(({ power }) => power * 1000),
        thrust_coefficient: points.map(() => 0.5),
      });
      await Deno.writeTextFile(site.path("curve.json"), JSON.stringify(document));
      assertEquals(await declare({ file: "curve.json", mode: "standard" }), fromCsv);
    });

    it("are those at 1.225 kg/m3, for which the index is corrected", async () => {
      await Deno.writeTextFile(site.path("two.json"), JSON.stringify(makeDocument()));
      const at = { "turbulence-intensity": 0.05 };
      const { powerCurve } = await declare({ file: "two.json", at });
      assertEquals(powerCurve[1], { wind_speed: 8, power: 770 });
      assertThrows(
        () => declare({ file: "two.json", at: { ...at, "air-density": 1.1 } }),
        ArgumentError,
        "power_curve.at: has air-density. Leave it out",
      );
      const parameters = [
        { label: "air-density", value: 1.1 },
        { label: "wind-speed", axis: 0, values: SPEEDS },
      ];
      const [power, thrust_coefficient] = [[60e3, 690e3, 1_900e3, 2_000e3], [1, 1, 1, 1]];
      const light = makeDocument({ parameters, power, thrust_coefficient });
      await Deno.writeTextFile(site.path("light.json"), JSON.stringify(light));
      await assertRejects(
        () => declare({ file: "light.json" }),
        DataFormatError,
        "air-density is 1.225",
      );
    });

    it("need no columns, and a CSV file does", () => {
      const { message } = assertThrows(() => declare({ file: "curve.csv" }), ArgumentError);
      assertStringIncludes(
        message,
        'power_curve.file: is "curve.csv". Give the path of a .json of IEC 61400-16 or a .wtg of WAsP, or a CSV file with wind_speed and power',
      );
    });
  });
});
