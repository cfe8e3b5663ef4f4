/** Wind speeds of its curves, m/s. */
export const SPEEDS = [4, 8, 12, 25];

/** A document of IEC 61400-16 with curves for two densities and two turbulences, W. */
export function makeDocument(
  mode: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) {
  return {
    document: { metadata: [{ term_name: "source", value: "a test" }] },
    turbine: {
      manufacturer_name: "Example Turbines",
      manufacturer_display_name: "Example",
      model_name: "EX 2.0-80",
      model_description: "Built nowhere",
      rated_power: 2_000_000,
      rotor_diameter: 80,
      number_of_blades: 3,
      drive_type: "geared",
      regulation_type: "pitch",
    },
    power_curves: {
      operating_modes: [{
        label: "standard",
        name: "Standard",
        description: "Full power",
        cuts: [],
        parameters: [
          { label: "air-density", axis: 0, values: [1.1, 1.225] },
          {
            label: "turbulence-intensity",
            axis: 1,
            values: [{ min: 0, max: 0.1 }, { min: 0.1, max: 0.2 }],
          },
          { label: "wind-speed", axis: 2, values: SPEEDS },
        ],
        power: [
          [[60e3, 690e3, 1_900e3, 2_000e3], [65e3, 695e3, 1_850e3, 2_000e3]],
          [[70e3, 770e3, 2_000e3, 2_000e3], [75e3, 775e3, 1_950e3, 2_000e3]],
        ],
        thrust_coefficient: [
          [[0.8, 0.8, 0.5, 0.05], [0.8, 0.8, 0.5, 0.05]],
          [[0.8, 0.8, 0.45, 0.04], [0.81, 0.8, 0.45, 0.04]],
        ],
        ...mode,
      }],
    },
    ...more,
  };
}
