// How many files of the runtime a call of `fs.write` passes through, from the recorded turn of the model to the recorded result
// (docs/decisions/0056).

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openRuntime } from '../src/runtime.ts'
import { startTestModel } from './support/model/test-model.ts'

const sources = `${import.meta.dirname}/../src/`
const filesAtMost = 69
/** What a timer does in the meantime is not part of a call, and is left out by comparing rounds: until this many in a row left nothing out. */
const sameRounds = 5
const mostRounds = 40

test(`a call of fs.write passes through at most ${filesAtMost} files`, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-write-path-')))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  let written = 0
  // Indexing the messages is not part of a call: the model answers when it is done.
  let indexed = () => Promise.resolve()
  const model = await startTestModel((_index, { messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Written.' }
      : { calls: [{ name: 'fs.write', arguments: { path: `${++written}.txt`, content: 'x' } }], hold: indexed() },
  )
  const coverage = openCoverage()
  const seen: ReadonlySet<string>[] = []
  const common: ReadonlySet<string>[] = []
  const runtime = openRuntime({
    home: join(folder, 'home'),
    workspace,
    environment: { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'test/model' },
    log: () => undefined,
    crashPoint(point) {
      if (point === 'turn_recorded') coverage.take()
      if (point === 'tool_settled') seen.push(coverage.take())
    },
  })
  try {
    const { agent_id } = (await done(runtime.commands.call('agent_create', { name: 'Writer' }))).agent
    const { policy } = await done(runtime.commands.call('agent_tool_policy_get', { agent_id, tool: 'fs.write' }))
    const auto = { ...policy.policy, approval_mode: 'auto' as const }
    await done(runtime.commands.call('agent_tool_policy_set', { agent_id, tool: 'fs.write', policy: auto }))
    const { conversation_id } = (await done(runtime.commands.call('conversation_create', { agent_id, workspace }))).conversation
    indexed = async () =>
      void (await done(runtime.commands.call('memory_search', { agent_id, query: 'Write', channels: ['exact_evidence'] })))
    for (let same = 0; same < sameRounds && common.length < mostRounds; ) {
      const { run_id } = (await done(runtime.commands.call('agent_run_start', { conversation_id, text: 'Write' }))).run
      await runtime.settled(run_id)
      await indexed()
      // The first one loads and compiles.
      const ran = seen.length > 1 ? seen.at(-1) : undefined
      if (!ran) continue
      const before = common.at(-1)
      common.push(before ? before.intersection(ran) : ran)
      same = before?.size === common.at(-1)?.size ? same + 1 : 0
    }
  } finally {
    await runtime.stop()
    await model.close()
    coverage.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const files = [...(common.at(-1) ?? [])].sort()
  expect([written, seen.length]).toEqual([common.length + 1, common.length + 1])
  expect(files).toEqual(
    expect.arrayContaining(['run/call/settle-calls.ts', 'pipeline/pipeline.ts', 'policy/decide.ts', 'tools/fs/write.ts']),
  )
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(filesAtMost)
})

/** The files of which a function ran since the last `take`. */
function openCoverage() {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    take(): ReadonlySet<string> {
      const ran = new Set<string>()
      session.post('Profiler.takePreciseCoverage', (error, { result }) => {
        if (error) throw error
        for (const { url, functions } of result) {
          if (!functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))) continue
          const path = relative(sources, url.startsWith('file:') ? fileURLToPath(url) : url)
          if (!/^\.\.|^node:/.test(path)) ran.add(path)
        }
      })
      return ran
    },
    close: () => session.disconnect(),
  }
}

async function done<Value>(answer: Promise<{ ok: true; value: Value } | { ok: false; error: { message: string } }>): Promise<Value> {
  const answered = await answer
  if (!answered.ok) throw new Error(answered.error.message)
  return answered.value
}
