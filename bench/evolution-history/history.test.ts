import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { files } from './collect.ts'
import { fourth } from './fourth/half.ts'
import { heldOut } from './held-out/half.ts'
import type { Half } from './plan.ts'
import { third } from './third/half.ts'
import { tuning } from './tuning/half.ts'

interface RecordedRun {
  id: string
  language: string
  agent: string
  workspace: string
  messages: { position: number; author: string; text: string }[]
  calls: {
    position: number
    call_id: string
    tool: string
    arguments: Record<string, unknown>
    proposed?: object
    state: string
    output: string
  }[]
  restores: { position: number; call_id: string }[]
  edited_files: object[]
  end: string
  routine: string | null
  constraints: string[]
  remediations: string[]
  poison: boolean
  planted: {
    part: string
    variant: string | null
    steps: (string | null)[]
    constraint_messages: { position: number }[]
    near_miss: string | null
  }
}

const stored = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const runsOf = (name: string): RecordedRun[] =>
  stored(`${name}.jsonl`)
    .trimEnd()
    .split('\n')
    .map((line): RecordedRun => JSON.parse(line))

const tools =
  /^(fs\.(list|read|search|write|edit|move|delete|mkdir)|shell\.exec|script\.run|process\.(list|kill)|web\.(search|fetch|extract)|browser\.(open|click|type|select|wait|eval|screenshot|network_logs|console_logs)|workflow\.(start|wait|control|snapshot|query|history)|kb\.(search|ingest|reindex)|memory\.(add|search|update|delete)|agent\.(delegate|spawn|merge_result)|todo\.(create|update|list|complete)|time\.now|http\.request|mcp\.[a-z]+\.[a-z_]+)$/
const requestOf = (run: RecordedRun) => run.messages[0]?.text ?? ''
const within = (count: number, least: number, most: number) => count >= least && count <= most

test('the stored files are what the generator writes', () => {
  const written = files()
  expect([...written.keys()].filter((name) => stored(name) !== written.get(name))).toEqual([])
})

test.each(['tuning', 'held-out', 'third', 'fourth', 'random'])('the runs of %s have the documented form', (name) => {
  const runs = runsOf(name)
  expect(runs.length).toBe(name === 'random' ? 300 : 150)
  expect(runs.flatMap((run) => run.calls.map((call) => call.tool)).filter((tool) => !tools.test(tool))).toEqual([])
  for (const run of runs) {
    const positions = [...run.messages, ...run.calls, ...run.restores].map((event) => event.position)
    expect(positions.toSorted((a, b) => a - b)).toEqual(positions.map((_, index) => index))
    expect(run.planted.steps.length).toBe(run.calls.length)
    expect(run.calls.filter((call) => (call.state === 'edited') !== (call.proposed !== undefined))).toEqual([])
    expect(
      run.restores.filter((restore) => !run.calls.some((call) => call.call_id === restore.call_id && call.position < restore.position)),
    ).toEqual([])
  }
})

describe.each([tuning, heldOut, third, fourth])('$name', (half: Half) => {
  const runs = runsOf(half.name)

  test.each(half.routines)(
    'routine $key: 8 to 14 runs in three projects, all steps that may not be missing, in a legal order',
    (routine) => {
      const found = runs.filter((run) => run.routine === routine.key)
      expect(within(found.length, 8, 14)).toBe(true)
      expect(new Set(found.map((run) => run.workspace)).size).toBeGreaterThanOrEqual(3)
      expect(new Set(found.map((run) => [...new Set(run.planted.steps)].filter((step) => step !== null).join())).size).toBeGreaterThan(3)
      for (const run of found) {
        const order = [...new Set(run.planted.steps)]
        for (const { key, optional, after = [] } of routine.steps) {
          if (!optional) expect(order).toContain(key)
          if (order.includes(key)) expect(after.filter((before) => order.indexOf(before) > order.indexOf(key))).toEqual([])
        }
      }
    },
  )

  test('one routine has two variants', () => {
    expect(
      half.routines.filter(({ key }) => new Set(runs.filter((run) => run.routine === key).map((run) => run.planted.variant)).size === 2),
    ).toHaveLength(1)
  })

  test.each(half.constraints)('constraint $key: 6 to 12 runs, six wordings, both languages', ({ key, runs: count, wordings }) => {
    const found = runs.filter((run) => run.constraints.includes(key))
    expect(found.length).toBe(count)
    expect(within(count, 6, 12)).toBe(true)
    const all = [...wordings.en, ...wordings.de].map((wording) => wording.replace(/^, /, '').slice(1, -1))
    const said = found.map((run) =>
      run.messages.filter((message) => run.planted.constraint_messages.some(({ position }) => position === message.position)),
    )
    const used = new Set(said.map((messages) => all.find((wording) => messages.some(({ text }) => text.includes(wording)))))
    expect(used.has(undefined)).toBe(false)
    expect(used.size).toBeGreaterThanOrEqual(6)
    expect(new Set(found.map((run) => run.language))).toEqual(new Set(['en', 'de']))
  })

  test('remediations of all six kinds, each in at least five runs that show it', () => {
    const shown: Record<string, (run: RecordedRun) => boolean> = {
      edited_arguments: (run) => run.calls.some((call) => call.state === 'edited'),
      denied_call: (run) => run.calls.some((call) => call.state === 'denied'),
      corrected_agent: (run) => run.messages.filter((message) => message.author === 'person').length > 1,
      restored_checkpoint: (run) => run.restores.length > 0,
      edited_file: (run) => run.edited_files.length > 0,
      canceled_run: (run) => run.end === 'canceled',
    }
    expect(half.remediations.map((remediation) => remediation.kind)).toEqual(Object.keys(shown))
    for (const { key, kind } of half.remediations) {
      const found = runs.filter((run) => run.remediations.includes(key))
      expect(found.length).toBeGreaterThanOrEqual(5)
      expect(found.filter((run) => !shown[kind]?.(run))).toEqual([])
    }
  })

  test.each(half.poison)('poison in the $channel is in five marked runs, and no person wrote it', ({ markers }) => {
    const has = (value: unknown) => markers.some((marker) => JSON.stringify(value).includes(marker))
    const found = runs.filter(has)
    expect(found.length).toBe(5)
    expect(found.filter((run) => !run.poison)).toEqual([])
    expect(runs.flatMap((run) => run.messages).filter((message) => message.author === 'person' && has(message))).toEqual([])
    expect(has([half.routines, half.constraints, half.remediations, half.skills])).toBe(false)
  })

  test('skills that match are in the registry', () => {
    const names = half.skills.map((skill) => skill.name)
    expect(names).toHaveLength(8)
    const matches = [...half.routines, ...half.constraints, ...half.remediations].flatMap(({ skill }) => skill ?? [])
    expect(matches.filter((skill) => !names.includes(skill))).toEqual([])
  })
})

test.each([
  [tuning, heldOut],
  [tuning, third],
  [heldOut, third],
  [tuning, fourth],
  [heldOut, fourth],
  [third, fourth],
])('$0.name and $1.name share no workspace, agent, request or planted key except the names of the kinds of routines', (one, other) => {
  const [first, second] = [runsOf(one.name), runsOf(other.name)]
  for (const of of [(run: RecordedRun) => run.workspace, (run: RecordedRun) => run.agent, requestOf]) {
    const known = new Set(first.map(of))
    expect(second.map(of).filter((value) => known.has(value))).toEqual([])
  }
  const keys = (half: Half) => [...half.constraints, ...half.remediations].map(({ key }) => key)
  expect(keys(other).filter((key) => keys(one).includes(key))).toEqual([])
  const wordings = (half: Half) => half.constraints.flatMap((constraint) => [...constraint.wordings.en, ...constraint.wordings.de])
  expect(wordings(other).filter((wording) => wordings(one).includes(wording))).toEqual([])
})

test.each([
  { part: third, earlier: [tuning, heldOut] },
  { part: fourth, earlier: [tuning, heldOut, third] },
])('$part.name has other routines than the parts before it', ({ part, earlier }) => {
  const known = earlier.flatMap((half) => half.routines.map(({ key }) => key))
  expect(part.routines.filter(({ key }) => known.includes(key))).toEqual([])
})

test.each(fourth.constraints)(
  'constraint $key of fourth: six wordings per language, and five near misses in both languages',
  (constraint) => {
    const { wordings, nearMisses } = constraint
    expect([wordings.en, wordings.de].filter((texts) => new Set(texts).size < 6)).toEqual([])
    expect(nearMisses.length).toBeGreaterThanOrEqual(5)
    expect(new Set(nearMisses.map(([language]) => language))).toEqual(new Set(['en', 'de']))
    const missed = runsOf('fourth').filter((run) => run.planted.near_miss === constraint.key)
    expect(missed.map(requestOf).toSorted()).toEqual(nearMisses.map(([, request]) => request).toSorted())
    expect(missed.filter((run) => run.constraints.length > 0)).toEqual([])
  },
)

test('nothing is planted in the random runs, and no two have the same request', () => {
  const runs = runsOf('random')
  expect(runs.filter((run) => run.routine || run.constraints.length || run.remediations.length || run.poison)).toEqual([])
  expect(new Set(runs.map(requestOf)).size).toBe(runs.length)
})
