/** Jupyter in a virtual environment outside the repository, if `VINDKIT_PEERS` names its folder. */
export async function jupyterCommand(): Promise<string | undefined> {
  const folder = Deno.env.get("VINDKIT_PEERS");
  if (!folder) return undefined;
  const path = `${folder}/bin/jupyter`;
  try {
    await Deno.stat(path);
    return path;
  } catch {
    return undefined;
  }
}
