/** Waits for the moments of a plan's events, one after the other. */
import type { Held, Side } from "./held.ts";
import type { Event } from "./plan.ts";
import type { Program } from "./processes.ts";

/** Does a disturbance, to a program that goes on; at a request that is held. What it returns holds the request. */
export type Act = (event: Event, program: Program, held: Held | undefined) => Promise<void>;

export class Schedule implements Disposable {
  readonly #events: readonly Event[];
  readonly #act: Act;
  #next = 0;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #program: Program | undefined;

  constructor(events: readonly Event[], act: Act) {
    this.#events = events;
    this.#act = act;
  }

  /** How many events have happened. */
  get happened(): number {
    return this.#next;
  }

  /** A program begins: what is to happen some time after the last event, happens to it. */
  begun(program: Program): void {
    this.#program = program;
    this.#arm();
  }

  /** Holds a request or an answer while what is to happen there happens. */
  async met(program: Program, request: string, side: Side, held: Held): Promise<void> {
    const event = this.#events[this.#next];
    if (event === undefined || "afterMs" in event.moment || event.moment.side !== side) return;
    if (event.moment.request !== "any" && !request.startsWith(event.moment.request)) return;
    if (++this.#count === event.moment.count) await this.#happen(event, program, held);
  }

  #arm(): void {
    const event = this.#events[this.#next];
    if (event === undefined || !("afterMs" in event.moment) || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#program!.end === undefined) void this.#happen(event, this.#program!, undefined);
    }, event.moment.afterMs);
  }

  async #happen(event: Event, program: Program, held: Held | undefined): Promise<void> {
    this.#next++;
    this.#count = 0;
    this.#arm();
    await this.#act(event, program, held);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#next = this.#events.length;
  }
}
