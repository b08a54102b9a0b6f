/** What starts a run's process somewhere. */

/** A run that was taken from the queue for it. */
export interface RunToStart {
  readonly run: number;
  readonly pipeline: string;
  readonly program: string;
  /** By which the process claims the run. */
  readonly token: string;
  readonly allowsNewCode: boolean;
  /** Which of the processes that were started for the run, from 1. */
  readonly launch: number;
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
  /** Where what a run's process prints can be read, if anywhere. */
  logOf?(run: RunToStart): string;

  /**
   * Starts a run's process, and returns when it has begun. It goes on when the scheduler ends.
   *
   * @throws OrcaError with why it can't be started.
   */
  start(run: RunToStart, ended: (end: ProcessEnd) => void): Promise<StartedProcess>;
}
