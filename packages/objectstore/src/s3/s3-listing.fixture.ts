interface Entry {
  readonly name: string;
  readonly xml: string;
}

const PAGE_KEYS = 1000;

/** A page of ListObjectsV2 as S3 gives it: in the order of UTF-8 bytes, which fauxqs's isn't. `page` asks fauxqs for one of its own. */
export async function listing(
  page: (query: URLSearchParams) => Promise<string>,
  asked: URLSearchParams,
): Promise<string> {
  const prefix = asked.get("prefix") ?? "";
  const after = Buffer.from(asked.get("continuation-token") ?? asked.get("start-after") ?? "");
  const isLater = ({ name }: Entry) => Buffer.compare(Buffer.from(name), after) > 0;
  const entries = grouped(await allObjects(page, prefix), prefix, asked.get("delimiter")).filter(isLater);
  const shown = entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))).slice(0, PAGE_KEYS);
  const next =
    entries.length > PAGE_KEYS ? `<NextContinuationToken>${escaped(shown.at(-1)!.name)}</NextContinuationToken>` : "";
  return `<ListBucketResult>${shown.map(({ xml }) => xml).join("")}${next}</ListBucketResult>`;
}

async function allObjects(
  page: (query: URLSearchParams) => Promise<string>,
  prefix: string,
): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  let token: string | undefined;
  do {
    const query = new URLSearchParams({
      "list-type": "2",
      prefix,
      ...(token !== undefined && { "continuation-token": token }),
    });
    const text = await page(query);
    for (const [xml, name] of text.matchAll(/<Contents>\s*<Key>(.*?)<\/Key>.*?<\/Contents>/gs))
      all.push({ xml, name: unescaped(name!) });
    token = /<NextContinuationToken>(.*?)<\/NextContinuationToken>/.exec(text)?.[1];
  } while (token !== undefined);
  return all;
}

function grouped(objects: readonly Entry[], prefix: string, delimiter: string | null): Entry[] {
  const groups = new Map<string, Entry>();
  for (const object of objects) {
    const at = delimiter === null ? -1 : object.name.indexOf(delimiter, prefix.length);
    const name = at === -1 ? object.name : object.name.slice(0, at + 1);
    const xml = at === -1 ? object.xml : `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`;
    groups.set(name, { name, xml });
  }
  return [...groups.values()];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
