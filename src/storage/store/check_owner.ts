import { ArgumentError } from "../../api/errors.ts";
interface OwnedTurbine {
  readonly site: string;
  readonly turbine: { readonly id: string };
}

/**
 * Checks that a turbine that is imported does not belong to another site.
 *
 * @param known The turbine of that name as it is stored, if it is
 * @throws {ArgumentError} If it does
 */
export function checkOwner(site: string, known: OwnedTurbine | undefined): void {
  if (!known || known.site === site) return;
  throw new ArgumentError(
    `Cannot import ${site}: the turbine "${known.turbine.id}" belongs to the site "${known.site}". Give it another id`,
  );
}
