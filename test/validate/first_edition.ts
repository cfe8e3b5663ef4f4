/** Mean absolute errors of unseen months, %, by scaling and compared hours. */
export type FirstErrors = Readonly<
  Record<"plain" | "selected", Readonly<Record<"masked" | "all", number>>>
>;

/**
 * Leave-one-month-out errors of the first edition, commit 6b6d2a0: means over the turbines of a site, %. Sites,
 * curves and months are the same; its masks differ by a few hours.
 */
export const FIRST_EDITION = {
  commit: "6b6d2a0",
  kelmarsh: {
    plain: { masked: 5.53, all: 6.43 },
    selected: { masked: 3.56, all: 4.38 },
  },
  era5: {
    plain: { masked: 16.72, all: 17.34 },
    selected: { masked: 14.57, all: 12.97 },
  },
  merra2: {
    plain: { masked: 8.73, all: 8.21 },
    selected: { masked: 6.28, all: 6.42 },
  },
} as const;
