/**
 * Reads with a TypeScript client made by openapi-generator, and prints the types of the values. It runs next to the
 * generated files, with the same arguments as the Python programs.
 *
 * @module
 */
const generated: string = "./generated/index.ts"; // exists when this runs
const { ClimateDataApi, Configuration, WindIndexApi } = await import(generated);

const wanted = JSON.parse(await new Response(Deno.stdin.readable).text());
const { turbine: turbineId, dataset: serviceId, year, month, point, years } = wanted;
const configuration = new Configuration({
  basePath: Deno.env.get("VINDKIT_PEER_URL"),
  apiKey: Deno.env.get("VINDKIT_PEER_KEY"),
});
const wind = new WindIndexApi(configuration);
const climate = new ClimateDataApi(configuration);

const details = await wind.turbineDetails({ turbineId });
const index = await wind.monthlyIndex({ turbineId, year, month });
const [near] = await climate.coverage({ serviceId, ...point });
const file = await climate.downloadClimate({
  serviceId,
  ...point,
  startYear: years.start_year,
  endYear: years.end_year,
  filetype: "zipcsv",
});

const name = (value: unknown) => (value as object).constructor.name;
console.log(JSON.stringify({
  training_start: name(details.trainingStart),
  latitude: name(details.latitude),
  units: name(details.units),
  data_ready: name(details.dataReady),
  power: name(details.powerCurve.power[0].power),
  month: name(index.month),
  month_index: name(index.monthIndex),
  last_updated: name(near.lastUpdated),
  file: name(file),
  magic: new TextDecoder().decode((await file.arrayBuffer()).slice(0, 2)),
}));
