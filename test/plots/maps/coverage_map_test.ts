import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { clipLine, clipOutlines, clipRing, type Point } from "../../../src/plots/maps/outlines.ts";
import { computeDistance, LocalMap, type LonLat } from "../../../src/plots/maps/local_map.ts";
import { MapFrame } from "../../../src/plots/maps/map_frame.ts";
import { plotCoverageMap } from "../../../src/plots/maps/coverage_map.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { buildPointsFrame, computeScatter, HOSTILE_NAMES } from "../_wind_frames.ts";

const turbine = { latitude: 55.491, longitude: 7.84, name: "Example 1", turbine_id: "T1" };
const four = buildPointsFrame([[55.5, 7.75], [55.5, 8], [55.25, 7.75], [55.75, 7.75]]);

/** Whether a point is inside the rings of land, by the even-odd rule. */
function isOnLand([x, y]: Point, rings: readonly (readonly Point[])[]): boolean {
  let inside = false;
  for (const ring of rings) {
    ring.forEach(([x1, y1], i) => {
      const [x0, y0] = ring[(i + ring.length - 1) % ring.length];
      if ((y1 > y) !== (y0 > y) && x < (x0 - x1) * (y - y1) / (y0 - y1) + x1) inside = !inside;
    });
  }
  return inside;
}

function isLandAt(longitude: number, latitude: number): boolean {
  const box = { left: longitude - 2, right: longitude + 2, low: latitude - 2, high: latitude + 2 };
  return isOnLand([longitude, latitude], clipOutlines(box).land);
}

describe("LocalMap", () => {
  it("keeps distances from its centre, and inverts its projection at any place", () => {
    for (let i = 0; i < 300; i++) {
      const centre: LonLat = [360 * computeScatter(i) - 180, 170 * computeScatter(i + 1000) - 85];
      const place: LonLat = [
        centre[0] + 20 * computeScatter(i + 2000) - 10,
        Math.max(-89, Math.min(89, centre[1] + 6 * computeScatter(i + 3000) - 3)),
      ];
      const map = new LocalMap(centre);
      const plane = map.toPlane(place);
      assertAlmostEquals(Math.hypot(...plane), computeDistance(centre, place), 1e-6);
      const back = map.toPlace(plane);
      assertAlmostEquals(back[0], place[0], 1e-6);
      assertAlmostEquals(back[1], place[1], 1e-6);
      assertAlmostEquals(map.toPlane([place[0] + 360, place[1]])[0], plane[0], 1e-6);
    }
  });

  it("projects a degree to its known length", () => {
    assertAlmostEquals(computeDistance([0, 0], [0, 1]), 111.195, 0.001);
    assertAlmostEquals(computeDistance([179.5, 0], [-179.5, 0]), 111.195, 0.001);
    assertAlmostEquals(computeDistance([0, 60], [1, 60]), 55.597, 0.01);
  });
});

describe("clipRing() and clipLine()", () => {
  const box = { left: 0, right: 10, low: 0, high: 10 };

  it("cuts at the edges, and keeps a ring around the box", () => {
    assertEquals(clipRing([[-5, -5], [20, -5], [20, 20], [-5, 20]], box).length, 4);
    assertEquals(clipRing([[20, 20], [30, 20], [30, 30]], box), []);
    assertEquals(clipLine([[-5, 5], [5, 5], [5, 15], [8, 15], [8, 5]], box), [
      [[0, 5], [5, 5], [5, 10]],
      [[8, 10], [8, 5]],
    ]);
    assertEquals(clipLine([[-5, 5], [-1, 20]], box), []);
  });

  it("never leaves the box", () => {
    for (let seed = 0; seed < 50; seed++) {
      const points = Array.from({ length: 12 }, (_, i): Point => [
        30 * computeScatter(seed * 24 + i) - 10,
        30 * computeScatter(seed * 24 + 12 + i) - 10,
      ]);
      for (const [x, y] of [...clipRing(points, box), ...clipLine(points, box).flat()]) {
        assert(x >= -1e-9 && x <= 10 + 1e-9 && y >= -1e-9 && y <= 10 + 1e-9);
      }
    }
  });
});

describe("clipOutlines()", () => {
  it("distinguishes land and sea, on both sides of 180 deg and around the pole", () => {
    for (
      const [place, longitude, latitude, land] of [
        ["Jutland", 9, 56.2, true],
        ["the North Sea", 4, 56, false],
        ["Viti Levu", 178, -17.8, true],
        ["the sea east of Fiji", 181.5, -16, false],
        ["Chukotka", 179, 68, true],
        ["Chukotka beyond 180 deg", 181, 67, true],
        ["Antarctica", 15, -75, true],
        ["Antarctica close to the pole, at 180 deg", -179, -88, true],
        ["the Caspian Sea", 51, 42, false],
        ["the Sahara", 10, 25, true],
      ] as const
    ) assertEquals(isLandAt(longitude, latitude), land, place);
    assertEquals(isLandAt(178 - 360, -17.8), true, "the same place a turn further");
  });
});

describe("plotCoverageMap()", () => {
  it("shows turbine, points, distances, scale, north and degrees", async () => {
    const chart = plotCoverageMap(four, { turbine });
    const svg = await chart.svg();
    for (
      const text of [
        "Points of era5 around Example 1",
        "4 points, 5.8 to 29.3 km away",
        ">5.8 km<",
        ">25 km<",
        ">N<",
        "55.6° N",
        "8.0° E",
        ">Turbine<",
        ">Point with data<",
        "Natural Earth",
        "from own data",
      ]
    ) assertStringIncludes(svg, text);
  });

  it("contains every point and the turbine, for any places", () => {
    for (let i = 0; i < 100; i++) {
      const centre: LonLat = [360 * computeScatter(i) - 180, 140 * computeScatter(i + 500) - 70];
      const places = Array.from({ length: 5 }, (_, j): LonLat => [
        centre[0] + 8 * computeScatter(i * 10 + j) - 4,
        centre[1] + 8 * computeScatter(i * 10 + j + 5) - 4,
      ]);
      const frame = new MapFrame(centre, places, 640, 300 + i, "a map");
      for (const place of [centre, ...places]) {
        const [x, y] = frame.toPixels(frame.map.toPlane(place));
        assert(x > 20 && x < 620 && y > 20 && y < 280 + i, `${place}: ${x}, ${y}`);
      }
      assert(frame.barLength * frame.scale <= 160.01 && frame.barLength * frame.scale > 30);
    }
  });

  it("is correct across 180 deg, and notes if there is only sea or only land", async () => {
    const fiji = { latitude: -16.8, longitude: 179.9 };
    const across = plotCoverageMap(
      buildPointsFrame([[-17, 179.75], [-17, -180], [-16.75, -179.75]]),
      {
        turbine: fiji,
      },
    );
    assertStringIncludes(across.altText, "24.7 to 37.7 km away");
    assertStringIncludes(await across.svg(), "180.0°");
    const sea = plotCoverageMap(buildPointsFrame([[55, 3.6]]), {
      turbine: { latitude: 55.1, longitude: 2.9 },
    });
    assertStringIncludes(sea.altText, "it is all sea");
    const land = plotCoverageMap(buildPointsFrame([[27, 2.6]]), {
      turbine: { latitude: 27, longitude: 2 },
    });
    assertStringIncludes(land.altText, "it is all land");
    await sea.svg();
    await land.svg();
  });

  it("V7: fits its points below 50 km, without a coast", async () => {
    const near = plotCoverageMap(buildPointsFrame([[55.495, 7.845]]), { turbine });
    assertStringIncludes(near.altText, "1 point, 545 m away");
    assertStringIncludes(near.altText, "No coast or border is drawn");
    const svg = await near.svg();
    assert(!svg.includes("Natural Earth"));
    for (const text of [">200 m<", ">55.494° N<"]) assertStringIncludes(svg, text);
  });

  it("leaves out points without coordinates, and writes the labels that fit", async () => {
    const odd = buildPointsFrame([[55.5, 7.75], [null, 8], [95, 8], [55.5, NaN], [55.5, Infinity]]);
    assertStringIncludes(
      plotCoverageMap(odd, { turbine }).altText,
      "4 of 5 points without coordinates",
    );
    const many = buildPointsFrame(
      Array.from(
        { length: 200 },
        (_, i) => [55 + computeScatter(i), 7 + 2 * computeScatter(i + 200)],
      ),
    );
    const chart = plotCoverageMap(many, { turbine, width: 360 });
    assertStringIncludes(chart.altText, "Not shown for lack of space: ");
    await chart.svg();
  });

  it("refuses coordinates that are missing, impossible, too far or at a pole", () => {
    const assertRefusal = (change: () => unknown, text: string) =>
      assertThrows(change, ArgumentError, text);
    const nowhere = { latitude: null, longitude: 8 };
    assertRefusal(
      () => plotCoverageMap(four, { turbine: nowhere }),
      "the turbine has no coordinates",
    );
    assertRefusal(
      () => plotCoverageMap(buildPointsFrame([[null, 8]]), { turbine }),
      "no point (of 1)",
    );
    assertRefusal(
      () => plotCoverageMap(buildPointsFrame([[-55, 8]]), { turbine }),
      "more than 3000 km",
    );
    assertRefusal(() => plotCoverageMap(four.head(0), { turbine }), "no rows");
    assertRefusal(
      () => plotCoverageMap(four.drop("latitude"), { turbine }),
      `no column "latitude"`,
    );
    const pole = { latitude: 89.9, longitude: 0 };
    assertRefusal(
      () => plotCoverageMap(buildPointsFrame([[89.5, 20]]), { turbine: pole }),
      "reach a pole",
    );
  });

  it("accepts a frame without provenance, and F26 hostile names", async () => {
    const bare = pl.DataFrame({ latitude: [55.5], longitude: [7.75] });
    for (const name of HOSTILE_NAMES) {
      const svg = await plotCoverageMap(bare, { turbine: { ...turbine, name } }).svg();
      assert(!svg.includes("<script") && !svg.includes("\u0000") && svg.length < 200_000);
    }
  });

  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("coverage_map", () => plotCoverageMap(four, { turbine }));
    const sample = buildPointsFrame([[70, 20], [70, 25], [75, 25]], "sample");
    const north = { latitude: 70.9, longitude: 24.1, name: "North" };
    await assertSnapshot(
      "coverage_map_north",
      () => plotCoverageMap(sample, { turbine: north, width: 360 }),
    );
  });
});
