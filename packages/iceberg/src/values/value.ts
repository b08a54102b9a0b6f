/**
 * The form that values have in JavaScript, by the type of their column:
 *
 *   boolean                                                    boolean
 *   int, float, double                                         number
 *   long                                                       bigint
 *   decimal(P,S)                                               bigint: the unscaled value, 14.20 is 1420n
 *   date                                                       number: days from 1970-01-01
 *   time                                                       bigint: microseconds from midnight
 *   timestamp, timestamptz                                     bigint: microseconds from 1970-01-01 (UTC)
 *   timestamp_ns, timestamptz_ns                               bigint: nanoseconds from 1970-01-01 (UTC)
 *   string                                                     string
 *   uuid                                                       string: lower case, with hyphens
 *   fixed(L), binary                                           Uint8Array
 *   struct                                                     an object, by field names
 *   list                                                       an array
 *   map                                                        a Map
 */
export type Value = PrimitiveValue | StructValue | readonly (Value | null)[] | ReadonlyMap<Value, Value | null>;
export type PrimitiveValue = boolean | number | bigint | string | Uint8Array;
export interface StructValue {
  readonly [name: string]: Value | null;
}
