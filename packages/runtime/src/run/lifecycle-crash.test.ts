// A process is killed with -9 between the commit of every lifecycle event and its delivery, during the delivery, and before the delivery is
// recorded. Afterwards every listener must have processed everything, in order.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lifecycleEventNames } from '@tandem/contract/command'
import { expect, onTestFinished, test } from 'vitest'
import { useBundledProgram } from '../../test/support/bundled-program.ts'
import { startTestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns } from '../../test/support/run/test-runs.ts'
import { crashpoints } from '../event/lifecycle/crashpoint.ts'
import { type LifecycleEvent, subjectOf } from '../event/lifecycle/lifecycle-event.ts'

const child = useBundledProgram('run/test-lifecycle-child.ts')
const preload = new URL('../../test/support/test-crash-preload.ts', import.meta.url).href

interface Life {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

function live(home: string, base_url: string, file: string): Promise<Life> {
  return new Promise((resolve) => {
    const started = spawn(process.execPath, ['--import', preload, child.path, home, base_url], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: child.compiled,
        TANDEM_TEST_CRASH_PLAN: JSON.stringify({ kill: 'each_point_once', file, among: crashpoints }),
      },
    })
    let [output, errors] = ['', '']
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    started.on('close', (code, signal) => resolve({ code, signal, output, errors }))
  })
}

test('killed once at every point around the delivery of each of the six events, every listener still gets everything, in order', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-lifecycle-'))
  const model = await startTestModel((_index, { messages }) => {
    if (String(messages.at(-1)?.content).startsWith('Summarize')) return { text: '"Done"\nA little.' }
    const said = messages.findLastIndex(({ role }) => role === 'user')
    if (String(messages[said]?.content) !== 'Mark') return { text: 'word '.repeat(1_500) }
    const isMarked = messages.slice(said + 1).some(({ role }) => role === 'tool')
    return isMarked ? { text: 'Marked.' } : { calls: [{ name: 'test.mark', arguments: { text: 'x' } }] }
  })
  onTestFinished(async () => {
    await model.close()
    rmSync(home, { recursive: true, force: true })
  })
  mkdirSync(join(home, 'workspace'))
  writeFileSync(join(home, 'workspace', 'marks'), '')
  const file = join(home, 'killed')
  writeFileSync(file, '')
  const killed = () => readFileSync(file, 'utf8').trim().split('\n').filter(Boolean)
  let end: Life | null = null
  for (let lives = 0; end?.code !== 0 && lives < 60; lives += 1) {
    end = await live(home, model.base_url, file)
    if (end.code !== 0) expect([end.code, end.signal], `after ${killed().at(-1)}: ${end.errors}`).toEqual([null, 'SIGKILL'])
  }
  expect(killed().toSorted()).toEqual([...crashpoints].toSorted())
  expect(JSON.parse(end?.output ?? '')).toEqual({ left: [], logged: [] })

  const facts = factsOf(home, model.base_url)
  for (const name of ['one', 'two']) {
    const heard = readFileSync(join(home, `heard-${name}`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LifecycleEvent)
    expect(new Set(heard.map(({ event }) => event)), name).toEqual(new Set(lifecycleEventNames))
    const bySubject = Map.groupBy(firsts(heard), subjectOf)
    for (const [subject, ids] of facts) {
      const got = bySubject.get(subject)?.flatMap((event) => (event.event === 'before_compaction' ? [] : [event.event_id]))
      expect(got, `${name}, ${subject}`).toEqual(ids)
    }
    // Killed between its record and the compaction, a run announces the compaction again, with another id and the same range.
    const compactions = firsts(heard).filter(({ event }) => event === 'before_compaction')
    expect(new Set(compactions.map(({ data }) => JSON.stringify(data))).size, name).toBe(1)
  }
}, 300_000)

/** Each event where it was first processed. */
function firsts(heard: readonly LifecycleEvent[]): readonly LifecycleEvent[] {
  return heard.filter(({ event_id }, index) => heard.findIndex((earlier) => earlier.event_id === event_id) === index)
}

/** What happened to every subject, in order, according to the store; it does not record when a compaction was announced. */
function factsOf(home: string, base_url: string): ReadonlyMap<string, readonly string[]> {
  const here = openTestRuns({ home, base_url, listeners: [] })
  try {
    const runs = here.journal.runs({ limit: 100 }).map(({ run_id, title }) => {
      const kinds = ['run.completed', 'run.failed', 'run.canceled', 'checkpoint.restored']
      const steps = here.journal.steps(run_id).flatMap(({ step }) => (kinds.includes(step.kind) ? [step.step_id] : []))
      return [`run:${run_id}`, title === 'One' ? [...steps, 'cycle'] : steps] as const
    })
    const agents = here.records.list('agents').map(({ entity_id }) => [`agent:${entity_id}`, [entity_id]] as const)
    const { conversation_id } = here.conversation()
    return new Map<string, readonly string[]>([...runs, ...agents, [`conversation:${conversation_id}`, [conversation_id]]])
  } finally {
    here.close()
  }
}
