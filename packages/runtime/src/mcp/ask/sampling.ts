// A server asks for an answer of the model. Only with the permission of the user, only during a call, and only so often in a run. The tokens
// count like those of a turn.
import type { CreateMessageRequest, CreateMessageResult } from '@modelcontextprotocol/sdk/types.js'
import type { Usage } from '@tandem/contract/run'
import type { McpSample } from '@tandem/contract/tool/output'
import type { CallIds } from '../../call/scope.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { RunUsage } from '../../journal/run-usage.ts'
import type { ModelMessage } from '../../model/message.ts'
import type { Model } from '../../model/model.ts'
import { mcpLimits } from '../limits.ts'

export interface SamplingPorts {
  readonly journal: Pick<Journal, 'run'>
  readonly usage: RunUsage
  modelFor(name: string): { readonly model: Model } | null
  /** Sets aside what a request can cost. A string is why the budget of the run does not allow it. */
  reserve(run: RunRecord, tokens: number): (() => void) | string
}

export interface Sampling {
  /** Throws with a sentence for the server. `limit`: what the user allowed for one run. */
  answer(request: SampleRequest): Promise<Sampled>
  /** What was counted for the run is useless after it. */
  end(run_id: string): void
}

export interface SampleRequest {
  readonly ids: Pick<CallIds, 'run_id'>
  readonly server_id: string
  readonly limit: number
  readonly params: CreateMessageRequest['params']
  readonly signal: AbortSignal
}

export interface Sampled {
  readonly result: CreateMessageResult
  /** What the user sees of it. */
  readonly sample: McpSample
}

const shownCharacters = 2_000
const charactersPerToken = 4
/** Servers ask for far more than they get: this much is set aside at most. */
const expectedTokens = 4_096

export function openSampling({ journal, usage, modelFor, reserve }: SamplingPorts): Sampling {
  const counts = new Map<string, Map<string, number>>()
  return {
    async answer({ ids: { run_id }, server_id, limit, params, signal }) {
      const ofRun = counts.get(run_id) ?? new Map<string, number>()
      const number = (ofRun.get(server_id) ?? 0) + 1
      if (number > limit) throw new Error(`the user allows ${server_id} ${limit} requests to the model in a run`)
      counts.set(run_id, ofRun.set(server_id, number))
      const run = journal.run(run_id)
      const serving = run && modelFor(run.model)
      if (!run || !serving) throw new Error('there is no model now')
      const messages = sampledMessages(params)
      const release = reserve(run, tokensOf(messages) + Math.min(Math.max(1, params.maxTokens), expectedTokens))
      if (typeof release === 'string') throw new Error(`the request was not made: ${release}`)
      try {
        const outcome = await serving.model.turn({
          model: run.model,
          messages,
          tools: [],
          temperature: params.temperature ?? null,
          signal,
          onText: () => undefined,
        })
        if (!outcome.ok) throw new Error('the model did not answer')
        const { turn } = outcome
        const used = turn.usage ?? estimated(messages, turn.text)
        usage.add(run_id, used)
        return sampled({ number, limit, messages, run, said: turn.text, most: params.maxTokens, used })
      } finally {
        release()
      }
    },
    end: (run_id) => void counts.delete(run_id),
  }
}

interface AnsweredSample extends Pick<McpSample, 'number' | 'limit'> {
  readonly messages: readonly ModelMessage[]
  readonly run: Pick<RunRecord, 'model'>
  readonly said: string
  /** The tokens that the server asked for. */
  readonly most: number
  readonly used: Usage
}

function sampled({ number, limit, messages, run, said, most, used }: AnsweredSample): Sampled {
  const text = said.slice(0, Math.max(1, most) * charactersPerToken)
  const sample: McpSample = {
    number,
    limit,
    prompt: messages
      .map(({ content }) => String(content))
      .join('\n\n')
      .slice(0, shownCharacters),
    answer: text.slice(0, shownCharacters),
    input_tokens: used.input_tokens,
    output_tokens: used.output_tokens,
  }
  const result: CreateMessageResult = {
    model: run.model,
    role: 'assistant',
    stopReason: text.length < said.length ? 'maxTokens' : 'endTurn',
    content: { type: 'text', text },
  }
  return { result, sample }
}

function tokensOf(messages: readonly ModelMessage[]): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + String(content).length, 0) / charactersPerToken)
}

/** For a model that does not report what a request has used. */
function estimated(messages: readonly ModelMessage[], text: string): Usage {
  const output_tokens = Math.ceil(text.length / charactersPerToken)
  return { input_tokens: tokensOf(messages), output_tokens, cached_tokens: 0, estimated: true }
}

/** Text only, and not more than a part of a context window. The server gets nothing of the conversation. */
function sampledMessages({ messages, systemPrompt }: CreateMessageRequest['params']): ModelMessage[] {
  const said = messages.map(({ role, content }): ModelMessage => {
    const blocks = Array.isArray(content) ? content : [content]
    const texts = blocks.map((block) => {
      if (block.type !== 'text') throw new Error(`only text can be sent to the model, not ${block.type}`)
      return block.text
    })
    return role === 'assistant' ? { role, content: texts.join('\n') } : { role: 'user', content: texts.join('\n') }
  })
  const all: ModelMessage[] = [...(systemPrompt ? [{ role: 'system' as const, content: systemPrompt }] : []), ...said]
  const length = all.reduce((sum, { content }) => sum + String(content).length, 0)
  if (length > mcpLimits.sample_characters) throw new Error(`a request may have ${mcpLimits.sample_characters} characters`)
  return all
}
