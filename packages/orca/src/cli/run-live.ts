/** A run's progress on a terminal: a line a step that is drawn again and again, below the lines that stay. */
import { textOfDuration } from "../core/duration.ts";
import type { AttemptId, Outcome } from "../core/journal.ts";
import type { RunObserver } from "../run/run-options.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import type { FailedBefore } from "../state/run-before.ts";
import { RunLines } from "./run-lines.ts";

const REDRAW_MS = 100;
const BAR_WIDTH = 24;
/** A narrower bar tells nothing. */
const BAR_WIDTH_MIN = 4;

interface Progress {
  readonly total: number;
  /** When its first partition was started. */
  startedAt: number | undefined;
  done: number;
  /** Of these, those that an earlier process has done. */
  readonly doneBefore: number;
  failed: number;
  skipped: number;
  running: number;
  /** Waiting to be tried again. */
  waiting: number;
}

/** Draws until it is disposed; what else is written to the terminal meanwhile appears above the drawing. */
export class RunLive implements RunObserver, Disposable {
  readonly lines: RunLines;
  readonly #steps: ReadonlyMap<string, Progress>;
  readonly #out: NodeJS.WriteStream;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #writes: readonly { readonly stream: NodeJS.WriteStream; readonly write: NodeJS.WriteStream["write"] }[];
  #drawnLines = 0;
  /** Whether what was written last has no line end yet: what is drawn must not stand behind it, or it would be erased with it. */
  #isMidLine = false;
  #isStopping = false;
  #isEnded = false;

  /** @param streams those that share the terminal: what is written to them is kept apart from the drawing. */
  constructor(
    steps: readonly StepDefinition[],
    partitionCount: number,
    doneBefore: (step: string) => number,
    out: NodeJS.WriteStream,
    streams: readonly NodeJS.WriteStream[],
    now: () => number,
  ) {
    this.#steps = new Map(
      steps.map((s) => {
        const total = s.kind === "mapped" ? partitionCount : 1;
        const done = doneBefore(s.name);
        return [
          s.name,
          { total, startedAt: undefined, done, doneBefore: done, failed: 0, skipped: 0, running: 0, waiting: 0 },
        ];
      }),
    );
    this.#out = out;
    this.#now = now;
    this.lines = new RunLines((line) => this.#print(line), true, now);
    this.#writes = [...new Set(streams)].map((stream) => ({
      stream,
      write: stream.write.bind<typeof stream.write>(stream),
    }));
    for (const { stream, write } of this.#writes)
      stream.write = ((...args: Parameters<typeof write>) => {
        this.#erase();
        this.#isMidLine = !endsLine(args[0]);
        return write(...args);
      }) as typeof stream.write;
    this.#timer = setInterval(() => this.draw(), REDRAW_MS).unref();
  }

  attemptStarted(id: AttemptId): void {
    const step = this.#steps.get(id.step)!;
    step.startedAt ??= this.#now();
    if (id.attempt > 1) step.waiting--;
    step.running++;
  }

  attemptEnded(id: AttemptId, outcome: Outcome, retryMs: number | undefined): void {
    const step = this.#steps.get(id.step)!;
    step.running--;
    if (outcome.status === "succeeded") step.done++;
    else if (retryMs !== undefined) step.waiting++;
    else if (outcome.status !== "cancelled") step.failed++;
    this.lines.attemptEnded(id, outcome, retryMs);
  }

  failedBefore(failed: FailedBefore): void {
    this.#steps.get(failed.step)!.failed++;
    this.lines.failedBefore(failed);
  }

  skipped(step: string): void {
    this.#steps.get(step)!.skipped++;
  }

  stray(error: Error): void {
    this.lines.stray(error);
  }

  /** Says in the drawing that the run is being cancelled. */
  stopping(): void {
    this.#isStopping = true;
  }

  /** Leaves the last state of the drawing. May be called twice. */
  [Symbol.dispose](): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#timer);
    this.draw();
    for (const { stream, write } of this.#writes) stream.write = write;
  }

  /** Draws how far each step is; called ten times a second. */
  draw(): void {
    this.#erase();
    const rows = Math.max(1, (this.#out.rows || 24) - 2);
    const width = this.#out.columns ?? 80;
    const lines = this.#shown(rows).map(([name, progress]) => this.#line(name, progress, width));
    if (this.#isStopping && !this.#isEnded)
      lines.push("cancelling: waiting for the running steps; Ctrl-C again stops at once");
    const drawing = lines.map((line) => `${line.slice(0, width - 1)}\n`).join("");
    this.#raw(this.#isMidLine ? `\n${drawing}` : drawing);
    this.#isMidLine = false;
    this.#drawnLines = lines.length;
  }

  /** All steps, or of more than there is room for those that something is going on in, and what comes first of the rest. */
  #shown(rows: number): readonly (readonly [string, Progress])[] {
    const all = [...this.#steps];
    if (all.length <= rows) return all;
    const isGoingOn = ([, p]: readonly [string, Progress]) => p.running > 0 || p.waiting > 0;
    const chosen = new Set([
      ...all.filter(isGoingOn),
      ...all.filter(([, p]) => p.done + p.failed + p.skipped < p.total),
      ...all,
    ]);
    const first = new Set([...chosen].slice(0, rows));
    return all.filter((step) => first.has(step));
  }

  #line(name: string, progress: Progress, width: number): string {
    const { total, startedAt, done, doneBefore, failed, skipped, running, waiting } = progress;
    const longest = Math.max(...Array.from(this.#steps.keys(), (n) => n.length));
    const nameWidth = Math.min(longest, Math.max(8, Math.floor(width / 3)));
    const shownName = name.length > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name.padEnd(nameWidth);
    const ended = done + failed + skipped;
    const endedNow = ended - doneBefore;
    const notes = [
      failed > 0 ? `${failed} failed` : "",
      skipped > 0 ? `${skipped} skipped` : "",
      running > 0 ? `${running} running` : "",
      waiting > 0 ? `${waiting} to be tried again` : "",
      endedNow > 0 && ended < total && running > 0
        ? `about ${textOfDuration(((this.#now() - startedAt!) / endedNow) * (total - ended))} left`
        : "",
    ].filter((note) => note !== "");
    const counts = `${done}/${total}  ${notes.join(", ")}`.trimEnd();
    const barWidth = Math.min(BAR_WIDTH, width - nameWidth - counts.length - 5);
    const shown = barWidth < BAR_WIDTH_MIN ? counts : `${barOf(done, failed + skipped, total, barWidth)}  ${counts}`;
    return `${shownName}  ${shown}`;
  }

  #erase(): void {
    if (this.#drawnLines > 0) this.#raw(`\u001b[${this.#drawnLines}A\r\u001b[J`);
    this.#drawnLines = 0;
  }

  /** Not through the stream's `write`, which takes what is written while a step runs for the step's. */
  #print(line: string): void {
    this.#erase();
    this.#raw(`${line}\n`);
  }

  #raw(text: string): void {
    this.#writes.find(({ stream }) => stream === this.#out)!.write(text);
  }
}

/** Whether what is written next begins a line. */
export function endsLine(chunk: string | Uint8Array): boolean {
  return chunk.length === 0 || (typeof chunk === "string" ? chunk.endsWith("\n") : chunk.at(-1) === 10);
}

/** `█` for what succeeded, `▒` for what failed or was skipped, and `░` for the rest. */
function barOf(done: number, lost: number, total: number, width: number): string {
  const [succeeded, ended] = [Math.floor((width * done) / total), Math.floor((width * (done + lost)) / total)];
  return "█".repeat(succeeded) + "▒".repeat(ended - succeeded) + "░".repeat(width - ended);
}
