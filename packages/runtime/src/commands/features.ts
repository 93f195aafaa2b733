// What the commands need, passed in as arguments. A command whose feature is missing returns `not_available`.
import type { CommandParams, CommandResult, SandboxSight } from '@tandem/contract/command'
import type { Agents } from '../agent/agents.ts'
import type { Approvals } from '../approval/approvals.ts'
import type { Events } from '../event/events.ts'
import type { CommandTable } from '../feature/command-table.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import type { CallPolicies } from '../policy/call-policies.ts'
import type { Policies } from '../policy/policies.ts'
import type { Questions } from '../question/questions.ts'
import type { ResumeResult } from '../run/control/resume-run.ts'
import type { Runs } from '../run/runs.ts'
import type { StartRequest } from '../run/start-request.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'

/** Runs, after MCP servers are ready and interrupted restores are finished. */
export interface RunCommands extends Pick<Runs, 'pause' | 'cancel' | 'settled'> {
  start(request: StartRequest): Promise<Outcome<RunRecord>>
  resume(run_id: string, answer?: CommandParams<'agent_run_resume'>['answer']): Promise<Outcome<ResumeResult>>
}

/** Information about the runtime itself. */
interface About {
  readonly version: string
  readonly started_at: string
  sandbox(): Promise<SandboxSight>
  model(): CommandResult<'runtime_status'>['model']
  warnings(): CommandResult<'runtime_status'>['warnings']
  parkedDeliveries(): CommandResult<'runtime_status'>['parked_deliveries']
  executors(): CommandResult<'runtime_status'>['executors']
  /** The states that features report. */
  featureStates(): CommandResult<'runtime_status'>['features']
}

export interface Features {
  readonly store: Pick<Store, 'transaction' | 'device_id' | 'home' | 'sql' | 'clock' | 'newId'>
  readonly journal: Journal
  readonly events: Pick<Events, 'list' | 'beforeLast' | 'emit'>
  readonly agents: Agents
  readonly questions: Pick<Questions, 'pending'>
  readonly approvals: Pick<Approvals, 'pending'>
  readonly policies: Pick<Policies, 'of' | 'set' | 'reset' | 'list' | 'revoke' | 'uses'>
  readonly callPolicies: Pick<CallPolicies, 'of'>
  readonly tools: Pick<ToolRegistry, 'list' | 'get'>
  readonly runs: RunCommands
  readonly settings: SettingsStore
  readonly workspaces: Workspaces
  readonly about: About
  /** The commands that features handle. */
  readonly others: CommandTable
}
