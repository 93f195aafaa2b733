// The current state of a run, computed from its journal. The loop uses nothing else, so a crash does not change how a run continues.
import { hash } from 'node:crypto'
import { canonicalJson } from '@tandem/contract/sync'
import { toolSearch } from '@tandem/contract/tool'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { StepOf } from '../journal/step.ts'
import { type EndedCall, predictedResult, withEndedCall } from './call/repetition.ts'
import type { Position } from './turn/transcript.ts'

/** `waiting`: for an approval, or for something that the call has started. */
export type CallProgress = 'requested' | 'waiting' | 'started'

export interface OpenCall {
  readonly call_id: string
  readonly tool: string
  /** The name that the model used; it differs only if the tool does not exist. */
  readonly asked: string
  readonly arguments: string
  /** The file with the complete arguments, if the step has only their beginning. */
  readonly arguments_file: string | null
  readonly wire_id: string
  readonly seq: number
  readonly progress: CallProgress
  /** The last step before the approval was requested: a restore goes back to it. */
  readonly before: number | null
  /** The call only reads: repeated after a crash. */
  readonly looks: boolean
  readonly checkpoint_id: string | null
  /** Only its ids are synchronized. */
  readonly leaves: 'ids' | null
}

export interface RunProgress {
  /** How many turns of the model have started. */
  readonly turn: number
  /** A model was called and has not responded. */
  readonly modelOpen: boolean
  /** The unsettled calls of the last turn, in the model's order. */
  readonly open: readonly OpenCall[]
  /** The last turn requested no more calls. */
  readonly answered: boolean
  /** Consecutive turns with neither text nor calls. */
  readonly empty: number
  /** The refusal text, if the last turn was a refusal. */
  readonly refused: string | null
  /** Consecutive responses that were truncated at the model's limit. */
  readonly cut: number
  /** The latest calls, with their results. */
  readonly ended: readonly EndedCall[]
  /** The last step that the latest compaction covers; null if nothing was compacted. */
  readonly summarizedThrough: Position | null
  /** Tools of MCP servers that it has found or called, the oldest first. */
  readonly loaded: readonly string[]
}

const atStart: RunProgress = {
  turn: 0,
  modelOpen: false,
  open: [],
  answered: false,
  empty: 0,
  cut: 0,
  refused: null,
  ended: [],
  summarizedThrough: null,
  loaded: [],
}

export function runProgressOf(steps: readonly JournaledStep[]): RunProgress {
  return steps.reduce(applyStep, atStart)
}

export function applyStep(progress: RunProgress, { step, here }: JournaledStep): RunProgress {
  switch (step.kind) {
    case 'model.called':
      return { ...progress, turn: step.turn, modelOpen: true, answered: false }
    case 'model.completed': {
      const cut = step.finish_reason === 'length' ? progress.cut + 1 : 0
      // Counts as empty and as the last response until a message or a call follows.
      return { ...progress, modelOpen: false, answered: cut === 0, empty: progress.empty + 1, cut, refused: here.refused ?? null }
    }
    case 'message.completed':
      return { ...progress, empty: 0 }
    case 'message.received':
      return { ...progress, answered: false }
    case 'team.message':
      // What the run itself has sent is part of a call.
      return step.from_run_id === step.run_id ? progress : { ...progress, answered: false }
    case 'tool.call': {
      const call: OpenCall = {
        call_id: step.call_id,
        tool: step.tool,
        asked: here.tool ?? step.tool,
        arguments: step.arguments,
        arguments_file: step.arguments_file_id ?? null,
        wire_id: here.wire_id ?? step.call_id,
        seq: step.seq,
        progress: 'requested',
        before: null,
        looks: false,
        checkpoint_id: null,
        leaves: here.leaves ?? null,
      }
      const open = step.replaces ? progress.open.map((other) => (other.call_id === step.replaces ? call : other)) : [...progress.open, call]
      return { ...progress, open, answered: false, empty: 0, loaded: withLoaded(progress, step.tool.startsWith('mcp.') ? [step.tool] : []) }
    }
    case 'approval.requested':
      return change(progress, step.approval.call_id, {
        progress: 'waiting',
        before: beforeOf(progress, step.approval.call_id) ?? step.seq - 1,
      })
    case 'question.asked':
      return change(progress, step.question.call_id, { progress: 'waiting' })
    case 'wait.started':
      return change(progress, here.call_id ?? '', { progress: 'waiting' })
    case 'checkpoint.created':
      return step.call_id === null ? progress : change(progress, step.call_id, { checkpoint_id: step.checkpoint_id })
    case 'tool.started':
      return change(progress, step.call_id, { progress: 'started', looks: here.looks === true })
    case 'tool.result': {
      const call = progress.open.find(({ call_id }) => call_id === step.call_id)
      const open = progress.open.filter(({ call_id }) => call_id !== step.call_id)
      if (!call) return { ...progress, open }
      const loaded = withLoaded(progress, call.tool === toolSearch ? foundTools(step) : [])
      return { ...progress, open, loaded, ended: withEndedCall(progress.ended, endOf(progress, call, step)) }
    }
    case 'context.compacted':
      return { ...progress, summarizedThrough: here.through ?? progress.summarizedThrough }
    default:
      return progress
  }
}

function withLoaded({ loaded }: RunProgress, more: readonly string[]): readonly string[] {
  return more.length === 0 || (more.length === 1 && loaded.at(-1) === more[0]) ? loaded : [...loaded, ...more]
}

/** The record may be of another version. */
function foundTools({ outcome, output }: StepOf<'tool.result'>): readonly string[] {
  if (outcome !== 'succeeded' || typeof output !== 'object' || output === null || !('tools' in output)) return []
  const found: readonly unknown[] = Array.isArray(output.tools) ? output.tools : []
  return found.flatMap((one) =>
    typeof one === 'object' && one !== null && 'tool' in one && typeof one.tool === 'string' ? [one.tool] : [],
  )
}

function endOf({ ended }: RunProgress, { tool, arguments: args, seq }: OpenCall, result: StepOf<'tool.result'>): EndedCall {
  const call = callSignature(tool, args)
  // A warning about a loop is not a different result: the loop continues to count.
  const foretold = result.failure_contract?.reason_code === 'repeated_call' ? predictedResult(ended, call) : null
  // Nobody knows what an interrupted call would have returned, so it is no repetition: calling again is what it asks for.
  const apart = result.outcome === 'interrupted' ? ` ${seq}` : ''
  return { seq, call, end: foretold ?? short(`${result.outcome} ${JSON.stringify(result.output)}${apart}`) }
}

/** The same for the same call, whatever the order of its arguments. */
export function callSignature(tool: string, args: string): string {
  try {
    return short(`${tool} ${canonicalJson(JSON.parse(args))}`)
  } catch {
    return short(`${tool} ${args}`)
  }
}

/** Outputs are long, and are only compared for equality. */
function short(text: string): string {
  return hash('sha256', text, 'base64')
}

function beforeOf({ open }: RunProgress, call_id: string): number | null {
  return open.find((call) => call.call_id === call_id)?.before ?? null
}

function change(progress: RunProgress, call_id: string, fields: Partial<OpenCall>): RunProgress {
  return { ...progress, open: progress.open.map((call) => (call.call_id === call_id ? { ...call, ...fields } : call)) }
}
