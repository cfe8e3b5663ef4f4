/** Mean absolute errors of unseen months, %, by scaling and by hours compared. */
export type FirstErrors = Readonly<
  Record<"plain" | "selected", Readonly<Record<"masked" | "all", number>>>
>;

/**
 * Leave-one-month-out by the first edition, commit 6b6d2a0: mean absolute errors over the turbines of a site, %. It was run
 * on the same sites, curves and months, with its own masks, which differ by a few hours.
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
