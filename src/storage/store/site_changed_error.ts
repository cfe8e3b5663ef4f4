/** A site was stored by another import after it was read: what was computed of it would undo that. */
export class SiteChangedError extends Error {
  constructor(site: string) {
    super(
      `Cannot store the site "${site}": another import has stored it meanwhile. Import it again`,
    );
  }
}
