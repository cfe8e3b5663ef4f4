import type { RegisterPreset } from "./preset.ts";

/** The Danish register of wind turbines (Energistyrelsen): the layouts before and after 2023, headers in Danish and English. */
export const danishRegister: RegisterPreset = {
  files: /(?:anlaeg|anlæg|maanedsdata|månedsdata|vinddata).*\.xlsx$/i,
  header: "GSRN",
  unit: "kWh",
  register: {
    turbine_id: ["Turbine identifier (GSRN)", "Møllenummer (GSRN)", "GSRN"],
    connected: [
      "Date of original connection to grid",
      "Dato for oprindelig nettilslutning",
      "Dato for nettilslutning",
    ],
    decommissioned: ["Date of decommissioning", "Dato for afmeldning", "Afmeldningsdato"],
    rated_power: ["Capacity (kW)", "Kapacitet (kW)"],
    rotor_diameter: ["Rotor diameter (m)", "Rotor-diameter (m)", "Rotordiameter (m)"],
    hub_height: ["Hub height (m)", "Navhøjde (m)"],
    manufacturer: ["Manufacture", "Manufacturer", "Fabrikat"],
    model: ["Model", "Typebetegnelse"],
    east: [
      "X (east) coordinate UTM 32 Euref89",
      "X (øst) koordinat UTM 32 Euref89",
    ],
    north: [
      "Y (north) coordinate UTM 32 Euref89",
      "Y (nord) koordinat UTM 32 Euref89",
    ],
  },
};
