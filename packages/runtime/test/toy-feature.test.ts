// The cost of a new feature: one folder, and one line in the list of features with its import. A test does it in a copy of the runtime, and
// kills that runtime with -9 twice while a call of the feature waits for three days.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestModel, type TestModel } from './support/model/test-model.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const toy = fileURLToPath(new URL('./support/toy/', import.meta.url))
const day_ms = 86_400_000
const line = '  features.add(openToyFeature(ground))\n'
const importing = "import { openToyFeature } from './tools/toy/feature.ts'\n"

let folder: string
let sources: string
let model: TestModel

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-toy-')))
  sources = join(folder, 'packages', 'runtime', 'src')
  cpSync(join(root, 'packages', 'runtime', 'src'), sources, { recursive: true })
  cpSync(join(root, 'packages', 'runtime', 'package.json'), join(folder, 'packages', 'runtime', 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(sources, 'tools', 'toy'))
  const feature = readFileSync(join(toy, 'feature.ts'), 'utf8')
  writeFileSync(join(sources, 'tools', 'toy', 'feature.ts'), feature.replaceAll('../../../src/', '../../'))
  const runtime = readFileSync(join(sources, 'runtime.ts'), 'utf8')
  const mark = '  const { todos } = features.add(openTodoFeature(ground))\n'
  expect(runtime).toContain(mark)
  writeFileSync(join(sources, 'runtime.ts'), importing + runtime.replace(mark, mark + line))
  model = await startTestModel([{ calls: [{ name: 'toy.nap', arguments: { days: 3 } }] }, { text: 'That was a good nap.' }])
})

afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Seen {
  readonly state?: string
  readonly reason?: string | null
  readonly toy?: { readonly works: boolean; readonly note?: string }
  readonly kinds?: readonly string[]
  readonly results?: readonly unknown[]
  readonly [name: string]: unknown
}

/** One process, this many days later; killed as soon as `isEnough` returns true. Returns what it printed. */
function live(
  days: number,
  isEnough: (seen: Seen) => boolean,
): Promise<{ readonly seen: readonly Seen[]; readonly signal: string | null }> {
  return new Promise((resolve, reject) => {
    const args = [sources, join(folder, 'home'), join(folder, 'workspace'), model.base_url, String(days * day_ms)]
    const child = spawn(process.execPath, [join(toy, 'toy-process.ts'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const seen: Seen[] = []
    let [rest, errors] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const one of lines) {
        seen.push(JSON.parse(one))
        if (isEnough(seen.at(-1) ?? {})) child.kill('SIGKILL')
      }
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    child.on('close', (code, signal) => (code === 0 || signal ? resolve({ seen, signal }) : reject(new Error(errors))))
  })
}

test('it is one folder and one line, and violates no rule', async () => {
  const original = join(root, 'packages', 'runtime', 'src')
  const files = (from: string) =>
    readdirSync(from, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice(from.length + 1))
  const known = new Set(files(original))
  const added = files(sources).filter((file) => !known.has(file))
  expect(added).toEqual(['tools/toy/feature.ts'])
  const changed = files(original).filter((file) => !readFileSync(join(original, file)).equals(readFileSync(join(sources, file))))
  expect(changed).toEqual(['runtime.ts'])
  const check = `import(${JSON.stringify(join(root, 'scripts', 'boundary.js'))}).then(({ checkBoundary }) => checkBoundary(${JSON.stringify(folder)}))
    .then(({ violations, outsideLayers, seen }) => console.log(JSON.stringify([violations, outsideLayers, seen > 300])))`
  const checked = await new Promise<string>((resolve) => {
    const child = spawn(process.execPath, ['-e', check], { stdio: ['ignore', 'pipe', 'inherit'] })
    let told = ''
    child.stdout.on('data', (text) => (told += text))
    child.on('close', () => resolve(told))
  })
  expect(JSON.parse(checked)).toEqual([[], [], true])
})

test('all of it works, and a wait of three days survives two kills', async () => {
  mkdirSync(join(folder, 'workspace'))
  const waits = ({ state, toy: status }: Seen) => state === 'paused' && status?.works === true
  const first = await live(0, waits)
  expect(first.signal).toBe('SIGKILL')
  expect(first.seen.slice(0, 2)).toEqual([
    {
      settings: [{ section: 'toy', setting: 'greeting', value: 'good night' }],
      refused: ['`sections[0].value` of toy.greeting must be a string', '`sections[0].section` is nobody, which is not a known section'],
    },
    { layers: ['configured policy', 'toy'] },
  ])
  expect(first.seen.at(-1)).toMatchObject({
    state: 'paused',
    reason: 'time',
    toy: { name: 'toy', note: '1 rounds, 0 runs heard, 0 ended' },
  })

  let looks = 0
  const second = await live(1, (seen) => waits(seen) && ++looks >= 10)
  expect([second.signal, second.seen.at(-1)]).toMatchObject(['SIGKILL', { state: 'paused', reason: 'time' }])

  const last = await live(3.01, () => false)
  const { kinds = [], results = [] } = last.seen.at(-1) ?? {}
  expect(last.signal).toBe(null)
  const once = ['wait.started', 'wait.ended', 'run.resumed', 'tool.result', 'run.completed']
  expect(once.map((kind) => [kind, kinds.filter((one) => one === kind).length])).toEqual(once.map((kind) => [kind, 1]))
  expect(results).toEqual([{ nap_id: expect.any(String), dreamed: 'SECRET' }])
  expect(last.seen.at(-2)).toMatchObject({ toy: { works: true, note: expect.stringMatching(/^1 rounds, [01] runs heard, [01] ended$/) } })
  const systems = model.requests.map(({ messages }) => String(messages[0]?.content))
  expect(systems.map((text) => text.includes('The toy says good night.'))).toEqual([true, true])
  expect(model.requests[0]?.tools?.some((tool) => JSON.stringify(tool).includes('toy__nap'))).toBe(true)
})
