import { limits } from '../../limits/index.ts'
import { PullQuery, PullReply, PushReply, PushRequest } from '../../sync/schema.ts'
import { route } from '../route.ts'
import { early, later } from './sample.ts'

const change = {
  entity_type: 'agents',
  entity_id: 'agent-7',
  op: 'upsert',
  version: 3,
  updated_at: early,
  source_ts: early,
  payload: { name: 'Researcher', sandbox_mode: 'workspace' },
}
const epoch = '5b0c4f5e-2f0e-4c53-8a4f-0d9a3f3f6f11.7419283746120934857.1'

export const syncRoutes = {
  sync_push: route({
    id: 'sync_push',
    method: 'POST',
    path: '/api/v1/sync/push',
    tag: 'sync',
    summary: 'Send changes',
    description:
      'Each change gets its own verdict, in order; an invalid change does not affect the others. Sending the same push again changes nothing.',
    auth: 'user',
    body: PushRequest,
    replies: { 200: PushReply },
    problems: ['limit_reached'],
    body_limit: limits.push_bytes,
    rate: 'sync',
    examples: {
      body: { device_id: 'mara-laptop', changes: [change] },
      reply: { verdicts: [{ index: 0, entity_id: 'agent-7', verdict: 'applied' }], cursor_ts: later, server_ts: later, epoch },
    },
  }),
  sync_pull: route({
    id: 'sync_pull',
    method: 'GET',
    path: '/api/v1/sync/pull',
    tag: 'sync',
    summary: 'Fetch changes after a cursor',
    description: 'Without cursor_ts it returns the current state; send snapshot_ts with each following page until has_more is false.',
    auth: 'user',
    query: PullQuery,
    replies: { 200: PullReply },
    problems: ['cursor_expired', 'cursor_ahead'],
    rate: 'sync',
    examples: {
      query: { cursor_ts: early, limit: 500, device_id: 'mara-desktop' },
      reply: { changes: [change], has_more: false, cursor_ts: later, epoch },
    },
  }),
}
