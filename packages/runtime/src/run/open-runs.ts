// Assembles the runs of a runtime.
import type { Agents } from '../agent/agents.ts'
import type { Approvals } from '../approval/approvals.ts'
import type { Wait, WaitEnd } from '../call/wait.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Features } from '../feature/features.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Calls } from '../pipeline/open-calls.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import { mostChangedPaths } from '../policy/agent-changes.ts'
import type { Questions } from '../question/questions.ts'
import { openCallChanges } from './call/call-changes.ts'
import type { ResumeResult } from './control/resume-run.ts'
import type { ReachCrashPoint } from './crashpoint.ts'
import type { LoopPorts } from './ports.ts'
import type { Recovery } from './recovery/open-recovery.ts'
import type { WaitAnswer } from './resume.ts'
import { openRuns, type Runs } from './runs.ts'
import type { StartRequest } from './start-request.ts'
import { withinToolBudget } from './turn/tool-budget.ts'

export interface RunNeeds
  extends Pick<
    LoopPorts,
    'modelFor' | 'defaultModel' | 'deviceName' | 'imagesToModels' | 'todos' | 'attachment' | 'carrierOf' | 'isAwaited' | 'team'
  > {
  readonly registry: ToolRegistry
  readonly features: Features
  readonly calls: Calls
  readonly recovery: Recovery
  readonly approvals: Approvals
  readonly questions: Questions
  readonly agents: Agents
  readonly crashPoint: ReachCrashPoint
  /** How many tokens the tools of MCP servers may use in a request. */
  toolBudget(): number
  /** Resolves when everything that runs in these folders may need is ready: servers, models. */
  ready(workspaces: readonly string[]): Promise<unknown>
}

/** Runs that continue when what they need is ready. */
export interface ReadyRuns extends Omit<Runs, 'start' | 'resume' | 'interrupt' | 'endWaits'> {
  start(request: StartRequest): Promise<Outcome<RunRecord>>
  resume(run_id: string, answer?: WaitAnswer): Promise<Outcome<ResumeResult>>
  interrupt(run_id: string): Promise<Outcome<RunRecord>>
  /** What calls waited for has ended: it is recorded immediately, and their runs continue. */
  endWaits(subject: Pick<Wait, 'for' | 'id'>, end: WaitEnd): Promise<void>
}

/** How late a wait for a time may end. */
const continue_ms = 5_000
const retry_ms = 15_000

export function openReadyRuns(ground: FeatureContext, needs: RunNeeds): ReadyRuns {
  const { clock, journal, settings, scheduler, life, log } = ground
  const { registry, features, calls, recovery, agents } = needs
  const { checkpoints } = recovery
  const { callPolicies, temps, sandbox } = calls
  const runs = openRuns(
    {
      ...ground,
      ...needs,
      ...calls,
      checkpoints: recovery.points,
      changes: openCallChanges({
        changes: calls.changes,
        listChanges: (checkpoint_id) => checkpoints.changes(checkpoint_id, mostChangedPaths),
        isRestricted: ({ policy }) => sandbox.enforcement(policy.sandbox_mode) === 'os',
      }),
      isResident: life === 'resident',
      compactionWait_ms: () => settings.read().compaction_wait_seconds * 1_000,
      agent: (agent_id) => agents.get(agent_id)?.agent,
      toolsFor(run, loaded) {
        const usable = registry.list().filter(({ isFor, origin }) => (isFor?.(run.run_id) ?? true) && !origin?.refusal?.(run))
        const offered = callPolicies.offered(run, usable)
        return { ...offered, tools: withinToolBudget(offered.tools, { tokens: needs.toolBudget(), loaded }) }
      },
      promptSections: features.promptSections,
      beforeModelCall: features.beforeModelCall,
      tempFor: temps.of,
      async endRun(run_id) {
        await features.endRun(run_id)
        temps.end(run_id)
      },
      endBackground: recovery.endBackground,
      random: Math.random,
    },
    checkpoints,
  )

  async function ready(workspaces: readonly string[]): Promise<void> {
    await Promise.all([recovery.ready(), needs.ready([...new Set(workspaces)])])
  }

  const foldersOf = (some: readonly RunRecord[]) => some.map(({ workspace }) => workspace)

  async function retryRuns(): Promise<void> {
    const due = journal.toRetry(clock.now())
    if (due.length === 0) return
    await ready(foldersOf(due))
    runs.retryDue()
  }

  /** Servers are started only for runs that this process continues. */
  async function continueRuns(): Promise<void> {
    if (!runs.endDueWaits()) return
    await ready(foldersOf(journal.toContinue()))
    runs.continueWaiting()
  }

  if (life === 'resident') scheduler.add({ name: 'retry_runs', every_ms: retry_ms, first_ms: 1_000, run: retryRuns })
  scheduler.add({ name: 'continue_runs', every_ms: continue_ms, first_ms: 1_000, run: continueRuns })
  const broken = runs.recover()
  temps.sweep((run_id) => journal.run(run_id)?.ended_at !== null)
  if (broken > 0) log(`${broken} ${broken === 1 ? 'run was' : 'runs were'} interrupted and can be resumed`)

  return {
    ...runs,
    async start(request) {
      const conversation = journal.conversations.get(request.conversation_id)
      await ready(conversation ? [conversation.workspace] : [])
      return runs.start(request)
    },
    async resume(run_id, answer) {
      const run = journal.run(run_id)
      await ready(run ? [run.workspace] : [])
      return runs.resume(run_id, answer)
    },
    async interrupt(run_id) {
      const run = journal.run(run_id)
      await ready(run ? [run.workspace] : [])
      return await runs.interrupt(run_id)
    },
    async endWaits(subject, end) {
      if (runs.endWaits(subject, end)) await continueRuns()
    },
  }
}
