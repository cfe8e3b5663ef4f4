export * from "../frames/hour_axis.ts";
