import { sha256 } from "../../src/disk/hashes.ts";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { DATABASE, FILES_FOLDER } from "../../src/storage/data_directory.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { addLicence } from "../../src/service/licences/licence_book.ts";
import { buildPath, listPaths, ORDERED } from "../service/_answers.ts";
import { importFile, makeSite } from "../sites/_site.ts";
import type { Places } from "./_damages.ts";
import { pause, ServiceProcess } from "./_processes.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

/** Longest time for an answer, for a start and for an end, ms. */
export const DEADLINE = 20_000;

/** Fixed, because addresses of orders must not depend on the port. */
export const PUBLIC_URL = "http://127.0.0.1:1";

const MONTHS = ["2023-05", "2024-02"];

/** A request, and the files it needs outside of the database. */
interface Question {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it needs a series of climate. */
  readonly needsSeries: boolean;
  /** Whether it needs the hourly model if no rendered file exists. */
  readonly needsModel: boolean;
}

/** An answer: status, tag, and the hash of the body. */
export type Answer = string;

/** A small data directory with every kind of file to damage, and the right answers of its service. */
export class DamagedData {
  /** Path of the directory. */
  readonly data: string;
  /** Files and texts to damage. */
  readonly places: Places;
  /** The requests. */
  readonly questions: readonly Question[];
  /** The right answers to them. */
  readonly right: readonly Answer[];
  readonly #folder: string;

  private constructor(
    folder: string,
    places: Places,
    questions: readonly Question[],
    right: readonly Answer[],
  ) {
    this.#folder = folder;
    this.data = `${folder}/data`;
    [this.places, this.questions, this.right] = [places, questions, right];
  }

  /** Creates it by an import, requests and an order. A kill leaves the log of the database. */
  static async prepare(): Promise<DamagedData> {
    const folder = await Deno.makeTempDir();
    const data = `${folder}/data`;
    const site = await makeSite();
    await importFile(await site.siteFile(), data);
    await Deno.remove(site.folder, { recursive: true });
    const keys = [];
    for (const serialNumber of ["S-100", "S-200"]) {
      const licence = { serialNumber, email: `${serialNumber}@example.com` };
      keys.push((await addLicence(data, licence, { key: true })).key!);
    }
    const [key, other] = keys;
    await using service = await startService(data);
    const placed = await ask(service.url, buildPath("place_order", ORDERED), { [KEY_HEADER]: key });
    const id = await placed.json();
    const status = buildPath("order_status", { order_id: id });
    let address = "";
    while (!address.startsWith("http")) {
      await pause(20);
      address = await (await ask(service.url, status, { [KEY_HEADER]: key })).json();
    }
    const file = address.slice(PUBLIC_URL.length);
    const questions = listQuestions(key, other, status, file);
    for (let i = 0; i < 2; i++) await answersTo(service.url, questions); // the second round gets gzipped files
    const right = await answersTo(service.url, questions);
    await service.end("SIGKILL");
    const { store } = await openStorage(data);
    const points = (await sitesOf(store).points(ORDERED.service_id)).map(({ file }) => file);
    const models = [(await sitesOf(store).turbine("E1"))!.modelFile!];
    await copy(data, `${folder}/whole`);
    await store.close();
    const places = { points, models, key: sha256(key), licence: "S-100@example.com" };
    return new DamagedData(folder, places, questions, right);
  }

  /** Restores the data directory; only its files while a service has the database open. */
  async restore(filesOnly: boolean): Promise<void> {
    const part = filesOnly ? `/${FILES_FOLDER}` : "";
    await Deno.remove(this.data + part, { recursive: true });
    await copy(`${this.#folder}/whole${part}`, this.data + part);
  }

  /** Removes rendered files, so the service must render the model again. */
  async removeRendered(): Promise<void> {
    for await (const { name } of Deno.readDir(`${this.data}/${FILES_FOLDER}`)) {
      if (name.includes(".parquet.")) await Deno.remove(`${this.data}/${FILES_FOLDER}/${name}`);
    }
  }

  /** Places another order, which writes to the log of the database. */
  async write(url: string): Promise<void> {
    const path = buildPath("place_order", { ...ORDERED, start_year: 2024, end_year: 2024 });
    await (await ask(url, path, this.questions[0].headers)).body?.cancel();
  }

  /** Removes it. */
  async remove(): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** Starts the service in a process of its own. */
export async function startService(data: string): Promise<ServiceProcess> {
  return await ServiceProcess.start(data, "--public-url", PUBLIC_URL);
}

function listQuestions(key: string, other: string, status: string, file: string): Question[] {
  const model = buildPath("model_data", { turbine_id: "E1" });
  const unknown = buildPath("turbine_details", { turbine_id: "nowhere" });
  const question = (path: string, headers: Record<string, string> = {}): Question => ({
    path,
    headers: { "accept-encoding": "identity", [KEY_HEADER]: key, ...headers },
    needsSeries: path.startsWith(buildPath("download_climate", ORDERED)),
    needsModel: path.startsWith(model),
  });
  return [
    ...listPaths(MONTHS).map((path) => question(path)),
    question(model),
    question(model, { "accept-encoding": "gzip" }),
    question(status),
    question(file),
    question(file, { range: "bytes=1000-1999" }),
    question(buildPath("turbines"), { [KEY_HEADER]: other }),
    question(unknown),
  ];
}

async function ask(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  fetchIt: (request: Request) => Promise<Response> = fetch,
): Promise<Response> {
  const signal = AbortSignal.timeout(DEADLINE);
  return await fetchIt(new Request(new URL(path, url), { headers, signal }));
}

/**
 * Answers to questions. A broken connection or a timeout becomes a text too.
 *
 * @param fetchIt Sends the request. @default {fetch}
 */
export async function answersTo(
  url: string,
  questions: readonly Question[],
  fetchIt?: (request: Request) => Promise<Response>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { path, headers } of questions) {
    try {
      const response = await ask(url, path, headers, fetchIt);
      const tag = response.headers.get("etag");
      answers.push(`${response.status} ${tag} ${sha256(await response.bytes())}`);
    } catch (error) {
      answers.push(`no answer: ${(error as Error).message}`);
    }
  }
  return answers;
}

/** Copies the files of a folder. */
async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { mode: 0o700 });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (name === `${DATABASE}-shm`) continue; // SQLite creates it itself
    if (isDirectory) await copy(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
