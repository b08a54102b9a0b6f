import { parts, pieces } from "../body.ts";
import { ObjectStoreError } from "../errors.ts";
import { quoted } from "../key.ts";
import type { ObjectBody } from "../object-store.ts";
import type { Bucket } from "./client.ts";
import { withRetries } from "./retry.ts";
import { conditionHeaders, marks, type Put, settled } from "./settle.ts";

/** S3 takes 10,000 parts of at least 5 MiB; some compatible stores want all but the last of one size. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_MAX = 10_000;
/** How many parts are sent at once: with the one that is filled, what a put has in memory. */
const PARTS_UNDER_WAY_MAX = 4;

/** Writes an object: in one request if it is one part, and otherwise as an upload of parts. */
export async function writeObject(bucket: Bucket, put: Put, body: ObjectBody): Promise<{ readonly etag: string }> {
  if (typeof body === "string") return await writeObject(bucket, put, Buffer.from(body));
  if (body instanceof Uint8Array && body.length <= PART_BYTES) return await putWhole(bucket, put, body);
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(put.signal ? [put.signal] : [])]);
  const source = parts(pieces(put.key, body, signal), PART_BYTES);
  try {
    const { value: first } = await source.next();
    const second = await source.next();
    if (second.done === true) return await putWhole(bucket, put, first);
    return await upload(bucket, { ...put, signal }, [first, second.value], source, failed);
  } finally {
    await source.return(undefined);
  }
}

async function putWhole(bucket: Bucket, put: Put, bytes: Uint8Array): Promise<{ readonly etag: string }> {
  const { sdk, client } = await bucket.connect();
  const input = { ...target(bucket, put), ...conditionHeaders(put), ...description(put), Body: bytes };
  return await settled(bucket, put, () => client.send(new sdk.PutObjectCommand(input), abort(put)));
}

/** An upload that fails is aborted when none of its parts is under way any more: a part that comes after the abort would stay, and be paid for. */
async function upload(
  bucket: Bucket,
  put: Put,
  begun: readonly Uint8Array[],
  source: AsyncIterable<Uint8Array>,
  failed: AbortController,
): Promise<{ readonly etag: string }> {
  const { sdk, client } = await bucket.connect();
  const { UploadId } = await withRetries(bucket.retry, put.signal, () =>
    client.send(
      new sdk.CreateMultipartUploadCommand({ ...target(bucket, put), ...description(put), ChecksumAlgorithm: "CRC32" }),
      abort(put),
    ),
  );
  const id = { ...target(bucket, put), UploadId };
  const underWay = new Set<Promise<void>>();
  const sent: { PartNumber: number; ETag: string | undefined; ChecksumCRC32: string | undefined }[] = [];
  const send = async (PartNumber: number, Body: Uint8Array): Promise<void> => {
    const { ETag, ChecksumCRC32 } = await withRetries(bucket.retry, put.signal, () =>
      client.send(new sdk.UploadPartCommand({ ...id, PartNumber, Body, ChecksumAlgorithm: "CRC32" }), abort(put)),
    );
    sent.push({ PartNumber, ETag, ChecksumCRC32 });
  };
  try {
    let count = 0;
    for await (const bytes of chained(begun, source)) {
      if (++count > PARTS_MAX) throw tooLarge(put.key);
      const part = send(count, bytes).finally(() => underWay.delete(part));
      part.catch((error: unknown) => failed.abort(error));
      underWay.add(part);
      if (underWay.size >= PARTS_UNDER_WAY_MAX) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    const Parts = sent
      .sort((a, b) => a.PartNumber - b.PartNumber)
      .map(({ PartNumber, ETag, ChecksumCRC32 }) => ({
        PartNumber,
        ETag,
        ...(ChecksumCRC32 !== undefined && { ChecksumCRC32 }),
      }));
    const input = { ...id, ...conditionHeaders(put), MultipartUpload: { Parts } };
    return await settled(bucket, put, () => client.send(new sdk.CompleteMultipartUploadCommand(input), abort(put)));
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(underWay);
    await withRetries(bucket.retry, undefined, () => client.send(new sdk.AbortMultipartUploadCommand(id))).catch(() => {
      // what is left then ends by the bucket's lifecycle rule; the put's own error says more
    });
    throw error;
  }
}

async function* chained<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

function target(bucket: Bucket, { path }: Put) {
  return { Bucket: bucket.name, Key: path };
}

function description(put: Put) {
  return { Metadata: marks(put), ...(put.contentType !== undefined && { ContentType: put.contentType }) };
}

function abort({ signal }: Put) {
  return signal && { abortSignal: signal };
}

function tooLarge(key: string): ObjectStoreError {
  const gibibytes = Math.floor((PART_BYTES * PARTS_MAX) / 2 ** 30);
  return new ObjectStoreError(
    "invalid-body",
    `what was to be written as ${quoted(key)} is more than ${gibibytes} GiB: write several objects`,
  );
}
