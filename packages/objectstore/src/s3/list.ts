import type { ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import type { Bucket } from "./client.ts";
import { withRetries } from "./retry.ts";

/** Which keys of a bucket are listed. */
export interface PageQuery {
  readonly Prefix: string;
  readonly StartAfter?: string;
  readonly Delimiter?: string;
}

/** A listing's pages, of up to 1,000 keys: each is fetched when the one before it is done with. */
export async function* pages(
  bucket: Bucket,
  query: PageQuery,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListObjectsV2CommandOutput> {
  const { sdk, client } = await bucket.connect();
  let token: string | undefined;
  do {
    const input = { Bucket: bucket.name, ...query, ...(token !== undefined && { ContinuationToken: token }) };
    const page = await withRetries(bucket.retry, signal, () =>
      client.send(new sdk.ListObjectsV2Command(input), signal && { abortSignal: signal }),
    );
    yield page;
    token = page.NextContinuationToken;
  } while (token !== undefined);
}
