import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { expect, test } from 'vitest'
import { testSource } from '../../test/support/test-source.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { endOfReading } from './reading.ts'

const [first, second] = [testSource({ source_id: 'first' }), testSource({ source_id: 'second' })]

/** A runtime in which each source has these states, one after the other. */
function reading(states: Readonly<Record<string, readonly KnowledgeSource['state'][]>>) {
  const left = new Map(Object.entries(states).map(([source_id, all]) => [source_id, [...all]]))
  const call = async (_name: string, { source_id }: { source_id: string }) => {
    const state = left.get(source_id)?.shift()
    return state
      ? { ok: true, value: { source: testSource({ source_id, state }) } }
      : { ok: false, error: { code: 'canceled', message: 'the runtime stopped', remedy: 'Resume the run.' } }
  }
  return { call } as unknown as Pick<RuntimeClient, 'call'>
}

function shown() {
  const texts: string[] = []
  const progress = { show: ({ source_id, state }: KnowledgeSource) => texts.push(`${source_id} ${state}`), end: () => undefined }
  return { texts, progress }
}

const never = new AbortController().signal

test('sources are awaited one after the other, whatever their end', async () => {
  const { texts, progress } = shown()
  const client = reading({ first: ['waiting', 'reading', 'failed'], second: ['reading', 'ready'] })
  expect(await endOfReading(client, [first, second], progress, { left: never, canceled: never })).toEqual({
    is: 'over',
    sources: [testSource({ source_id: 'first', state: 'failed' }), testSource({ source_id: 'second', state: 'ready' })],
    isInterrupted: false,
  })
  expect(texts).toEqual(['first waiting', 'first reading', 'second reading'])
})

test('the user can leave while a source is read', async () => {
  const left = new AbortController()
  const progress = { show: () => left.abort(), end: () => undefined }
  const client = reading({ first: ['reading', 'reading'] })
  expect(await endOfReading(client, [first], progress, { left: left.signal, canceled: never })).toEqual({ is: 'left' })
})

test('a runtime that stops continues later', async () => {
  const { progress } = shown()
  expect(await endOfReading(reading({ first: ['reading'] }), [first], progress, { left: never, canceled: never })).toEqual({
    is: 'refused',
    error: {
      code: 'canceled',
      message: 'the runtime stopped',
      remedy: 'Start it again with tandem start. It then continues to read the source.',
    },
  })
})
