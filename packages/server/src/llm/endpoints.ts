import { routes } from '@tandem/contract/http/schema'
import type { ModelList } from '@tandem/contract/llm'
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts'
import { refuse } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import { relay } from './relay/relay.ts'
import { anthropicModel, anthropicPage } from './routing/anthropic-models.ts'
import type { Operation } from './upstream.ts'

type Forward = Pick<Call<typeof routes.llm_chat_completions>, 'caller' | 'request' | 'reply'>

export function llmEndpoints({ gateway }: Pick<Services, 'gateway'>): Endpoint[] {
  const forward =
    (operation: Operation) =>
    async ({ caller, request, reply }: Forward): Promise<'sent'> => {
      await relay(gateway, { user_id: caller.user_id, operation, request, reply })
      return 'sent'
    }

  return [
    endpoint(routes.llm_models_list, async () => {
      const body: ModelList = { object: 'list', data: await gateway.directory.list() }
      return { status: 200, body }
    }),

    endpoint(routes.llm_models_get, async ({ params }) => {
      const card = await gateway.directory.find(params['*'])
      if (!card) throw refuse('model_not_found', `there is no model ${params['*']} here`)
      return { status: 200, body: card }
    }),

    endpoint(routes.llm_chat_completions, forward('chat_completions')),
    endpoint(routes.llm_responses, forward('responses')),
    endpoint(routes.llm_embeddings, forward('embeddings')),
    endpoint(routes.llm_messages, forward('messages')),
    endpoint(routes.llm_messages_count_tokens, forward('count_tokens')),
    endpoint(routes.llm_v1_messages, forward('messages')),
    endpoint(routes.llm_v1_messages_count_tokens, forward('count_tokens')),

    endpoint(routes.llm_v1_models_list, async ({ query }) => {
      return { status: 200, body: anthropicPage(await gateway.directory.list(), query) }
    }),

    endpoint(routes.llm_v1_models_get, async ({ params }) => {
      const card = await gateway.directory.find(params['*'])
      const model = card && anthropicModel(card)
      if (!model) throw refuse('model_not_found', `there is no model ${params['*']} here that speaks Anthropic's API`)
      return { status: 200, body: model }
    }),

    endpoint(routes.llm_usage, async ({ caller, query }) => ({ status: 200, body: await gateway.meter.report(caller.user_id, query) })),
  ]
}
