import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Neighbourhood } from "../../../src/sites/production/neighbour_production.ts";
import type { SiteData } from "../../../src/sites/site_data.ts";
import {
  type ChunkLimits,
  type SiteChunk,
  splitSite,
} from "../../../src/sites/fleet/split_site.ts";
import { buildGridSite, buildReanalysis, buildTurbine } from "../_grid_site.ts";

const first = { calibration: null, nextRevision: 1, recalibrate: false };

function split(
  data: SiteData,
  limits?: ChunkLimits,
  only = [...data.turbines.keys()],
): SiteChunk[] {
  const earlier = new Map(only.map((position) => [position, first]));
  return splitSite(data, new Neighbourhood(data), earlier, limits);
}

const idsOf = ({ turbines }: Pick<SiteData, "turbines">) =>
  turbines.map(({ turbine }) => turbine.id);

const computedOf = ({ turbines, earlier }: SiteChunk) =>
  [...earlier.keys()].map((position) => turbines[position].turbine.id);

const placesOf = ({ reanalyses: [{ climate }] }: SiteChunk) =>
  climate.map(({ latitude, longitude }) => [latitude, longitude]);

describe("splitSite()", () => {
  const site = buildGridSite();
  const single = { turbines: 1, bytes: Infinity };

  it("makes one chunk of a small site, in its order", () => {
    const [chunk, ...more] = split(site);
    assertEquals([more, chunk.turbines, chunk.reanalyses], [[], site.turbines, site.reanalyses]);
    assertEquals(computedOf(chunk), ["T1", "T2", "T3", "T4"]);
  });

  it("gives a chunk the points around its turbines, and their neighbours", () => {
    const [one, two, three, four] = split(site, single);
    assertEquals([one, two, three, four].map(computedOf), [["T1"], ["T2"], ["T3"], ["T4"]]);
    assertEquals([one, two, three, four].map(idsOf), [
      ["T1", "T2"],
      ["T1", "T2"],
      ["T3", "T4"],
      ["T3", "T4"],
    ]);
    assertEquals(placesOf(one), [[55, 8], [55, 9], [56, 8], [56, 9]]);
    assertEquals(placesOf(three), [[55, 9], [55, 10], [56, 9], [56, 10]]);
  });

  it("keeps the turbines of a cell together, in any order of the site", () => {
    const [a, b, c, d] = site.turbines;
    const chunks = split({ ...site, turbines: [a, c, b, d] }, { turbines: 2, bytes: Infinity });
    assertEquals(chunks.map(computedOf), [["T1", "T2"], ["T3", "T4"]]);
  });

  it("begins another chunk if climate and production would be too large", () => {
    const [{ reanalyses: [{ climate: [point] }], turbines: [{ production: [hourly] }] }] = split(
      site,
    );
    const [{ u, v }] = point.levels;
    assert(hourly.kind === "hourly");
    // Four points, and the production of two turbines.
    const cell = 4 * (u.byteLength + v.byteLength) + 2 * hourly.power.byteLength;
    assertEquals(split(site, { turbines: 50, bytes: cell }).map(computedOf), [
      ["T1", "T2"],
      ["T3", "T4"],
    ]);
    assertEquals(split(site, { turbines: 50, bytes: cell - 1 }).length, 4);
    assertEquals(split(site, { turbines: 50, bytes: 2 * cell }).length, 1, "they share two points");
    assertEquals(split(site, { turbines: 50, bytes: 0 }).length, 4, "one turbine at least");
  });

  it("includes neighbours that are not computed, but not other kept turbines", () => {
    const [chunk, ...more] = split(site, undefined, [2]);
    assertEquals([more.length, idsOf(chunk), computedOf(chunk)], [0, ["T3", "T4"], ["T3"]]);
    assertEquals(split(site, undefined, []), []);
  });

  it("includes the points of each reanalysis that its turbines use", () => {
    const [one, two] = [buildReanalysis("one"), { ...buildReanalysis("two"), nearest: true }];
    const turbines = [buildTurbine("T1", 55.9, 9.9)];
    const [{ reanalyses }] = split(buildGridSite({ reanalyses: [one, two], turbines }));
    assertEquals(reanalyses.map(({ climate }) => climate), [
      [1, 2, 4, 5].map((i) => one.climate[i]),
      [two.climate[5]],
    ]);
  });

  it("makes chunks of 50 turbines and 128 MB by default", () => {
    const turbines = Array.from({ length: 60 }, (_, i) => ({
      ...buildTurbine(`T${i}`, 55.1 + i / 100, 8.5),
      production: [],
    }));
    assertEquals(split(buildGridSite({ turbines })).map(({ earlier }) => earlier.size), [50, 10]);
    const [point] = site.reanalyses[0].climate;
    const hours = 2 ** 20; // 8 MB per array: u and v of a cell are 64 MB
    const levels = [{ height: 100, u: new Float64Array(hours), v: new Float64Array(hours) }];
    const large = (latitude: number, longitude: number) => ({
      ...point,
      latitude,
      longitude,
      axis: { ...point.axis, length: hours },
      levels: levels.map(({ height, u, v }) => ({ height, u: u.slice(), v: v.slice() })),
    });
    const climate = [55, 56].flatMap((latitude) =>
      [8, 9, 10, 11, 12].map((longitude) => large(latitude, longitude))
    );
    const reanalyses = [{ ...buildReanalysis("one"), climate }];
    const row = [8.5, 9.5, 10.5, 11.5].map((longitude, i) => ({
      ...buildTurbine(`T${i}`, 55.5, longitude),
      production: [],
    }));
    const chunks = split(buildGridSite({ reanalyses, turbines: row }));
    assertEquals(chunks.map(computedOf), [["T0", "T1", "T2"], ["T3"]]);
  });
});
