/** Keys of AWS's. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** When they end: a function that gave them is then asked again. */
  readonly expiration?: Date;
}

/** How to reach a bucket. What isn't given is as AWS's own tools have it: from `AWS_…` variables, the shared configuration and the machine's role. */
export interface S3Options {
  /** The URL of a store that is compatible with S3. Default: `AWS_ENDPOINT_URL_S3`, or AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Whether the bucket is in the URL's path rather than in its host. Default: only with an endpoint. */
  readonly pathStyle?: boolean | undefined;
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined;
  /** How often a request is sent until it is given up. Default 5. */
  readonly attempts?: number | undefined;
  /** The wait before the second attempt, at most; it doubles with each, up to 20 s. Default 100. */
  readonly retryMilliseconds?: number | undefined;
  /** How long a connection may be silent until the request counts as lost. Default 60. */
  readonly timeoutSeconds?: number | undefined;
}
