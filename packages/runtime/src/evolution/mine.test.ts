// Mining with the real store: many runs, in any order of their steps, with hostile texts among them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { openStore, type Store } from '../store/store.ts'
import { type Mined, openMiner } from './mine.ts'
import { type NewGap, openGaps } from './record/gaps.ts'
import type { BehaviorCall, BehaviorFacts } from './rule/behavior.ts'
import { summaryOf } from './rule/summary.ts'

let home: string
let store: Store
beforeEach(open)
afterEach(close)

function open(): void {
  home = mkdtempSync(join(tmpdir(), 'evolution-'))
  store = openStore({ home, clock: systemClock })
}
function close(): void {
  store.close()
  rmSync(home, { recursive: true, force: true })
}

const call = (tool: string, args: unknown, rest: Partial<BehaviorCall> = {}): BehaviorCall => ({
  ...{ step_id: 'step', tool, arguments: JSON.stringify(args), proposed: null, outcome: 'succeeded', denied: false, undone_by: null },
  ...rest,
})
const shell = (command: string) => call('shell.exec', { command })
const runOf = (no: number, calls: readonly BehaviorCall[], rest: Partial<BehaviorFacts> = {}): BehaviorFacts => ({
  ...{ run_id: `run-${no}`, agent_id: 'agent', conversation_id: 'conversation', workspace: '/home/ada/shop', day: `2026-05-${10 + no}` },
  ...{ asked_by_person: true, canceled_by: null, calls, restores: [], edited_files: [] },
  said: [{ message_id: `message-${no}`, step_id: null, text: `Release ${no}.0`, starts: true, follows_agent: false, about: null }],
  ...rest,
})
const release = (no: number) => [
  shell(`npm version ${no}.0`),
  call('fs.edit', { path: 'CHANGELOG.md', edits: [{ old: '#', new: `# ${no}.0` }] }),
  shell('npm test'),
  shell(`git tag v${no}.0`),
]
const mineAll = (runs: readonly BehaviorFacts[]): readonly Mined[] => {
  const miner = openMiner(store)
  return runs.map((facts) => store.transaction(() => miner.mine(facts)))
}

test('the same runs give the same, and the order of steps and calls in between do not matter', () => {
  const noise = fc.constantFrom('git status', 'ls src', 'cat notes.md', 'date')
  const anyRun = (no: number) =>
    fc.tuple(fc.shuffledSubarray(release(no), { minLength: 4 }), fc.array(noise, { maxLength: 3 })).map(([calls, others]) => {
      return runOf(no, [...others.map(shell), ...calls])
    })
  const plain = mineAll([1, 2, 3].map((no) => runOf(no, release(no)))).at(-1)?.tool_sequences[0]?.signature
  expect(plain).toMatch(/^[0-9a-f]{64}$/)
  fc.assert(
    fc.property(fc.tuple(anyRun(1), anyRun(2), anyRun(3)), (runs) => {
      const [first, second] = [0, 1].map(() => {
        close()
        open()
        return mineAll(runs)
      })
      expect(second).toEqual(first)
      const effectful = first?.at(-1)?.tool_sequences ?? []
      expect(effectful).toHaveLength(1)
      // Looks that all three have in common are steps as well.
      const shared = ['git status', 'ls src', 'cat notes.md', 'date'].some((look) =>
        runs.every(({ calls }) => calls.some((one) => one.arguments.includes(look))),
      )
      if (!shared) expect(effectful[0]?.signature).toBe(plain)
    }),
    { numRuns: 25 },
  )
})

test('texts of tools, agents and files are in no output', () => {
  const marker = fc.stringMatching(/^[a-z]{12}$/).map((word) => `zzq${word}`)
  fc.assert(
    fc.property(marker, (word) => {
      close()
      open()
      const hostile = (no: number) => [
        ...release(no),
        call('fs.read', { path: `notes/Always run ${word} first.md` }),
        shell(`${word} --now`),
        call('fs.write', { path: `${word}/a.md`, content: word }),
        call('fs.delete', { path: `${word}.txt` }, { denied: true, outcome: 'denied' }),
        call('shell.exec', { command: `echo ${word}` }, { proposed: JSON.stringify({ command: word }) }),
        call('fs.write', { path: `${word}.md`, content: word }, { undone_by: 'restore' }),
      ]
      const rest = { restores: ['restore'], canceled_by: 'end', edited_files: [{ path: `${word}.ts`, added: [`// ${word}`] }] }
      const mined = mineAll([1, 2, 3, 4].map((no) => runOf(no, hostile(no), rest)))
      const last = mined.at(-1)
      expect(last?.manual_remediations.map(({ kind }) => kind)).toHaveLength(5)
      expect(last?.behaviors.length).toBeGreaterThanOrEqual(6)
      const outputs = mined.map(({ behaviors, ...trace }) => ({ ...trace, summaries: behaviors.map(summaryOf) }))
      expect(JSON.stringify(outputs)).not.toContain(word)
    }),
    { numRuns: 20 },
  )
})

test('a run that is mined again counts once', () => {
  const miner = openMiner(store)
  const mine = (no: number) => store.transaction(() => miner.mine(runOf(no, release(no))))
  for (const no of [1, 2, 3, 3, 3]) mine(no)
  expect(mine(3).tool_sequences.map(({ repetitions }) => repetitions)).toEqual([3])
  expect(mine(4).tool_sequences.map(({ repetitions }) => repetitions)).toEqual([4])
})

/** Ordinary runs, each with another task. */
const saying = (no: number, text: string) =>
  runOf(no, [call('fs.read', { path: `docs/${no}.md` })], {
    said: [{ message_id: `message-${no}`, step_id: null, text, starts: true, follows_agent: false, about: null }],
  })
const constraintsOf = (mined: Mined | undefined) =>
  mined?.behaviors.filter(({ what }) => what === 'constraint').map(({ runs, words }) => ({ runs, words }))

test('a demand is counted in the runs in which it was said, in whatever order they came', () => {
  const texts = [
    'Sort the list of guests. Answer in German.',
    'Draw a map. Do not change anything in vendor/.',
    'Count the chairs. Please answer in German.',
    'Book a room. Antworte bitte auf Deutsch.',
  ]
  fc.assert(
    fc.property(fc.shuffledSubarray(texts, { minLength: 4 }), (order) => {
      close()
      open()
      const mined = mineAll([
        ...order.map((text, at) => saying(at + 1, text)),
        saying(9, 'Find the song. The answer in German, please, not in English.'),
      ])
      expect(constraintsOf(mined.at(-1))).toEqual([{ runs: 4, words: 'The answer in German, please, not in English.' }])
    }),
    { numRuns: 8 },
  )
})

test.each(['Never answer in German.', 'Please answer in French.'])('%s is another demand', (other) => {
  const mined = mineAll([
    saying(1, 'Sort the list. Answer in German.'),
    saying(2, 'Draw a map. Please answer in German.'),
    saying(3, `Count the chairs. ${other}`),
  ])
  expect(mined.map((one) => constraintsOf(one))).toEqual([[], [{ runs: 2, words: 'Please answer in German.' }], []])
})

test('what is said with one routine only is no way of working', () => {
  const text = 'Release it. Always tag the version.'
  const mined = mineAll([1, 2, 3, 4].map((no) => ({ ...saying(no, text), calls: release(no) })))
  expect(mined.at(-1)?.tool_sequences).toHaveLength(1)
  expect(constraintsOf(mined.at(-1))).toEqual([])
})

test('a run that is mined again says its demand once', () => {
  const text = 'Sort the list. Answer in German.'
  const miner = openMiner(store)
  const mine = (facts: BehaviorFacts) => store.transaction(() => miner.mine(facts))
  for (const no of [1, 2, 2, 2]) mine(saying(no, text))
  expect(constraintsOf(mine(saying(3, text)))).toEqual([{ runs: 3, words: 'Answer in German.' }])
})

test('two ways of one routine are one sequence', () => {
  const bill = (no: number, own: readonly BehaviorCall[]) =>
    runOf(no, [shell('sqlite3 -csv hours.db'), call('mail.draft', { to: `a${no}@b.example` }), call('erp.book', { id: no }), ...own])
  const typst = (no: number) => bill(no, [call('fs.write', { path: `bills/${no}.typ` }), shell('typst compile')])
  const pandoc = (no: number) =>
    bill(no, [call('fs.write', { path: `bills/${no}.md` }), shell('pandoc -o a.pdf'), shell('qpdf --check a.pdf')])
  const mined = mineAll([1, 2, 3, 4].flatMap((no) => [typst(2 * no), pandoc(2 * no + 1)]))
  expect(mined.at(-1)?.tool_sequences.map(({ repetitions }) => repetitions)).toEqual([8])
})

test('runs that no person asked for are no behavior of the user', () => {
  const mined = mineAll([1, 2, 3, 4].map((no) => runOf(no, release(no), { asked_by_person: false, said: [] })))
  expect(mined.flatMap(({ behaviors }) => behaviors)).toEqual([])
})

test('what one run repeats is a sequence of this run', () => {
  const page = [
    call('browser.open', { url: 'http://localhost/a' }),
    call('browser.click', { selector: 'a' }),
    call('browser.screenshot', { path: 'review/a.png' }),
  ]
  const [mined] = mineAll([runOf(1, [...page, ...page, ...page])])
  expect(mined?.tool_sequences).toMatchObject([{ tools: ['browser.open', 'browser.click', 'browser.screenshot'], repetitions: 3 }])
})

test('a dismissed gap is listed again when it has been repeated twice as often', () => {
  const gaps = openGaps(store)
  const gap: Omit<NewGap, 'repetitions'> = {
    ...{ run_id: 'run', agent_id: 'agent', conversation_id: 'conversation', signature: 'a'.repeat(64), summary: 'S' },
    ...{ behavior_trace_ids: [], confidence: 0.5, matching_skill: null, already_bound: false },
    gap_kind: 'skill_gap',
  }
  const found = gaps.put({ ...gap, repetitions: 3 })
  expect(found?.isNew).toBe(true)
  expect(gaps.put({ ...gap, repetitions: 4 })?.isNew).toBe(false)
  gaps.dismiss(found?.gap.id ?? '')
  expect(gaps.page({}, null, 10)).toEqual([])
  expect(gaps.put({ ...gap, repetitions: 7 })).toBe(null)
  expect(gaps.put({ ...gap, repetitions: 8 })).toMatchObject({ isNew: true, gap: { id: found?.gap.id, repetitions: 8 } })
  expect(gaps.page({ gap_kinds: ['skill_gap'] }, null, 10)).toHaveLength(1)
  expect(gaps.page({ gap_kinds: ['policy_gap'] }, null, 10)).toEqual([])
})

test('no secret that a person typed or that a call contained is stored', () => {
  // In pieces, so that no scanner takes this file for a leak.
  const secret = ['gh', 'p_', 'qT7wLz2XnB5vKd9RmF3sHy8GpJ4cVt6ZaE1u'].join('')
  const said = (no: number, text: string, starts: boolean) => ({
    ...{ message_id: `${no}-${starts}`, step_id: null, text, starts, follows_agent: !starts, about: null },
  })
  const runs = [1, 2, 3].map((no) =>
    runOf(no, [...release(no), call('fs.write', { path: 'a.env', content: `TOKEN=${secret}` })], {
      said: [
        said(no, `Release ${no}.0 with the token ${secret}. Always use the token ${secret}.`, true),
        said(no, `No, that is wrong: use ${secret}, not the other one.`, false),
      ],
    }),
  )
  const mined = mineAll(runs)
  expect(mined.at(-1)?.manual_remediations).toHaveLength(1)
  const stored = [
    'evolution_runs',
    'evolution_run_shapes',
    'evolution_shapes',
    'evolution_pattern_runs',
    'evolution_pattern_keys',
    'evolution_sayings',
  ].map(dump)
  expect(stored.join().toLowerCase()).toContain('release')
  for (const text of [...stored, JSON.stringify(mined)]) {
    expect(text).not.toContain(secret)
    expect(text.toLowerCase()).not.toContain(secret.slice(4, 16).toLowerCase())
  }
})

function dump(table: string): string {
  const database = new DatabaseSync(join(home, 'tandem.db'), { readOnly: true })
  const rows = database.prepare(`SELECT * FROM ${table}`).all()
  database.close()
  return JSON.stringify(rows)
}
