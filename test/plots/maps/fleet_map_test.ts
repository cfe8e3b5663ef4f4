import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { GridMap } from "../../../src/plots/maps/local_map.ts";
import { plotFleetMap } from "../../../src/plots/maps/fleet_map.ts";
import { darkColors, diverging, palette } from "../../../src/plots/drawing/theme.ts";
import { computeContrast, computeDifference } from "../_color_vision.ts";
import { buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { readTextBoxes } from "../_text_boxes.ts";
import { HOSTILE_NAMES } from "../_wind_frames.ts";

type Row = readonly [
  id: string,
  latitude: number | null,
  longitude: number | null,
  value?: number | null,
];

function buildFleetFrame(rows: readonly Row[], world: "own" | "sample" = "own"): DataFrame {
  const numbers = (name: string, at: number) =>
    pl.Series(name, rows.map((row) => row[at] as number | null), pl.Float64);
  const valued = rows.some((row) => row.length > 3);
  const frame = pl.DataFrame([
    pl.Series("turbine_id", rows.map(([id]) => id), pl.Utf8),
    numbers("latitude", 1),
    numbers("longitude", 2),
    ...(valued ? [numbers("month_abnormality_index", 3)] : []),
  ]);
  return describeFrame(frame, [], buildOrigin(world, "turbine_details"));
}

const fleet: readonly Row[] = [
  ["North 1", 57.1, 9.9, 118],
  ["North 2", 57.1005, 9.9005, 122],
  ["Horns Rev", 55.49, 7.84, 84.2],
  ["Lolland", 54.75, 11.6, null],
];

describe("plotFleetMap()", () => {
  it("draws the same picture as before", () =>
    assertSnapshot("fleet_map", () => plotFleetMap(buildFleetFrame(fleet))));

  it("distinguishes close latitudes of longitudes that are far apart", () => {
    const { altText } = plotFleetMap(buildFleetFrame([["A", 55.4, -60], ["B", 55.45, 60]]));
    assertStringIncludes(altText, "55.400 to 55.450° N, 60° W to 60° E");
  });

  it("has an alternative text", () => {
    const { altText } = plotFleetMap(buildFleetFrame(fleet), { title: "The fleet" });
    for (
      const text of [
        "Map. The fleet. 4 turbines, 54.8 to 57.1° N, 7.8 to 11.6° E",
        "Month abnormality index 84 to 122 %",
        "Turbines close to each other share a mark, which shows the mean of their figures",
      ]
    ) assertStringIncludes(altText, text);
  });

  it("marks turbines without a figure, and labels shared marks with their number", async () => {
    const svg = await plotFleetMap(buildFleetFrame(fleet)).svg();
    for (
      const text of [
        "2 turbines: 120 %",
        "Horns Rev: 84 %",
        "Lolland",
        "No data",
        "Month abnormality index (%)",
      ]
    ) {
      assertStringIncludes(svg, `>${text}</text>`);
    }
  });

  it("AN11 shows above, below and no data by the shape of a mark, not only by its colour", async () => {
    const svg = await plotFleetMap(buildFleetFrame(fleet)).svg();
    for (const text of ["Above 100 %", "Below 100 %", "No data"]) {
      assertStringIncludes(svg, `>${text}</text>`);
    }
    const shapeOf = (fill: string) =>
      new RegExp(`<path [^>]* d="(M[^"]*)" fill="${fill}" stroke="#1a1a1a"`).exec(svg)?.[1]
        .replaceAll(/[\d.]+/g, "");
    const shapes = ["#7ab5d9", "#fecf91", palette.missing].map(shapeOf);
    assertEquals(new Set(shapes).size, 3, shapes.join());
    assert(!shapes.includes(undefined));
  });

  it("AN11 has distinguishable marks, coasts and land on white and on black", async () => {
    const svg = await plotFleetMap(buildFleetFrame(fleet), { theme: "light" }).svg();
    const shapes = [...svg.matchAll(/layer_(\d)_marks"><path [^>]* (?:fill|stroke)="(#\w+)"/g)]
      .map(([, layer, color]) => [layer, color]);
    const light = ["0", "1", "3"].map((layer) => shapes.find(([one]) => one === layer)![1]);
    for (const pick of [(color: string) => color, (color: string) => darkColors.get(color)!]) {
      const [sea, land, coast] = light.map(pick);
      assert(computeContrast(land, sea) >= 1.25, `${land} on ${sea}`);
      for (const ground of [land, sea]) {
        assert(computeContrast(coast, ground) >= 3, `${coast} on ${ground}`);
        assert(computeContrast(pick(palette.black), ground) >= 3);
      }
      for (const fill of diverging.map(pick)) {
        assert(computeDifference(fill, land, "normal") >= 10, `${fill} on ${land}`);
      }
    }
  });

  it("AN11 puts no name where it could name another mark", async () => {
    const near: Row[] = [["A", 55.58, -3.86, 89], ["B", 55.6, 8, 93], ["C", 55.6, 8.2, 87]];
    const far: Row[] = [["D", 57.81, 13.44, null], ["E", 41.8, -2.4, 67], ["F", 8.9, 77.6, 89]];
    const chart = plotFleetMap(
      buildFleetFrame([...near, ...far]),
      { bare: true, width: 266, height: 260, link: ([id]) => `#${id}` },
    );
    const shared = (await readTextBoxes(chart)).find(({ text }) =>
      /^(2 turbines|90 %)/.test(text)
    )!;
    const svg = await chart.svg();
    const marks = [
      ...svg.matchAll(/<a xlink:href="#(\w+)[^>]*><path [^>]*translate\(([\d.]+),([\d.]+)/g),
    ]
      .map(([, id, x, y]) => ({ id, x: Number(x), y: Number(y) }));
    const distances = marks.map(({ id, x, y }) => ({
      id,
      distance: Math.hypot(
        Math.max(shared.left - x, x - shared.right, 0),
        Math.max(shared.top - y, y - shared.bottom, 0),
      ),
    })).toSorted((a, b) => a.distance - b.distance);
    assertEquals(distances[0].id, "B");
    assert(distances[1].distance >= 1.1 * distances[0].distance, JSON.stringify(distances));
  });

  it("draws a single turbine with its surroundings", async () => {
    const chart = plotFleetMap(buildFleetFrame([["T1", 55.49, 7.84]]));
    assertStringIncludes(chart.altText, "1 turbine, 55.490° N, 7.840° E");
    assertStringIncludes(await chart.svg(), " km</text>");
  });

  it("W12: has a coast or a border near a single turbine, even far inland", () => {
    for (const [latitude, longitude] of [[52.4, -0.95], [48.45, 5.59], [50, 68], [55.49, 7.84]]) {
      const { altText } = plotFleetMap(buildFleetFrame([["T1", latitude, longitude]]));
      assert(!altText.includes("No coast"), altText);
    }
  });

  it("draws a fleet on all sides of the world, across the date line and at the poles", async () => {
    for (
      const rows of [
        [["A", 55, 8, 90], ["B", -34, 151, 110], ["C", 40, -100, 100]],
        [["A", -17, 179.5, 90], ["B", -18, -179.5, 110]],
        [["A", 78, 15, 90], ["B", -77, 166, 110]],
        [["A", 89.9, 0], ["B", 89.9, 180]],
        [["A", 0, 0], ["B", 0, 180]],
      ] as Row[][]
    ) await plotFleetMap(buildFleetFrame(rows)).svg();
    const wide = plotFleetMap(buildFleetFrame([["A", 55, 8], ["B", -34, 151]]));
    assertStringIncludes(
      wide.altText,
      "Equal degrees: the scale is true at 11° N and from south to north only",
    );
    const line = plotFleetMap(buildFleetFrame([["A", -17, 179.5], ["B", -18, -179.5]]));
    assert(!line.altText.includes("Equal degrees"));
  });

  it("V7: shows each of 40 turbines of a farm with a name, 200 m or 30 km across", async () => {
    for (const [count, columns, km] of [[4, 2, 0.2], [20, 5, 0.6], [40, 8, 0.6], [40, 40, 0.6]]) {
      const rows = Array.from({ length: count }, (_, i): Row => [
        `Windpark Nord ${i + 1}`,
        55 + Math.floor(i / columns) * km / 111.2,
        8 + (i % columns) * km / 63.8,
      ]);
      const chart = plotFleetMap(buildFleetFrame(rows));
      const svg = await chart.svg();
      assert(!/share a mark|not written/.test(chart.altText), chart.altText);
      assert(!/([\d.]+)° [NE] to \1° [NE]/.test(chart.altText), chart.altText);
      assertStringIncludes(chart.altText, "No coast or border is drawn");
      const fullName = svg.includes(">Windpark Nord 1</text>");
      for (let i = 1; i <= count; i++) {
        assertStringIncludes(svg, `>${fullName ? "Windpark Nord " : ""}${i}</text>`);
      }
      assertEquals(chart.altText.includes('Names are written without "Windpark Nord"'), !fullName);
    }
  });

  it("V7: has a scale from 500 m to the world", async () => {
    for (
      const [km, bar] of [[0.2, "100 m"], [3, "1 km"], [60, "20 km"], [900, "250 km"], [
        15_000,
        "5,000 km at 0°",
      ]] as const
    ) {
      const chart = plotFleetMap(buildFleetFrame([["A", 0, 8], ["B", 0, 8 + km / 111.2]]));
      assertStringIncludes(await chart.svg(), `>${bar}</text>`);
    }
  });

  it("V9: names the figure, the turbines and the month", () => {
    const frame = buildFleetFrame(fleet)
      .withColumns(pl.lit("2023-05-01").str.strptime(pl.Date, "%Y-%m-%d").alias("month"));
    assertStringIncludes(
      plotFleetMap(frame).altText,
      "Month abnormality index of 4 turbines, May 2023",
    );
    assertStringIncludes(
      plotFleetMap(buildFleetFrame([["T1", 55.49, 7.84]])).altText,
      "Map. Position of T1. 1 turbine",
    );
  });

  it("draws a pole itself, where all longitudes are one place", async () => {
    for (const rows of [[["A", 90, 180]], [["A", -89.9999, 0]]] as Row[][]) {
      assert((await plotFleetMap(buildFleetFrame(rows)).svg()).length < 50_000);
    }
  });

  it("stays small: outlines of a continent have no more detail than is visible", async () => {
    const rows: Row[] = [["A", 70, -10, 90], ["B", 8, 78, 110]];
    assert((await plotFleetMap(buildFleetFrame(rows)).svg()).length < 300_000);
  });

  it("draws a large fleet in one picture", async () => {
    const rows = Array.from(
      { length: 500 },
      (_, i): Row => [`W${i}`, 54 + Math.floor(i / 50) / 3, 7 + (i % 50) / 400, 80 + i % 40],
    );
    const chart = plotFleetMap(buildFleetFrame(rows));
    assertStringIncludes(chart.altText, "500 turbines");
    assert((await chart.svg()).length < 200_000);
  });

  it("leaves out turbines without coordinates, and says how many", () => {
    const chart = plotFleetMap(buildFleetFrame([...fleet, ["X", null, 8], ["Y", 91, 8]]));
    assertStringIncludes(chart.altText, "2 of 6 turbines without coordinates left out");
  });

  it("refuses a fleet without any coordinates", () => {
    assertThrows(
      () => plotFleetMap(buildFleetFrame([["X", null, null]])),
      ArgumentError,
      "no turbine (of 1) has a latitude",
    );
    assertThrows(() => plotFleetMap(pl.DataFrame({ a: [1] })), ArgumentError, "no column");
  });

  it("says SYNTHETIC for the sample", async () => {
    const chart = plotFleetMap(buildFleetFrame(fleet, "sample"));
    assertStringIncludes(chart.altText, "SYNTHETIC");
    assertStringIncludes(await chart.svg(), ">SYNTHETIC</text>");
  });

  it("F26 treats any name as text", async () => {
    for (const name of HOSTILE_NAMES) {
      const svg = await plotFleetMap(buildFleetFrame([[name, 55, 8, 90], ["B", 56, 9, 100]])).svg();
      assert(!/<script|<img/.test(svg));
    }
  });
});

describe("GridMap", () => {
  it("inverts its projection, and is true along the parallel of its centre", () => {
    const map = new GridMap([10, 60]);
    for (const place of [[10, 60], [-170, -40], [200, 85]] as const) {
      const [lon, lat] = map.toPlace(map.toPlane(place));
      assertAlmostEquals(lon, place[0], 1e-9);
      assertAlmostEquals(lat, place[1], 1e-9);
    }
    // By hand: a degree along 60° N is half of 111.195 km.
    assertAlmostEquals(map.toPlane([11, 60])[0], 55.597, 0.001);
    assertEquals(map.toPlane([10, 0])[1], 0);
  });
});
