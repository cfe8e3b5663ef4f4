/**
 * AN3: all forms of a report agree, figure by figure, on the sample. `forms_agree_long_test.ts` tests real sites and paper.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { assertSameOnBothPages, compareForms } from "./_compare_forms.ts";
import { reportOnSample } from "./_fleets.ts";
import { type Forms, type Json, readForms, squeeze } from "./_forms.ts";

describe("AN3: all forms of a report agree", () => {
  describe("on the sample", () => {
    let forms: Forms;
    beforeAll(async () => {
      forms = await readForms(await reportOnSample());
    });

    it("figure by figure", () => {
      assert(compareForms("the sample", forms) > 9000);
      assertSameOnBothPages(forms.json);
    });

    it("AN4: without a total that covers less than half of the energy", () => {
      const { figures, turbines } = forms.json.get("index")!;
      assertEquals([figures.units, figures.units_measured, figures.verdict.produced], [
        26,
        6,
        null,
      ]);
      const known = turbines.filter(({ figures }: Json) => figures?.verdict?.produced != null);
      assertEquals(known.length, 6);
      const { tables } = forms.html.get("index")!;
      const labels = tables.get("headline")!.rows.map(([label]) => label);
      assertEquals(labels.filter((label) => /Produced|Against/.test(label)), []);
      assert(labels.includes("Predicted production, 26 of 27 turbines"), `${labels}`);
      assert(!tables.get("verdicts")!.rows.some(([name]) => name.startsWith("Sum")));
      const all = forms.html.get("index")!.text;
      assertStringIncludes(all, squeeze("only 6 of 26 turbines have production"));
    });

    it("AN2: without a share of hours that readers could mistake for the availability", () => {
      const { verdict } = forms.json.get("turbines/T1")!;
      assertEquals([verdict.verdict, verdict.completeness], ["stops", 1]);
      for (const [name, content] of forms.files) {
        if (!/turbines\/T1\.|index/.test(name)) continue;
        const words = squeeze(content.replace(/<[^>]*>/g, ""));
        assert(!/in100\.0%of(the)?(month's)?hours/i.test(words), name);
        assert(!/inthe100\.0%/.test(words), name);
        assertStringIncludes(words, squeeze("It was the turbine: stops cost 214.1 MWh"));
      }
    });
  });
});
