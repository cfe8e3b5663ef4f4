/**
 * A preloaded module that moves the clock of a process by the days in `DAYS_LATER`.
 *
 * @module
 */
const shift = Number(Deno.env.get("DAYS_LATER") ?? 0) * 86_400_000;
const now = Date.now.bind(Date);

Date.now = () => now() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, given) =>
    given.length === 0 ? new target(now() + shift) : Reflect.construct(target, given),
});
const instant = Temporal.Now.instant.bind(Temporal.Now);
Temporal.Now.instant = () => instant().add({ milliseconds: shift });
Temporal.Now.plainDateISO = (zone = Temporal.Now.timeZoneId()) =>
  Temporal.Now.instant().toZonedDateTimeISO(zone).toPlainDate();

export {};
