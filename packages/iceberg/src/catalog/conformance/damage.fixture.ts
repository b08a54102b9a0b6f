import { beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../catalog.ts";
import { COLUMNS, type TestCatalog } from "./test-catalog.fixture.ts";

export function damageConforms(tested: () => TestCatalog): void {
  let catalog: Catalog;
  beforeAll(async () => {
    ({ catalog } = tested());
    await catalog.createNamespace("damaged");
  });

  describe("a metadata file that is damaged", () => {
    it.each([
      ["cut off", (bytes: Uint8Array) => bytes.subarray(0, -10), "isn't JSON"],
      ["empty", () => new Uint8Array(), "isn't JSON"],
      ["something else", () => Buffer.from("[1]"), "an object was expected"],
      ["compressed, and cut off", () => Uint8Array.of(0x1f, 0x8b, 8, 0, 0), "corrupt or cut off"],
      [
        "of a version to come",
        (bytes: Uint8Array) => changed(bytes, '"format-version":2', '"format-version":9'),
        "version 9",
      ],
    ])("(%s) is an error that names it", async (kind, damage, message) => {
      const name = `damaged.${kind.replaceAll(/\W/g, "_")}`;
      const table = await catalog.createTable(name, { columns: COLUMNS });
      const uri = table.state.metadataLocation;
      const bytes = await tested().files.read(uri);
      await tested().files.delete([uri]);
      await tested().files.write(uri, damage(bytes));
      await expect(tested().another().loadTable(name)).rejects.toMatchObject({
        code: expect.stringMatching(/^(invalid-metadata|unsupported)$/),
        message: expect.stringMatching(new RegExp(`${uri.slice(uri.lastIndexOf("/") + 1)}.*${message}`, "s")),
      });
    });
  });
}

function changed(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(new TextDecoder().decode(bytes).replace(from, to));
}
