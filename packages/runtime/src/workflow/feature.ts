import type { Agents } from '../agent/agents.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Outcome } from '../feature/outcome.ts'
import { activeTime, timedStep } from '../journal/active-time.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import type { LoopPorts } from '../run/ports.ts'
import { openChildRuns } from './child-runs.ts'
import { type CloudDefinitions, openCloudDefinitions } from './cloud-definitions.ts'
import { workflowHandlers } from './commands.ts'
import { crashPoint as reportCrashPoint, type WorkflowCrashpoint } from './crashpoint.ts'
import { openEvaluator } from './evaluate/evaluator.ts'
import { openScheduleRecords } from './record/schedule-records.ts'
import { openWorkflowRecords } from './record/workflow-records.ts'
import { openWorkflowRunRows } from './record/workflow-run-rows.ts'
import { type CheckDefinition, definitionChecker } from './rule/check-definition.ts'
import { objectIn } from './rule/inputs.ts'
import { openRunEnds } from './run-ends.ts'
import { startScheduled } from './scheduled-starts.ts'
import { workflowTools } from './tools.ts'
import { openWorkflowUsage } from './usage.ts'
import { workflowResult } from './workflow-result.ts'
import { openWorkflowRuns, type WorkflowRuns } from './workflow-runs.ts'

export interface WorkflowNeeds {
  readonly agents: Agents
  runs(): Pick<ReadyRuns, 'start' | 'startCarrier' | 'resume' | 'pause' | 'cancel' | 'wakeCarrier' | 'endWaits'>
  /** The tools of this device. */
  readonly registry: Pick<ToolRegistry, 'get'>
  /** The real path of a folder that runs may work in; of the default one without a path. */
  folder(path?: string): Outcome<string>
  crashPoint?(point: WorkflowCrashpoint): void
}

export interface WorkflowFeature extends Feature {
  readonly workflows: WorkflowRuns
  readonly records: ReturnType<typeof openWorkflowRecords>
  readonly issuesOf: CheckDefinition
  /** With its schedules. */
  remove(workflow_id: string): boolean
  /** A definition was changed or approved. */
  changed(): void
  readonly carrierOf: LoopPorts['carrierOf']
  readonly isAwaited: LoopPorts['isAwaited']
  readonly cloud: CloudWorkflows
  /** The run that an agent works for: the one that carries the workflow, or that started it; null if a person did, undefined if none. */
  starterOf(run_id: string): string | null | undefined
}

/** What the cloud uses of it. */
interface CloudWorkflows extends CloudDefinitions {
  onChanged(call: () => void): () => void
  problem(workflow_id: string): string | null
  startTask(task: TaskStart): Outcome<string>
  resultOf(run_id: string): string | null | undefined
}

interface TaskStart {
  readonly workflow_id: string
  readonly input: string | null
  readonly agent_id: string
  readonly workspace: string
  readonly key: string
}

/** How late a workflow may notice that an agent or another workflow has ended, if it was not running then. */
const check_ms = 15_000

/** How late a schedule may start a workflow. */
const schedule_ms = 20_000

export function openWorkflowFeature(ground: FeatureContext, needs: WorkflowNeeds): WorkflowFeature {
  const { store, clock, journal, life, log } = ground
  const { agents, runs } = needs
  const records = openWorkflowRecords(store)
  const issuesOf = definitionChecker(records, (tool) => needs.registry.get(tool)?.input)
  const rows = openWorkflowRunRows(store)
  const schedules = openScheduleRecords(store)
  const evaluator = openEvaluator({ clock, log })
  const ends = openRunEnds(clock)
  const children = openChildRuns({ store, journal, rows, agents, runs, workflows: () => workflows })
  const workflows = openWorkflowRuns({
    ...{ store, journal, rows, records, agents, runs, evaluator, children, log },
    crashPoint: needs.crashPoint ?? reportCrashPoint,
    ended(workflow_run_id, state) {
      ends.tell(workflow_run_id)
      wakeParentOf(workflow_run_id)
      void runs()
        .endWaits({ for: 'workflow', id: workflow_run_id }, { outcome: 'completed', value: { state } })
        .catch((error: unknown) => log(`what waited for workflow run ${workflow_run_id} could not continue: ${String(error)}`))
    },
  })

  const usage = openWorkflowUsage({
    journal,
    workflowRun(workflow_run_id) {
      const run = workflows.snapshot(workflow_run_id)
      return run.ok ? run.value : undefined
    },
  })

  /** `run_id`: of an agent's run, or of a workflow run. */
  function wakeParentOf(run_id: string): void {
    const parent = rows.parentOf(run_id)
    const row = parent === undefined ? undefined : rows.get(parent)
    if (row) runs().wakeCarrier(row.run_id)
  }

  function problem(workflow_id: string): string | null {
    const workflow = records.get(workflow_id)
    if (!workflow) return `the workflow ${workflow_id} is not on this device yet`
    if (records.isApproved(workflow.sha256)) return null
    return `this version of the workflow ${workflow.name} is not approved on this device: approve it on the Workflows page, or with tandem workflows approve`
  }

  function startTask({ workflow_id, input, agent_id, workspace, key }: TaskStart): Outcome<string> {
    const inputs = objectIn(input ?? '{}')
    if (inputs === null)
      return {
        ok: false,
        code: 'invalid_params',
        message: 'the input of the task must be an object as JSON: the inputs of its workflow by name',
      }
    const started = workflows.start({ workflow_id, inputs, inputs_by: 'task', agent_id, workspace, key })
    return started.ok ? { ok: true, value: started.value.run_id } : started
  }

  function resultOf(run_id: string): string | null | undefined {
    const workflow_run_id = journal.run(run_id)?.workflow_run_id
    if (workflow_run_id == null) return undefined
    const run = workflows.snapshot(workflow_run_id)
    return run.ok ? JSON.stringify(workflowResult(journal, run.value)) : null
  }

  function starterOf(run_id: string): string | null | undefined {
    const run = journal.run(run_id)
    if (!run) return undefined
    if (run.workflow_run_id !== null) return rows.get(run.workflow_run_id)?.origin_run_id
    const workflow_run_id = rows.workflowRunOf(run.conversation_id)
    return workflow_run_id === undefined ? undefined : rows.get(workflow_run_id)?.run_id
  }

  function isOverTime(run_id: string, limit_ms: number): boolean {
    const steps = journal.steps(rows.get(run_id)?.run_id ?? run_id).map(timedStep)
    return activeTime(steps, clock.now()) > limit_ms
  }

  function cancelLate(kind: 'agent' | 'workflow', run_id: string, limit_ms: number): void {
    children
      .cancel(kind, run_id, `it took longer than ${limit_ms / 1_000} s`)
      .catch((error: unknown) => log(`run ${run_id} could not be ended: ${String(error)}`))
  }

  /** With its schedules. False if there is none. */
  function remove(workflow_id: string): boolean {
    return store.transaction(() => {
      for (const { schedule_id } of schedules.list(workflow_id)) schedules.remove(schedule_id)
      return records.remove(workflow_id)
    })
  }

  const listeners = new Set<() => void>()

  function onChanged(call: () => void): () => void {
    listeners.add(call)
    return () => listeners.delete(call)
  }

  function changed(): void {
    for (const call of listeners) call()
  }

  return {
    name: 'workflows',
    workflows,
    records,
    issuesOf,
    remove,
    changed,
    cloud: { ...openCloudDefinitions({ records, log }), onChanged, problem, startTask, resultOf },
    starterOf,
    carrierOf: ({ workflow_run_id }) => (workflow_run_id === null ? null : workflows.carrierOf(workflow_run_id)),
    isAwaited: (run_id) => rows.parentOf(run_id) !== undefined,
    tools: workflowTools({ store, journal, records, workflows, usage }),
    commands: workflowHandlers({
      ...{ store, journal, rows, records, schedules, agents, workflows, usage, ends, remove, changed },
      folder: needs.folder,
      issuesOf,
    }),
    jobs: [
      {
        name: 'start_workflows',
        every_ms: schedule_ms,
        first_ms: 1_000,
        async run(stop) {
          if (life === 'resident') await startScheduled({ clock, schedules, rows, workflows, log }, stop)
        },
      },
      {
        name: 'continue_workflows',
        every_ms: check_ms,
        first_ms: 1_000,
        run() {
          for (const { run_id, limit_ms } of rows.children()) {
            const kind = rows.get(run_id) ? 'workflow' : 'agent'
            if (children.end(kind, run_id).is !== 'open') wakeParentOf(run_id)
            else if (limit_ms !== null && isOverTime(run_id, limit_ms)) cancelLate(kind, run_id, limit_ms)
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
    endRun: wakeParentOf,
    async stop() {
      ends.stop()
      await evaluator.close()
    },
  }
}
