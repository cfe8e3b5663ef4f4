/**
 * A fake Climate Data Store on loopback, as ../shared/SOURCES.md 1 and 2 describe it: the API on one port and its files
 * on another, so a key sent with a download is noticed. Its weather is SYNTHETIC unless a test sets other values. Tests
 * add faults to `faults`.
 *
 * @module
 */
import { zipSync } from "fflate";
import { sha256 } from "../../src/disk/hashes.ts";
import { connect, type Connection } from "../../src/client/connection/connection.ts";
import {
  HOUR,
  makeGridNetcdf,
  makePointCsv,
  makeValue,
  SHORT_NAMES,
  type ValueOf,
} from "./_era5_data.ts";

/** The key of the fake server. */
export const CDS_KEY = "0c5a7c1d-canary-4e6b-9d21-5f0a77aa31c2";

/** Dataset of a point. */
export const POINT = "reanalysis-era5-single-levels-timeseries";

/** Dataset of a grid. */
export const GRID = "reanalysis-era5-single-levels";

/** Subject of a request. */
export type CdsRoute =
  | "process"
  | "submit"
  | "jobs"
  | "job"
  | "results"
  | "delete"
  | "file"
  | "other";

/** A fault that happens once. */
export interface CdsFault {
  readonly on: CdsRoute;
  /** Number of requests of this kind before the fault. */
  readonly after?: number;
  /** Whether the request takes effect before its answer is lost. */
  readonly late?: boolean;
  /** Creates the answer; for a file, the bytes sent before it breaks off. */
  readonly answer: (() => Response) | {
    readonly cutAfter: number;
    readonly then?: () => Promise<void>;
  };
}

/** A received request. */
export interface CdsSeen {
  readonly route: CdsRoute;
  readonly key: string | null;
  readonly authorization: string | null;
  readonly range: string | null;
  readonly path: string;
}

interface Job {
  readonly id: string;
  readonly dataset: string;
  readonly inputs: Inputs;
  readonly created: string;
  /** States at the next polls; the last one stays. */
  readonly states: string[];
  readonly reason: string;
  results: "ready" | "early" | "expired";
  /** Number of job lists that still omit it. */
  hidden: number;
}

type Inputs = Readonly<Record<string, unknown>>;

/** The fake server, with its present behaviour. */
export interface CdsServer {
  /** Root of the API. */
  readonly url: string;
  /** Origin of the files. */
  readonly files: string;
  readonly seen: CdsSeen[];
  readonly jobs: Map<string, Job>;
  /** Accepted requests. */
  readonly submitted: { readonly dataset: string; readonly inputs: Inputs }[];
  readonly faults: CdsFault[];
  /** States of the next jobs; without an entry, a job succeeds. */
  readonly plans: { states: readonly string[]; reason?: string; results?: Job["results"] }[];
  readonly home: string;
  readonly connection: Connection;
  licenceAccepted: boolean;
  /** Largest cost: variables times hours. */
  limit: number;
  /** Packing of the file: "many" is a zip with additional members. */
  packed: "zip" | "bare" | "many";
  /** Number of job lists that omit the next job, because it may be listed late. */
  hidden: number;
  /** Whether a repeated request gives the same file, as in the store for a while. */
  cached: boolean;
  /** Whether the address of the file is relative, so the file is on the API's host. */
  relative: boolean;
  /** Contents of the next files instead of the right ones. */
  readonly wrongFiles: Uint8Array<ArrayBuffer>[];
  /** First instant without data: later days are cut silently, and a request that begins later fails. */
  end: number;
  /** First instant of preliminary data. */
  finalUntil: number;
  valueOf: ValueOf;
}

/** Builds an error document. */
export function problem(
  status: number,
  title: string,
  detail = title,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { type: title, title, status, detail, instance: "i-1", trace_id: "t-1", ...more };
  return Response.json(body, { status, headers });
}

function list(value: unknown): string[] {
  return [value].flat().map(String);
}

/** Lists the requested hours, some of which may be missing. */
function listHours(dataset: string, inputs: Inputs): [from: number, end: number] | number[] {
  if (dataset === POINT) {
    const [from, to] = list(inputs.date)[0].split("/");
    return [Date.parse(`${from}T00:00Z`), Date.parse(`${to}T00:00Z`) + 24 * HOUR];
  }
  // Years, months and days are combined; impossible dates such as 30 February are left out.
  const days = list(inputs.year).flatMap((year) =>
    list(inputs.month).flatMap((month) => list(inputs.day).map((day) => `${year}-${month}-${day}`))
  ).filter((day) => new Date(`${day}T00:00Z`).toISOString().startsWith(day));
  return days.flatMap((day) => list(inputs.time).map((time) => Date.parse(`${day}T${time}Z`)));
}

/** Finds a problem in the inputs of a request; empty without one. */
function findWrongInput(dataset: string, inputs: Inputs): string {
  const { variable, data_format, ...more } = inputs;
  const known = list(variable).every((name) => SHORT_NAMES[name]);
  const two = (text: string) => /^\d\d$/.test(text);
  const checks: Readonly<Record<string, boolean>> = dataset === POINT
    ? {
      data_format: data_format === "csv",
      location: Object.keys(more.location ?? {}).sort().join() === "latitude,longitude",
      date: list(more.date).every((text) => /^\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d$/.test(text)),
    }
    : {
      data_format: data_format === "netcdf",
      product_type: list(more.product_type).join() === "reanalysis",
      download_format: more.download_format === "unarchived",
      year: list(more.year).every((text) => /^\d{4}$/.test(text)),
      month: list(more.month).every(two),
      day: list(more.day).every(two),
      time: list(more.time).every((text) => /^\d\d:00$/.test(text)),
      area: list(more.area).length === 4,
    };
  const names = ["variable", ...Object.keys({ ...checks, data_format })];
  return Object.keys(inputs).find((name) => !names.includes(name)) ??
    Object.keys(checks).find((name) => !checks[name]) ?? (known ? "" : "variable");
}

function costOf(dataset: string, inputs: Inputs): number {
  const hours = listHours(dataset, inputs);
  const count = dataset === POINT ? (hours[1] - hours[0]) / HOUR : hours.length;
  return count * list(inputs.variable).length;
}

/** Fixed, so archives of the same content have the same bytes. */
const ZIPPED = { mtime: "2026-11-01" };

async function makeFile(server: CdsServer, { dataset, inputs }: Job) {
  const variable = list(inputs.variable);
  if (dataset === POINT) {
    const [from, end] = listHours(dataset, inputs);
    const { latitude, longitude } = inputs.location as { latitude: number; longitude: number };
    const near = (value: number) => Math.round(value * 4) / 4;
    const csv = new TextEncoder().encode(makePointCsv({
      variable,
      latitude: near(latitude),
      longitude: near(longitude),
      from,
      end: Math.min(end, server.end),
    }, server.valueOf));
    const other = new TextEncoder().encode("valid_time,swh,latitude,longitude\n");
    return server.packed === "bare" ? csv : zipSync({
      ...server.packed === "many" ? { [`${POINT}-wav0a1b2c3d.csv`]: other } : {},
      [`${POINT}-sfca1b2c3d4.csv`]: csv,
    }, ZIPPED);
  }
  const [north, west, south, east] = inputs.area as number[];
  const span = (low: number, high: number) =>
    Array.from({ length: Math.round((high - low) * 4) + 1 }, (_, i) => low + i / 4);
  const netcdf = await makeGridNetcdf({
    variable,
    latitudes: span(south, north).reverse(),
    longitudes: span(west, east),
    hours: listHours(dataset, inputs).filter((at) => at < server.end),
    finalUntil: server.finalUntil,
  }, server.valueOf);
  return server.packed === "bare" ? netcdf : zipSync({
    ...server.packed === "many" ? { "data_stream-oper_stepType-accum.nc": new Uint8Array(9) } : {},
    "data_stream-oper_stepType-instant.nc": netcdf,
  }, ZIPPED);
}

function findRoute(method: string, path: string): CdsRoute {
  if (/^\/cache\//.test(path)) return "file";
  if (/\/processes\/[^/]+$/.test(path)) return "process";
  if (/\/execution$/.test(path)) return "submit";
  if (/\/jobs$/.test(path)) return "jobs";
  if (/\/jobs\/[^/]+\/results$/.test(path)) return "results";
  if (/\/jobs\/[^/]+$/.test(path)) return method === "DELETE" ? "delete" : "job";
  return "other";
}

function describeJob(server: CdsServer, job: Job, query: URLSearchParams): Response {
  const status = job.states.length > 1 ? job.states.shift()! : job.states[0];
  const href = `${server.url}/retrieve/v1/jobs/${job.id}`;
  const done = ["successful", "failed"].includes(status);
  const request = query.has("request") ? { request: { ids: job.inputs } } : {};
  const log = query.has("log")
    ? { log: [[job.created, "WARNING: The 2021 autumn may change"]] }
    : {};
  return Response.json({
    processID: job.dataset,
    type: "process",
    jobID: job.id,
    status,
    created: job.created,
    updated: job.created,
    ...(status === "accepted" ? {} : { started: job.created }),
    ...(done ? { finished: job.created } : {}),
    links: [
      { href, rel: "self" },
      ...(done ? [{ href: `${href}/results`, rel: "results" }] : []),
    ],
    metadata: {
      ...request,
      ...log,
      datasetMetadata: {
        messages: [{ date: job.created, severity: "info", content: "Experimental" }],
      },
    },
  });
}

/** Reason of the failure if the first hour is not published yet. */
const EMBARGO = "ValueError: None of the data you have requested is available yet";

function submit(server: CdsServer, dataset: string, inputs: Inputs): Response {
  if (!server.licenceAccepted) {
    const detail = "Not all the required licences have been accepted; please visit " +
      `${server.url.replace("/api", "")}/datasets/${dataset}?tab=download#manage-licences ` +
      "to accept the required licence(s).";
    return problem(403, "required licences not accepted", detail);
  }
  if (costOf(dataset, inputs) > server.limit) {
    const detail = "Your request is too large, please reduce your selection.";
    return problem(403, "cost limits exceeded", detail);
  }
  const wrong = findWrongInput(dataset, inputs);
  if (wrong) return problem(400, "invalid request", `${wrong}: not in the constraints`);
  const id = crypto.randomUUID();
  const created = new Date().toISOString().slice(0, -1); // UTC, without a zone
  const plan = server.plans.shift() ??
    (listHours(dataset, inputs)[0] < server.end
      ? { states: ["accepted", "running", "successful"] }
      : { states: ["accepted", "failed"], reason: EMBARGO });
  const { states, reason = "", results = "ready" } = plan;
  const { hidden } = server;
  server.hidden = 0;
  const job = { id, dataset, inputs, created, states: [...states], reason, results, hidden };
  server.jobs.set(id, job);
  server.submitted.push({ dataset, inputs });
  const href = `${server.url}/retrieve/v1`;
  const links = [
    { href: `${href}/processes/${dataset}/execution`, rel: "self" },
    { href: `${href}/jobs/${id}`, rel: "monitor" },
  ];
  const metadata = { datasetMetadata: { messages: [] } };
  const answer = { processID: dataset, type: "process", jobID: id, status: "accepted", created };
  return Response.json({ ...answer, updated: created, links, metadata }, {
    status: 201,
    headers: { location: `${href}/jobs/${id}` },
  });
}

async function sendResults(server: CdsServer, job: Job, files: Map<string, Uint8Array>) {
  const [state] = job.states;
  if (state === "failed" || state === "rejected") {
    return problem(400, "job results failed", "", { traceback: job.reason });
  }
  if (state !== "successful" || job.results === "early") {
    job.results = "ready";
    return problem(404, "result not ready", "", { type: "…/result-not-ready" });
  }
  if (job.results === "expired") return problem(404, "results expired");
  const key = server.cached ? JSON.stringify([job.dataset, job.inputs]) : job.id;
  const bytes = server.wrongFiles.shift() ?? files.get(key) ?? await makeFile(server, job);
  // Each call returns another address, so a download continues under another one.
  const ending = server.packed === "bare" ? "csv" : "zip";
  const name = `/cache/2026-11-01/${job.id}-${files.size}.${ending}`;
  files.set(key, bytes).set(name, bytes);
  const size = bytes.length;
  return Response.json({
    asset: {
      value: {
        type: server.packed === "bare" ? "text/csv" : "application/zip",
        href: server.relative ? `../../../../..${name}` : server.files + name,
        "file:size": size,
        "file:checksum": "d41d8cd98f00b204e9800998ecf8427", // without its leading zero
        "file:local_path": `s3:/${name}`,
      },
    },
  });
}

async function answerApi(
  server: CdsServer,
  request: Request,
  files: Map<string, Uint8Array>,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const route = findRoute(request.method, pathname);
  const parts = pathname.split("/");
  if (route === "file") return sendFile(files, pathname, request);
  if (pathname.startsWith("/api/resources")) return problem(404, "not found");
  if (route === "process") {
    const [id] = parts.slice(-1);
    return [POINT, GRID].includes(id)
      ? Response.json({ id, links: [] })
      : problem(404, "process not found", "", { type: "…/no-such-process" });
  }
  if (pathname === "/api/catalogue/v1/messages") return Response.json({ messages: [] });
  const key = request.headers.get("private-token");
  if (key === null) return problem(401, "operation not permitted", "authentication required");
  if (key !== CDS_KEY) return problem(401, "Authentication failed");
  if (route === "submit") {
    return submit(server, parts.at(-2)!, (await request.json()).inputs);
  }
  if (route === "jobs") {
    const jobs = [...server.jobs.values()].filter((job) => job.hidden-- <= 0).map((job) => ({
      processID: job.dataset,
      jobID: job.id,
      type: "process",
      status: job.states[0],
      created: job.created,
    }));
    if (searchParams.get("sortby") === "-created") jobs.reverse();
    const listed = jobs.slice(0, Number(searchParams.get("limit") ?? 10));
    return Response.json({ jobs: listed, links: [] });
  }
  const id = parts.at(route === "results" ? -2 : -1)!;
  const job = server.jobs.get(id);
  if (!job) return problem(404, "job not found", "", { type: "…/no-such-job" });
  if (route === "results") return await sendResults(server, job, files);
  if (route === "job") return describeJob(server, job, searchParams);
  if (route === "delete") {
    server.jobs.delete(id);
    return Response.json({ processID: job.dataset, jobID: id, status: "dismissed" });
  }
  return problem(404, "not found");
}

function sendFile(files: Map<string, Uint8Array>, path: string, request: Request): Response {
  const bytes = files.get(path);
  if (!bytes) return new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 });
  const etag = `"${sha256(bytes).slice(0, 31)}"`;
  const range = /^bytes=(\d+)-$/.exec(request.headers.get("range") ?? "");
  const condition = request.headers.get("if-range");
  const from = range && (condition === null || condition === etag) ? Number(range[1]) : 0;
  const body = bytes.slice(from) as Uint8Array<ArrayBuffer>;
  const headers = { etag, "content-length": String(body.length) };
  if (from === 0) return new Response(body, { headers });
  const part = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  return new Response(body, { status: 206, headers: { ...headers, "content-range": part } });
}

/** Sends the start of an answer, then breaks off. */
async function cut(
  response: Response,
  bytes: number,
  then?: () => Promise<void>,
): Promise<Response> {
  const content = new Uint8Array(await response.arrayBuffer());
  let sent = false;
  const body = new ReadableStream({
    async pull(controller) {
      if (sent) {
        await then?.();
        return controller.close(); // fewer bytes than announced
      }
      controller.enqueue(content.slice(0, bytes));
      sent = true;
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Runs a test with a fake server without jobs. */
export async function withCds(body: (server: CdsServer) => Promise<void>): Promise<void> {
  const files = new Map<string, Uint8Array>();
  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const route = findRoute(request.method, pathname);
    const { headers } = request;
    server.seen.push({
      route,
      key: headers.get("private-token"),
      authorization: headers.get("authorization"),
      range: headers.get("range"),
      path: pathname,
    });
    const same = server.seen.filter((one) => one.route === route).length - 1;
    const i = server.faults.findIndex(({ on, after = 0 }) => on === route && same >= after);
    if (i < 0) return await answerApi(server, request, files);
    const [{ answer, late }] = server.faults.splice(i, 1);
    if (typeof answer !== "function") {
      return await cut(await answerApi(server, request, files), answer.cutAfter, answer.then);
    }
    if (late) await answerApi(server, request, files);
    return answer();
  };
  const how = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const api = Deno.serve(how, handle);
  const store = Deno.serve(how, handle);
  const home = await Deno.makeTempDir();
  const server: CdsServer = {
    url: `http://127.0.0.1:${api.addr.port}/api`,
    files: `http://127.0.0.1:${store.addr.port}`,
    seen: [],
    jobs: new Map(),
    submitted: [],
    faults: [],
    plans: [],
    home,
    connection: connect({ sample: true, home }),
    licenceAccepted: true,
    limit: 60_000,
    packed: "zip",
    hidden: 0,
    cached: false,
    relative: false,
    wrongFiles: [],
    end: Infinity,
    finalUntil: Infinity,
    valueOf: makeValue,
  };
  try {
    await body(server);
  } finally {
    await server.connection.close();
    await Promise.all([api.shutdown(), store.shutdown()]);
    await Deno.remove(home, { recursive: true });
  }
}
