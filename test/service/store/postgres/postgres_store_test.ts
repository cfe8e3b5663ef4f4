import { describeWithPostgres } from "../../../_postgres.ts";
import { migratePostgres } from "../../../../src/service/store/postgres/postgres_schema.ts";
import { PostgresStore } from "../../../../src/service/store/postgres/postgres_store.ts";
import { storeSuite } from "../_store_suite.ts";

describeWithPostgres("the store on PostgreSQL", (server) => {
  /** Each folder of the suite stands for a database. */
  const addresses = new Map<string, string>();

  storeSuite("PostgresStore", async (folder, world) => {
    let address = addresses.get(folder);
    if (address === undefined) {
      address = await server().createDatabase();
      addresses.set(folder, address);
    }
    await migratePostgres(address, world);
    return await PostgresStore.open(address);
  });
});
