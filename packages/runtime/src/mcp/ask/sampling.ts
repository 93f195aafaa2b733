// A server asks for an answer of the model. Only with the permission of the user, only during a call, and only so often in a run.
import type { CreateMessageRequest, CreateMessageResult } from '@modelcontextprotocol/sdk/types.js'
import type { McpSample } from '@tandem/contract/tool/output'
import type { CallIds } from '../../call/scope.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ModelMessage } from '../../model/message.ts'
import type { Model } from '../../model/model.ts'
import { mcpLimits } from '../limits.ts'

export interface SamplingPorts {
  readonly journal: Pick<Journal, 'run'>
  modelFor(name: string): { readonly model: Model } | null
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

export function openSampling({ journal, modelFor }: SamplingPorts): Sampling {
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
      const text = turn.text.slice(0, Math.max(1, params.maxTokens) * 4)
      const sample: McpSample = {
        number,
        limit,
        prompt: messages
          .map(({ content }) => String(content))
          .join('\n\n')
          .slice(0, shownCharacters),
        answer: text.slice(0, shownCharacters),
        input_tokens: turn.usage?.input_tokens ?? null,
        output_tokens: turn.usage?.output_tokens ?? null,
      }
      const result: CreateMessageResult = {
        model: run.model,
        role: 'assistant',
        stopReason: text.length < turn.text.length ? 'maxTokens' : 'endTurn',
        content: { type: 'text', text },
      }
      return { result, sample }
    },
    end: (run_id) => void counts.delete(run_id),
  }
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
