// A workflow of the sample folder on a real device with an account: all its processes are killed in its third round, it continues by itself
// two days later, another device shows every step of it, and everything it did is undone.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkflowRunEvent } from '@tandem/contract/workflow-run'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifestOf } from '../packages/runtime/test/support/checkpoint/test-checkpoints.ts'
import { type Script, startTestModel } from '../packages/runtime/test/support/model/test-model.ts'
import {
  answerPending,
  type Call,
  snapshotOf,
  startSample,
  undoAll,
} from '../packages/runtime/test/support/workflow/test-sample-workflow.ts'
import { openCloudDevice } from './cloud-device.ts'
import { startCloudRuntime } from './cloud-runtime.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'

const patience = { timeout: 120_000 }
const twoDays_ms = 2 * 86_400_000

let server: CloudServer
let folder: string
beforeAll(async () => {
  server = await startCloudServer()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-desk-')))
}, 120_000)
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** What the greeting says in each round, and after the last one. */
const words = ['Helo', 'Halo', 'Hallo', 'Hello']

/** Replaces one word by the next and notes the round, which a call that was made twice would note twice. */
function fixes(): { readonly script: Script; isThirdMade(): boolean } {
  let isThirdMade = false
  const script: Script = (_index, { messages }) => {
    const round = words.findIndex((word) => JSON.stringify(messages).includes(`'${word}, Mara!'`))
    const edits = [{ old_text: words[round], new_text: words[round + 1] }]
    if (!messages.some(({ role }) => role === 'tool'))
      return {
        calls: [
          { name: 'fs.edit', arguments: { path: 'greeting.js', edits } },
          { name: 'shell.exec', arguments: { command: `echo "round ${round + 1}" >> fixes.txt` } },
        ],
      }
    if (round < 2 || isThirdMade) return { text: `Replaced ${words[round]}.` }
    isThirdMade = true
    return { text: 'I have replaced', hold: new Promise(() => undefined) }
  }
  return { script, isThirdMade: () => isThirdMade }
}

async function eventsOf(call: Call, workflow_run_id: string): Promise<readonly WorkflowRunEvent[]> {
  const events: WorkflowRunEvent[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await call('workflow_run_list_events', { workflow_run_id, limit: 200, ...(cursor ? { cursor } : {}) })
    events.push(...page.items)
    cursor = page.next_cursor
  }
  return events
}

test('killed with all its processes, it finishes two days later, is shown elsewhere, and can be undone', { timeout: 600_000 }, async () => {
  const { script, isThirdMade } = fixes()
  const model = await startTestModel(script)
  const options = { folder, model_url: model.base_url }
  await using sofa = openCloudDevice('sofa')
  const person = newUser()
  await using first = await startCloudRuntime(options)
  await first.call('account_sign_in', { cloud_url: server.url, ...person, account: 'new' })
  await sofa.signIn(server.url, person, 'known')

  const { workspace: sample } = await first.call('workspace_make_sample', {})
  const before = manifestOf(sample)
  const run = await startSample(first.call, sample, 'test-and-fix.yaml')
  const answered: string[] = []
  const isThirdFixed = async () => {
    answered.push(...(await answerPending(first.call, { approval: 'always' })))
    return isThirdMade()
  }
  await expect.poll(isThirdFixed, patience).toBe(true)
  // Answered in the first round, and never asked again.
  expect(answered).toEqual(['fs.edit', 'shell.exec'])
  const onSofa = async () => {
    const shown = await sofa.runtime.commands.call('workflow_snapshot', { workflow_run_id: run })
    return shown.ok ? shown.value.run.nodes.map(({ node_id, iteration, state }) => `${node_id} ${iteration} ${state}`) : []
  }
  await expect.poll(onSofa, patience).toContain('fix 2 waiting')
  await first.kill()

  await using second = await startCloudRuntime({ ...options, ahead_ms: twoDays_ms })
  await expect.poll(async () => (await snapshotOf(second.call, run)).state, patience).toBe('completed')
  expect(await answerPending(second.call)).toEqual([])
  const end = await snapshotOf(second.call, run)
  expect(end.nodes.map(({ node_id, iteration, state }) => `${node_id} ${iteration} ${state}`)).toEqual([
    'rounds  completed',
    ...[0, 1, 2].flatMap((round) => ['test', 'passed', 'fix'].map((node) => `${node} ${round} completed`)),
    ...['test 3 completed', 'passed 3 completed', 'fix 3 skipped'],
  ])
  expect(Date.parse(end.ended_at ?? '') - Date.parse(end.started_at)).toBeGreaterThanOrEqual(twoDays_ms)
  expect([readFileSync(join(sample, 'fixes.txt'), 'utf8'), readFileSync(join(sample, 'greeting.js'), 'utf8')]).toEqual([
    'round 1\nround 2\nround 3\n',
    expect.stringContaining('Hello, '),
  ])

  const events = await eventsOf(second.call, run)
  await expect.poll(() => eventsOf(sofa.call, run), patience).toEqual(events)
  expect(await snapshotOf(sofa.call, run)).toEqual(end)

  await undoAll(second.call, run)
  expect(manifestOf(sample)).toEqual(before)
  await model.close()
})
