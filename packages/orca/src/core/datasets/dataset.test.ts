import { describe, expect, it } from "vitest";
import { checkDatasetName, dataset, datasetsByName } from "./dataset.ts";

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

  it.each(["raw", "", ".", "a.", ".a", "a..b", "../a.b"])("isn't named '%s'", (name) => {
    const message = `'${name}' isn't a dataset's name: write namespace.table`;
    expect(() => checkDatasetName(name)).toThrow(expect.objectContaining({ code: "invalid-dataset", message }));
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
