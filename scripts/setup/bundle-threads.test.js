import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledProgram } from '../../packages/cli/bin/program.js'
import { openWorkerCalls } from '../../packages/runtime/src/thread/worker-calls.ts'
import { launchOptions } from '../../packages/runtime/src/workflow/evaluate/evaluation-process.ts'
import { root } from './paths.js'

let program
let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-threads-'))
  if (!bundledProgram(root)) {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'setup', 'bundle-program.js')], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  }
  program = bundledProgram(root)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** The entry of a thread as the bundled program names it. */
function entryOf(name) {
  const chunks = dirname(fileURLToPath(program))
  const named = `new URL("./${name}.js", import.meta["url"])`
  const naming = readdirSync(chunks).filter((file) => file.endsWith('.js') && readFileSync(join(chunks, file), 'utf8').includes(named))
  expect(naming).not.toEqual([])
  return new URL(`./${name}.js`, program)
}

test('everything that is started by a path is bundled', () => {
  const sources = join(root, 'packages', 'runtime', 'src')
  const started = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.[jt]s$/.test(path))
    .flatMap((path) => [...readFileSync(join(sources, path), 'utf8').matchAll(/new URL\('\.\/([\w-]+)\.[jt]s', import\.meta\.url\)/g)])
    .map(([, name]) => name)
  expect(started.length).toBeGreaterThan(5)
  const bundled = readdirSync(dirname(fileURLToPath(program)))
  expect(started.filter((name) => !bundled.includes(`${name}.js`))).toEqual([])
})

test('the bundled recall thread indexes and finds', async () => {
  const calls = openWorkerCalls({ entry: entryOf('recall-thread'), name: 'recall', workerData: { path: join(folder, 'recall.db') } })
  try {
    const text = { id: '1', scope: 'notes/a', text: 'the boats are green', at: null, speaker: null, group: null }
    await calls.call('apply', [{ space: 'notes', texts: [text], removed: [] }])
    const { hits } = await calls.call('search', [{ scope: ['notes/a'], query: 'boat' }, null])
    expect(hits.map(({ id, words }) => [id, words])).toEqual([['1', ['boats']]])
    await calls.call('close', [])
  } finally {
    await calls.terminate()
  }
}, 60_000)

test('the bundled thread of the knowledge base answers', async () => {
  const calls = openWorkerCalls({
    entry: entryOf('kb-thread'),
    name: 'knowledge',
    workerData: { path: join(folder, 'kb.db'), isOwner: true, cells: new SharedArrayBuffer(16) },
  })
  try {
    expect(await calls.call('figuresOf', ['nothing'])).toEqual({ files: 0, left_out: 0, passages: 0, bytes: 0 })
    await calls.call('close', [])
  } finally {
    await calls.terminate()
  }
}, 60_000)

test('the bundled embedder thread embeds', async () => {
  const calls = openWorkerCalls({ entry: entryOf('embedder-thread'), name: 'embedder', workerData: null })
  try {
    const [doctor, physician, kitchen] = await calls.call('embed', [['a doctor', 'a physician', 'yellow kitchen paint']])
    expect([doctor.length, dot(doctor, physician) > dot(doctor, kitchen)]).toEqual([512, true])
  } finally {
    await calls.terminate()
  }
}, 60_000)

test('the bundled evaluator evaluates, with its permissions', async () => {
  const entry = join(dirname(fileURLToPath(entryOf('evaluate-thread'))), 'evaluate-process.js')
  const library = createRequire(join(root, 'packages', 'runtime', 'package.json')).resolve('jsonata')
  const child = fork(entry, [library], launchOptions(entry, [library]))
  try {
    expect(await once(child, 'message')).toEqual(['ready', undefined])
    child.send({ kind: 'expression', expression: 'a + 1', input: '{"a":1}' })
    expect(await once(child, 'message')).toEqual([{ json: '2' }, undefined])
  } finally {
    child.kill('SIGKILL')
  }
}, 60_000)

function dot(left, right) {
  return left.reduce((sum, value, index) => sum + value * right[index], 0)
}
