/** What a REST catalog is shown, so that it lets one in. */
export interface WarehouseAccess {
  /** A bearer token. */
  readonly token?: string | undefined;
  /** `id:secret` of an OAuth2 client: tokens are fetched with it. */
  readonly credential?: string | undefined;
}
