// What goes wrong once must not stay wrong: records that cannot be read, files that cannot be replaced, copies that are brought back.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { letterModel, note, openTestRecall, type TestRecall, type TestRecallOptions } from '../../test/support/recall/test-recall.ts'
import { systemClock } from '../clock/clock.ts'
import type { Model } from '../model/model.ts'
import { characterParts } from './rule/query.ts'

let home: string
let here: TestRecall | null
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recall-repair-'))
  here = null
})
afterEach(async () => {
  await here?.stop()
  rmSync(home, { recursive: true })
})

async function reopened(options: Partial<TestRecallOptions> = {}): Promise<TestRecall> {
  await here?.stop()
  here = openTestRecall({ home, ...options })
  return here
}

const found = async (one: TestRecall, query: string) =>
  (await one.recall.search({ scope: ['notes/a'], query, patience_ms: 20_000 })).hits.map(({ id }) => id)

test('what a process of one command removes is not in the file when it has ended', async () => {
  const first = await reopened()
  first.write([note('1', 'the Quetzaltenango office'), note('2', 'the Ouagadougou office')])
  await first.recall.settled()
  const second = await reopened({ life: 'errand' })
  second.write([], ['1'])
  await second.stop()
  here = null
  const content = readFileSync(join(home, 'recall.db')).toString('latin1')
  expect([content.includes('Quetzaltenango'), content.includes('Ouagadougou')]).toEqual([false, true])
})

test('a copy of the records that is brought back is noticed, even if something is written before the first search', async () => {
  const first = await reopened()
  first.write([note('1', 'the boat is green')])
  await first.recall.settled()
  await first.stop()
  const copy = join(home, 'copy.db')
  copyFileSync(join(home, 'tandem.db'), copy)
  here = null
  const second = await reopened()
  second.write([note('2', 'the ghost is white')])
  await second.recall.settled()
  await second.stop()
  here = null
  for (const suffix of ['-wal', '-shm']) rmSync(join(home, `tandem.db${suffix}`), { force: true })
  renameSync(copy, join(home, 'tandem.db'))
  const third = await reopened({ life: 'errand' })
  third.write([note('3', 'the plane is new')])
  expect([await found(third, 'plane'), await found(third, 'ghost'), await found(third, 'boat')]).toEqual([['3'], [], ['1']])
})

test('a record that cannot be read is left out with a reason, and all others are indexed', async () => {
  const one = await reopened({
    onRead: (ids) => {
      if (ids.includes('n3')) throw new Error('it is broken')
    },
  })
  one.write(Array.from({ length: 6 }, (_, no) => note(`n${no}`, `note ${no} about the boat`)))
  expect((await found(one, 'boat')).toSorted()).toEqual(['n0', 'n1', 'n2', 'n4', 'n5'])
  one.write([note('n6', 'a later note about the boat')], ['n0'])
  expect((await found(one, 'boat')).toSorted()).toEqual(['n1', 'n2', 'n4', 'n5', 'n6'])
  expect(one.logged.filter((line) => line.includes('n3 of notes is not indexed: it is broken'))).toHaveLength(1)
})

test('an index file that could not be replaced once is replaced by the next attempt', async () => {
  const one = await reopened({ life: 'errand' })
  one.write([note('1', 'the boat is green')])
  expect(await found(one, 'boat')).toEqual(['1'])
  const away = `${home}-away`
  renameSync(home, away)
  await expect(one.recall.rebuild()).rejects.toThrow()
  mkdirSync(home, { recursive: true })
  rmSync(home, { recursive: true })
  renameSync(away, home)
  await found(one, 'boat').catch(() => undefined)
  expect(await found(one, 'boat')).toEqual(['1'])
})

test('a model that rejects the newest text compares all others', async () => {
  const letters = letterModel()
  const model: Model = {
    ...letters,
    async embed(name, texts, signal) {
      if (texts.some((text) => text.includes('cursed')))
        return { ok: false, failure: { code: 'rejected', message: 'not this one', status: 400 } as never }
      return await letters.embed(name, texts, signal)
    },
  }
  const one = await reopened({ isEmbedded: true, model, life: 'errand' })
  one.choose('model', 'letters')
  one.write([note('1', 'the boat'), note('2', 'the house'), note('3', 'the cursed text')])
  await one.recall.settled()
  expect((await one.recall.state()).vectors).toBeGreaterThanOrEqual(2)
})

test('a search after the stop, and a rebuild, are refused: no thread is started for them', async () => {
  const one = await reopened()
  one.write([note('1', 'the boat is green')])
  await one.recall.settled()
  await one.recall.stop()
  await expect(one.recall.search({ scope: ['notes/a'], query: 'boat' })).rejects.toThrow('stopping')
  await expect(one.recall.rebuild()).rejects.toThrow('stopping')
  await expect(one.recall.settled()).rejects.toThrow('stopping')
})

test('a query of one very long word has no parts, and names of usual length keep theirs', () => {
  expect(characterParts('a'.repeat(200_000)).parts).toEqual([])
  expect(characterParts('see src/main.ts and fooBar').parts).toEqual(['src/main.ts', 'fooBar'])
})

test('an answer that takes too long is left out and marked as late, and the next search has it', async () => {
  const one = await reopened()
  one.write([note('1', 'the boat is green')])
  await one.recall.settled()
  // A thread that has not started cannot answer within a millisecond.
  const again = await reopened()
  expect(await again.recall.search({ scope: ['notes/a'], query: 'boat', limit_ms: 1 })).toMatchObject({ hits: [], isLate: true })
  const { hits, isLate } = await again.recall.search({ scope: ['notes/a'], query: 'boat', patience_ms: 20_000 })
  expect([hits.map(({ id }) => id), isLate]).toEqual([['1'], false])
})

test('an index that another program has locked does not hold up the stop, and nothing is lost', async () => {
  const one = await reopened({ clock: { ...systemClock, after: (ms, call) => systemClock.after(Math.min(ms, 20), call) } })
  one.write([note('1', 'the boat is green')])
  await one.recall.settled()
  const other = new DatabaseSync(join(home, 'recall.db'))
  other.exec('BEGIN EXCLUSIVE')
  one.write([note('2', 'the ship is red')])
  await one.stop()
  // The thread has not given up yet: the stop did not wait for it.
  expect(one.logged).toEqual([])
  other.exec('ROLLBACK')
  other.close()
  here = null
  expect(await found(await reopened(), 'ship')).toEqual(['2'])
})
