/**
 * JupyterLab of the virtual environment that `VINDKIT_PEERS` names, on loopback, with our kernel and no other settings
 * than its own.
 *
 * @module
 */
import type { NotebookCopies } from "./_notebooks.ts";

/** How long it may take to end, ms. */
const GUARD = 20_000;

/** How JupyterLab looks. */
export type Theme = "JupyterLab Light" | "JupyterLab Dark";

/** A running JupyterLab. */
export class JupyterLab implements AsyncDisposable {
  /** Where it is, with a slash at the end. */
  readonly origin: string;
  /** What a browser must send to be let in. */
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

  /** Starts it on a free port, over copies of the notebooks. */
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

  /** Address of a notebook, alone in the window. */
  address(notebook: string): string {
    return `${this.origin}doc/tree/${notebook}?token=${this.token}`;
  }

  /** Ends it and its kernels. On a busy machine its threads may wait for each other as it ends, for ever. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    const guard = setTimeout(() => this.#process.kill("SIGKILL"), GUARD);
    await Promise.all([this.#process.status, this.#drained]);
    clearTimeout(guard);
  }
}

/** No news, no questions, all cells in the page at once. */
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
