/** Error replies of REST catalogs ("ErrorModel") as errors of this package. */
import { IcebergError, type IcebergErrorCode } from "../../errors.ts";

/** An error that a catalog has answered. */
export interface Refusal {
  readonly status: number;
  readonly type: string | undefined;
  readonly message: string;
}

/** What was asked, for messages, and what 404 and 409 mean then. */
export interface Asked {
  /** After "can't": `load table weather.rain`. */
  readonly what: string;
  readonly missing: IcebergErrorCode;
  readonly conflict: IcebergErrorCode;
}

export function refusalError({ status, type, message }: Refusal, asked: Asked, options?: ErrorOptions): IcebergError {
  const said = `the catalog can't ${asked.what}: it answered ${status}, ${message}`;
  return new IcebergError(codeOf(status, type, asked), said, options);
}

/** What a reply that isn't ok says. */
export function refusalOf(status: number, text: string): Refusal {
  try {
    const { error } = JSON.parse(text) as { error: { message?: unknown; type?: unknown } };
    return {
      status,
      type: typeof error.type === "string" ? error.type : undefined,
      message: typeof error.message === "string" ? error.message.slice(0, 1000) : "without a message",
    };
  } catch {
    return { status, type: undefined, message: text.slice(0, 200) || "without a message" };
  }
}

function codeOf(status: number, type: string | undefined, { missing, conflict }: Asked): IcebergErrorCode {
  switch (status) {
    case 404:
      if (type === "NoSuchNamespaceException")
        return missing === "table-missing" ? "table-missing" : "namespace-missing";
      return type === "NoSuchTableException" ? "table-missing" : missing;
    case 406:
    case 501:
      return "unsupported";
    case 409:
      return type === "NamespaceNotEmptyException" ? "invalid-change" : conflict;
    default:
      return "catalog-failed";
  }
}
