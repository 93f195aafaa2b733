import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../model/test-model.ts'
import type { RunHooks } from './ports.ts'
import { openTestRuns } from './test-runs.ts'

let model: TestModel
let home: string

beforeAll(async () => {
  model = await startTestModel(() => ({ text: 'Done.' }))
})
afterAll(() => model.close())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-ends-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** One life of the runtime, with who listens in it; what it logged. */
async function life(runEnded: RunHooks['runEnded'], work: (here: ReturnType<typeof openTestRuns>) => Promise<unknown>) {
  const here = openTestRuns({ home, base_url: model.base_url, runEnded })
  try {
    here.runs.recover()
    await here.runs.tellUntold()
    await work(here)
    await here.runs.stop()
    return here.logged
  } finally {
    here.close()
  }
}

const nothing = async () => undefined

test('an end is told once, and not again at the next start', async () => {
  const heard: string[] = []
  const hear = async ({ title, state }: { readonly title: string; readonly state: string }) => void heard.push(`${title}: ${state}`)
  await life(hear, (here) => here.ask('One'))
  await life(hear, nothing)
  expect(heard).toEqual(['One: completed'])
})

test('who fails to hear it is told at later starts, three times in all', async () => {
  let told = 0
  const deaf = async () => {
    told += 1
    throw new Error('not now')
  }
  const logged = [await life(deaf, (here) => here.ask('One'))]
  for (let start = 0; start < 4; start += 1) logged.push(await life(deaf, nothing))
  expect(told).toBe(3)
  expect(logged.map((lines) => lines.length)).toEqual([1, 1, 1, 1, 0])
  expect([logged[0]?.[0], logged[3]?.[0]]).toEqual([
    expect.stringContaining('not now; it is tried again at the next start'),
    expect.stringContaining('could not be told 3 times'),
  ])
})

test('canceling is an end too; a run that only waits has none', async () => {
  const heard: string[] = []
  await life(
    async ({ state }) => void heard.push(state),
    async (here) => {
      const started = here.runs.start({ author: 'person', conversation_id: here.conversation().conversation_id, text: 'Go' })
      if (!started.ok) throw new Error(started.message)
      await here.runs.pause(started.value.run_id)
      expect(heard).toEqual([])
      await here.runs.cancel(started.value.run_id, null)
    },
  )
  expect(heard).toEqual(['canceled'])
})
