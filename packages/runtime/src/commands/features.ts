// What the commands are made of. Everything is handed in; a command whose feature is missing answers `not_available`.
import type { CommandErrorCode, CommandParams, CommandResult, SandboxSight, Settings } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'
import type { Message } from '@tandem/contract/run'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Agents } from '../agent/agents.ts'
import type { Approvals } from '../approval/approvals.ts'
import type { Events } from '../event/events.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { CallPolicies } from '../policy/call-policies.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import type { Policies } from '../policy/policies.ts'
import type { Questions } from '../question/questions.ts'
import type { Store } from '../store/store.ts'
import type { Todos } from '../todo/todos.ts'
import type { CommandTable } from './table.ts'

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: CommandErrorCode; readonly message: string; readonly failure_contract?: FailureContract }

interface RunRequest {
  readonly conversation_id: string
  readonly text: string
  readonly attachments?: Message['attachments']
  readonly model?: string
  readonly sandbox_mode?: SandboxMode
  /** Starting again with the same key starts nothing. */
  readonly key?: string
}

export interface Runs {
  start(request: RunRequest): Promise<Outcome<RunRecord>>
  resume(run_id: string, answer?: CommandParams<'agent_run_resume'>['answer']): Promise<Outcome<CommandResult<'resume_agent_run'>>>
  pause(run_id: string): Promise<Outcome<RunRecord>>
  cancel(run_id: string, reason: string | null): Promise<Outcome<RunRecord>>
  /** When it no longer goes on here: paused or ended. */
  settled(run_id: string): Promise<RunRecord>
}

export interface SettingsStore {
  read(): Settings
  /** A key goes when its address does, unless another comes along. */
  write(change: CommandParams<'runtime_set_settings'>): void
}

/** The runtime about itself. */
interface About {
  readonly version: string
  readonly started_at: string
  sandbox(): Promise<SandboxSight>
  model(): CommandResult<'runtime_status'>['model']
  warnings(): CommandResult<'runtime_status'>['warnings']
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
  readonly runs: Runs
  readonly settings: SettingsStore
  readonly workspaces: Workspaces
  readonly about: About
  /** The commands of features that stand above these: checkpoints, memory, learning, skills. */
  readonly others: CommandTable
}
