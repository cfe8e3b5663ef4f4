import { AssetFolder } from "./asset_folder.ts";

/** Swagger UI as its package has it, read when a page with it is opened. */
export const swaggerAssets: AssetFolder = new AssetFolder("swagger-ui", async () => {
  const [script, style] = await Promise.all([
    import("swagger-ui-dist/swagger-ui-bundle.js", { with: { type: "text" } }),
    import("swagger-ui-dist/swagger-ui.css", { with: { type: "text" } }),
  ]);
  return { "swagger-ui.js": script.default, "swagger-ui.css": style.default };
});
