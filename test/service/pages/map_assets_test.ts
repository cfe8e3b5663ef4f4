import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { mapAssets, OUTLINES_FILE } from "../../../src/service/pages/map_assets.ts";

const address = await mapAssets.address();
const answer = await mapAssets.answer(new Request(`http://x${address}${OUTLINES_FILE}`));
const { land, borders }: Record<"land" | "borders", number[][]> = await answer!.json();

/** Places of a line. */
function listPlaces(line: readonly number[]): [longitude: number, latitude: number][] {
  return Array.from({ length: line.length / 2 }, (_, i) => [line[2 * i], line[2 * i + 1]]);
}

describe("the outlines of the map", () => {
  it("have land and borders, each within the earth", () => {
    assert(land.length > 1000 && borders.length > 100, `${land.length} ${borders.length}`);
    for (const line of [...land, ...borders]) {
      for (const [longitude, latitude] of listPlaces(line)) {
        assert(Math.abs(longitude) <= 540 && Math.abs(latitude) <= 90, `${longitude} ${latitude}`);
      }
    }
  });

  it("never go right across the map: neither at the date line nor round the pole", () => {
    const long = land.filter((line) => {
      const places = listPlaces(line);
      return places.some(([longitude, latitude], i) => {
        const [other] = places[(i + 1) % places.length];
        return Math.abs(longitude - other) > 180 && latitude > -90;
      });
    });
    assertEquals(long.length, 0);
  });

  it("have the coast of Jutland where it is", () => {
    const near = land.flatMap(listPlaces).some(([longitude, latitude]) =>
      Math.abs(longitude - 8.1) < 0.3 && Math.abs(latitude - 55.6) < 0.3
    );
    assert(near);
  });
});
