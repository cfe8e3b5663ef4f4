import { describeWithS3 } from "../../_s3.ts";
import { openFiles } from "../../../src/machines/shared_storage.ts";
import { testFiles } from "../../storage/files/_files_suite.ts";

describeWithS3("S3Files", (server) => {
  let prefixes = 0;

  testFiles(async () => {
    const prefix = `files-${prefixes++}`;
    const { address, environment, folder } = server();
    const files = await openFiles(`${address}/${prefix}/`, (name) => environment[name]);
    return {
      files,
      at: (name) => `${folder}/${prefix}/${name}`,
      [Symbol.asyncDispose]: () => Promise.resolve(files.close()),
    };
  });
});
