// What the commands are made of. Everything is handed in; a command whose feature is missing answers `not_available`.
import type { CommandParams, CommandResult, SandboxSight } from '@tandem/contract/command'
import type { Agents } from '../agent/agents.ts'
import type { Approvals } from '../approval/approvals.ts'
import type { Events } from '../event/events.ts'
import type { CommandTable } from '../feature/command-table.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import type { CallPolicies } from '../policy/call-policies.ts'
import type { Policies } from '../policy/policies.ts'
import type { Questions } from '../question/questions.ts'
import type { Resumed, Runs, StartRequest } from '../run/runs.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import type { Todos } from '../todo/todos.ts'

/** Runs, once servers and what a restore left are ready. */
export interface RunCommands extends Pick<Runs, 'pause' | 'cancel' | 'settled'> {
  start(request: StartRequest): Promise<Outcome<RunRecord>>
  resume(run_id: string, answer?: CommandParams<'agent_run_resume'>['answer']): Promise<Outcome<Resumed>>
}

/** The runtime about itself. */
interface About {
  readonly version: string
  readonly started_at: string
  sandbox(): Promise<SandboxSight>
  model(): CommandResult<'runtime_status'>['model']
  warnings(): CommandResult<'runtime_status'>['warnings']
  parkedDeliveries(): CommandResult<'runtime_status'>['parked_deliveries']
}

export interface Workspaces {
  /** The real path of a folder that runs may work in; the one the runtime was started over for none. */
  resolve(path: string | undefined): Outcome<string>
  /** A fresh folder to try things in. */
  makeSample(): Outcome<string>
}

export interface Features {
  readonly store: Pick<Store, 'transaction' | 'device_id' | 'home' | 'sql' | 'clock'>
  readonly journal: Journal
  readonly events: Pick<Events, 'list' | 'beforeLast'>
  readonly agents: Agents
  readonly todos: Todos
  readonly questions: Pick<Questions, 'pending'>
  readonly approvals: Pick<Approvals, 'pending'>
  readonly policies: Pick<Policies, 'of' | 'set' | 'reset' | 'list' | 'revoke'>
  readonly callPolicies: Pick<CallPolicies, 'of'>
  readonly tools: Pick<ToolRegistry, 'list' | 'get'>
  readonly runs: RunCommands
  readonly settings: SettingsStore
  readonly workspaces: Workspaces
  readonly about: About
  /** The commands of features that stand above these: checkpoints, memory, learning, skills. */
  readonly others: CommandTable
}
