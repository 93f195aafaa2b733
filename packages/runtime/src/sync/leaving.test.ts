import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Change } from '@tandem/contract/sync'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLongTexts } from './files.ts'
import { textLeaving } from './leaving.ts'
import { deviceAlone, type TestDevice } from './test-device.ts'

const run = { home: '/home/mara/.tandem', run_id: '0199aaaa-0000-7000-8000-000000000001', workspace: '/home/mara/work' }
const temp = `/home/mara/tmp/tandem-device/${run.run_id}`

test('paths into the folders of Tandem and its run are cut, and nothing else of the text is', () => {
  const told = (text: string) => textLeaving(text, run)
  expect(told(`TMPDIR=${temp}/x:${temp}/y "${temp}/outputs/z.txt" (${temp}/)`)).toBe('TMPDIR=…/x:…/y "…/outputs/z.txt" (…/)')
  expect(told(`{"text":"one\\n${temp}/two","file":"${temp}/three"}`)).toBe('{"text":"one\\n…/two","file":"…/three"}')
  expect(told(`the run ${run.run_id} in ${run.workspace}`)).toBe(`the run ${run.run_id} in ${run.workspace}`)
  expect(told(`cat ${run.home}/account.json`)).toBe('cat …/account.json')
})

test('whatever stands around them, the folders are gone and the rest is there', () => {
  const words = fc.string({ maxLength: 8 }).filter((text) => !/[/\\]/.test(text))
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (parts) => {
      const told = textLeaving(parts.join(` ${temp}/f `), run)
      expect(told).toBe(parts.join(' …/f '))
    }),
  )
})

let device: TestDevice
beforeEach(() => {
  device = deviceAlone()
})
afterEach(() => device.dispose())

test('what is too long for its record leaves without the way to its files, and stays here as it was', async () => {
  const journal = device.journal()
  const { no: conversation } = journal.conversations.create({ agent_id: 'a', title: 'T', workspace: '/srv/work' })
  const { run_id } = journal.start({ conversation, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null })
  const whole = (of: string) => JSON.stringify({ text: 'long', file: `/tmp/canary/tandem-d/${of}/outputs/x.txt` })
  const path = (file_id: string) => join(device.store().home, 'outputs', `${file_id}.txt`)
  const kept = { own: whole(run_id), foreign: whole('of-another-device'), said: whole(run_id), 'carried.attachment': whole(run_id) }
  mkdirSync(dirname(path('own')), { recursive: true })
  for (const [file_id, text] of Object.entries(kept)) writeFileSync(path(file_id), text)
  const sent = new Map<string, string>()
  const texts = openLongTexts(
    device.store(),
    { text: path, attachment: (file_id) => path(`${file_id}.attachment`) },
    {
      async send(name, from) {
        sent.set(name, readFileSync(from, 'utf8'))
        return { kind: 'ok', body: null }
      },
      fetch: async () => ({ kind: 'ok', body: 'missing' }),
    },
    () => undefined,
  )
  const told = (payload: Change['payload']): Change => {
    const at = '2026-01-01T00:00:00.000Z'
    return { entity_type: 'tool_calls', entity_id: 'c', op: 'upsert', version: 1, updated_at: at, source_ts: at, payload }
  }
  const ours = told({ run_id, output_file_id: 'own' })
  const theirs = told({ run_id: 'of-another-device', output_file_id: 'foreign' })
  const persons = told({ run_id, role: 'user', text_file_id: 'said', attachments: [{ file_id: 'carried' }] })
  expect(await texts.sendFor([ours, theirs, persons])).toMatchObject({ kind: 'ok' })
  expect(Object.fromEntries(sent)).toEqual({
    'own.txt': JSON.stringify({ text: 'long', file: '…/outputs/x.txt' }),
    // What another device told, and what a person said or attached, leave as they are.
    'foreign.txt': kept.foreign,
    'said.txt': kept.said,
    'carried.attachment': kept['carried.attachment'],
  })
  expect(readFileSync(path('own'), 'utf8')).toBe(kept.own)
  expect(readdirSync(dirname(path('own'))).toSorted()).toEqual(['carried.attachment.txt', 'foreign.txt', 'own.txt', 'said.txt'])
})
