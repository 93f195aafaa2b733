import { Health, Ready } from '../../health/schema.ts'
import { wsSubprotocol } from '../../ws/index.ts'
import { ClientMessage, ServerMessage } from '../../ws/schema.ts'
import { route } from '../route.ts'

export const serviceRoutes = {
  health: route({
    id: 'health',
    method: 'GET',
    path: '/health',
    tag: 'service',
    summary: 'Health check',
    description: 'Responds as long as the service is running. Callers without permission see only whether it is ok or degraded.',
    auth: 'none',
    replies: { 200: Health },
    problems: [],
    rate: 'probe',
    examples: { reply: { status: 'ok' } },
  }),
  ready: route({
    id: 'ready',
    method: 'GET',
    path: '/ready',
    tag: 'service',
    summary: 'Readiness check',
    auth: 'none',
    replies: { 200: Ready, 503: Ready },
    problems: [],
    rate: 'probe',
    examples: { reply: { status: 'ready' } },
  }),
  metrics: route({
    id: 'metrics',
    method: 'GET',
    path: '/metrics',
    tag: 'service',
    summary: 'Get metrics',
    description: 'For callers on loopback, or with the metrics token.',
    auth: 'none',
    replies: { 200: { content: 'text', media_type: 'text/plain; version=0.0.4; charset=utf-8' } },
    problems: ['forbidden'],
    rate: 'probe',
    examples: { reply: '# HELP tandem_sockets Open real-time sockets\n# TYPE tandem_sockets gauge\ntandem_sockets 12\n' },
  }),
  ws: route({
    id: 'ws',
    method: 'WS',
    path: '/ws',
    tag: 'realtime',
    summary: 'Real-time channel',
    description: 'Send the token as a subprotocol or in the first message, never in the URL. Messages are hints: pull to get the data.',
    auth: 'none',
    replies: { 101: { content: 'messages', client: ClientMessage, server: ServerMessage, subprotocol: wsSubprotocol } },
    problems: ['unauthorized', 'invalid_token', 'token_expired', 'session_ended', 'payload_too_large', 'cache_unavailable'],
    rate: 'socket',
    examples: {},
  }),
}
