// A workflow of the sample folder on a real device with an account: all its processes are killed in its third round, it continues by itself
// two days later, another device shows every step of it, and everything it did is undone.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkflowSnapshot } from '@tandem/contract/command'
import type { WorkflowRunEvent } from '@tandem/contract/workflow-run'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { manifestOf } from '../packages/runtime/test/support/checkpoint/test-checkpoints.ts'
import { type Script, startTestModel } from '../packages/runtime/test/support/model/test-model.ts'
import {
  answerPending,
  type Call,
  snapshotOf,
  startSample,
  undoAll,
} from '../packages/runtime/test/support/workflow/test-sample-workflow.ts'
import { type CloudDevice, openCloudDevice } from './cloud-device.ts'
import { startCloudRuntime } from './cloud-runtime.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'

const patience = { timeout: 120_000 }
const twoDays_ms = 2 * 86_400_000

let server: CloudServer
let folder: string
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-desk-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What the greeting says in each round, and after the last one. */
const words = ['Helo', 'Halo', 'Hallo', 'Hello']

/**
 * Replaces one word by the next and notes the round, which a call that was made twice would note twice. The second round waits until
 * the first one is shown elsewhere; one answer never ends.
 */
function fixing(endless: number | null, firstShown: Promise<void>): Script {
  return (index, { messages }) => {
    const round = words.findIndex((word) => JSON.stringify(messages).includes(`'${word}, Mara!'`))
    if (index === endless) return { text: 'I have replaced', hold: new Promise(() => undefined) }
    if (messages.some(({ role }) => role === 'tool')) return { text: `Replaced ${words[round]}.` }
    const edits = [{ old_text: words[round], new_text: words[round + 1] }]
    return {
      calls: [
        { name: 'fs.edit', arguments: { path: 'greeting.js', edits } },
        { name: 'shell.exec', arguments: { command: `echo "round ${round + 1}" >> fixes.txt` } },
      ],
      ...(round === 1 ? { hold: firstShown } : {}),
    }
  }
}

const statesOf = ({ nodes }: WorkflowSnapshot) => nodes.map(({ node_id, iteration, state }) => `${node_id} ${iteration} ${state}`)

/** Nothing before its first event has arrived. */
async function shownOn({ runtime }: CloudDevice, workflow_run_id: string): Promise<readonly string[]> {
  const shown = await runtime.commands.call('workflow_snapshot', { workflow_run_id })
  return shown.ok ? statesOf(shown.value.run) : []
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

/** It is killed when this node has started. Agents answer twice in each round: with their calls, and after them. */
const moments = [
  { name: 'the agent answers', node: 'fix 2', answers: 6, endless: 5 },
  { name: 'the tests run', node: 'test 2', answers: 4, endless: null },
]

test.each(moments)(
  'killed with all its processes while $name, it finishes two days later, is shown elsewhere, and can be undone',
  { timeout: 600_000 },
  async ({ node, answers, endless }) => {
    const firstShown = Promise.withResolvers<void>()
    const model = await startTestModel(fixing(endless, firstShown.promise))
    await using _model = { [Symbol.asyncDispose]: model.close }
    const options = { folder, model_url: model.base_url }
    await using sofa = openCloudDevice('sofa')
    await using first = await startCloudRuntime(options)
    const person = newUser()
    await first.call('account_sign_in', { cloud_url: server.url, ...person, account: 'new' })
    await sofa.signIn(server.url, person, 'known')

    const { workspace: sample } = await first.call('workspace_make_sample', {})
    const before = manifestOf(sample)
    const run = await startSample(first.call, sample, 'test-and-fix.yaml')
    const answered: string[] = []
    const isThere = async () => {
      answered.push(...(await answerPending(first.call, { approval: 'always' })))
      if ((await shownOn(sofa, run)).includes('fix 0 completed')) firstShown.resolve()
      return model.requests.length >= answers && statesOf(await snapshotOf(first.call, run)).some((state) => state.startsWith(node))
    }
    await expect.poll(isThere, { ...patience, interval: 10 }).toBe(true)
    await first.kill()
    // Answered in the first round, and never asked again.
    expect(answered).toEqual(['fs.edit', 'shell.exec'])

    await using second = await startCloudRuntime({ ...options, ahead_ms: twoDays_ms })
    await expect.poll(async () => (await snapshotOf(second.call, run)).state, patience).toBe('completed')
    expect(await answerPending(second.call)).toEqual([])
    const end = await snapshotOf(second.call, run)
    expect(statesOf(end)).toEqual([
      'rounds  completed',
      ...[0, 1, 2].flatMap((round) => ['test', 'passed', 'fix'].map((one) => `${one} ${round} completed`)),
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
  },
)
