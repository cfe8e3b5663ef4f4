/** Version of the engine: it changes whenever the same data give another figure, so that stored figures are made anew. */
export const ENGINE_VERSION = "2";
