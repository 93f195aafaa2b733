import { expect, test } from 'vitest'
import type { Channel } from '../connection/channel.ts'
import { sendMessage } from './send-message.ts'

const [conversation_id, device_id, run_id] = ['conversation-1', 'device-1', 'run-1']
const open = { run_id, conversation_id }
const message = { text: 'Hello', key: 'key-1' }
const refused = (code: string) => ({ ok: false, error: { code, message: 'no', remedy: 'Try again.' } })

/** Answers the commands in turn, and records them. */
function channelOf(...answers: readonly [command: string, answer: object][]) {
  const asked: (readonly [string, unknown])[] = []
  const call = async (command: string, params: unknown) => {
    const [expected, answer] = answers[asked.length] ?? []
    asked.push([command, params])
    expect(command).toBe(expected)
    return answer
  }
  return { channel: { call: call as Channel['call'] }, asked }
}

test('a run that has just ended cannot get the message: it starts the next one, with the same key', async () => {
  const next = { run_id: 'run-2', conversation_id }
  const { channel, asked } = channelOf(
    ['agent_run_add_message', refused('transition_refused')],
    ['agent_run_get', { ok: true, value: { run: { ...open, state: 'completed' } } }],
    ['agent_run_start', { ok: true, value: { run: next } }],
  )
  const sent = await sendMessage(channel, { conversation_id, open, device_id }, message, { model: 'm' })
  expect(sent).toEqual({ ok: true, value: next })
  expect(asked).toEqual([
    ['agent_run_add_message', { run_id, ...message }],
    ['agent_run_get', { run_id }],
    ['agent_run_start', { conversation_id, model: 'm', ...message }],
  ])
})

test('a run that was started elsewhere gets the message', async () => {
  const { channel, asked } = channelOf(
    ['agent_run_start', refused('run_busy')],
    ['agent_run_list', { ok: true, value: { items: [{ ...open, state: 'running', device_id }], next_cursor: null } }],
    ['agent_run_add_message', { ok: true, value: { message_id: 'message-1' } }],
  )
  const sent = await sendMessage(channel, { conversation_id, open: null, device_id }, message)
  expect(sent).toMatchObject({ ok: true, value: open })
  expect(asked.at(-1)).toEqual(['agent_run_add_message', { run_id, ...message }])
})

test('other refusals are shown, and a run of another device does not get the message', async () => {
  const away = channelOf(
    ['agent_run_start', refused('run_busy')],
    ['agent_run_list', { ok: true, value: { items: [{ ...open, state: 'running', device_id: 'device-2' }], next_cursor: null } }],
  )
  expect(await sendMessage(away.channel, { conversation_id, open: null, device_id }, message)).toMatchObject({
    error: { code: 'run_busy' },
  })
  const workflow = channelOf(
    ['agent_run_add_message', refused('transition_refused')],
    ['agent_run_get', { ok: true, value: { run: { ...open, state: 'running' } } }],
  )
  expect(await sendMessage(workflow.channel, { conversation_id, open, device_id }, message)).toMatchObject({
    error: { code: 'transition_refused' },
  })
  const lost = channelOf(['agent_run_start', refused('disconnected')])
  expect(await sendMessage(lost.channel, { conversation_id, open: null, device_id }, message)).toMatchObject({
    error: { code: 'disconnected' },
  })
})
