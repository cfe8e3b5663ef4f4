import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { DamagedFileError } from "../../../src/disk/files.ts";
import { S3Files } from "../../../src/machines/s3/s3_files.ts";
import { openBucket } from "../../../src/machines/s3/open_bucket.ts";
import { streamSlice } from "../../../src/service/responses/stream_slice.ts";
import { isPassing, PassingError } from "../../../src/storage/failures/is_passing.ts";
import { describeWithS3 } from "../../_s3.ts";
import { type FaultyS3, startFaultyS3 } from "./_faulty_s3.ts";

const bytes = new Uint8Array(1_300_000).map((_, i) => i * i % 253);

describeWithS3("an object store behind a faulty network", (server) => {
  let network: FaultyS3;
  let files: S3Files;
  let name: string;

  const open = async (variables: Readonly<Record<string, string | undefined>> = {}) => {
    const environment: Record<string, string | undefined> = {
      ...server().environment,
      AWS_ENDPOINT_URL: network.endpoint,
      ...variables,
    };
    const patience = { attempt: 300, whole: 1000 };
    return new S3Files(
      await openBucket(`${server().address}/faulty`, (key) => environment[key], patience),
    );
  };
  const read = async (from = 0, to = bytes.length) => {
    const file = (await files.findSound(name))!;
    return await new Response(streamSlice(file, from, to)).bytes();
  };

  beforeEach(async () => {
    network = startFaultyS3(server().endpoint);
    files = await open();
    name = await files.put(bytes, "bin");
    await files.find(name); // verified once; later parts are read again
    network.requests.length = 0;
  });
  afterEach(async () => {
    files.close();
    await network[Symbol.asyncDispose]();
  });

  for (const fault of ["busy", "reset", "stall", "cut", "flip", "drip"] as const) {
    it(`answers with the same bytes despite a fault in a part: ${fault}`, async () => {
      network.faults.push({ on: "GET", what: fault });
      assertEquals(await read(), bytes);
      assertEquals(network.faults, []);
      network.faults.push({ on: "GET", what: fault });
      assertEquals(await read(300_000, 1_250_000), bytes.slice(300_000, 1_250_000));
    });

    it(`verifies a file for the first time despite a fault: ${fault}`, async () => {
      const other = await open();
      try {
        network.faults.push({ on: "GET", what: fault });
        assertEquals(await other.read(name), bytes);
      } finally {
        other.close();
      }
    });
  }

  for (const fault of ["busy", "reset", "stall"] as const) {
    it(`finds, stores and removes files despite a fault: ${fault}`, async () => {
      const content = new TextEncoder().encode(fault);
      network.faults.push({ on: "HEAD", what: fault }, { on: "PUT", what: fault });
      const stored = await files.put(content, "txt");
      assertEquals(await files.read(stored), content);
      network.faults.push({ on: "DELETE", what: fault }, { on: "GET", what: fault });
      assertEquals(await files.removeOlder(stored, Date.now() + 60_000), true);
      assertEquals((await files.names()).includes(stored), false);
      assertEquals(network.faults, []);
    });
  }

  for (
    const [fault, problem] of [
      ["busy", /the store answered 503/],
      ["reset", /ECONNRESET|socket hang up/],
      ["stall", /the request took more than 0.3 s/],
    ] as const
  ) {
    it(`reports a passing error if the fault lasts: ${fault}`, async () => {
      network.faults.push({ on: "HEAD", what: fault, always: true });
      const error = await assertRejects(() => files.find(name), PassingError);
      assert(isPassing(error));
      assertMatch(error.message, problem);
      assertMatch(
        error.message,
        new RegExp(`^Cannot check s3://vindkit/faulty/${name}: all attempts in 1 s failed\\. `),
      );
    });
  }

  for (
    const [label, kind] of [
      ["busy", PassingError],
      ["cut", PassingError],
      ["flip", DamagedFileError],
    ] as const
  ) {
    it(`never completes an answer whose rest is missing: ${label}`, async () => {
      const file = (await files.find(name))!;
      const reader = streamSlice(file, 0, bytes.length).getReader();
      let length = (await reader.read()).value!.length;
      network.faults.push({ on: "GET", what: label, always: true });
      await assertRejects(async () => {
        for (let part; !(part = await reader.read()).done;) length += part.value.length;
      }, kind);
      assert(length < bytes.length);
    });
  }

  it("never mixes two contents of one name", async () => {
    const rendered = `${name}.UTC.csv`;
    await files.write(rendered, bytes);
    const file = (await files.find(rendered))!;
    const reader = streamSlice(file, 0, bytes.length).getReader();
    await reader.read();
    await files.write(rendered, bytes.map((byte) => byte ^ 1));
    await assertRejects(
      async () => {
        while (!(await reader.read()).done);
      },
      Error,
      "it was replaced or removed during the read",
    );
  });

  it("H1: sends no byte of a file that was damaged in the store after its verification", async () => {
    const file = (await files.find(name))!;
    const path = `${server().folder}/faulty/${name}`;
    const stored = await Deno.readFile(path);
    stored[1_200_000] ^= 1;
    await Deno.writeFile(path, stored);
    const reader = streamSlice(file, 1_150_000, 1_250_000).getReader();
    await assertRejects(() => reader.read(), DamagedFileError);
    assertEquals(await files.isSound(name), false);
    await files.put(bytes, "bin");
    assertEquals(await read(), bytes);
  });

  it("reads from the store only the bytes that it sends, and finds a file once for an answer", async () => {
    await read(300_000, 300_100);
    assertEquals(network.requests, ["HEAD", "GET"]);
  });

  it("ends a request whose reader leaves", async () => {
    const file = (await files.find(name))!;
    network.faults.push({ on: "GET", what: "stall", always: true });
    const before = performance.now();
    const reader = streamSlice(file, 0, bytes.length).getReader();
    const part = reader.read();
    await reader.cancel();
    await part.catch(() => {});
    assert(performance.now() - before < 300, "it waited for the store");
  });

  it("ends retries when it is closed", async () => {
    network.faults.push({ on: "HEAD", what: "busy", always: true });
    const request = files.find(name);
    while (network.requests.length < 2) await new Promise((resolve) => setTimeout(resolve));
    files.close();
    await assertRejects(() => request, DOMException, "aborted");
  });

  it("shows no secret in a message", async () => {
    const secrets = ["vindkit-test", "secret-of-the-test", "wrong-secret", "token-of-a-session"];
    const problems: string[] = [];
    for (
      const variables of [
        { AWS_SECRET_ACCESS_KEY: "wrong-secret" },
        { AWS_ACCESS_KEY_ID: "nobody" },
        { AWS_SESSION_TOKEN: "token-of-a-session", AWS_SECRET_ACCESS_KEY: "wrong-secret" },
      ]
    ) {
      const error = await assertRejects(() => open(variables), ConfigurationError);
      problems.push(Deno.inspect(error));
    }
    assertMatch(problems[0], /the store answered 403 \(SignatureDoesNotMatch\)\. Check AWS_/);
    for (const secret of secrets) {
      assertEquals(problems.filter((text) => text.includes(secret)), []);
    }
  });
});

describe("openBucket()", () => {
  const variables: Record<string, string> = {
    AWS_ENDPOINT_URL: "http://127.0.0.1:1",
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret-of-mine",
  };
  for (
    const [label, address, changes, problem] of [
      [
        "an address without a bucket",
        "s3:///prefix",
        {},
        "does not have the form s3://bucket/prefix",
      ],
      ["no key", "s3://bucket", { AWS_ACCESS_KEY_ID: "" }, "AWS_ACCESS_KEY_ID is not set"],
      ["no secret", "s3://bucket", { AWS_SECRET_ACCESS_KEY: "" }, "AWS_SECRET_ACCESS_KEY is not"],
      [
        "no address",
        "s3://bucket",
        { AWS_ENDPOINT_URL: "localhost" },
        "does not begin with https://",
      ],
      [
        "no certificates",
        "s3://bucket",
        { AWS_CA_BUNDLE: "/nowhere" },
        "/nowhere of AWS_CA_BUNDLE",
      ],
    ] as const
  ) {
    it(`refuses ${label}, with a message`, async () => {
      const all = { ...variables, ...changes } as Record<string, string>;
      const error = await assertRejects(
        () => openBucket(address, (name) => all[name]),
        ConfigurationError,
        problem,
      );
      assertEquals(error.message.includes("secret-of-mine"), false);
    });
  }
});
