import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runWithMounts } from '../../test/support/checkpoint/test-mounts.ts'
import { letterModel, note, openTestRecall, type TestRecall, type TestRecallOptions } from '../../test/support/recall/test-recall.ts'
import type { Model } from '../model/model.ts'

let home: string
let open: TestRecall[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recall-'))
  open = []
})
afterEach(async () => {
  for (const one of open) await one.stop()
  rmSync(home, { recursive: true })
})

function opened(options: Partial<TestRecallOptions> = {}): TestRecall {
  const here = openTestRecall({ home, ...options })
  open.push(here)
  return here
}

async function reopened(here: TestRecall, options: Partial<TestRecallOptions> = {}, between: () => void = () => undefined) {
  open.splice(open.indexOf(here), 1)
  await here.stop()
  between()
  return opened(options)
}

const childProgram = (name: string) => fileURLToPath(new URL(`../../test/support/recall/${name}.ts`, import.meta.url))
const file = () => join(home, 'recall.db')
const found = async (here: TestRecall, query: string, rest: object = {}) => {
  const { hits } = await here.recall.search({ scope: ['notes/a'], query, patience_ms: 10_000, ...rest })
  return hits.map(({ id }) => id)
}

test('what is written is found, what is changed is found as it is now, what is removed is not', async () => {
  const here = opened()
  here.write([note('1', 'the boat is green'), note('2', 'the house is red')])
  expect(await found(here, 'boat')).toEqual(['1'])
  here.write([note('1', 'the boat is blue')])
  expect([await found(here, 'green'), await found(here, 'blue boat')]).toEqual([[], ['1']])
  here.write([], ['1'])
  expect(await found(here, 'boat')).toEqual([])
})

test('a change that is rolled back is not indexed', async () => {
  const here = opened()
  expect(() =>
    here.store.transaction(() => {
      here.recall.changed('notes', ['1'])
      throw new Error('no')
    }),
  ).toThrow('no')
  await here.recall.settled()
  expect(here.store.sql.all`SELECT * FROM recall_changes`).toEqual([])
})

test('a search that has no patience waits for nothing', async () => {
  const here = opened({ life: 'errand' })
  here.write([note('1', 'the boat is green')])
  expect((await here.recall.search({ scope: ['notes/a'], query: 'boat' })).hits).toEqual([])
  expect(await found(here, 'boat')).toEqual(['1'])
})

test('an index that was lost is built again from the records, and the answers are the same', async () => {
  const here = opened()
  here.write(Array.from({ length: 120 }, (_, no) => note(`n${no}`, `note ${no} about the boat`, { group: `g${no % 4}`, at: no })))
  const answer = await here.recall.search({ scope: ['notes/a'], query: 'note 17', patience_ms: 10_000 })
  expect(answer.hits[0]?.id).toBe('n17')
  const again = await reopened(here, {}, () => rmSync(file()))
  expect(await again.recall.search({ scope: ['notes/a'], query: 'note 17', patience_ms: 10_000 })).toEqual(answer)
  await again.recall.rebuild()
  expect(await again.recall.search({ scope: ['notes/a'], query: 'note 17' })).toEqual(answer)
  const third = await reopened(again, {}, () => writeFileSync(file(), 'x'.repeat(20_000)))
  expect(await third.recall.search({ scope: ['notes/a'], query: 'note 17', patience_ms: 10_000 })).toEqual(answer)
})

test('a file that is damaged while it is open is replaced and filled again', async () => {
  const here = opened()
  here.write(Array.from({ length: 400 }, (_, no) => note(`n${no}`, `note ${no} about the boat ${'word '.repeat(no % 50)}`)))
  await here.recall.settled()
  const again = await reopened(here)
  // From the second page on nothing is as it was; what is open notices when it reads there.
  const content = readFileSync(file())
  writeFileSync(file(), content.fill(0x5a, 4096))
  expect(await found(again, 'note 17')).toContain('n17')
})

test('records that are older than the index make it start over', async () => {
  const here = opened()
  here.write([note('1', 'the boat is green')])
  await here.recall.settled()
  const again = await reopened(here, {}, () => {
    const elsewhere = openTestRecall({ home: join(home, 'other') })
    elsewhere.write([note('9', 'the plane is white')])
    elsewhere.store.sql.run`DELETE FROM recall_changes`
    elsewhere.store.sql.run`UPDATE sqlite_sequence SET seq = 0 WHERE name = 'recall_changes'`
    elsewhere.store.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(home, `tandem.db${suffix}`), { force: true })
    writeFileSync(join(home, 'tandem.db'), readFileSync(join(home, 'other', 'tandem.db')))
  })
  expect([await found(again, 'plane'), await found(again, 'boat')]).toEqual([['9'], []])
})

test('records are read in small steps, and each again only when it has changed', async () => {
  const reads: number[] = []
  const here = opened({ onRead: (ids) => reads.push(ids.length) })
  here.write(Array.from({ length: 600 }, (_, no) => note(`n${no}`, `note ${no}`)))
  await here.recall.settled()
  expect(Math.max(...reads)).toBeLessThanOrEqual(256)
  reads.length = 0
  here.write([note('n5', 'another note')])
  await here.recall.settled()
  expect(reads).toEqual([1])
})

test('an index that was built again is not built a second time, and keeps its vectors', async () => {
  const reads: string[] = []
  const here = opened({ isEmbedded: true, model: letterModel(), life: 'errand', onRead: (ids) => reads.push(...ids) })
  here.choose('model', 'letters')
  here.write(Array.from({ length: 40 }, (_, no) => note(`n${no}`, `note ${no}`)))
  await here.recall.settled()
  await here.recall.rebuild()
  await here.recall.settled()
  reads.length = 0
  here.write([note('n5', 'another note')], ['n6'])
  expect(await found(here, 'another', { channels: ['lexical'] })).toEqual(['n5'])
  expect(reads.sort()).toEqual(['n5', 'n6'])
  expect((await here.recall.state()).vectors).toBe(38)
})

/** Vectors that say which topics a text names. */
function topics(names: readonly string[]): Model & { asked: string[]; failing: boolean } {
  const model = {
    asked: [] as string[],
    failing: false,
    turn: () => Promise.reject(new Error('not a chat model')),
    contextWindow: () => Promise.reject(new Error('not a chat model')),
    async embed(name: string, texts: readonly string[]) {
      model.asked.push(...texts.map((text) => `${name}: ${text}`))
      if (model.failing) return { ok: false as const, failure: { code: 'server_error', message: 'down', status: 500 } as never }
      return { ok: true as const, vectors: texts.map((text) => Float32Array.from(names, (topic) => (text.includes(topic) ? 1 : 0.01))) }
    },
    close: () => undefined,
  }
  return model
}

test('texts are compared by meaning with the chosen model, and again with another one when it is chosen', async () => {
  const model = topics(['boat', 'vessel'])
  const here = opened({ isEmbedded: true, model })
  here.choose('model', 'first')
  here.write([note('1', 'the vessel leaks'), note('2', 'the house is red')])
  await here.recall.settled()
  const search = () => here.recall.search({ scope: ['notes/a'], query: 'vessel', channels: ['semantic'], patience_ms: 10_000 })
  const { hits, semantic } = await search()
  expect([semantic, hits[0]?.id]).toEqual(['used', '1'])
  expect(hits[0]?.similarity).toBeGreaterThan(0.9)
  here.choose('model', 'second')
  model.asked.length = 0
  await here.recall.settled()
  expect(model.asked.filter((text) => text.startsWith('second')).length).toBeGreaterThanOrEqual(2)
  expect((await search()).hits[0]?.id).toBe('1')
  here.choose('off')
  expect((await search()).semantic).toBe('off')
})

test('a model that does not answer leaves the words to find it, and is tried again', async () => {
  const model = topics(['boat'])
  model.failing = true
  const here = opened({ isEmbedded: true, model })
  here.choose('model', 'first')
  here.write([note('1', 'the boat leaks')])
  await expect(here.recall.settled()).rejects.toThrow('down')
  const answer = await here.recall.search({ scope: ['notes/a'], query: 'boat', patience_ms: 10_000 })
  expect([answer.semantic, answer.hits.map(({ id }) => id)]).toEqual(['failed', ['1']])
  model.failing = false
  await here.recall.settled()
  expect((await here.recall.search({ scope: ['notes/a'], query: 'boat', patience_ms: 10_000 })).semantic).toBe('used')
})

test('a text that the model rejects is left out, and the others are embedded', async () => {
  const model = topics(['boat'])
  const { embed } = model
  model.embed = async (name, texts, signal) =>
    texts.some((text) => text.includes('poison'))
      ? { ok: false, failure: { code: 'rejected', message: 'too odd', status: 400 } as never }
      : await embed(name, texts, signal)
  const here = opened({ isEmbedded: true, model })
  here.choose('model', 'first')
  here.write([note('1', 'the boat leaks'), note('2', 'poison'), note('3', 'the house is red'), note('4', '   ')])
  await here.recall.settled()
  expect((await here.recall.state()).vectors).toBe(3)
  expect(here.logged).toEqual([expect.stringContaining('too odd')])
  await here.recall.settled()
  expect(here.logged).toHaveLength(1)
})

test('a text that cannot be indexed is left out with a log line, and the others are indexed', async () => {
  const here = opened()
  here.write([
    note('1', 'green boat'),
    note('2', 'boat', { position: 1e300 }),
    note('3', 'boat', { scope: 'other/a' }),
    note('4', 'blue boat'),
  ])
  await here.recall.settled()
  expect(await found(here, 'boat')).toEqual(['1', '4'])
  expect(here.logged.map((line) => line.slice(0, 22))).toEqual(['recall: the text 2 of ', 'recall: the text 3 of '])
})

test('the bundled model is not waited for, and knows what words alone do not', async () => {
  const here = opened({ isEmbedded: true })
  here.choose('bundled')
  here.write([
    note('1', 'The physician rescheduled my checkup for Thursday'),
    note('2', 'We painted the kitchen yellow'),
    note('3', 'The train to Porto was late again'),
  ])
  expect((await here.recall.search({ scope: ['notes/a'], query: 'doctor appointment' })).semantic).toBe('not_warm')
  await here.recall.settled()
  const { hits, semantic } = await here.recall.search({ scope: ['notes/a'], query: 'doctor appointment', patience_ms: 60_000 })
  expect([semantic, hits[0]?.id, hits[0]?.words]).toEqual(['used', '1', []])
  expect((await here.recall.state()).vectors).toBe(3)
})

test('killed with -9 while it indexes, embeds and rebuilds, it has everything again', async () => {
  const program = childProgram('recall-child')
  let written = -1
  for (const [phase, times] of [
    ['indexing', 2],
    ['embedding', 3],
    ['rebuilding', 1],
    ['indexing', 3],
    ['rebuilding', 2],
  ] as const) {
    const child = spawn(process.execPath, [program, home, String(written + 1)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exit = once(child, 'exit')
    let left: number = times
    for await (const line of createInterface({ input: child.stdout })) {
      const [what, no] = line.split(' ')
      written = Math.max(written, Number(no))
      if (what === phase) left -= 1
      if (left === 0) child.kill('SIGKILL')
    }
    expect(await exit).toEqual([null, 'SIGKILL'])
  }
  const here = opened()
  await here.recall.settled()
  const rows = here.store.sql.all<{ id: string }>`SELECT id FROM notes ORDER BY id`.map(({ id }) => id)
  expect((await here.recall.state()).texts).toBe(rows.length)
  const answer = await here.recall.search({ scope: ['notes/a'], query: 'the green boat', k: 50 })
  await here.recall.rebuild()
  expect(await here.recall.search({ scope: ['notes/a'], query: 'the green boat', k: 50 })).toEqual(answer)
})

test('killed with -9 while another model embeds everything again, it goes on where it was', async () => {
  const notes = Array.from({ length: 200 }, (_, no) =>
    note(`n${no}`, `note number ${no} about the ${no % 2 === 0 ? 'green' : 'blue'} boat`),
  )
  const first = opened({ isEmbedded: true, model: letterModel() })
  first.choose('model', 'first')
  first.write(notes)
  await first.recall.settled()
  open.splice(open.indexOf(first), 1)
  await first.stop()
  // A model whose vectors have no name yet begins with one text; every further batch has 16. The last batch of each life is lost.
  for (const [model, batches] of [
    ['second', 4],
    ['second', 3],
    ['first', 2],
    ['second', 5],
  ] as const) {
    const child = spawn(process.execPath, [childProgram('embedding-child'), home, model, String(batches)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = once(child, 'exit')
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) if (lines.push(line) === batches) child.kill('SIGKILL')
    expect([await exit, lines]).toEqual([[null, 'SIGKILL'], Array.from({ length: batches }, () => model)])
  }
  const embedded: string[] = []
  const model = letterModel((name, texts) => embedded.push(...texts.map(() => name)))
  const here = opened({ isEmbedded: true, life: 'errand', model })
  here.choose('model', 'second')
  const search = () => here.recall.search({ scope: ['notes/a'], query: 'note number 17', patience_ms: 10_000 })
  const before = await search()
  expect([before.semantic, before.hits[0]?.id]).toEqual(['no_vectors', 'n17'])
  embedded.length = 0
  await here.recall.settled()
  // What an earlier life embedded is not embedded again: 32, 32 and 48.
  expect(embedded).toEqual(Array.from({ length: notes.length - 112 }, () => 'second'))
  const answer = await search()
  expect([answer.semantic, (await here.recall.state()).vectors]).toEqual(['used', notes.length])
  await here.recall.rebuild()
  await here.recall.settled()
  expect(await search()).toEqual(answer)
})

test('on a full disk it still finds what it has, and indexes the rest when there is room', () => {
  const program = childProgram('full-disk-child')
  const all = ['1', '20', '21', '22', '23', '24', '25']
  expect(runWithMounts(program, home)).toEqual({
    ...{ before: ['1'], full: 'failed', during: ['1'], after: all },
    ...{ rebuilt: 'failed', afterRebuild: all, problem: null },
  })
})
