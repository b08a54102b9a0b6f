/** What every page can open over itself: the search and the list of keys. */

export function SearchDialog() {
  return (
    <dialog id="palette" class="palette" aria-label="Search">
      <div>
        <input
          type="text"
          role="combobox"
          aria-expanded="false"
          aria-controls="found"
          aria-label="Search pipelines, datasets, runs and keys"
          placeholder="Pipeline, dataset, run number or key"
          autocomplete="off"
          spellcheck={false}
        />
        <ul id="found" role="listbox" aria-label="Found" />
      </div>
    </dialog>
  );
}

/** Keys that go together are separated by spaces; `+` is held together. */
const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["/"], "Search"],
  [["g", "p"], "Pipelines"],
  [["g", "r"], "Runs"],
  [["g", "d"], "Datasets"],
  [["g", "b"], "Backfills"],
  [["j", "k"], "Next and previous row"],
  [["Enter"], "Open the row or cell"],
  [["←", "↑", "↓", "→"], "Move in a grid or along a time axis"],
  [["PgUp", "PgDn"], "Month before and after"],
  [["Home", "End"], "First and last"],
  [["Space"], "Select the cell"],
  [["Shift", "←", "→"], "Select a range"],
  [["[", "]"], "In an attempt: partition before and after"],
  [["t"], "Exact or relative times"],
  [["Esc"], "Clear the selection, close what is open"],
  [["?"], "This list"],
];

export function HelpDialog() {
  return (
    <dialog id="help" aria-labelledby="help-h">
      <div>
        <h2 id="help-h">Keyboard</h2>
      </div>
      <div>
        <dl class="keys">
          {KEYS.map(([keys, what]) => (
            <>
              <dt>
                {keys.map((key) => (
                  <>
                    <kbd>{key}</kbd>{" "}
                  </>
                ))}
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
      </div>
      <div class="foot-d">
        <label class="st">
          <input type="checkbox" data-keys checked /> Single-key shortcuts
        </label>
        <form method="dialog">
          <button class="btn">Close</button>
        </form>
      </div>
    </dialog>
  );
}
