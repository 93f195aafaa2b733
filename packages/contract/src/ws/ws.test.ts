import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import {
  type ClientMessage as ClientMessageType,
  clientMessageTypes,
  reconnectAfter,
  type ServerMessage as ServerMessageType,
  serverMessageTypes,
  subprotocolsWithToken,
  tokenFromSubprotocols,
  wsSubprotocol,
} from './index.ts'
import { ClientMessage, ServerMessage } from './schema.ts'

const ts = '2026-09-21T07:40:12.345Z'
const id = '01996f31-57ee-7e90-a2c8-4b6d1f3a5e07'
const task = { task_id: id, device_id: 'mara-laptop', status: 'pending', status_ts: ts } as const

const fromClient: ClientMessageType[] = [
  { type: 'auth', token: 'a.b.c', device_id: 'mara-laptop' },
  { type: 'ping', id: '1' },
]

const fromServer: ServerMessageType[] = [
  { type: 'hello', session_id: id, server_ts: ts, epoch: 'e1' },
  { type: 'sync.changed', cursor_ts: ts, entity_types: ['agents', 'todos'], device_id: 'mara-laptop' },
  { type: 'task.created', ...task },
  { type: 'task.updated', ...task, status: 'running' },
  { type: 'task.canceled', ...task, status: 'canceled' },
  { type: 'device.presence', device_id: 'mara-laptop', presence: 'online', ts },
  { type: 'pong', id: '1', server_ts: ts },
  { type: 'error', code: 'invalid_request', detail: 'not a message', remedy: 'Send one of the messages the documentation names.' },
]

test('the tables of names list exactly the existing messages', () => {
  expect(fromClient.map((message) => message.type)).toEqual([...clientMessageTypes])
  expect(fromServer.map((message) => message.type)).toEqual([...serverMessageTypes])
  expect(ClientMessage.anyOf.map((shape) => shape.properties.type.const)).toEqual([...clientMessageTypes])
  expect(ServerMessage.anyOf.map((shape) => shape.properties.type.const)).toEqual([...serverMessageTypes])
})

test('messages are closed, and each side has its own', () => {
  for (const message of fromClient)
    expect([Value.Check(ClientMessage, message), Value.Check(ServerMessage, message)]).toEqual([true, false])
  for (const message of fromServer)
    expect([Value.Check(ServerMessage, message), Value.Check(ClientMessage, message)]).toEqual([true, false])
  for (const message of fromServer) expect(Value.Check(ServerMessage, { ...message, extra: 1 })).toBe(false)
})

test('a token is sent as a subprotocol and can be read back', () => {
  expect(tokenFromSubprotocols(subprotocolsWithToken('a.b.c'))).toBe('a.b.c')
  expect([tokenFromSubprotocols([wsSubprotocol]), tokenFromSubprotocols([]), tokenFromSubprotocols(['tandem.token.'])]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('only a refused origin prevents a reconnect', () => {
  expect([1006, 1012, 4401, 4403, 4408, 4409, 4413, 4429, 4430].map(reconnectAfter)).toEqual([
    'after_backoff',
    'after_backoff',
    'after_refresh',
    'never',
    'after_backoff',
    'after_login',
    'after_backoff',
    'after_backoff',
    'after_backoff',
  ])
})
