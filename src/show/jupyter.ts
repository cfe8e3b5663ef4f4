/** MIME bundle that a Jupyter front end picks from. */
export type Bundle = Readonly<Record<string, unknown>>;

/** Method by which an object shows itself in Deno's Jupyter kernel; `Deno.jupyter` is not touched, it throws elsewhere. */
export const JUPYTER_DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** Method by which an object shows itself in `console.log`. */
export const CUSTOM_INSPECT: unique symbol = Symbol.for("Deno.customInspect") as never;

/** An object that shows itself in notebooks. */
export interface Displayable {
  /** The object as a MIME bundle. */
  [JUPYTER_DISPLAY](): Bundle | Promise<Bundle>;
}
