import { describe, expect, it } from "vitest";
import { checkDatasetName, dataset, datasetsByName, isLocation } from "./dataset.ts";

const raw = dataset("lake.raw", { id: "long", day: "date" }, { doc: "As it came.", docs: { id: "the key" } });

describe("a dataset", () => {
  it("is its name, its columns, and how its files are parted and sorted", () => {
    const options = {
      partitionBy: ["month(day)"],
      sortBy: ["id desc"],
      doc: "Clean.",
      docs: { id: "the key" },
    } as const;
    expect(dataset("lake.clean", { id: "long", day: "date" }, options)).toEqual({
      kind: "dataset",
      name: "lake.clean",
      columns: [
        { name: "id", type: { type: "long" }, nullable: false, doc: "the key" },
        { name: "day", type: { type: "date" }, nullable: false },
      ],
      partitionBy: [{ transform: "month", column: "day" }],
      sortBy: [{ transform: "identity", column: "id", direction: "desc", nulls: "last" }],
      doc: "Clean.",
    });
    expect(Object.isFrozen(raw)).toBe(true);
  });

  it.each(["a.b", "flights.raw", "lake.deep.raw", "_.0", "lake-2.Raw_trips"])("may be named '%s'", (name) => {
    expect(() => checkDatasetName(name)).not.toThrow();
  });

  it.each(["raw", "", ".", "a.", ".a", "a..b"])("isn't named '%s'", (name) => {
    const message = `'${name}' isn't a dataset's name: write namespace.table`;
    expect(() => checkDatasetName(name)).toThrow(expect.objectContaining({ code: "invalid-dataset", message }));
  });

  it.each(["/data/rain", "s3://bucket/rain", "s3://bucket/deep.er/rain?region=eu-west-1", "file:///data/rain"])(
    "may be a table by its location: '%s'",
    (location) => {
      expect(() => checkDatasetName(location)).not.toThrow();
      expect(isLocation(location)).toBe(true);
    },
  );

  it.each([
    ["../a.b", "isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table"],
    ["data/rain", "isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table"],
    ["s3://bucket", "isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table"],
    ["https://a.b/c", "isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table"],
    ["/data/rain/", "ends with a slash: leave it out"],
    ["/", "ends with a slash: leave it out"],
    ["/a\nb", "isn't a location: it has at most 1024 bytes, and no control characters"],
  ])("isn't at '%s'", (location, says) => {
    const message = `'${location}' ${says}`;
    expect(() => checkDatasetName(location)).toThrow(expect.objectContaining({ code: "invalid-dataset", message }));
  });

  it("isn't at a location that the database can't record", () => {
    expect(() => checkDatasetName(`/${"é".repeat(512)}`)).toThrow("it has at most 1024 bytes");
  });

  it("is one table under one name, wherever it is declared", () => {
    const same = dataset("lake.raw", { id: "long", day: "date" }, { doc: "Its docs may differ." });
    const other = dataset("lake.raw", { id: "long", day: "date?" });
    const declared = [
      { where: "step 'a'", dataset: raw },
      { where: "step 'b'", dataset: same },
      { where: "step 'c'", dataset: "lake.raw" },
    ];
    expect(datasetsByName(declared)).toEqual(new Map([["lake.raw", raw]]));
    expect(() => datasetsByName([...declared, { where: "step 'd'", dataset: other }])).toThrow(
      expect.objectContaining({
        code: "invalid-dataset",
        message:
          "step 'a' and step 'd' declare 'lake.raw' with other columns: day is date in the first and date? in the second",
      }),
    );
  });
});
