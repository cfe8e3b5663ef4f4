/** Tables whose rows have a seal; the months of a turbine are sealed as a whole, in `histories`. */
export const SEALED_TABLES = [
  "about",
  "licences",
  "api_keys",
  "sites",
  "datasets",
  "points",
  "turbines",
  "calibrations",
  "orders",
  "histories",
] as const;
