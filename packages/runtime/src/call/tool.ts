// A tool is one literal. Policy, sandbox, checkpoint, approval, journal and events wrap it from outside, so that no tool can forget one.
import type { CallPreview } from '@tandem/contract/run'
import type { OutputOf } from '@tandem/contract/tool/output'
import type { Static, TSchema } from 'typebox'
import type { PreviewContext, ToolContext } from './context.ts'
import type { Wait, WaitEnd, Waiting } from './wait.ts'

/** What a call will touch, said before it runs. Paths are as the call names them; `Place` says what they are relative to. */
export type Effect =
  | { readonly does: 'read'; readonly path: string }
  /** Creates, changes or moves what is there. */
  | { readonly does: 'write'; readonly path: string }
  | { readonly does: 'delete'; readonly path: string }
  /** Asks a host for something; asking twice changes nothing. */
  | { readonly does: 'fetch'; readonly host: string }
  /** Sends a host something that may change the world. */
  | { readonly does: 'send'; readonly host: string }
  | { readonly does: 'execute'; readonly command: string; readonly cwd: string; readonly language: 'shell' | 'script' }
  | { readonly does: 'signal'; readonly pid: number }
  /** Changes only Tandem's own records (todos, memories). */
  | { readonly does: 'note' }

/** Calls with only such effects may run side by side, and again after a crash. */
export function onlyLooks(effects: readonly Effect[]): boolean {
  return effects.every(({ does }) => does === 'read' || does === 'fetch')
}

export interface Place {
  /** The real path of the folder the run works in. */
  readonly workspace: string
}

/** What is known about a tool that others provide: a stranger describes it, and may describe it otherwise tomorrow. */
export interface ToolOrigin {
  /** Whether calls of it run in a program on this device. */
  readonly is_program: boolean
  /** Of what its calls do, as it is described now: an approval is for this. */
  fingerprint(): string
  /** What a person reads before the first call of the tool as it is now; none once they have approved it. */
  warnings(): readonly string[]
  /** A person has approved a call of it. */
  approved(): void
}

export interface ToolLimits {
  /** How long one call may take unless the agent's policy says otherwise. */
  readonly seconds: number
}

export interface Tool<Input extends TSchema = TSchema, Output extends TSchema = TSchema> {
  readonly name: string
  /** What the model reads: what it does, when to use it, what it will not do. */
  readonly summary: string
  /** An object schema. Every field has a description; a model that sends anything else is told what is wrong. */
  readonly input: Input
  /** What a call returns. A result that does not match is a bug of the tool. */
  readonly output: Output
  effects(input: Static<Input>, place: Place): readonly Effect[] | Promise<readonly Effect[]>
  /** What the call runs or sends beside its arguments, as a digest: a yes to a file by its name is a yes to what is in it now. */
  digest?(input: Static<Input>, place: Place): Promise<string>
  /**
   * What the call would do, for the user who is asked about it. A `ToolFailure` says that the call would fail as things are now; null when
   * there is nothing to show.
   */
  preview?(input: Static<Input>, context: PreviewContext): Promise<CallPreview | null>
  readonly limits: ToolLimits
  /** What other devices see of its arguments and its output: all of it, or only the ids in it. All of it when absent. */
  readonly leaves?: 'whole' | 'ids'
  /** It only asks the user: no policy applies to it. */
  readonly only_asks?: true
  /** Absent for tools of our own. */
  readonly origin?: ToolOrigin
  /** Answers with its output or with a `Waiting`, or throws a `ToolFailure`. Anything else thrown is a bug and is reported as one. */
  run(input: Static<Input>, context: ToolContext): Promise<OutputOf<Output> | Waiting>
  /** Of a tool that waits: the result of the call, once what it waited for has ended. After a crash it is asked again, so it only reads. */
  resumed?(wait: Wait, end: WaitEnd): OutputOf<Output> | Promise<OutputOf<Output>>
  /** The run no longer waits. Called in the transaction that says so; absent when what was waited for continues by itself. */
  abandoned?(wait: Wait): void
  /** How the model reads the output; as JSON when absent. */
  present?(output: OutputOf<Output>): string
}

/** What is recorded with a call whose content stays on this device. */
export function leavesOf(tool: Pick<Tool, 'leaves'> | undefined): { readonly leaves?: 'ids' } {
  return tool?.leaves === 'ids' ? { leaves: 'ids' } : {}
}

/** Keeps the types of input and output through the literal. A registry holds tools of all types: the pipeline validates before it calls one. */
export function defineTool<const Input extends TSchema, const Output extends TSchema>(tool: Tool<Input, Output>): Tool {
  return tool
}
