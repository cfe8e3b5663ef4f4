/** One output in several formats, by MIME type; a Jupyter front end chooses one. */
export type Bundle = Readonly<Record<string, unknown>>;

/** Method by which an object shows itself in Deno's Jupyter kernel. `Deno.jupyter` is not used: it throws outside of one. */
export const JUPYTER_DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** Method by which an object shows itself in `console.log`. */
export const CUSTOM_INSPECT: unique symbol = Symbol.for("Deno.customInspect") as never;

/** An object that shows itself in notebooks. */
export interface Displayable {
  /** Builds the MIME bundle of the object. */
  [JUPYTER_DISPLAY](): Bundle | Promise<Bundle>;
}

/** Key of the symbol under which our kernel has a function that gives the signal of its stop button. */
export const STOP_SIGNAL = "vindkit.stop";
