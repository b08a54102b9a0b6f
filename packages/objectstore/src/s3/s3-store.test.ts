import { describe } from "vitest";
import { itConforms } from "../conformance/conformance.fixture.ts";
import { S3Store } from "./s3-store.ts";
import { ACCESS_KEY, SECRET_KEY, startS3 } from "./s3-server.fixture.ts";

describe("a store in S3", () => {
  itConforms(async () => {
    const server = await startS3("lake");
    const store = new S3Store("lake", "some/prefix", {
      endpoint: server.endpoint,
      region: "eu-west-1",
      credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
    });
    return {
      store,
      seed: (keys) => server.seed(keys.map((key) => `some/prefix/${key}`)),
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  });
});
