/**
 * The protocol of the Climate Data Store, with a test for each line of ../shared/SOURCES.md 1, against the fake server
 * of `_cds_server.ts`. Lines marked [U] there are not proven here either.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  CancelledError,
  DataFormatError,
  LicenceError,
  NetworkError,
  NoAccessError,
  NotFoundError,
  OrderFailedError,
  OrderUncertainError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
} from "../../src/api/errors.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { type Era5Status, getEra5 } from "../../src/era5/era5.ts";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { PartFile } from "../../src/client/orders/fetch_file.ts";
import { orders } from "../../src/client/orders/orders.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import {
  AT_ONCE,
  countRoute,
  environmentOf,
  finishJobs,
  getTwoMonths,
  listRoutes,
  stopWhileRunning,
} from "./_cds_call.ts";
import { CDS_KEY, type CdsServer, GRID, POINT, problem, withCds } from "./_cds_server.ts";

/** Hours of January and February 2023. */
const HOURS = 59 * 24;

/** Builds an answer that asks for an immediate retry, so tests do not wait. */
function unavailable(status: number): () => Response {
  return () =>
    new Response("<html>Bad Gateway</html>", { status, headers: { "retry-after": "0" } });
}

function listStates({ home }: CdsServer): string[] {
  return new Ledger(home).listEntries().map(({ state }) => state);
}

describe("SOURCES 1: the root and the key", () => {
  it("the key is only in the header PRIVATE-TOKEN", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server);
      const withKey = server.seen.filter(({ key }) => key === CDS_KEY).map(({ route }) => route);
      assertEquals(withKey, ["submit", "job", "job", "job", "results", "delete"]);
      assert(server.seen.every(({ authorization }) => authorization === null));
    });
  });

  it("the key is never sent to the host of the file, which is another origin", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server);
      const files = server.seen.filter(({ route }) => route === "file");
      assertEquals(files.map(({ key }) => key), [null]);
    });
  });

  it("the key is not sent for a file with a relative address, on the host of the API", async () => {
    await withCds(async (server) => {
      server.relative = true;
      assertEquals((await getTwoMonths(server)).height, HOURS);
      const files = server.seen.filter(({ route }) => route === "file");
      assertEquals(files.map(({ key }) => key), [null]);
    });
  });

  it("a wrong key is 401 with the title Authentication failed, and is shown nowhere", async () => {
    await withCds(async (server) => {
      const [key, { connection, url }] = ["wrong-canary-key-7c1d", server];
      const error = await assertRejects(
        () =>
          getEra5(
            { latitude: 55.4, longitude: 7.9, from: 2023, to: 2023, connection },
            environmentOf({ CDSAPI_URL: url, CDSAPI_KEY: key }),
          ),
        LicenceError,
        "Authentication failed (HTTP status 401). Check the key in CDSAPI_KEY",
      );
      assert(!`${error.stack}${JSON.stringify(error)}`.includes(key));
      assert(!JSON.stringify(new Ledger(server.home).listEntries()).includes(key));
      assertEquals(listStates(server), ["refused"]);
    });
  });

  it("an answer that repeats the key is rejected and not quoted", async () => {
    await withCds(async (server) => {
      server.faults.push({ on: "job", answer: () => Response.json({ echo: CDS_KEY }) });
      const error = await assertRejects(() => getTwoMonths(server), DataFormatError, "your key");
      assert(!error.message.includes(CDS_KEY));
    });
  });

  it("a host that is neither the store's nor listed gets no request", async () => {
    await withCds(async (server) => {
      const value = { href: "http://files.example.com/a.zip" };
      server.faults.push({ on: "results", answer: () => Response.json({ asset: { value } }) });
      await assertRejects(
        () => getTwoMonths(server),
        NetworkError,
        "Add http://files.example.com to downloadOrigins",
      );
    });
  });
});

describe("SOURCES 1: refusals, distinguished by their titles", () => {
  it("403 required licences not accepted names the page to accept them", async () => {
    await withCds(async (server) => {
      server.licenceAccepted = false;
      await assertRejects(
        () => getTwoMonths(server),
        NoAccessError,
        `/datasets/${POINT}?tab=download#manage-licences, accept the licence there once`,
      );
      assertEquals(listStates(server), ["refused"]);
      server.licenceAccepted = true;
      assertEquals((await getTwoMonths(server)).height, HOURS);
    });
  });

  it("403 cost limits exceeded is split into halves", async () => {
    await withCds(async (server) => {
      server.limit = 6 * 24 * 31;
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals(server.submitted.map(({ inputs }) => inputs.date), [
        ["2023-01-01/2023-01-31"],
        ["2023-02-01/2023-02-28"],
      ]);
      assertEquals(listStates(server), ["refused", "delivered", "delivered"]);
    });
  });

  it("403 cost limits exceeded for a single month is an error", async () => {
    await withCds(async (server) => {
      server.limit = 10;
      await assertRejects(
        () => getTwoMonths(server),
        NoAccessError,
        "Request one point instead of four",
      );
    });
  });

  it("E2: 403 cost limits exceeded is recognized by its title, even if all else is absent or null", async () => {
    const rests: Readonly<Record<string, null>>[] = [{}, { detail: null, traceback: null }];
    for (const fields of rests) {
      await withCds(async (server) => {
        const title = "cost limits exceeded";
        const answer = () => Response.json({ type: title, title, ...fields }, { status: 403 });
        server.faults.push({ on: "submit", answer });
        assertEquals((await getTwoMonths(server)).height, HOURS);
        assertEquals(server.submitted.length, 2);
      });
    }
  });

  it("400 invalid request is refused at submission, with its detail", async () => {
    await withCds(async (server) => {
      const answer = () => problem(400, "invalid request", "variable: not in the constraints");
      server.faults.push({ on: "submit", answer });
      await assertRejects(
        () => getTwoMonths(server),
        ArgumentError,
        "not in the constraints (HTTP status 400)",
      );
      assertEquals(listStates(server), ["refused"]);
    });
  });

  it("404 no-such-process states what to check", async () => {
    await withCds(async (server) => {
      server.faults.push({ on: "submit", answer: () => problem(404, "process not found") });
      await assertRejects(() => getTwoMonths(server), NotFoundError, "CDSAPI_URL");
    });
  });
});

describe("SOURCES 1: the cost of a request", () => {
  it("M9: a year of four points is one request, halved until the store accepts it", async () => {
    for (const [limit, wanted] of [[60_000, [12]], [30_000, [6, 6]]] as const) {
      await withCds(async (server) => {
        server.limit = limit;
        const frame = await getTwoMonths(server, { points: 4, from: 2022, to: 2022 });
        assertEquals(frame.height, 4 * 8760);
        assert(server.submitted.every(({ dataset }) => dataset === GRID));
        const months = server.submitted.map(({ inputs }) => (inputs.month as string[]).length);
        assertEquals(months, [...wanted]);
      });
    }
  });
});

describe("SOURCES 1: the states of a job", () => {
  it("accepted, running, successful: waits, downloads, and deletes the job", async () => {
    await withCds(async (server) => {
      const states: Era5Status[] = [];
      const frame = await getTwoMonths(server, { onStatus: (status) => states.push(status) });
      assertEquals(frame.height, HOURS);
      const request = { dataset: POINT, first: "2023-01", last: "2023-02" };
      assertEquals(
        states,
        ["accepted", "running", "successful"].map((state) => ({ state, ...request })),
      );
      const routes = ["submit", "job", "job", "job", "results", "file", "delete"];
      assertEquals<string[]>(listRoutes(server), routes);
      assertEquals(server.jobs.size, 0);
    });
  });

  it("an unknown state is shown, and the wait continues", async () => {
    await withCds(async (server) => {
      server.plans.push({ states: ["on holiday", "successful"] });
      assertEquals((await getTwoMonths(server)).height, HOURS);
    });
  });

  it("failed: 400 job results failed, with the reason in its traceback", async () => {
    await withCds(async (server) => {
      const reason = "ValueError: wrong variable";
      server.plans.push({ states: ["running", "failed"], reason });
      await assertRejects(
        () => getTwoMonths(server),
        OrderFailedError,
        `reports that the job failed (${reason})`,
      );
      assertEquals(listStates(server), ["failed"]);
      assertEquals(server.jobs.size, 0); // otherwise it would take a place in the queue
    });
  });

  it("E2: failed: the title is the reason if the document has nothing else", async () => {
    await withCds(async (server) => {
      server.plans.push({ states: ["failed"] });
      const document = { title: "job results failed", traceback: null };
      server.faults.push({ on: "results", answer: () => Response.json(document, { status: 400 }) });
      await assertRejects(
        () => getTwoMonths(server),
        OrderFailedError,
        "reports that the job failed (job results failed).",
      );
    });
  });

  it("rejected: its results are requested although there is no link to them", async () => {
    await withCds(async (server) => {
      server.plans.push({ states: ["rejected"], reason: "The request is not allowed" });
      await assertRejects(() => getTwoMonths(server), OrderFailedError, "is not allowed");
    });
  });

  it("queue full, a rejected job: waits and submits again", async () => {
    await withCds(async (server) => {
      const reason = "Number queued requests for this dataset is temporarily limited";
      server.plans.push({ states: ["rejected"], reason }, { states: ["rejected"], reason });
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals(listStates(server), ["failed", "failed", "delivered"]);
      assertEquals(server.jobs.size, 0);
    });
  });

  it("M4: queue full until the timeout: fails with the reason, and leaves no order", async () => {
    await withCds(async (server) => {
      const reason = "Number queued requests for this dataset is temporarily limited";
      server.plans.push({ states: ["rejected"], reason });
      const error = await assertRejects(
        () => getTwoMonths(server, { timeout: 60_000 }, { ...AT_ONCE, queue: 60_000 }),
        OrderFailedError,
        "temporarily limited). The queue is full. Try again later",
      );
      assert(!/placed|continue/.test(error.message));
      assertEquals([listStates(server), server.jobs.size], [["failed"], 0]);
    });
  });

  it("M2: the reason at the end of a long traceback is found and quoted", async () => {
    await withCds(async (server) => {
      const frames = 'File "/opt/cads/worker.py", line 1, in run\n'.repeat(40);
      const full = "Number queued requests for this dataset is temporarily limited";
      server.plans.push({ states: ["rejected"], reason: `${frames}RuntimeError: ${full}` });
      server.plans.push({ states: ["failed"], reason: `${frames}ValueError: no such variable` });
      await assertRejects(
        () => getTwoMonths(server),
        OrderFailedError,
        "ValueError: no such variable). Check",
      );
      assertEquals(countRoute(server, "submit"), 2);
    });
  });

  it("dismissed: submits again, twice at most", async () => {
    await withCds(async (server) => {
      server.plans.push({ states: ["dismissed"] });
      assertEquals((await getTwoMonths(server, { to: "2023-01" })).height, 744);
      const three = [1, 2, 3].map(() => ({ states: ["dismissed"] }));
      server.plans.push(...three);
      await assertRejects(
        () => getTwoMonths(server),
        OrderFailedError,
        "that it was dismissed. Repeat the call to request a new job",
      );
      assertEquals((await getTwoMonths(server)).height, HOURS);
    });
  });

  it("results too early, 404 result-not-ready: continues to wait", async () => {
    await withCds(async (server) => {
      server.plans.push({ states: ["successful"], results: "early" });
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals(countRoute(server, "submit"), 1);
    });
  });

  it("expired: the job stays successful, its results are 404: submits again", async () => {
    await withCds(async (server) => {
      server.plans.push({ states: ["successful"], results: "expired" });
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals(listStates(server), ["failed", "delivered"]);
    });
  });

  it("a file gone at its host: submits again", async () => {
    await withCds(async (server) => {
      server.faults.push({ on: "file", answer: () => new Response("gone", { status: 404 }) });
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals(countRoute(server, "submit"), 2);
    });
  });

  it("a deleted job is 404: submits again", async () => {
    await withCds(async (server) => {
      server.faults.push({ on: "job", answer: () => problem(404, "job not found") });
      assertEquals((await getTwoMonths(server)).height, HOURS);
    });
  });

  it("warnings of its log become notes of the frame", async () => {
    await withCds(async (server) => {
      const [{ notes }] = provenance(await getTwoMonths(server));
      assert(notes?.includes("The Climate Data Store says: WARNING: The 2021 autumn may change"));
    });
  });

  it("ends by the caller's signal and by the timeout; the order stays placed", async () => {
    await withCds(async (server) => {
      await stopWhileRunning(server);
      await assertRejects(
        () => getTwoMonths(server, { timeout: 1_000 }),
        TimeoutError,
        'after 1 s its status is still "running"',
      );
      assertEquals(listStates(server), ["placed"]);
      assertEquals(server.submitted.length, 1);
    });
  });

  it("M8: the timeout includes the wait for another process and the submission", async () => {
    await withCds(async (server) => {
      const { home, url } = server;
      {
        using _other = await PartFile.open(home, url);
        await assertRejects(
          () => getTwoMonths(server, { timeout: 1_000 }),
          TimeoutError,
          'after 1 s its status is still "waiting for another request of this computer"',
        );
      }
      const busy = () => problem(429, "rate limit exceeded", "", {}, { "retry-after": "30" });
      server.faults.push({ on: "submit", answer: busy });
      await assertRejects(
        () => getTwoMonths(server, { timeout: 1_000 }),
        TimeoutError,
        'after 1 s its status is still "sending"',
      );
      assertEquals(server.submitted.length, 0);
    });
  });
});

describe("SOURCES 1: 429, 502 and 503", () => {
  it("429 is retried after its Retry-After, also for a submission", async () => {
    await withCds(async (server) => {
      const busy = () => problem(429, "rate limit exceeded", "", {}, { "retry-after": "0" });
      for (const on of ["submit", "job", "results", "job"] as const) {
        server.faults.push({ on, answer: busy });
      }
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals(server.submitted.length, 1);
    });
  });

  it("a Retry-After of 17 s is respected", async () => {
    await withCds(async (server) => {
      const controller = new AbortController();
      const pauses: (number | undefined)[] = [];
      const connection = connect({
        sample: true,
        home: server.home,
        onRequest: ({ retryIn }) => {
          pauses.push(retryIn);
          if (retryIn) controller.abort(new Error("seen"));
        },
      });
      const busy = () => problem(429, "rate limit exceeded", "", {}, { "retry-after": "17" });
      server.faults.push({ on: "job", answer: busy });
      const { signal } = controller;
      const month = { to: "2023-01", connection, signal };
      await assertRejects(() => getTwoMonths(server, month), CancelledError);
      assertEquals(pauses, [undefined, 17_000]);
    });
  });

  it("endless 429 is an error after 20 tries, not after 500", async () => {
    await withCds(async (server) => {
      const busy = () => problem(429, "rate limit exceeded", "", {}, { "retry-after": "0" });
      for (let i = 0; i < 30; i++) server.faults.push({ on: "submit", answer: busy });
      await assertRejects(() => getTwoMonths(server), TooManyRequestsError, "rate limit exceeded");
      assertEquals([countRoute(server, "submit"), server.submitted.length], [20, 0]);
      assertEquals(listStates(server), ["refused"]);
    });
  });

  it("bursts of 502 and 503 in every step are retried", async () => {
    await withCds(async (server) => {
      for (const on of ["submit", "job", "results", "file", "delete"] as const) {
        server.faults.push({ on, answer: unavailable(502) }, { on, answer: unavailable(503) });
      }
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals([server.submitted.length, server.jobs.size], [1, 0]);
    });
  });

  it("a submission whose answer was lost is found among the jobs, not sent twice", async () => {
    await withCds(async (server) => {
      server.faults.push({ on: "submit", late: true, answer: unavailable(502) });
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals([countRoute(server, "submit"), countRoute(server, "jobs")], [1, 1]);
    });
  });

  it("if the jobs cannot be listed either, the next call searches before it sends", async () => {
    await withCds(async (server) => {
      server.faults.push({ on: "submit", late: true, answer: unavailable(502) });
      for (let i = 0; i < 3; i++) server.faults.push({ on: "jobs", answer: unavailable(503) });
      await assertRejects(() => getTwoMonths(server), OrderUncertainError, "looks for the job");
      assertEquals(listStates(server), ["sent"]);
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals([server.submitted.length, listStates(server)], [1, ["delivered"]]);
    });
  });

  it("an unreachable service received nothing, so the request is not uncertain", async () => {
    await withCds(async (server) => {
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const url = `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}/api`;
      listener.close();
      const month = { to: "2023-01" };
      await assertRejects(() => getTwoMonths({ ...server, url }, month), NetworkError);
      assertEquals(listStates(server), ["refused"]);
    });
  });

  it("a service that stays unreachable is an error, and the order stays placed", async () => {
    await withCds(async (server) => {
      for (let i = 0; i < 60; i++) server.faults.push({ on: "job", answer: unavailable(502) });
      await assertRejects(() => getTwoMonths(server), ServiceError, "the store answered 502");
      assertEquals([countRoute(server, "job"), listStates(server)], [30, ["placed"]]);
      server.faults.length = 0;
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals(server.submitted.length, 1);
    });
  });
});

describe("SOURCES 1: the file", () => {
  it("an interrupted download continues by Range", async () => {
    await withCds(async (server) => {
      server.packed = "bare";
      server.faults.push({ on: "file", answer: { cutAfter: 1_000 } });
      assertEquals((await getTwoMonths(server)).height, HOURS);
      const ranges = server.seen.filter(({ route }) => route === "file").map(({ range }) => range);
      assertEquals(ranges, [null, "bytes=1000-"]);
    });
  });

  it("an interrupted download also continues in the next call", async () => {
    await withCds(async (server) => {
      server.faults.push({ on: "file", answer: { cutAfter: 1_000 } });
      for (let i = 0; i < 3; i++) server.faults.push({ on: "file", answer: unavailable(503) });
      await assertRejects(() => getTwoMonths(server), ServiceError, "503");
      assertEquals((await getTwoMonths(server)).height, HOURS);
      const ranges = server.seen.filter(({ route }) => route === "file").map(({ range }) => range);
      assertEquals(ranges, [null, ...Array(4).fill("bytes=1000-")]);
      assertEquals(server.submitted.length, 1);
    });
  });

  const wrong: Readonly<Record<string, (server: CdsServer) => void>> = {
    "is of another size than was stated": (server) => {
      const value = { href: `${server.files}/cache/x.zip`, "file:size": 7 };
      server.faults.push(
        { on: "results", answer: () => Response.json({ asset: { value } }) },
        { on: "file", answer: () => new Response("12345") },
      );
    },
    "is damaged": (server) => {
      server.wrongFiles.push(new TextEncoder().encode("PK\x03\x04 this is no archive"));
    },
    "is a page": (server) => {
      server.wrongFiles.push(new TextEncoder().encode("<html>Please log in</html>"));
    },
  };
  for (const [label, damage] of Object.entries(wrong)) {
    it(`E4: that ${label} is not stored, and is requested again once`, async () => {
      await withCds(async (server) => {
        damage(server);
        assertEquals((await getTwoMonths(server)).height, HOURS);
        assertEquals(listStates(server), ["failed", "delivered"]);
        assertEquals(server.jobs.size, 0);
      });
    });
  }

  it("E4: that is damaged twice is an error, and the next call requests it again", async () => {
    await withCds(async (server) => {
      const page = new TextEncoder().encode("<html>Please log in</html>");
      server.wrongFiles.push(page, page);
      await assertRejects(() => getTwoMonths(server), DataFormatError, "to request a new file");
      assertEquals(listStates(server), ["failed", "failed"]);
      assertEquals((await getTwoMonths(server)).height, HOURS);
    });
  });

  it("its checksum is only a hint: one without its leading zero is accepted", async () => {
    await withCds(async (server) => assertEquals((await getTwoMonths(server)).height, HOURS));
  });
});

describe("the ledger of requests", () => {
  it("has a request before it is sent, and shows it in orders()", async () => {
    await withCds(async (server) => {
      const states: string[] = [];
      server.faults.push({
        on: "submit",
        answer: () => {
          states.push(...listStates(server));
          return problem(400, "invalid request");
        },
      });
      await assertRejects(() => getTwoMonths(server), ArgumentError);
      assertEquals(states, ["sent"]);
      const [row] = orders({ connection: server.connection }).toRecords();
      assertEquals([row.dataset, row.latitude, row.longitude], [POINT, 55.5, 8]);
    });
  });

  it("says that the same call continues an open request", async () => {
    await withCds(async (server) => {
      await stopWhileRunning(server);
      const text = Deno.inspect(orders({ connection: server.connection }));
      assertStringIncludes(text, "Entry 1 is open: the same call of era5() continues it");
      assert(!text.includes("attachOrder"));
      assert(!text.includes("SYNTHETIC")); // L7: the test's connection is the sample, but its orders are real
    });
  });

  it("two calls at once send one request, and both get its hours", async () => {
    await withCds(async (server) => {
      const [a, b] = await Promise.all([getTwoMonths(server), getTwoMonths(server)]);
      assertEquals([a.height, b.height], [HOURS, HOURS]);
      assertEquals([server.submitted.length, countRoute(server, "file")], [1, 1]);
    });
  });

  it("two turbines of a cell need only one request", async () => {
    await withCds(async (server) => {
      await getTwoMonths(server);
      const before = server.seen.length;
      const other = await getTwoMonths(server, { latitude: 55.45, longitude: 7.95 });
      assertEquals([other.height, server.seen.length], [HOURS, before]);
      const offline = await getTwoMonths(server, { cache: "only" });
      assertEquals(offline.height, HOURS);
    });
  });

  it("an order placed before is joined", async () => {
    await withCds(async (server) => {
      await stopWhileRunning(server);
      finishJobs(server);
      assertEquals((await getTwoMonths(server)).height, HOURS);
      assertEquals([server.submitted.length, listStates(server)], [1, ["delivered"]]);
    });
  });
});
