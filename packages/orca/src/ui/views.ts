/** All pages, in the order that their paths are tried. */
import type { AnyView } from "./view.ts";
import { pipelinesView, registerView } from "./pages/pipelines.tsx";
import { attemptView, gatherAttemptView } from "./pages/attempt.tsx";
import { runView } from "./pages/run.tsx";
import { runsView } from "./pages/runs.tsx";

export const VIEWS: readonly AnyView[] = [
  pipelinesView,
  registerView,
  runsView,
  runView,
  attemptView,
  gatherAttemptView,
];
