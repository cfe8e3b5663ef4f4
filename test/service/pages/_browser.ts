/**
 * A headless Chromium, driven by its own protocol over a socket on loopback: the libraries for this need all permissions.
 *
 * @module
 */

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Path of a Chromium on this machine; `undefined` if there is none. */
export const CHROMIUM: string | undefined = CANDIDATES.find((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});

/** A guard against endless waits, ms; no test depends on it. */
const GUARD = 120_000;

type Fields = Record<string, unknown>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: { message: string };
}

/** View of a page. */
export interface PageOptions {
  /** Width of the window, px. @default {1280} */
  readonly width?: number;
  /** Height of the window, px. @default {900} */
  readonly height?: number;
  /** Media features, such as the preferred colour scheme. */
  readonly media?: Readonly<Record<string, string>>;
}

const KEYS: Readonly<Record<string, { code: number; text?: string }>> = {
  Tab: { code: 9 },
  Enter: { code: 13, text: "\r" },
  Escape: { code: 27 },
  End: { code: 35 },
  Home: { code: 36 },
  ArrowLeft: { code: 37 },
  ArrowUp: { code: 38 },
  ArrowRight: { code: 39 },
  ArrowDown: { code: 40 },
};

/** A running browser. */
export class Browser {
  readonly #process: Deno.ChildProcess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #drained: Promise<void>;
  readonly #asked = new Map<number, (message: Message) => void>();
  readonly #pages = new Map<string, Page>();
  readonly #contexts: unknown[] = [];
  #id = 0;

  private constructor(
    process: Deno.ChildProcess,
    folder: string,
    socket: WebSocket,
    drained: Promise<void>,
  ) {
    this.#process = process;
    this.#folder = folder;
    this.#socket = socket;
    this.#drained = drained;
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(data)));
  }

  /** Starts a browser that connects only to the pages it is given. */
  static async start(): Promise<Browser> {
    const folder = await Deno.makeTempDir();
    const process = new Deno.Command(CHROMIUM!, {
      args: [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--remote-debugging-port=0",
        `--user-data-dir=${folder}`,
        "about:blank",
      ],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const drained = (async () => {
      let output = "";
      for await (const part of process.stderr.pipeThrough(new TextDecoderStream())) {
        output += part;
        const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
        if (address) resolve(address);
      }
      reject(new Error(`Cannot start ${CHROMIUM}: ${output.slice(0, 500)}`));
    })();
    const socket = new WebSocket(await promise);
    await new Promise((opened) => socket.addEventListener("open", opened, { once: true }));
    return new Browser(process, folder, socket, drained);
  }

  /**
   * Opens a page that shares nothing with others. It is closed when the second one after it is opened, because Chromium
   * would keep drawing unused pages.
   */
  async page(options: PageOptions = {}): Promise<Page> {
    const { browserContextId } = await this.send("Target.createBrowserContext");
    const [earlier] = this.#contexts.push(browserContextId) > 2 ? this.#contexts.splice(0, 1) : [];
    if (earlier) await this.send("Target.disposeBrowserContext", { browserContextId: earlier });
    const { targetId } = await this.send("Target.createTarget", {
      url: "about:blank",
      browserContextId,
    });
    const attached = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const session = attached.sessionId as string;
    const page = new Page((method, params) => this.send(method, params, session));
    this.#pages.set(session, page);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(`${domain}.enable`);
    await page.show(options);
    return page;
  }

  /** Sends a command and waits for its result. */
  async send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    const id = ++this.#id;
    const answer = new Promise<Message>((resolve) => this.#asked.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    const { result, error } = await answer;
    if (error) throw new Error(`Cannot ${method}: ${error.message}`);
    return result ?? {};
  }

  /** Ends the browser and removes its folder. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.addEventListener("close", resolve));
    await this.send("Browser.close");
    await Promise.all([closed, this.#process.status, this.#drained]);
    await Deno.remove(this.#folder, { recursive: true });
  }

  #take(message: Message): void {
    if (message.id !== undefined) {
      this.#asked.get(message.id)?.(message);
      this.#asked.delete(message.id);
    } else if (message.sessionId) {
      this.#pages.get(message.sessionId)?.take(message.method!, message.params ?? {});
    }
  }
}

/** A page of a browser. */
export class Page {
  /** Everything on the console: messages, exceptions, and complaints of the browser. */
  readonly console: string[] = [];
  /** Requested addresses. */
  readonly requests: string[] = [];
  /** Values of the sent headers, by address. */
  readonly sent: { url: string; headers: Record<string, string> }[] = [];
  /** Sends a command to this page. */
  readonly send: (method: string, params?: Fields) => Promise<Fields>;
  readonly #waiting = new Map<string, () => void>();

  /** @param send Sends a command to the page */
  constructor(send: (method: string, params?: Fields) => Promise<Fields>) {
    this.send = send;
  }

  /** Handles an event. */
  take(method: string, params: Fields): void {
    this.#waiting.get(method)?.();
    this.#waiting.delete(method);
    if (method === "Network.requestWillBeSent") {
      const { url, headers } = params.request as { url: string; headers: Record<string, string> };
      if (!url.startsWith("data:")) this.requests.push(url);
      this.sent.push({ url, headers });
    }
    if (method === "Runtime.consoleAPICalled") {
      this.console.push(JSON.stringify((params.args as Fields[]).map((arg) => arg.value)));
    }
    if (method === "Runtime.exceptionThrown") this.console.push(JSON.stringify(params));
    if (method === "Log.entryAdded") this.console.push(String((params.entry as Fields).text));
  }

  /** Resizes the window, px. */
  async resize(width: number, height: number): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  /** Changes the view. */
  async show({ width = 1280, height = 900, media = {} }: PageOptions): Promise<void> {
    await this.resize(width, height);
    const features = Object.entries(media).map(([name, value]) => ({ name, value }));
    await this.send("Emulation.setEmulatedMedia", { features, media: "" });
  }

  /** Opens an address and waits until it is loaded. */
  async open(url: string): Promise<void> {
    await this.#load(() => this.send("Page.navigate", { url }));
  }

  /** Clicks on a link and waits until the page it leads to is loaded. */
  async follow(selector: string): Promise<void> {
    await this.#load(() => this.value(`document.querySelector("${selector}").click()`));
  }

  /** Value of an expression, which may be a promise, in the page. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: T }).value;
  }

  /** Waits until an expression is true in the page, which must not be left meanwhile. */
  async until(expression: string): Promise<void> {
    const came = await this.value<boolean>(`new Promise((resolve) => {
      const begun = performance.now();
      const look = () => {
        if (${expression}) resolve(true);
        else if (performance.now() - begun > ${GUARD}) resolve(false);
        else setTimeout(look, 20);
      };
      look();
    })`);
    if (!came) throw new Error(`It never came: ${expression}`);
  }

  /** Presses keys one after the other: names of keys. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      const { code, text } = KEYS[key];
      const event = { key, code: key, windowsVirtualKeyCode: code };
      await this.send("Input.dispatchKeyEvent", {
        type: text ? "keyDown" : "rawKeyDown",
        ...event,
        ...(text ? { text } : {}),
      });
      await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
    }
  }

  /** Types a text into the element in focus. */
  async type(text: string): Promise<void> {
    await this.send("Input.insertText", { text });
  }

  /** Presses Tab until an expression is true of the element in focus, named `it`. */
  async tabTo(expression: string): Promise<void> {
    const seen: string[] = [];
    for (let i = 0; i < 60; i++) {
      await this.press("Tab");
      const [isFound, element] = await this.value<[boolean, string]>(
        `((it) => [Boolean(${expression}), it.outerHTML.slice(0, 80)])(document.activeElement)`,
      );
      if (isFound) return;
      seen.push(element);
    }
    throw new Error(`Tab never came to ${expression}, but to:\n${seen.join("\n")}`);
  }

  /** The whole page as a PNG. */
  async picture(): Promise<Uint8Array> {
    const { cssContentSize } = await this.send("Page.getLayoutMetrics");
    const { data } = await this.send("Page.captureScreenshot", {
      captureBeyondViewport: true,
      clip: { ...cssContentSize as Fields, scale: 1 },
    });
    return Uint8Array.fromBase64(data as string);
  }

  async #load(leave: () => Promise<unknown>): Promise<void> {
    const loaded = new Promise<void>((resolve) =>
      this.#waiting.set("Page.loadEventFired", resolve)
    );
    await leave();
    await loaded;
  }
}
