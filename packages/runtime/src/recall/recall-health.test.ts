// What users are told about the search index.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { letterModel, note, openTestRecall, type TestRecall } from '../../test/support/recall/test-recall.ts'
import { type Clock, systemClock } from '../clock/clock.ts'

/** A busy machine is waited for. */
const clock: Clock = { ...systemClock, after: (ms, what) => systemClock.after(30 * ms, what) }

let home: string
let here: TestRecall | null
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recall-health-'))
  here = null
})
afterEach(async () => {
  await here?.stop()
  rmSync(home, { recursive: true })
})

test('how many texts can be found, and how many changes are not indexed yet', async () => {
  here = openTestRecall({ home, clock, life: 'errand' })
  here.write([note('1', 'the boat is green'), note('2', 'the house is white')])
  expect(await here.recall.health()).toEqual({ texts: 0, waiting: 2, problem: null })
  // Nothing was started to find this out.
  expect(existsSync(join(home, 'recall.db'))).toBe(false)
  await here.recall.settled()
  expect(await here.recall.health()).toEqual({ texts: 2, waiting: 0, problem: null })
})

test('a model that fails is reported with a remedy, until it answers again', async () => {
  let isBroken = true
  const model = letterModel(() => {
    if (isBroken) throw new Error('the model is not there')
  })
  here = openTestRecall({ home, clock, life: 'errand', isEmbedded: true, model })
  here.choose('model', 'letters')
  here.write([note('1', 'the boat is green')])
  await expect(here.recall.settled()).rejects.toThrow()
  expect(await here.recall.health()).toEqual({
    texts: 1,
    waiting: 0,
    problem: {
      message: 'Search by meaning failed: the model is not there',
      remedy: expect.stringMatching(/^Check that the embeddings model is available\./),
    },
  })
  isBroken = false
  await here.recall.settled()
  expect(await here.recall.health()).toEqual({ texts: 1, waiting: 0, problem: null })
})

test('an index that cannot be opened is reported with a remedy', async () => {
  mkdirSync(join(home, 'recall.db'))
  here = openTestRecall({ home, clock, life: 'errand' })
  here.write([note('1', 'the boat is green')])
  expect(await here.recall.health()).toEqual({
    texts: null,
    waiting: 1,
    problem: { message: expect.stringMatching(/^Indexing failed: ./), remedy: expect.stringMatching(/^Free up disk space/) },
  })
})
