// A tool is one literal. Policy, sandbox, checkpoint, approval, journal and events wrap it from outside, so that no tool can forget one.
import type { CallPreview } from '@tandem/contract/run'
import type { OutputOf } from '@tandem/contract/tool/output'
import type { Static, TSchema } from 'typebox'
import type { PreviewContext, ToolContext } from './context.ts'
import type { Committing, Wait, WaitEnd, Waiting } from './wait.ts'

/** What a call will access, declared before it runs. Paths are as given in the call; `Place` contains what they are relative to. */
export type Effect =
  | { readonly does: 'read'; readonly path: string }
  /** Creates, changes or moves what is there. */
  | { readonly does: 'write'; readonly path: string }
  | { readonly does: 'delete'; readonly path: string }
  /** Requests something from a host; repeating the request changes nothing. */
  | { readonly does: 'fetch'; readonly host: string }
  /** Sends something to a host that may have an effect there. */
  | { readonly does: 'send'; readonly host: string }
  | { readonly does: 'execute'; readonly command: string; readonly cwd: string; readonly language: 'shell' | 'script' }
  /** Runs on another machine: nothing there can be restored. */
  | { readonly does: 'execute_remotely'; readonly executor: string; readonly command: string }
  | { readonly does: 'signal'; readonly pid: number }
  /** Changes only Tandem's own records (todos, memories). */
  | { readonly does: 'note' }

/** Calls with only such effects may run in parallel, and may be repeated after a crash. */
export function isReadOnly(effects: readonly Effect[]): boolean {
  return effects.every(({ does }) => does === 'read' || does === 'fetch')
}

/** Whether a call may change files of its folder. A program of an MCP server works in the folder, too. */
export function mayChangeFolder(effects: readonly Effect[]): boolean {
  return mayChangeAnything(effects) || effects.some(({ does }) => does === 'write' || does === 'delete')
}

/** Whether it may change any file there, and not only those that it names. */
export function mayChangeAnything(effects: readonly Effect[]): boolean {
  return effects.some((effect) => {
    return effect.does === 'execute' || ((effect.does === 'send' || effect.does === 'fetch') && effect.host.startsWith('mcp:'))
  })
}

export interface CallLocation {
  /** The real path of the folder the run works in. */
  readonly workspace: string
}

/** The origin of a tool from an MCP server: its description is untrusted and may change at any time. */
export interface ToolOrigin {
  /** Whether its calls run in a program on this device. */
  readonly is_program: boolean
  /** A fingerprint of the tool's current description and behavior: an approval covers only this. */
  fingerprint(): string
  /** What the user reads before the first call of the tool in its current form; empty once a call was approved. */
  warnings(): readonly string[]
  /** The user has approved a call of it. */
  approved(): void
  /** Why a run may not use it; null if it may. It is neither offered to such a run nor called by it. */
  refusal?(run: { readonly agent_id: string; readonly workspace: string }): ToolRefusal | null
}

export interface ToolRefusal {
  readonly reason_code: string
  readonly message: string
  readonly remedy: string
}

export interface ToolLimits {
  /** The time limit of one call, unless the agent's policy has another. */
  readonly seconds: number
}

export interface Tool<Input extends TSchema = TSchema, Output extends TSchema = TSchema> {
  readonly name: string
  /** Read by the model: what the tool does, when to use it, what it will not do. */
  readonly summary: string
  /** An object schema. Every field has a description; a model that sends anything else gets a validation error. */
  readonly input: Input
  /** What a call returns. A result that does not match is a bug of the tool. */
  readonly output: Output
  effects(input: Static<Input>, place: CallLocation): readonly Effect[] | Promise<readonly Effect[]>
  /** A digest of what the call runs or sends besides its arguments: approving a file by its name approves only its current content. */
  digest?(input: Static<Input>, place: CallLocation): Promise<string>
  /**
   * What the call would do, for the user who approves it. A `ToolFailure` means that the call would fail in the current state; null if
   * there is nothing to show.
   */
  preview?(input: Static<Input>, context: PreviewContext): Promise<CallPreview | null>
  readonly limits: ToolLimits
  /** What other devices see of its arguments and output: everything, or only the ids. Everything by default. */
  readonly leaves?: 'whole' | 'ids'
  /** Whether a run has a use for it; without it, every run has. A call of it is not refused because of this. */
  isFor?(run_id: string): boolean
  /** It only asks the user a question, so no policy applies to it. */
  readonly only_asks?: true
  /** Absent for built-in tools. */
  readonly origin?: ToolOrigin
  /** Returns its output, a `Waiting` or a `Committing`, or throws a `ToolFailure`. Any other error is a bug and is reported as one. */
  run(input: Static<Input>, context: ToolContext): Promise<OutputOf<Output> | Waiting | Committing<OutputOf<Output>>>
  /** For a tool that waits: the result of the call when the wait has ended, or another wait. It is called again after a crash, so it must only read. */
  resumed?(wait: Wait, end: WaitEnd): OutputOf<Output> | Promise<OutputOf<Output> | Waiting>
  /** The run no longer waits. Called in the transaction that records this; absent if what it waited for continues on its own. */
  abandoned?(wait: Wait): void
  /** After a crash: whether a call that had started can be made again, because it finds what it started instead of starting it twice. */
  repeats?(call_id: string): boolean
  /** The output as text for the model; JSON by default. */
  present?(output: OutputOf<Output>): string
}

/** What is recorded for a call whose content stays on this device. */
export function leavesOf(tool: Pick<Tool, 'leaves'> | undefined): { readonly leaves?: 'ids' } {
  return tool?.leaves === 'ids' ? { leaves: 'ids' } : {}
}

/** Preserves the types of input and output of the literal. A registry contains tools of all types; the pipeline validates before each call. */
export function defineTool<const Input extends TSchema, const Output extends TSchema>(tool: Tool<Input, Output>): Tool {
  return tool
}
