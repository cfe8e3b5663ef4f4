/**
 * The sample as opened by a service: everything is listed at once, and created when requested.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openSample, type Service } from "../../src/service/running/service.ts";
import { sampleSites } from "../../src/sample/sites.ts";

const all = sampleSites.flatMap((site) => site.turbines.map(({ id }) => id));

describe("a fresh sample", () => {
  let folder: string;
  let service: Service;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    service = await openSample({ folder, trusted: true });
  });
  afterEach(async () => {
    await service.close();
    await Deno.remove(folder, { recursive: true });
  });

  async function ask(path: string, from = service): Promise<{ status: number; text: string }> {
    const response = await from.fetch(new Request(`http://in-process${path}`));
    return { status: response.status, text: await response.text() };
  }

  const indexOf = (id: string, from?: Service) =>
    ask(`/wind-index/calibrated/wind_indices/${id}/2024/5/`, from);

  /** Lists the created series, with the time of their last change; the identity is not a series. */
  function made(): Record<string, number> {
    try {
      return Object.fromEntries(
        [...Deno.readDirSync(`${folder}/files`)].filter(({ name }) => name !== "vindkit-identity")
          .map((
            { name },
          ) => [
            name,
            Deno.statSync(`${folder}/files/${name}`).mtime!.getTime(),
          ]),
      );
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return {};
      throw error;
    }
  }

  it("lists all eight turbines and the dataset before any site is created", async () => {
    const { text } = await ask("/wind-index/calibrated/");
    assertEquals(JSON.parse(text), all.map((turbine_id) => ({ turbine_id })));
    assertEquals(all.length, 8);
    const { text: datasets } = await ask("/onlinedata-services/climate/datasets");
    assertEquals(JSON.parse(datasets)[0].service_id, "era5");
    assertMatch(datasets, /SYNTHETIC/);
    assertEquals(made(), {});
  });

  it("creates only the site of a turbine at its first use; the next opening reuses it", async () => {
    const first = await indexOf("T7");
    assertEquals([first.status, JSON.parse(first.text).turbine_id], [200, "T7"]);
    const files = made();
    // One point and one model; the other sites have more.
    assertEquals(Object.keys(files).length, 2);
    await service.close();
    service = await openSample({ folder, trusted: true });
    assertEquals(await indexOf("T7"), first);
    assertEquals(made(), files, "nothing is created twice");
    const { text: details } = await ask("/wind-index/calibrated/details/T7");
    assert(!/truth|siteFactor|curveShift/.test(details), "it says what is behind its production");
  });

  it("has data for every turbine but T8, which is not data_ready: 400", async () => {
    const { status, text } = await ask("/wind-index/calibrated/details/T8");
    assertEquals([status, JSON.parse(text).data_ready], [200, false]);
    for (
      const path of [
        "/wind-index/calibrated/wind_indices/T8",
        "/wind-index/calibrated/wind_indices/T8/2024/5/",
        "/wind-index/calibrated/model_data/T8",
        "/onlinedata-services/windindex/calibrated/report/T8",
      ]
    ) {
      assertEquals((await ask(path)).status, 400, path);
    }
  });

  it("creates the points near a place for a climate request", async () => {
    const { text } = await ask("/onlinedata-services/climate/coverage/era5?lat=41.8&lon=-2.4");
    const [point] = JSON.parse(text);
    assertEquals([point.latitude, point.longitude], [41.75, -2.5]);
    assertEquals([point.start_year, point.last_updated], ["2005-01-01", "2026-01-01"]);
  });

  it("is created once for many concurrent requests, even through two openings", async () => {
    const other = await openSample({ folder, trusted: true });
    try {
      const openings = [service, other, service, other, service];
      const answers = await Promise.all(openings.map((from) => indexOf("T7", from)));
      for (const answer of answers) assertEquals(answer, answers[0]);
      assertEquals([answers[0].status, JSON.parse(answers[0].text).revision], [200, 1]);
    } finally {
      await other.close();
    }
  });

  it("is created by the next request if the first one failed on a full disk", async () => {
    const path = "/wind-index/calibrated/details/T8";
    const { error } = console;
    console.error = () => {};
    try {
      await Deno.writeTextFile(`${folder}/files`, ""); // a file instead of the folder
      assertEquals((await ask(path)).status, 500);
    } finally {
      console.error = error;
    }
    await Deno.remove(`${folder}/files`);
    assertEquals((await ask(path)).status, 200);
  });
});
