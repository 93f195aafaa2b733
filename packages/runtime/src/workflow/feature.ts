import type { Agents } from '../agent/agents.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import type { LoopPorts } from '../run/ports.ts'
import { openChildRuns } from './child-runs.ts'
import { workflowHandlers } from './commands.ts'
import { crashPoint as reportCrashPoint, type WorkflowCrashpoint } from './crashpoint.ts'
import { openEvaluator } from './evaluate/evaluator.ts'
import { openWorkflowRecords } from './record/workflow-records.ts'
import { openWorkflowRunRows } from './record/workflow-run-rows.ts'
import { openWorkflowRuns, type WorkflowRuns } from './workflow-runs.ts'

export interface WorkflowNeeds {
  readonly agents: Agents
  runs(): Pick<ReadyRuns, 'start' | 'startCarrier' | 'resume' | 'pause' | 'cancel' | 'wakeCarrier' | 'endWaits'>
  /** The real path of a folder that runs may work in; of the default one without a path. */
  folder(path?: string): Outcome<string>
  crashPoint?(point: WorkflowCrashpoint): void
}

export interface WorkflowFeature extends Feature {
  readonly workflows: WorkflowRuns
  readonly records: ReturnType<typeof openWorkflowRecords>
  readonly carrierOf: LoopPorts['carrierOf']
  readonly isAwaited: LoopPorts['isAwaited']
}

/** How late a workflow may notice that an agent or another workflow has ended, if it was not running then. */
const check_ms = 15_000

export function openWorkflowFeature(ground: FeatureContext, needs: WorkflowNeeds): WorkflowFeature {
  const { store, clock, journal, bus, log } = ground
  const { agents, runs } = needs
  const records = openWorkflowRecords(store)
  const rows = openWorkflowRunRows(store)
  const evaluator = openEvaluator({ clock, log })
  const children = openChildRuns({ journal, rows, agents, runs, workflows: () => workflows })
  const workflows = openWorkflowRuns({
    ...{ store, journal, rows, records, agents, runs, evaluator, children, log },
    crashPoint: needs.crashPoint ?? reportCrashPoint,
    ended(workflow_run_id, state) {
      wakeParentOf(workflow_run_id)
      void runs()
        .endWaits({ for: 'workflow', id: workflow_run_id }, { outcome: 'completed', value: { state } })
        .catch((error: unknown) => log(`what waited for workflow run ${workflow_run_id} could not continue: ${String(error)}`))
    },
  })

  /** `run_id`: of an agent's run, or of a workflow run. */
  function wakeParentOf(run_id: string): void {
    const parent = rows.parentOf(run_id)
    const row = parent === undefined ? undefined : rows.get(parent)
    if (row) runs().wakeCarrier(row.run_id)
  }

  const unsubscribe = bus.subscribe('step', (step) => {
    if (step.kind === 'run.completed' || step.kind === 'run.failed' || step.kind === 'run.canceled') wakeParentOf(step.run_id)
  })

  return {
    name: 'workflows',
    workflows,
    records,
    carrierOf: ({ workflow_run_id }) => (workflow_run_id === null ? null : workflows.carrierOf(workflow_run_id)),
    isAwaited: (run_id) => rows.parentOf(run_id) !== undefined,
    commands: workflowHandlers({ ...{ store, journal, rows, records, agents, workflows }, folder: needs.folder }),
    jobs: [
      {
        name: 'continue_workflows',
        every_ms: check_ms,
        first_ms: 1_000,
        run() {
          for (const { run_id } of rows.children()) {
            const kind = rows.get(run_id) ? 'workflow' : 'agent'
            if (children.end(kind, run_id).is !== 'open') wakeParentOf(run_id)
          }
        },
      },
    ],
    on: {
      from: 'now',
      hears: {
        async checkpoint_restored({ data }) {
          workflows.restored(data.run_id)
        },
      },
    },
    async stop() {
      unsubscribe()
      await evaluator.close()
    },
  }
}
