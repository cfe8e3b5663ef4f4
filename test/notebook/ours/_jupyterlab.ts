/**
 * JupyterLab from the virtual environment in `VINDKIT_PEERS`, on loopback, with our kernel and default settings.
 *
 * @module
 */
import type { NotebookCopies } from "./_notebooks.ts";

/** Time limit of its shutdown, ms. */
const GUARD = 20_000;

/** Theme of JupyterLab. */
export type Theme = "JupyterLab Light" | "JupyterLab Dark";

/** A running JupyterLab. */
export class JupyterLab implements AsyncDisposable {
  /** Its URL, with a slash at the end. */
  readonly origin: string;
  /** Access token that a browser must send. */
  readonly token: string;
  readonly #process: Deno.ChildProcess;
  readonly #drained: Promise<void>;

  private constructor(
    origin: string,
    token: string,
    process: Deno.ChildProcess,
    drained: Promise<void>,
  ) {
    this.origin = origin;
    this.token = token;
    this.#process = process;
    this.#drained = drained;
  }

  /** Starts it on a free port, for copies of the notebooks. */
  static async start(
    { folder, env }: NotebookCopies,
    theme: Theme = "JupyterLab Light",
  ): Promise<JupyterLab> {
    await writeSettings(env.JUPYTER_CONFIG_DIR, theme);
    const token = crypto.randomUUID();
    const process = new Deno.Command(`${Deno.env.get("VINDKIT_PEERS")}/bin/jupyter-lab`, {
      args: [
        "--no-browser",
        "--allow-root",
        "--expose-app-in-browser",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.port=0",
        "--ServerApp.port_retries=0",
        `--ServerApp.root_dir=${folder}`,
        `--IdentityProvider.token=${token}`,
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.news_url=None",
      ],
      cwd: folder,
      env: {
        ...env,
        JUPYTERLAB_SETTINGS_DIR: `${env.JUPYTER_CONFIG_DIR}/settings`,
        JUPYTERLAB_WORKSPACES_DIR: `${env.JUPYTER_CONFIG_DIR}/workspaces`,
        PYTHONDONTWRITEBYTECODE: "1",
      },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const drained = (async () => {
      let log = "";
      for await (const part of process.stderr.pipeThrough(new TextDecoderStream())) {
        log += part;
        const origin = /(http:\/\/127\.0\.0\.1:[1-9]\d*\/)lab\?token/.exec(log)?.[1];
        if (origin) resolve(origin);
      }
      reject(new Error(`Cannot start JupyterLab: ${log.slice(-1000)}`));
    })();
    return new JupyterLab(await promise, token, process, drained);
  }

  /** URL of a notebook, alone in the window. */
  address(notebook: string): string {
    return `${this.origin}doc/tree/${notebook}?token=${this.token}`;
  }

  /** Stops it and its kernels. On a busy machine its threads may deadlock during shutdown. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    const guard = setTimeout(() => this.#process.kill("SIGKILL"), GUARD);
    await Promise.all([this.#process.status, this.#drained]);
    clearTimeout(guard);
  }
}

/** No news, no questions, and all cells on the page at once. */
async function writeSettings(config: string, theme: Theme): Promise<void> {
  const settings = {
    "labconfig/page_config.json": {
      disabledExtensions: { "@jupyterlab/apputils-extension:announcements": true },
    },
    "settings/@jupyterlab/apputils-extension/themes.jupyterlab-settings": { theme },
    "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings": {
      windowingMode: "none",
    },
  };
  for (const [path, content] of Object.entries(settings)) {
    await Deno.mkdir(`${config}/${path.slice(0, path.lastIndexOf("/"))}`, { recursive: true });
    await Deno.writeTextFile(`${config}/${path}`, JSON.stringify(content));
  }
}
