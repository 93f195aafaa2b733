// The workflows of the sample folder, each run as it is, with real tools, and undone.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manifestOf } from './support/checkpoint/test-checkpoints.ts'
import { testClock } from './support/clock/test-clock.ts'
import type { Script } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { type Answers, answerPending, saveSample, snapshotOf, startSample, undoAll } from './support/workflow/test-sample-workflow.ts'

const patience = { timeout: 120_000 }

let home: string
let agent: TestAgent
let sample: string
let before: string[]

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-person-')))
})

afterEach(async () => {
  await agent.stop()
  rmSync(home, { recursive: true, force: true })
})

type AgentOptions = NonNullable<Parameters<typeof startTestAgent>[1]>

async function makeSample(script: Parameters<typeof startTestAgent>[0] = [], options: AgentOptions = {}): Promise<void> {
  agent = await startTestAgent(script, { ...options, environment: { HOME: home, ...options.environment } })
  sample = (await agent.call('workspace_make_sample', {})).workspace
  before = manifestOf(sample)
}

const read = (path: string) => readFileSync(join(sample, path), 'utf8')
const files = (folder: string) => readdirSync(join(sample, folder), { recursive: true, encoding: 'utf8' }).toSorted()

/** Answers everything until the workflow has ended. Returns what was answered. */
async function answerUntilEnd(workflow_run_id: string, state: string, answers: Answers = {}): Promise<readonly string[]> {
  const answered: string[] = []
  const current = async () => {
    answered.push(...(await answerPending(agent.call, answers)))
    const { state: now, reason } = await snapshotOf(agent.call, workflow_run_id)
    return now === 'failed' ? `failed ${reason}` : now
  }
  await expect.poll(current, patience).toContain(state)
  return answered
}

const toolResults = ({ messages }: Parameters<Script>[1]) => messages.filter(({ role }) => role === 'tool').length
const prompted = ({ messages }: Parameters<Script>[1]) => JSON.stringify(messages)

test('a folder is tidied after an approval, and undone', async () => {
  await makeSample()
  const run = await startSample(agent.call, sample, 'tidy-a-folder.yaml')
  const moves = ['ideas.md', 'languages.csv', 'logo.svg', 'old-greeting.bak']
  const folders = ['documents', 'tables', 'pictures', 'other']
  const targets = moves.map((name, at) => `inbox/${folders[at]}/${name}`)
  await expect.poll(async () => (await agent.call('question_list', {})).items.length, patience).toBe(1)
  expect(manifestOf(sample)).toEqual(before)
  expect(await answerUntilEnd(run, 'completed')).toEqual([
    `Move these files?\n${moves.map((name, at) => `${name} to ${targets[at]}`).join('\n')}\n`,
    ...moves.map(() => 'fs.move'),
  ])
  expect((await snapshotOf(agent.call, run)).result).toBe(JSON.stringify(targets))
  expect(files('inbox')).toEqual([...folders, ...targets.map((path) => path.slice('inbox/'.length))].toSorted())
  // Nothing is left to do, so it does not ask again.
  expect(await answerUntilEnd(await startSample(agent.call, sample, 'tidy-a-folder.yaml'), 'completed')).toEqual([])
  await undoAll(agent.call, run)
  expect(manifestOf(sample)).toEqual(before)
})

test('a folder that a person does not want to be tidied stays as it is', async () => {
  await makeSample()
  const run = await startSample(agent.call, sample, 'tidy-a-folder.yaml')
  await answerUntilEnd(run, 'completed', { question: 'deny' })
  expect(manifestOf(sample)).toEqual(before)
})

test('an agent fixes the code until the test passes, and all of it is undone', async () => {
  const wrong = ['Helo', 'Halo', 'Hallo', 'Hello']
  await makeSample((_index, request) => {
    const round = wrong.findIndex((word) => prompted(request).includes(`'${word}, Mara!'`))
    if (toolResults(request) > 0) return { text: `Replaced ${wrong[round]}.` }
    const edits = [{ old_text: wrong[round], new_text: wrong[round + 1] }]
    return { calls: [{ name: 'fs.edit', arguments: { path: 'greeting.js', edits } }] }
  })
  const run = await startSample(agent.call, sample, 'test-and-fix.yaml')
  expect(await answerUntilEnd(run, 'completed')).toEqual(['fs.edit', 'fs.edit', 'fs.edit'])
  const { nodes, result } = await snapshotOf(agent.call, run)
  const codes = nodes.filter(({ node_id }) => node_id === 'fix').map(({ iteration, state }) => [iteration, state])
  expect(codes).toEqual([
    [[0], 'completed'],
    [[1], 'completed'],
    [[2], 'completed'],
    [[3], 'skipped'],
  ])
  expect(result).toContain('pass 1')
  expect(read('greeting.js')).toContain('Hello, ')
  await undoAll(agent.call, run)
  expect(manifestOf(sample)).toEqual(before)
})

test('two agents review a file at the same time, and their reviews are in one file', async () => {
  const both = Promise.withResolvers<void>()
  let asked = 0
  await makeSample((_index, request) => {
    asked += 1
    if (asked === 2) both.resolve()
    return { text: prompted(request).includes('for mistakes') ? '- It says Helo.' : '- The name is clear.', hold: both.promise }
  })
  const run = await startSample(agent.call, sample, 'two-reviews.yaml')
  expect(await answerUntilEnd(run, 'completed')).toEqual(['fs.write'])
  expect(read('review.md')).toBe('# Review of greeting.js\n\n## Correctness\n\n- It says Helo.\n\n## Clarity\n\n- The name is clear.\n')
  await undoAll(agent.call, run)
  expect(manifestOf(sample)).toEqual(before)
})

test('a report is written every night without a person, and undone', async () => {
  const due = new Date()
  const clock = testClock(due.getTime() - 3_600_000)
  await makeSample([], { clock })
  const workflow_id = await saveSample(agent.call, sample, 'nightly-report.yaml')
  await agent.call('workflow_schedule_save', {
    workflow_id,
    cron: `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`,
    time_zone: 'UTC',
    workspace: sample,
  })
  // While one command runs, another one that takes instructions from a file of the last two seconds needs an approval.
  const age = () => Date.now() - statSync(join(sample, 'package.json')).ctimeMs
  await expect.poll(age, patience).toBeGreaterThan(3_000)
  const runs = async () => (await agent.call('workflow_run_list', {})).items
  const isStarted = async () => {
    const { length } = await runs()
    // The job that looks at schedules begins its next wait when it has ended, which may be after the clock was moved. The clock moves slowly,
    // and stands still once the run has started: otherwise the test of the sandbox, which has a minute, would time out.
    if (length > 0) return length
    clock.set(Date.now())
    clock.advance(20_000)
    // As the file system has it: times of files are compared with it.
    clock.set(Date.now())
    return length
  }
  await expect.poll(isStarted, { ...patience, interval: 5_000 }).toBe(1)
  await expect.poll(async () => (await runs()).map(({ state, reason }) => [state, reason]), patience).toEqual([['completed', null]])
  expect([(await agent.call('approval_list', {})).items, agent.model.requests]).toEqual([[], []])
  const [run] = await runs()
  expect(read('reports/report.txt')).toMatch(/^\d{4}-\d\d-\d\d, the tests failed\.\n +3 \.\/greeting\.js\n.*'Helo, Mara!'/s)
  await undoAll(agent.call, run?.workflow_run_id ?? '')
  expect(manifestOf(sample)).toEqual(before)
})

test('without a model, a workflow with agents fails and says why', async () => {
  await makeSample()
  await agent.restart({ TANDEM_MODEL: '', TANDEM_MODEL_URL: '' })
  for (const [file, node] of [
    ['test-and-fix.yaml', 'fix'],
    ['two-reviews.yaml', 'correctness'],
  ] as const) {
    const run = await startSample(agent.call, sample, file)
    await answerUntilEnd(run, 'failed')
    const { reason, nodes } = await snapshotOf(agent.call, run)
    expect(reason).toContain('No model is configured.')
    expect(nodes.find(({ node_id }) => node_id === node)?.failure_contract?.details.message).toBe('No model is configured.')
  }
  expect(manifestOf(sample)).toEqual(before)
})
