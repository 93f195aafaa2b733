// The request of one turn, fitted to the model's context window. Pure.
import type { ModelMessage, ModelTool } from '../../model/message.ts'
import type { OfferedTools } from '../../pipeline/registry.ts'
import type { ContextSpace } from './compaction.ts'
import { type FittingTools, fittingResult, fittingTools } from './fit-context-window.ts'
import { type PromptFacts, systemPrompt } from './prompt.ts'
import { estimateTokens } from './tokens.ts'
import { type Entry, type Sight, toMessages } from './transcript.ts'

export interface TurnRequestFacts {
  readonly prompt: Omit<PromptFacts, 'window' | 'tools_left_out'>
  readonly entries: readonly Entry[]
  readonly model: string
  readonly sight: Sight
  /** See `TranscriptReader`. */
  imageOf?(file_id: string): string | null
  /** Sent only to the model, after everything else. */
  readonly nudge: readonly ModelMessage[]
  readonly offered: OfferedTools
  readonly window: ContextSpace
  /** How far token estimates were off in this run. */
  readonly factor: number
}

export interface PlannedRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** What is left of the context window for the conversation. */
  readonly room: ContextSpace
  /** How much of it the conversation needs. */
  readonly taken: number
  readonly fits: boolean
  /** The whole request. */
  readonly tokens: number
}

const leastRoom = 256

export function planRequest({ prompt, entries, model, sight, imageOf, nudge, offered, window, factor }: TurnRequestFacts): PlannedRequest {
  const { tools, left_out } = toolsFor(offered, window)
  const tools_left_out = left_out.map((wire) => offered.named(wire) ?? wire)
  const system: ModelMessage = { role: 'system', content: systemPrompt({ ...prompt, window, tools_left_out }) }
  const conversation = [...toMessages(fittingEntries(entries, window), { sight, model, ...(imageOf ? { imageOf } : {}) }), ...nudge]
  const fixed = estimateTokens([system], tools)
  const taken = estimateTokens(conversation)
  const reserved = Math.floor(window.reserved / factor)
  const free = Math.floor(window.tokens / factor) - fixed
  // Compaction needs some space to work with, even if there is none: whether it fits is returned separately.
  const room = { tokens: Math.max(free, reserved + leastRoom), reserved }
  return { messages: [system, ...conversation], tools, room, taken, fits: taken <= free - reserved, tokens: fixed + taken }
}

/** Long results are shortened before anything is counted, so that a long one is not summarized if a part of it fits. */
export function fittingEntries(entries: readonly Entry[], window: ContextSpace): readonly Entry[] {
  return entries.map((entry) => (entry.kind === 'result' ? { ...entry, text: fittingResult(entry.text, window) } : entry))
}

/** The same tools and context window give the same list, which a provider's cache recognizes. */
const fitted = new WeakMap<OfferedTools, { readonly window: ContextSpace; readonly fitting: FittingTools }>()

function toolsFor(offered: OfferedTools, window: ContextSpace): FittingTools {
  const last = fitted.get(offered)
  if (last && last.window.tokens === window.tokens && last.window.reserved === window.reserved) return last.fitting
  const fitting = fittingTools(offered.tools, window, (wire) => offered.named(wire) ?? wire)
  fitted.set(offered, { window, fitting })
  return fitting
}
