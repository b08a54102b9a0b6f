/** Packages with native code, which JavaScript can't be compiled with: they are found or unpacked where the built file runs, when they are first used. */
import { requireNative, type BuiltFile } from "./require-native.ts";

/** What a build knows of one. */
export interface NativePackage {
  /** As the code imports it: `@duckdb/node-api`; or the path of a native file of the user's own, relative as `folder` is. */
  readonly specifier: string;
  /** Empty for a file. */
  readonly name: string;
  readonly version: string;
  /** The package that imports it, where it isn't the user's code that does: it may be installed where only that one finds it. */
  readonly importer: string | null;
  /** The folder that it was found from when it was built, relative to the one that the code takes itself to be in. */
  readonly folder: string;
}

/**
 * Stands for a package until something of it is used, which is when it is loaded: `describe` must not wait for DuckDB.
 *
 * esbuild turns an import into `__toESM(…)` of this: a new object with the same prototype, own properties copied (there are none), and
 * `default` added. So what stands for the default is a proxy, whose prototype is another one for what the package exports by name.
 */
export function nativePackage(wanted: NativePackage, builtFile: BuiltFile): unknown {
  let loaded: Loaded | undefined;
  const load = () => (loaded ??= exportsOf(requireNative(wanted, builtFile)));
  const value = () => load().value;

  const names = new Proxy(
    {},
    {
      get: (_, key) => Reflect.get(load().names, key) as unknown,
      has: (_, key) => Reflect.has(load().names, key),
      getPrototypeOf: () => Reflect.getPrototypeOf(value()), // so that a default function is one
    },
  );
  const standIn = Object.bind(undefined); // can be called and constructed, and has no property that a proxy must show
  const proxy: object = new Proxy(standIn, {
    // a CommonJS module's default is all that it exports, as in Node: `__esModule` would say otherwise to esbuild
    get: (_, key) => (key === "__esModule" ? undefined : (Reflect.get(value(), key) as unknown)),
    has: (_, key) => Reflect.has(value(), key),
    set: (_, key, to) => Reflect.set(value(), key, to),
    apply: (_, self, given) => Reflect.apply(value(), self, given) as unknown,
    construct: (_, given, target) => Reflect.construct(value(), given, target === proxy ? value() : target) as object,
    getPrototypeOf: () => names,
    ownKeys: () => [],
  });
  return proxy;
}

interface Loaded {
  /** What is imported by name. */
  readonly names: object;
  /** What is imported as the default: an object, or a function or class. */
  readonly value: new () => object;
}

function exportsOf(module: unknown): Loaded {
  const { isModuleNamespaceObject } = process.getBuiltinModule("node:util").types;
  const names = module as { default?: unknown };
  const value = isModuleNamespaceObject(module) ? (names.default ?? module) : module;
  return { names, value: value as Loaded["value"] };
}
