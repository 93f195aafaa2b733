// Which model and which sandbox a conversation of the terminal gets: only what was chosen for it.
import type { CommandName, Conversation } from '@tandem/contract/command'
import { expect, test, vi } from 'vitest'
import { type NextOptions, nothingChosen } from '../run/conversation.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import type { ChatScreen } from './screen.ts'
import { openSession } from './session.ts'
import { openTranscript } from './transcript.ts'

const noDefaults = nothingChosen
const trusted: NextOptions = { model: undefined, sandbox_mode: 'trusted' }
const refusal = { ok: false, error: { code: 'test', message: 'The run does not start.', remedy: 'It is a test.' } } as const

/** A runtime that stores conversations and starts no run. */
function testClient() {
  const stored = new Map<string, Conversation>()
  const started: unknown[] = []
  const held = { create: Promise.resolve() }
  const call = async (name: CommandName, params: { conversation_id?: string }) => {
    if (name === 'agent_run_start') {
      started.push(params)
      return refusal
    }
    if (name === 'agent_run_list') return { ok: true, value: { items: [] } }
    if (name === 'usage_get') return { ok: true, value: { rows: [] } }
    if (name !== 'conversation_create' && name !== 'conversation_set_run_options') return { ok: true, value: {} }
    const conversation_id = params.conversation_id ?? `c${stored.size + 1}`
    const conversation = { workspace: '/srv', ...stored.get(conversation_id), ...params, conversation_id } as Conversation
    stored.set(conversation_id, conversation)
    if (name === 'conversation_create') await held.create
    return { ok: true, value: { conversation } }
  }
  const watching = new Set<Parameters<RuntimeClient['watch']>[0]>()
  const watch = async (listener: Parameters<RuntimeClient['watch']>[0]) => void watching.add(listener)
  const client = { kind: 'own', call, watch } as unknown as RuntimeClient
  /** What another window or terminal chose. */
  const chosenElsewhere = (conversation_id: string, data: { model: string | null; sandbox_mode: 'strict' | null }) => {
    for (const listener of watching) listener({ no: 1, event: { event: 'conversation_options_changed', conversation_id, data } as never })
  }
  const modes = () => [...stored.values()].map(({ sandbox_mode }) => sandbox_mode)
  return { client, stored, started, held, modes, chosenElsewhere }
}

function testSession(chosen: NextOptions, defaults: NextOptions) {
  const runtime = testClient()
  const ignore = () => undefined
  const screen = {
    transcript: openTranscript(ignore),
    editor: { getText: () => '' },
    setText: ignore,
    setQueue: ignore,
  } as unknown as ChatScreen
  const session = openSession({ client: runtime.client, screen, workspace: '/srv', agent_id: undefined, chosen, defaults }, ignore)
  const say = async (text: string) => {
    const { length } = runtime.started
    session.send(text)
    await vi.waitFor(() => expect([runtime.started.length, session.isBusy()]).toEqual([length + 1, false]))
    return runtime.started[length]
  }
  return { ...runtime, session, say }
}

const strict = { conversation_id: 'old', workspace: '/srv', sandbox_mode: 'strict', model: 'test/stored' } as Conversation

test('what was chosen before the first message belongs to that conversation only', async () => {
  const { session, say, modes } = testSession(noDefaults, noDefaults)
  await session.choose({ sandbox_mode: 'trusted' })
  expect(await say('One')).toEqual({ conversation_id: 'c1', text: 'One' })
  await session.open(null)
  expect(await say('Two')).toEqual({ conversation_id: 'c2', text: 'Two' })
  expect(modes()).toEqual(['trusted', undefined])
})

test('what was chosen for a conversation does not change another one that is opened', async () => {
  const { session, say } = testSession(noDefaults, noDefaults)
  await session.choose({ sandbox_mode: 'trusted', model: 'test/other' })
  await session.open(strict)
  expect(await say('One')).toEqual({ conversation_id: 'old', text: 'One' })
})

test('what another window chooses for the conversation is shown at once; what it chooses for others is not', async () => {
  const { session, chosenElsewhere } = testSession(noDefaults, noDefaults)
  await session.open(strict)
  chosenElsewhere('other', { model: 'test/other', sandbox_mode: null })
  expect(session.conversation).toEqual(strict)
  chosenElsewhere('old', { model: 'test/new', sandbox_mode: 'strict' })
  expect(session.conversation).toEqual({ ...strict, model: 'test/new', sandbox_mode: 'strict' })
})

test('defaults of the terminal are for new conversations, and stay with them', async () => {
  const { session, say, modes } = testSession(noDefaults, trusted)
  await session.open(strict, nothingChosen)
  expect(await say('One')).toEqual({ conversation_id: 'old', text: 'One' })
  for (const id of ['c1', 'c2']) {
    await session.open(null)
    expect(await say('Next')).toEqual({ conversation_id: id, text: 'Next' })
  }
  expect(modes()).toEqual(['trusted', 'trusted'])
})

test('an option of the command wins in the conversation that it opens, until something else is chosen', async () => {
  const { session, say, modes } = testSession(trusted, noDefaults)
  await session.open(strict, trusted)
  expect(await say('One')).toEqual({ conversation_id: 'old', text: 'One', sandbox_mode: 'trusted' })
  await session.choose({ sandbox_mode: 'workspace' })
  expect(await say('Two')).toEqual({ conversation_id: 'old', text: 'Two' })
  await session.open(null)
  await say('Three')
  expect(modes()).toEqual(['workspace', undefined])
})

test('a choice while the conversation is being created is stored in it', async () => {
  const { session, held, stored, modes } = testSession(trusted, noDefaults)
  const creation = Promise.withResolvers<void>()
  held.create = creation.promise
  const creating = [session.ensureConversation(), session.ensureConversation()]
  const choosing = session.choose({ sandbox_mode: 'strict' })
  creation.resolve()
  await Promise.all([...creating, choosing])
  expect([modes(), stored.size, session.conversation?.sandbox_mode]).toEqual([['strict'], 1, 'strict'])
})
