/** The partitions of a run that were asked for, with each step of them. */
import { Pager } from "../../look/pager.tsx";
import { attemptHref, hrefWith, runHref } from "../../look/addresses.ts";
import { Name } from "../../look/name.tsx";
import { Mark, stateOf } from "../../look/state.tsx";
import { took } from "../../look/text.ts";
import { tookOf } from "./cell.tsx";
import type { ListedPartitions } from "./data.ts";

const ASKED = { failed: "Any step failed", running: "Running", all: "All" } as const;

export function Listed(given: {
  readonly listed: ListedPartitions;
  readonly steps: readonly string[];
  readonly run: number;
  readonly now: Date;
}) {
  const { listed, steps, run, now } = given;
  return (
    <>
      <form class="bar-f" role="search" action={`${runHref(run)}#steps`}>
        <input
          class="in mono"
          type="search"
          name="prefix"
          aria-label="Find a partition by how it begins"
          placeholder="Partition begins with…"
        />
        <select class="sel" name="partitions" aria-label="State">
          {Object.entries(ASKED).map(([value, label]) => (
            <option value={value} selected={value === listed.status}>
              {label}
            </option>
          ))}
        </select>
        <button class="btn" type="submit">
          List
        </button>
      </form>
      <table class="tbl cards" data-list>
        <thead>
          <tr>
            <th scope="col">Partition</th>
            {steps.map((step) => (
              <th scope="col">{step}</th>
            ))}
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {listed.partitions.map((partition) => (
            <Line partition={partition} {...given} />
          ))}
        </tbody>
      </table>
      <Pager
        label="Next"
        href={
          listed.after === null
            ? undefined
            : hrefWith(runHref(run), { partitions: listed.status, after: listed.after }, "#steps")
        }
      >
        {listed.partitions.length === 0
          ? "No partition is like that"
          : `${listed.partitions.length} partitions, by name`}
      </Pager>
    </>
  );

  function Line({ partition }: { readonly partition: string }) {
    const cells = listed.cells.filter((cell) => cell.partition === partition);
    const why = listed.errors.find((error) => error.partition === partition);
    const main = cells.find((cell) => cell.status === "failed") ?? cells.findLast((cell) => cell.attempts > 0);
    return (
      <tr>
        <th scope="row" class="mono wide">
          {main === undefined ? (
            <Name text={partition} tail={12} />
          ) : (
            <a href={attemptHref(run, main.step, partition)} data-drawer>
              <Name text={partition} tail={12} />
            </a>
          )}
        </th>
        {steps.map((step) => {
          const cell = cells.find((one) => one.step === step);
          if (cell === undefined) return <td data-l={step} />;
          const ms = tookOf(cell, now);
          return (
            <td data-l={step}>
              <Mark name={stateOf(cell.status)} label={ms === undefined ? cell.status : took(ms)} />
            </td>
          );
        })}
        <td class="wide">{why?.error?.split("\n")[0]}</td>
      </tr>
    );
  }
}
