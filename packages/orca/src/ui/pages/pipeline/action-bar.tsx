/** What can be done with the partitions that are selected: a form that asks what will happen, and by itself takes what is typed. */
import { pipelineHref } from "../../look/addresses.ts";
import { unitOf } from "../../look/units.ts";

export function ActionBar({
  name,
  kind,
  list,
  selected,
}: {
  readonly name: string;
  readonly kind: "monthly" | "daily";
  /** The partitions that are selected, as they are listed. */
  readonly list: string;
  readonly selected: number;
}) {
  const unit = unitOf(kind);
  return (
    <form
      class={selected === 0 ? "act" : "act on"}
      method="get"
      action={pipelineHref(name, "backfill")}
      data-act
      data-confirm
      data-unit={unit}
      aria-label="Act on the selection"
    >
      <b data-act-n>
        {selected === 0 ? "Nothing selected" : `${selected} ${unit}${selected === 1 ? "" : "s"} selected`}
      </b>
      <input
        class="in mono"
        name="keys"
        aria-label="Partitions"
        value={list}
        placeholder={kind === "daily" ? "2024-01-01..2024-01-31" : "2024-01..2024-12"}
        spellcheck={false}
        autocomplete="off"
      />
      <button class="btn pri" type="submit" data-act-backfill>
        Backfill
      </button>
      <button class="btn" type="submit" name="rerun" value="1" data-act-rerun>
        Rerun
      </button>
      <a class="btn bare" href={`${pipelineHref(name)}#partitions`} data-clear>
        Clear
      </a>
      <span class="cli">
        <span>Same as</span> <code data-act-cli>{`orca backfill ${name} ${list}`.trimEnd()}</code>
      </span>
    </form>
  );
}
