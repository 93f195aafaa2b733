// The models at one address: one turn at a time over HTTP. Retries, context and tools are up to the run loop.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Clock } from '../clock/clock.ts'
import { checkedAddress, endpointUrl } from './base-url.ts'
import { type ContextWindow, contextWindowOf } from './context-window.ts'
import { openContextWindows } from './context-windows.ts'
import { askEmbeddings, type Embedded } from './embeddings.ts'
import { clientFailure, type ModelFailure } from './failure.ts'
import type { ModelMessage, ModelTool } from './message.ts'
import { sendModelRequest } from './model-request.ts'
import { type OmissiblePart, refusedPart, requestBody } from './request-body.ts'
import type { ModelResponse } from './response.ts'
import type { StreamedPiece, Turn } from './turn.ts'

export interface ModelAddress {
  /** As in the API's own clients: `https://host/v1`. Small mistakes are corrected. */
  readonly base_url: string
  /** Requested for each call, because tokens of an account are renewed. Null if none is needed. */
  key(): Promise<string | null>
}

export interface TurnRequest {
  readonly model: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly temperature: number | null
  readonly signal: AbortSignal
  onText(arrived: StreamedPiece): void
}

export type TurnOutcome =
  | {
      readonly ok: true
      readonly turn: Turn
      /** The parts that the server does not support and that were left out. */
      readonly left_out: readonly OmissiblePart[]
    }
  | { readonly ok: false; readonly failure: ModelFailure }

export interface Model {
  /** Throws only the signal's reason. */
  turn(request: TurnRequest): Promise<TurnOutcome>
  /** `setting`: the user's setting for all models. */
  contextWindow(model: string, setting: number | null): Promise<ContextWindow>
  /** Throws only the signal's reason. */
  embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<Embedded>
  close(): void
}

export function openModel(address: ModelAddress, clock: Clock): Model {
  const checked = checkedAddress(address.base_url)
  if (!checked.ok) return wrongAddress(`The address of the model ${checked.problem}`)
  const { candidates } = checked
  const agent = checked.base_url.startsWith('https:') ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  /** The index of the candidate; fixed once the API was found there. */
  let place = 0
  const base = () => candidates[place] ?? checked.base_url
  const windows = openContextWindows({ base, key: address.key }, clock)
  /** What servers refused, by model. */
  const omissions = new Map<string, Set<OmissiblePart>>()

  async function turn(request: TurnRequest): Promise<TurnOutcome> {
    const omitted = omissions.get(request.model) ?? new Set()
    omissions.set(request.model, omitted)
    const first = place
    for (;;) {
      const key = await address.key()
      const url = endpointUrl(base(), 'chat/completions')
      const { signal, onText } = request
      const answer = await sendModelRequest({ url, agent, body: requestBody(request, omitted), key, signal, onText }, clock)
      if (answer.ok) return { ok: true, turn: answer.turn, left_out: [...omitted] }
      const next = (place + 1) % candidates.length
      if (answer.noApi && next !== first) {
        place = next
        continue
      }
      const part = answer.facts && refusedPart(answer.failure.status, answer.facts, request, omitted)
      if (part) {
        omitted.add(part)
        continue
      }
      if (answer.noApi) place = 0
      return { ok: false, failure: withoutKey(explained(answer, candidates), key) }
    }
  }

  return {
    turn,
    contextWindow: windows.of,
    async embed(model, texts, signal) {
      const key = await address.key()
      const answer = await askEmbeddings({ bases: [base(), ...candidates], key, model, texts, signal }, clock)
      return answer.ok ? answer : { ok: false, failure: withoutKey(answer.failure, key) }
    },
    close() {
      windows.close()
      agent.destroy()
    },
  }
}

/** If the address does not serve the API, the message lists everything that was tried. */
function explained({ failure, noApi }: Extract<ModelResponse, { ok: false }>, candidates: readonly string[]): ModelFailure {
  if (!noApi) return failure
  const tried = candidates.map((candidate) => endpointUrl(candidate, 'chat/completions').href.replace(/\?.*/, '')).join(' and ')
  const said = failure.message.startsWith('<') ? '' : ` The server responded: ${failure.message}`
  return { ...clientFailure('wrong_address', `No model responds at ${tried}.${said}`), status: failure.status }
}

/** An unusable address is reported at the first turn, like one that does not respond. */
function wrongAddress(problem: string): Model {
  return {
    turn: async () => ({ ok: false, failure: clientFailure('wrong_address', problem) }),
    contextWindow: async (model, setting) => contextWindowOf(model, { setting, listed: null }),
    embed: async () => ({ ok: false, failure: clientFailure('wrong_address', problem) }),
    close: () => undefined,
  }
}

/** A server that echoes its input must not get the key into a record. */
function withoutKey(failure: ModelFailure, key: string | null): ModelFailure {
  return key ? { ...failure, message: failure.message.replaceAll(key, '[key]') } : failure
}
