// For every route, a request of its owner that succeeds.
import type { Route } from '@tandem/contract/http'
import { type RouteId, routes } from '@tandem/contract/http/schema'
import type { ContractRequest } from './contract-client.ts'
import { change, type TestUserWithData, upload } from './user-with-data.ts'

/** Models of the provider that tests with model calls pass to `startPlatform`. */
const [chat, claude, embeddings] = ['openai/gpt-test', 'anthropic/claude-test', 'openai/embed-test']
const messages = [{ role: 'user', content: 'Hello' }]

export function validRequest(id: RouteId, owner: TestUserWithData): ContractRequest {
  const visits: Partial<Record<RouteId, ContractRequest>> = {
    users_devices_register: { body: { device_id: owner.device_id, name: owner.secret, platform: 'linux', app_version: '0.1.0' } },
    device_heartbeat: { body: { ...routes.device_heartbeat.examples.body, device_id: owner.device_id } },
    users_devices_get: { params: { id: owner.device_id } },
    users_devices_delete: { params: { id: owner.device_id } },
    users_keys_revoke: { params: { id: owner.key_id } },
    users_profile_update: { body: { ...routes.users_profile_update.examples.body, display_name: owner.secret } },
    sync_push: { body: { device_id: owner.device_id, changes: [change('agents', owner.handle, { name: owner.secret })] } },
    workflows_create: { body: { ...routes.workflows_create.examples.body, name: owner.secret } },
    workflows_get: { params: { id: owner.workflow_id } },
    workflows_update: { params: { id: owner.workflow_id }, body: { ...routes.workflows_create.examples.body, name: owner.secret } },
    workflows_delete: { params: { id: owner.workflow_id } },
    tasks_create: { body: { title: owner.secret, workflow_id: owner.workflow_id, device_id: owner.device_id } },
    tasks_get: { params: { id: owner.task_id } },
    tasks_update_status: { params: { id: owner.task_id }, body: { status: 'running', device_id: owner.device_id } },
    files_upload: { raw: upload(owner.secret, 'a.txt') },
    files_get: { params: { id: owner.file_id } },
    files_delete: { params: { id: owner.file_id } },
    logs_report: {
      body: { records: [{ ...routes.logs_report.examples.body.records[0], message: owner.secret, device_id: owner.device_id }] },
    },
    llm_models_get: { params: { '*': chat } },
    llm_v1_models_get: { params: { '*': claude } },
    llm_chat_completions: { body: { model: chat, messages } },
    llm_responses: { body: { model: chat, input: 'Hello' } },
    llm_embeddings: { body: { model: embeddings, input: 'Hello' } },
    llm_messages: { body: { model: claude, max_tokens: 9, messages } },
    llm_v1_messages: { body: { model: claude, max_tokens: 9, messages } },
    llm_messages_count_tokens: { body: { model: claude, messages } },
    llm_v1_messages_count_tokens: { body: { model: claude, messages } },
  }
  const { examples }: Route = routes[id]
  return visits[id] ?? (examples.body === undefined ? {} : { body: examples.body })
}
