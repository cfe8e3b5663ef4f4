import { assertEquals, assertMatch } from "@std/assert";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { LossyLineWriter } from "../../../src/service/routing/request_log.ts";

describe("LossyLineWriter", () => {
  /** What has arrived. */
  let written: string;
  /** How many bytes there is place for. */
  let place: number;
  /** How many bytes are taken at once. */
  let most: number;
  let complaints: string[];
  let writer: LossyLineWriter;

  beforeEach(() => {
    [written, place, most, complaints] = ["", Infinity, Infinity, []];
    writer = new LossyLineWriter("The log", (bytes) => {
      if (place <= 0) throw new Error("no place");
      const taken = bytes.subarray(0, Math.min(place, most));
      place -= taken.length;
      written += new TextDecoder().decode(taken);
      return taken.length;
    }, (text) => complaints.push(text));
  });

  it("writes all lines where only a part is taken at once", () => {
    most = 3;
    writer.write(["first\n", "second\n"]);
    writer.write([]);
    writer.write(["third\n"]);
    assertEquals([written, complaints], ["first\nsecond\nthird\n", []]);
  });

  it("drops lines that cannot be written, reports it once, and later how many are missing", () => {
    place = 0;
    writer.write(["1\n", "2\n"]);
    writer.write(["3\n"]);
    assertEquals(complaints.length, 1);
    assertMatch(complaints[0], /^The log cannot be written \(no place\): its lines are dropped/);
    place = Infinity;
    writer.write(["4\n"]);
    writer.write(["5\n"]);
    assertEquals(written, "4\n5\n");
    assertEquals(complaints.slice(1), ["The log can be written again; 3 lines are missing"]);
    place = 0;
    writer.write(["6\n"]);
    assertEquals(complaints.length, 3, "it is said each time that it begins");
  });

  it("lets a line that broke off end before the next one, and counts it as missing", () => {
    place = "first\nsec".length;
    writer.write(["first\n", "second\n", "third\n"]);
    place = Infinity;
    writer.write(["fourth\n"]);
    assertEquals(written, "first\nsec\nfourth\n");
    assertEquals(complaints[1], "The log can be written again; 2 lines are missing");
  });

  it("does not wait for ever where no byte is written", () => {
    most = 0;
    writer.write(["first\n"]);
    assertMatch(complaints[0], /no byte was written/);
  });

  it("continues also where its complaint cannot be written", () => {
    const fail = () => {
      throw new Error("gone");
    };
    const deaf = new LossyLineWriter("The log", fail, fail);
    deaf.write(["first\n"]);
    deaf.write(["second\n"]);
  });
});
