export function readEvents(): void {}
