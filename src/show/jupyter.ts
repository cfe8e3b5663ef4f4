/** One output in several formats, by MIME type; a Jupyter front end chooses one. */
export type Bundle = Readonly<Record<string, unknown>>;

/** Display method for Deno's Jupyter kernel. It does not come from `Deno.jupyter`, which throws outside of a kernel. */
export const JUPYTER_DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** Display method for `console.log`. */
export const CUSTOM_INSPECT: unique symbol = Symbol.for("Deno.customInspect") as never;

/** An object with its own display in notebooks. */
export interface Displayable {
  /** Builds the MIME bundle of the object. */
  [JUPYTER_DISPLAY](): Bundle | Promise<Bundle>;
}

/** Key of the symbol with our kernel's function that returns the signal of its stop button. */
export const STOP_SIGNAL = "vindkit.stop";
