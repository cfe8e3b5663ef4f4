import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { openTarget } from "../../../src/machines/export/open_target.ts";
import { describeWithS3 } from "../../_s3.ts";
import { startFaultyS3 } from "../s3/_faulty_s3.ts";
import { testTarget } from "./_target_suite.ts";

describeWithS3("S3Target", (server) => {
  let prefixes = 0;

  testTarget(() => {
    const prefix = `lake-${prefixes++}`;
    const { address, environment, folder } = server();
    return Promise.resolve({
      open: () => openTarget(`${address}/${prefix}/`, (name) => environment[name]),
      folder: `${folder}/${prefix}`,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  });

  it("shows its address without a slash at the end", async () => {
    const { address, environment } = server();
    using target = await openTarget(`${address}/lake/`, (name) => environment[name]);
    assertEquals(target.address, `${address}/lake`);
    using whole = await openTarget(address, (name) => environment[name]);
    assertEquals(whole.address, address);
  });

  it("recognises its own manifest if the answer to its request was lost", async () => {
    const { address, environment, endpoint } = server();
    await using network = startFaultyS3(endpoint);
    const variables = { ...environment, AWS_ENDPOINT_URL: network.endpoint };
    using target = await openTarget(
      `${address}/lost`,
      (name) => variables[name as keyof typeof variables],
    );
    network.faults.push({ on: "PUT", what: "lost" });
    assertEquals(await target.replace("a.json", "one", undefined), true);
    assertEquals(network.faults, []);
    assertEquals(network.requests.filter((method) => method === "PUT").length, 2);
    assertEquals((await target.read("a.json"))?.text, "one");
  });
});

describe("openTarget", () => {
  it("refuses an address with keys in it, and does not show it", async () => {
    const error = await assertRejects(
      () => openTarget("s3://me:secret@bucket/lake", () => "x"),
      ConfigurationError,
    );
    assertEquals(error.message.includes("secret@"), false);
  });
});
