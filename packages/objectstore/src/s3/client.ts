import type { S3Client } from "@aws-sdk/client-s3";
import { ObjectStoreError } from "../errors.ts";
import type { S3Options } from "./options.ts";
import type { Retry } from "./retry.ts";

/** A bucket, and what its requests are made with. The SDK takes about 200 ms to load: the first request does it. */
export interface Bucket {
  readonly name: string;
  readonly location: string;
  readonly retry: Retry;
  readonly connect: () => Promise<{ readonly sdk: typeof import("@aws-sdk/client-s3"); readonly client: S3Client }>;
  /** Closes the connections that are idle. */
  readonly disconnect: () => Promise<void>;
}

const CONNECT_MILLISECONDS = 10_000;

/** A bucket, nothing of which is loaded or asked yet. */
export function bucketOf(name: string, location: string, options: S3Options): Bucket {
  const retry = {
    attempts: atLeastOne("attempts", options.attempts ?? 5),
    firstWaitMilliseconds: atLeastOne("retryMilliseconds", options.retryMilliseconds ?? 100),
  };
  atLeastOne("timeoutSeconds", options.timeoutSeconds ?? 60);
  let connected: ReturnType<typeof connect> | undefined;
  return {
    name,
    location,
    retry,
    connect: () => (connected ??= connect(location, options)),
    disconnect: async () => (await connected?.catch(() => undefined))?.client.destroy(),
  };
}

async function connect(location: string, options: S3Options) {
  const { endpoint, region, pathStyle, credentials, timeoutSeconds = 60 } = options;
  const sdk = await import("@aws-sdk/client-s3");
  const hasEndpoint =
    endpoint !== undefined ||
    process.env["AWS_ENDPOINT_URL_S3"] !== undefined ||
    process.env["AWS_ENDPOINT_URL"] !== undefined;
  const client = new sdk.S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
    forcePathStyle: pathStyle ?? hasEndpoint,
    followRegionRedirects: true,
    // sent again by `withRetries` alone, which knows what each attempt may have done
    maxAttempts: 1,
    requestHandler: { connectionTimeout: CONNECT_MILLISECONDS, socketTimeout: timeoutSeconds * 1000 },
  });
  await client.config.region().catch((error: unknown) => {
    const message = `no region is known for ${location}: set AWS_REGION, or give one`;
    throw new ObjectStoreError("invalid-location", message, { cause: error });
  });
  return { sdk, client };
}

function atLeastOne(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new ObjectStoreError("invalid-option", `${name} is ${value}: give a whole number of at least 1`);
}
