import { buildPath } from "../../service/_answers.ts";
import { withAsk } from "../../service/_published.ts";

/** Returns all answers of a data directory's service about some turbines and months, by path, as bytes in text. */
export async function allAnswers(
  data: string,
  turbineIds: readonly string[],
  months: readonly string[],
): Promise<Record<string, string>> {
  const paths = [
    buildPath("turbines"),
    buildPath("datasets"),
    buildPath("report_turbines"),
    ...turbineIds.flatMap((turbine_id) => [
      buildPath("turbine_details", { turbine_id }),
      buildPath("model_data", { turbine_id, start_date: "2018-01-01", end_date: "2030-01-01" }),
      buildPath("wind_indices", { turbine_id }),
      buildPath("report_months", { turbine_id }),
      ...months.map((period) => buildPath("monthly_report", { turbine_id, period })),
    ]),
  ];
  return await withAsk(data, async (ask) => {
    const answers: Record<string, string> = {};
    for (const path of paths) {
      const response = await ask(path);
      answers[path] = `${response.status} ${
        new TextDecoder("latin1").decode(await response.bytes())
      }`;
    }
    return answers;
  });
}
