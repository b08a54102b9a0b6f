/** How a REST catalog is reached. Its own configuration (`/v1/config`) fills in what isn't given here. */
export interface RestOptions {
  /** Which of its warehouses. Default: its own. Also as `?warehouse=…` of the location. */
  readonly warehouse?: string | undefined;
  /** A bearer token, which is sent as it is. */
  readonly token?: string | undefined;
  /** `id:secret` of an OAuth2 client: tokens are fetched with it, and again before they expire. */
  readonly credential?: string | undefined;
  /** Where tokens are fetched. Default: `v1/oauth/tokens` of the catalog. */
  readonly oauth2ServerUri?: string | undefined;
  /** Default `catalog`. */
  readonly scope?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the catalog is asked for credentials to the tables' files. Default: if `s3.credentials` aren't given. */
  readonly areCredentialsVended?: boolean | undefined;
  /** How often a request is sent until it is given up; those that may have been applied aren't sent again. Default 5. */
  readonly attempts?: number | undefined;
  /** The wait before the second attempt, at most; it doubles with each. Default 100. What a reply asks for (`Retry-After`) is waited as well, up to a minute. */
  readonly retryMilliseconds?: number | undefined;
  /** How long a reply may take until the request counts as lost. Default 60. */
  readonly timeoutSeconds?: number | undefined;
}
