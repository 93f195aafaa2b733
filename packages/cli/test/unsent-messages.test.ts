import type { LocalRun } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { runWithUnsent, takeUnsent } from '../src/chat/unsent-messages.ts'
import type { RuntimeClient } from '../src/runtime-client/runtime-client.ts'

const refused = { ok: false, error: { code: 'nothing_pending', message: 'there are none', remedy: 'Write a message.' } }

/** Answers each command with what its function returns, and records the commands. */
function clientOf(answers: Readonly<Record<string, (params: { readonly message_id?: string }) => object>>) {
  const asked: string[] = []
  const call = async (name: string, params: { readonly message_id?: string }) => {
    asked.push(params.message_id === undefined ? name : `${name} ${params.message_id}`)
    return answers[name]?.(params) ?? refused
  }
  return { client: { call: call as RuntimeClient['call'] }, asked }
}

test('after a stop, the texts of the run return; those of other runs, with files, or received meanwhile do not', async () => {
  const message = (message_id: string, run_id = 'run', attachments: readonly object[] = []) => ({
    message_id,
    run_id,
    text: message_id,
    attachments,
  })
  const { client, asked } = clientOf({
    agent_run_get_queue: () => ({
      ok: true,
      value: {
        queued: [message('one'), message('of another', 'other'), message('with a file', 'run', [{}]), message('sent'), message('two')],
      },
    }),
    agent_run_remove_queued: ({ message_id = '' }) =>
      message_id === 'sent' ? refused : { ok: true, value: { queued: message(message_id) } },
  })
  expect(await takeUnsent(client, 'run')).toEqual(['one', 'two'])
  expect(asked).toEqual([
    'agent_run_get_queue',
    'agent_run_remove_queued one',
    'agent_run_remove_queued sent',
    'agent_run_remove_queued two',
  ])
})

test('after a failure, the run that has the messages is followed; without messages there is none', async () => {
  const next = { run_id: 'next', state: 'running' } as LocalRun
  const { client } = clientOf({
    agent_run_send_now: () => ({ ok: true, value: { run_id: 'next', state: 'running', delivered: 1 } }),
    agent_run_get: () => ({ ok: true, value: { run: next } }),
  })
  expect(await runWithUnsent(client, 'run')).toEqual(next)
  expect(await runWithUnsent(clientOf({}).client, 'run')).toBeNull()
})
