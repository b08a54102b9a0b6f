import type { ObjectStoreOptions } from "@orcajs/objectstore";
import { Engine, type EngineOptions } from "../../engine/engine.ts";
import { IcebergError } from "../../errors.ts";
import type { RestOptions } from "./options.ts";
import { RestCatalog } from "./rest-catalog.ts";
import { RestClient } from "./rest-client.ts";
import { VendedFiles } from "./vended-files.ts";

/** A REST catalog at `rest+https://host/path?warehouse=…`. @throws IcebergError `unsupported` on another kind of location. */
export function openRest(
  location: string,
  options: RestOptions,
  storeOptions: ObjectStoreOptions,
  engine: EngineOptions | undefined,
): RestCatalog {
  const url = URL.canParse(location.slice("rest+".length)) ? new URL(location.slice("rest+".length)) : undefined;
  const { warehouse, ...others } = Object.fromEntries(url?.searchParams ?? []);
  // what is wrong isn't repeated: it may be a password
  if (
    url === undefined ||
    url.username !== "" ||
    url.password !== "" ||
    url.hash !== "" ||
    Object.keys(others).length > 0
  )
    throw new IcebergError(
      "unsupported",
      "a REST catalog's location is rest+https://host/path, and may have ?warehouse=…: credentials are options.rest's",
    );
  const baseUrl = `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/v1$/, "");
  const restOptions = {
    areCredentialsVended: storeOptions.s3?.credentials === undefined,
    ...(warehouse !== undefined && { warehouse }),
    ...options,
  };
  const client = new RestClient(baseUrl, restOptions);
  const files = new VendedFiles(storeOptions);
  return new RestCatalog(`rest+${baseUrl}`, client, files, new Engine(engine), options.retryMilliseconds ?? 100);
}
