/** All pages, in the order that their paths are tried. */
import type { AnyView } from "./view.ts";
import { searchView } from "./pages/search.tsx";
import { datasetView } from "./pages/dataset.tsx";
import { datasetsView } from "./pages/datasets.tsx";
import { pipelinesView, registerView } from "./pages/pipelines.tsx";
import { backfillView } from "./pages/backfill.tsx";
import { backfillsView } from "./pages/backfills.tsx";
import { rebuildView } from "./pages/rebuild.tsx";
import { rebuildsView } from "./pages/rebuilds.tsx";
import { backfillPlanView } from "./pages/backfill-plan.tsx";
import { pipelineView } from "./pages/pipeline.tsx";
import { attemptView, gatherAttemptView } from "./pages/attempt.tsx";
import { runView } from "./pages/run.tsx";
import { runsView } from "./pages/runs.tsx";
import { rebuildPlanView } from "./pages/rebuild-plan.tsx";
import { startRunView } from "./pages/start-run.tsx";

export const VIEWS: readonly AnyView[] = [
  pipelinesView,
  registerView,
  pipelineView,
  backfillPlanView,
  startRunView,
  backfillsView,
  backfillView,
  rebuildsView,
  rebuildView,
  runsView,
  runView,
  attemptView,
  gatherAttemptView,
  datasetsView,
  datasetView,
  rebuildPlanView,
  searchView,
];
