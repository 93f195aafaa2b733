import { routes } from '@tandem/contract/http/schema'
import type { ModelList } from '@tandem/contract/llm'
import { bytesEndpoint } from '../http/direct/bytes-endpoint.ts'
import type { DirectEndpoint } from '../http/direct/direct.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { refuse } from '../http/refusal.ts'
import type { Operation } from '../operation.ts'
import type { Gateway } from './gateway.ts'
import { relay } from './relay/relay.ts'
import { anthropicModel, anthropicPage } from './routing/anthropic-models.ts'

/** The model calls: bytes that pass through. */
export function llmDirectEndpoints(gateway: Gateway): DirectEndpoint[] {
  const forward = (route: DirectEndpoint['route'], operation: Operation) =>
    bytesEndpoint(route, ({ user_id }, exchange, body) => relay(gateway, { user_id, operation, exchange }, body))
  return [
    forward(routes.llm_chat_completions, 'chat_completions'),
    forward(routes.llm_responses, 'responses'),
    forward(routes.llm_embeddings, 'embeddings'),
    forward(routes.llm_messages, 'messages'),
    forward(routes.llm_messages_count_tokens, 'count_tokens'),
    forward(routes.llm_v1_messages, 'messages'),
    forward(routes.llm_v1_messages_count_tokens, 'count_tokens'),
  ]
}

/** All other endpoints. */
export function llmEndpoints(gateway: Gateway): Endpoint[] {
  return [
    endpoint(routes.llm_models_list, async () => {
      const body: ModelList = { object: 'list', data: await gateway.directory.list() }
      return { status: 200, body }
    }),

    endpoint(routes.llm_models_get, async ({ params }) => {
      const card = await gateway.directory.find(params['*'])
      if (!card) throw refuse('model_not_found', `there is no model ${params['*']}`)
      return { status: 200, body: card }
    }),

    endpoint(routes.llm_v1_models_list, async ({ query }) => {
      return { status: 200, body: anthropicPage(await gateway.directory.list(), query) }
    }),

    endpoint(routes.llm_v1_models_get, async ({ params }) => {
      const card = await gateway.directory.find(params['*'])
      const model = card && anthropicModel(card)
      if (!model) throw refuse('model_not_found', `there is no model ${params['*']} that supports the Anthropic API`)
      return { status: 200, body: model }
    }),

    endpoint(routes.llm_usage, async ({ caller, query }) => ({ status: 200, body: await gateway.meter.report(caller.user_id, query) })),
  ]
}
