/** What starts a run's process somewhere. */

/** A run that was taken from the queue for it. */
export interface RunToStart {
  readonly run: number;
  readonly pipeline: string;
  readonly program: string;
  /** By which the process claims the run. */
  readonly token: string;
  readonly allowsNewCode: boolean;
}

/** How a run's process ended. */
export interface ProcessEnd {
  readonly token: string;
  /** In a sentence. */
  readonly how: string;
}

/** A process that was started. */
export interface StartedProcess {
  /** Ends it, and what it has started, at once. Nothing happens if it has ended. */
  kill(): void;
}

export interface Runner {
  /**
   * Starts a run's process, and returns when it has begun. It goes on when the scheduler ends.
   *
   * @throws OrcaError with why it can't be started.
   */
  start(run: RunToStart, ended: (end: ProcessEnd) => void): Promise<StartedProcess>;
}
