/** Version of the engine: it changes whenever the same data give other figures, so that stored figures are recomputed. */
export const ENGINE_VERSION = "3";
