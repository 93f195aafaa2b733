import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Change } from '@tandem/contract/sync'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { offlineDevice, type TestDevice } from '../../../test/support/sync/test-device.ts'
import { openEntityFiles } from './files.ts'
import { shortenFailurePaths, shortenPaths, shortenStepPaths, shortenTextPaths } from './legacy-paths.ts'

const run = {
  home: '/home/mara/.tandem',
  temp: '/home/mara/my tmp/tandem-here',
  run_id: '0199aaaa-0000-7000-8000-000000000001',
  workspace: '/home/mara/work',
}
const temp = `/home/mara/tmp/tandem-device/${run.run_id}`
const failure = { taxonomy: 'none', stage: 'tool_execution', source: 'run', reason_code: 'x', recoverability: 'terminal' } as const

test('removes paths into the folders of Tandem and its run, and nothing else of the text', () => {
  const told = (text: string) => shortenTextPaths(text, run)
  expect(told(`TMPDIR=${temp}/x:${temp}/y "${temp}/outputs/z.txt" (${temp}/)`)).toBe('TMPDIR=…/x:…/y "…/outputs/z.txt" (…/)')
  expect(told(`{"text":"one\\n${temp}/two","file":"${temp}/three"}`)).toBe('{"text":"one\\n…/two","file":"…/three"}')
  expect(told(`the run ${run.run_id} in ${run.workspace}`)).toBe(`the run ${run.run_id} in ${run.workspace}`)
  expect(told(`cat ${run.home}/account.json`)).toBe('cat …/account.json')
  expect(told(`${run.home}, ${run.home}2 and "${run.home}…"`)).toBe(`…, ${run.home}2 and "……"`)
  expect(told(`TMPDIR=${temp} in ${temp}. Not ${temp}-2, but ${run.temp}/${run.run_id}/a b`)).toBe(
    `TMPDIR=… in …. Not ${temp}-2, but …/a b`,
  )
  expect(shortenTextPaths(`/etc/a ${temp}/b`, { ...run, home: '/' })).toBe('/etc/a …/b')
  expect(told(`http://localhost:4000/#/recovery/${run.run_id}/1`)).toBe(`http://localhost:4000/#/recovery/${run.run_id}/1`)
})

test('of a line that starts with a path only that path is shortened, and the rest is unchanged', () => {
  const told = (text: string) => shortenPaths(text, run)
  expect(told('/bin/sh: 1: cannot open /home/mara/.tandem/outputs/x: no')).toBe('/bin/sh: 1: cannot open …/outputs/x: no')
  expect(told('/home/mara/.tandem/x.txt was read, see a/b for more')).toBe('…/x.txt was read, see a/b for more')
  expect(told(`/bin/ls: cannot access '${temp}/outputs/a b': no`)).toBe("/bin/ls: cannot access '…/outputs/a b': no")
  expect(told('/home/mara/work/report.md is written; see https://example.org/a')).toBe('report.md is written; see https://example.org/a')
  expect(told('/home/mara/work/a.txt, in /home/mara/.tandem/outputs/x')).toBe('a.txt, in …/outputs/x')
  expect(told('/home/mara/work is clean, and /home/mara/workshop/x too')).toBe('/home/mara/work is clean, and /home/mara/workshop/x too')
  expect(['/home/mara/work', '/home/mara/work/', '/home/mara/work//a b', '/home/mara/worked/a'].map(told)).toEqual([
    '.',
    '.',
    'a b',
    '/home/mara/worked/a',
  ])
  expect([`${run.home}/outputs/x.txt`, `${run.temp}/${run.run_id}/mcp/two.png`, `${run.temp}/${run.run_id}`].map(told)).toEqual([
    '…/x.txt',
    '…/two.png',
    '…',
  ])
  const message = 'no /home/mara/.tandem/a, nor /home/mara/b'
  expect(shortenFailurePaths({ ...failure, details: { message } }, { ...run, workspace: '/home/mara' })?.details).toEqual({
    message: 'no …/a, nor b',
  })
  expect(shortenPaths({ [`${run.home}/a`]: [`${temp}/b`] }, run)).toEqual({ '…/a': ['…/b'] })
})

test('the result never contains those folders, and shortening it again, also without the workspace, changes nothing', () => {
  const pieces = ['/', '…', ' ', '\n', '\\', "'", ': ', '.', '-', 'a', 'tandem-x', run.home, run.temp, run.run_id, run.workspace, temp]
  const text = fc.array(fc.oneof({ arbitrary: fc.constantFrom(...pieces), weight: 5 }, fc.string({ maxLength: 3 })), { maxLength: 12 })
  const step = { step_id: 's', run_id: run.run_id, conversation_id: 'c', agent_id: 'a', device_id: 'd', seq: 1, ts: '' }
  fc.assert(
    fc.property(text, (chosen) => {
      const message = chosen.join('')
      const told = shortenPaths(message, run)
      for (const folder of [run.home, run.temp, temp]) {
        const ends = told.split(folder).slice(1)
        expect(ends.filter((after) => !/^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}_])/u.test(after))).toEqual([])
      }
      expect([shortenPaths(told, run), shortenPaths(told, { ...run, workspace: '' })]).toEqual([told, told])
      const failed = { ...step, kind: 'error', failure_contract: { ...failure, details: { message } } } as const
      const left = shortenStepPaths(failed, run)
      expect(shortenStepPaths(left, { ...run, workspace: '' })).toEqual(left)
    }),
    { numRuns: 2_000 },
  )
})

test('whatever text surrounds a path on a line, all of it is kept', () => {
  const word = fc.stringMatching(/^[a-z:;,.!'"()]{1,8}$/)
  const path = fc.constantFrom(
    '/bin/sh:',
    '/etc/hosts',
    'https://example.org/a',
    'a/b',
    `${run.home}/f`,
    `${temp}/f`,
    `${run.temp}/${run.run_id}/f`,
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(word, path), { minLength: 2, maxLength: 8 }), (words) => {
      const cut = words.map((each) => each.replace(/^\/home\/.*\/f$/, '…/f'))
      expect(shortenPaths(words.join(' '), run)).toBe(cut.join(' '))
    }),
  )
})

test('whatever surrounds them, the folders are removed and the rest is kept', () => {
  const words = fc.string({ maxLength: 8 }).filter((text) => !/[/\\]/.test(text))
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (parts) => {
      const told = shortenTextPaths(parts.join(` ${temp}/f `), run)
      expect(told).toBe(parts.join(' …/f '))
    }),
  )
})

let device: TestDevice
beforeEach(() => {
  device = offlineDevice()
})
afterEach(() => device.dispose())

test('a text that an older Tandem stored in a file is sent without the paths of its files, and is unchanged on this device', async () => {
  const journal = device.journal()
  const { no: conversation } = journal.conversations.create({ agent_id: 'a', title: 'T', workspace: '/srv/work' })
  const { run_id } = journal.start({ conversation, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null })
  const whole = (of: string) => JSON.stringify({ text: 'long', file: `/tmp/canary/tandem-d/${of}/outputs/x.txt` })
  const path = (file_id: string) => join(device.store().home, 'outputs', `${file_id}.txt`)
  const { no } = journal.run(run_id) ?? { no: 0 }
  const settled = (file: string, marked: number) => device.store().sql.run`
    INSERT INTO tool_calls (run, call_id, call_seq, outcome, output, output_file, truncated, settled_at, marked)
    VALUES (${no}, ${file}, 0, 'succeeded', '', ${file}, 1, 0, ${marked})`
  settled('own', 0)
  settled('newer', 1)
  const kept = {
    own: whole(run_id),
    newer: whole(run_id),
    foreign: whole('of-another-device'),
    said: whole(run_id),
    'carried.attachment': whole(run_id),
  }
  mkdirSync(dirname(path('own')), { recursive: true })
  for (const [file_id, text] of Object.entries(kept)) writeFileSync(path(file_id), text)
  const sent = new Map<string, string>()
  const texts = openEntityFiles(
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
  const newer = told({ run_id, output_file_id: 'newer' })
  expect(await texts.sendFor([ours, newer, theirs, persons])).toMatchObject({ kind: 'ok' })
  expect(Object.fromEntries(sent)).toEqual({
    'own.txt': JSON.stringify({ text: 'long', file: '…/outputs/x.txt' }),
    // Recorded with markers: sent unchanged.
    'newer.txt': kept.newer,
    // What another device sent, and what a user wrote or attached, is sent unchanged.
    'foreign.txt': kept.foreign,
    'said.txt': kept.said,
    'carried.attachment': kept['carried.attachment'],
  })
  expect(readFileSync(path('own'), 'utf8')).toBe(kept.own)
  expect(readdirSync(dirname(path('own'))).toSorted()).toEqual([
    'carried.attachment.txt',
    'foreign.txt',
    'newer.txt',
    'own.txt',
    'said.txt',
  ])
})
