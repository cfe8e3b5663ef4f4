import { assertEquals } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openStorage, type Storage } from "../../../src/storage/storage.ts";
import type { ClimateParameters } from "../../../src/api/operations/climate_data.ts";
import { findPoint } from "../../../src/service/fulfilment/climate_delivery.ts";
import { buildDownload, findDownload } from "../../../src/service/fulfilment/climate_download.ts";
import { putClimatePoint } from "../_climate_data.ts";
import { validValues } from "../_sample.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

const DAY = 24 * 3_600_000;

describe("H1 findDownload()", () => {
  let folder: string;
  let directory: Storage;
  let requests: readonly ClimateParameters[];
  let built: readonly string[];

  const find = async (request: ClimateParameters) =>
    await findDownload(
      directory.files,
      await findPoint(sitesOf(directory.store), request),
      request,
    );
  const listNotes = () =>
    [...Deno.readDirSync(`${folder}/files`)].filter(({ name }) => name.endsWith(".built"))
      .map(({ name }) => directory.files.path(name));

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    directory = await openStorage(folder, { create: true, world: "sample" });
    const { points: [{ latitude, longitude }] } = await putClimatePoint(directory);
    const service_id = String(validValues.place_order.service_id);
    requests = [2005, 2006].map((year) => ({
      service_id,
      lat: latitude,
      lon: longitude,
      start_year: year,
      end_year: year,
      filetype: "csv",
    }));
    assertEquals(await find(requests[0]), undefined);
    const { store, files } = directory;
    for (const request of requests) await buildDownload(sitesOf(store), files, request);
    built = (await Promise.all(requests.map(find))).map((file) => file!.name);
  });
  afterEach(async () => {
    await directory.store.close();
    await Deno.remove(folder, { recursive: true });
  });

  it("finds the file built for each request", () => {
    assertEquals(built.map((name) => /^[0-9a-f]{64}\.csv$/.test(name)), [true, true]);
    assertEquals(new Set(built).size, 2);
  });

  it("finds no damaged file, until it is built again", async () => {
    await Deno.writeTextFile(directory.files.path(built[0]), "0");
    assertEquals(await find(requests[0]), undefined);
    await buildDownload(sitesOf(directory.store), directory.files, requests[0]);
    assertEquals((await find(requests[0]))?.name, built[0]);
  });

  it("finds no file by the note of another request", async () => {
    const [one, two] = listNotes();
    await Deno.copyFile(one, two);
    const names = await Promise.all(requests.map(find));
    assertEquals(names.filter((name) => name === undefined).length, 1);
  });

  it("finds no file that is about to be removed, and keeps none forever", async () => {
    const yesterday = new Date(Date.now() - DAY);
    for (const note of listNotes()) await Deno.utime(note, yesterday, yesterday);
    assertEquals(await Promise.all(requests.map(find)), [undefined, undefined]);
  });
});
