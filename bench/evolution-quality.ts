// How well behavior mining finds what is planted in a half of the history, and what it invents from random runs.
// Usage: node bench/evolution-quality.ts tuning|held-out|third|fourth|random [misses] [words]; of the fourth, only figures are printed.
// `words`: without the embedder. `rotated`: each part that may be looked at, with the threshold that fits the other two best
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { noMeanings, openMeanings } from '../packages/runtime/src/evolution/meanings.ts'
import { openMiner } from '../packages/runtime/src/evolution/mine.ts'
import { saidIn } from '../packages/runtime/src/evolution/mine-sayings.ts'
import type { BehaviorCall, BehaviorFacts } from '../packages/runtime/src/evolution/rule/behavior.ts'
import { gapOf } from '../packages/runtime/src/evolution/rule/gap.ts'
import type { MinedBehavior } from '../packages/runtime/src/evolution/rule/mined-behavior.ts'
import { type Around, aboutOf } from '../packages/runtime/src/evolution/rule/said-about.ts'
import { matchingSkill, type RegistrySkill } from '../packages/runtime/src/evolution/rule/skill-match.ts'
import { summaryOf } from '../packages/runtime/src/evolution/rule/summary.ts'
import { openBundledEmbedder } from '../packages/runtime/src/recall/embed/bundled.ts'
import type { Embedder } from '../packages/runtime/src/recall/embed/embedder.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'

export const histories = ['tuning', 'held-out', 'third', 'fourth', 'random'] as const
export type History = (typeof histories)[number]

interface RecordedCall {
  readonly position: number
  readonly call_id: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly proposed?: Readonly<Record<string, unknown>>
  readonly state: 'ok' | 'failed' | 'denied' | 'edited'
}

export interface RecordedRun {
  readonly id: string
  readonly started_at: string
  readonly agent: string
  readonly conversation: string
  readonly workspace: string
  readonly messages: readonly { readonly position: number; readonly author: 'person' | 'agent'; readonly text: string }[]
  readonly calls: readonly RecordedCall[]
  readonly end: 'completed' | 'failed' | 'canceled'
  readonly restores: readonly { readonly position: number; readonly call_id: string }[]
  readonly edited_files: readonly { readonly path: string; readonly before: string; readonly after: string }[]
  readonly routine: string | null
  readonly constraints: readonly string[]
  readonly remediations: readonly string[]
  readonly planted: { readonly variant: string | null; readonly steps: readonly (string | null)[]; readonly near_miss: string | null }
}

interface Planted {
  readonly what: 'routine' | 'constraint' | 'remediation' | 'poison'
  readonly key: string
  readonly kind?: string
  readonly gap: string
  readonly also: string | null
  readonly skill: string | null
  readonly variants?: readonly string[] | null
  readonly steps?: readonly { readonly key: string; readonly optional: boolean }[]
  readonly markers?: readonly string[]
}

interface Group {
  readonly pattern: MinedBehavior
  readonly runs: readonly RecordedRun[]
  readonly gap: string | null
  readonly skill: string | null
}

export interface EvolutionQuality {
  readonly routines: number
  readonly found: number
  /** More sequences than one for a routine that was found. */
  readonly split: number
  /** Sequences of which fewer than half of the runs belong to one routine. */
  readonly invented: number
  readonly constraints: number
  readonly joined: number
  /** Runs without the constraint in the groups of constraints. */
  readonly wrongly_joined: number
  /** Further groups of at least three runs, made of sentences that are no planted constraint. */
  readonly other_constraints: number
  readonly remediations: number
  readonly remediations_found: number
  /** Kinds of gaps that are the first choice of a careful person, and those that can be defended. */
  readonly kinds_strict: number
  readonly kinds_lenient: number
  readonly skills_right: number
  /** Outputs that contain a text that no person wrote. */
  readonly poisoned: number
  readonly misses: readonly string[]
}

export interface QualityOptions {
  /** Without it, what is said is compared by words. */
  readonly embedder?: Embedder
  /** The threshold of what is said again; the one of the product unless given. */
  readonly least?: number
}

export async function evolutionQuality(history: History, { embedder, ...options }: QualityOptions = {}): Promise<EvolutionQuality> {
  const home = mkdtempSync(join(tmpdir(), 'evolution-quality-'))
  const store = openStore({ home, clock: systemClock })
  try {
    const runs = linesOf<RecordedRun>(`${history}.jsonl`)
    const planted = history === 'random' ? [] : linesOf<Planted>(`${history}.planted.jsonl`)
    const skills = history === 'random' ? [] : linesOf<RegistrySkill>(`${history}.skills.jsonl`)
    const meanings = embedder
      ? openMeanings({ store, embedder: () => embedder, log: (line) => void process.stderr.write(`${line}\n`) })
      : noMeanings
    const miner = openMiner(store, { meanings, ...options })
    const last = new Map<string, MinedBehavior>()
    const outputs: string[] = []
    for (const run of runs) {
      const facts = factsOf(run)
      await meanings.prepare(saidIn(facts), new AbortController().signal)
      const mined = store.transaction(() => miner.mine(facts))
      outputs.push(JSON.stringify({ ...mined, behaviors: mined.behaviors.map(summaryOf) }))
      for (const pattern of mined.behaviors) last.set(pattern.signature, pattern)
    }
    const byId = new Map(runs.map((run) => [run.id, run]))
    const groups = [...last.values()].flatMap((pattern): readonly Group[] => {
      const rows = store.sql.all<{ run_id: string }>`
        SELECT r.run_id FROM evolution_pattern_runs m JOIN evolution_runs r ON r.no = m.run
        WHERE m.pattern = (SELECT no FROM evolution_patterns WHERE signature = ${pattern.signature})`
      const members = rows.flatMap(({ run_id }) => byId.get(run_id) ?? [])
      if (members.length < 3) return []
      const skill = matchingSkill(pattern.compared, skills)
      return [{ pattern, runs: members, skill, gap: gapOf({ ...pattern, runs: members.length, matches: skill !== null, bound: false }) }]
    })
    return counted(runs, planted, groups, outputs)
  } finally {
    store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

function counted(
  runs: readonly RecordedRun[],
  planted: readonly Planted[],
  groups: readonly Group[],
  outputs: readonly string[],
): EvolutionQuality {
  const misses: string[] = []
  const of = (what: Planted['what']) => planted.filter((one) => one.what === what)
  const sequences = groups.filter(({ pattern }) => pattern.what === 'sequence')
  const mainOf = ({ runs: members }: Group) => most(members.map(({ routine }) => routine))
  const chosen = new Map<Planted, Group>()
  let split = 0
  for (const routine of of('routine')) {
    const fitting = sequences.filter((group) => isFound(routine, group))
    const best = fitting.toSorted((left, right) => right.runs.length - left.runs.length)[0]
    if (best) chosen.set(routine, best)
    else misses.push(`routine ${routine.key} was not found`)
    for (const group of sequences.filter((one) => mainOf(one).value === routine.key))
      misses.push(
        `${routine.key}: ${group.runs.filter((run) => run.routine === routine.key).length} of ${runs.filter((run) => run.routine === routine.key).length} runs, ${group.runs.filter((run) => run.routine !== routine.key).map(({ id, routine: other }) => `${id} ${other}`)}; ${group.pattern.compared.join(', ')}`,
      )
    const own = sequences.filter((group) => mainOf(group).value === routine.key && 2 * mainOf(group).count >= group.runs.length)
    split += Math.max(0, own.length - 1)
  }
  const invented = sequences.filter((group) => mainOf(group).value === null || 2 * mainOf(group).count < group.runs.length)
  for (const group of invented) misses.push(`invented in ${group.runs.map(({ id }) => id)}: ${group.pattern.compared}`)
  const said = groups.filter(({ pattern }) => pattern.what === 'constraint')
  const used = new Set<Group>()
  let wrongly = 0
  for (const constraint of of('constraint')) {
    const having = ({ runs: members }: Group) => members.filter((run) => run.constraints.includes(constraint.key)).length
    const best = said.toSorted((left, right) => having(right) - having(left))[0]
    const all = runs.filter((run) => run.constraints.includes(constraint.key)).length
    if (best) {
      wrongly += best.runs.length - having(best)
      used.add(best)
    }
    if (best && 3 * having(best) >= 2 * all) chosen.set(constraint, best)
    misses.push(
      `constraint ${constraint.key}: ${best ? having(best) : 0} of ${all} in one group, ${best ? best.runs.length - having(best) : 0} others`,
    )
  }
  const others = said.filter((group) => !used.has(group))
  for (const { pattern, runs: members } of others) misses.push(`another constraint in ${members.map(({ id }) => id)}: ${pattern.words}`)
  for (const remediation of of('remediation')) {
    const fitting = groups.filter(
      ({ pattern, runs: members }) =>
        pattern.what === remediation.kind &&
        members.filter((run) => run.remediations.includes(remediation.key)).length >= 4 &&
        members.every((run) => run.remediations.includes(remediation.key)),
    )
    if (fitting[0]) chosen.set(remediation, fitting[0])
    else
      misses.push(
        `remediation ${remediation.key} was not found: ${groups.filter(({ pattern }) => pattern.what === remediation.kind).map((group) => group.runs.map(({ id }) => id))}`,
      )
  }
  const chosenOf = (what: Planted['what']) => [...chosen].filter(([one]) => one.what === what).length
  for (const [one, { gap, skill }] of chosen) {
    if (gap !== one.gap) misses.push(`${one.key} is a ${one.gap}${one.also === null ? '' : ` or ${one.also}`}, not a ${gap}`)
    if (skill !== one.skill) misses.push(`the skill of ${one.key} is ${one.skill}, not ${skill}`)
  }
  const markers = planted.flatMap((one) => one.markers ?? [])
  return {
    ...{ routines: of('routine').length, found: chosenOf('routine'), split, invented: invented.length },
    ...{ constraints: of('constraint').length, joined: chosenOf('constraint'), wrongly_joined: wrongly, other_constraints: others.length },
    ...{ remediations: of('remediation').length, remediations_found: chosenOf('remediation') },
    kinds_strict: [...chosen].filter(([one, { gap }]) => one.gap === gap).length,
    kinds_lenient: [...chosen].filter(([one, { gap }]) => one.gap === gap || one.also === gap).length,
    skills_right: [...chosen].filter(([one, { skill }]) => one.skill === skill).length,
    poisoned: outputs.filter((output) => markers.some((marker) => output.includes(marker))).length,
    misses,
  }
}

/** As the README of the history counts. */
function isFound(routine: Planted, { pattern, runs }: Group): boolean {
  const own = runs.filter((run) => run.routine === routine.key)
  if (own.length < 0.8 * runs.length) return false
  const shapes = new Set(pattern.step_ids)
  const steps = new Set(
    runs.flatMap((run) => run.calls.flatMap((call, at) => (shapes.has(call.call_id) ? (run.planted.steps[at] ?? []) : []))),
  )
  const needed = (routine.steps ?? []).filter(({ optional }) => !optional).map(({ key }) => key)
  const variants = (routine.variants ?? []).every((variant) => own.some((run) => run.planted.variant === variant))
  return steps.size >= 3 && 2 * needed.filter((key) => steps.has(key)).length >= needed.length && variants
}

function most(values: readonly (string | null)[]): { readonly value: string | null; readonly count: number } {
  const [best] = [...Map.groupBy(values, (value) => value)].toSorted(([, left], [, right]) => right.length - left.length)
  return { value: best?.[0] ?? null, count: best?.[1].length ?? 0 }
}

export function factsOf(run: RecordedRun): BehaviorFacts {
  const undone = (position: number) =>
    run.restores.findIndex((restore) => {
      const to = run.calls.find(({ call_id }) => call_id === restore.call_id)?.position ?? restore.position
      return position >= to && position < restore.position
    })
  const firstAgent = run.messages.find(({ author }) => author === 'agent')?.position ?? Number.POSITIVE_INFINITY
  return {
    ...{ run_id: run.id, agent_id: run.agent, conversation_id: run.conversation, workspace: run.workspace, asked_by_person: true },
    day: run.started_at.slice(0, 10),
    canceled_by: run.end === 'canceled' ? `${run.id}/end` : null,
    calls: run.calls.map((call): BehaviorCall => {
      const at = undone(call.position)
      return {
        ...{ step_id: call.call_id, tool: call.tool, arguments: JSON.stringify(call.arguments) },
        proposed: call.proposed ? JSON.stringify(call.proposed) : null,
        outcome: call.state === 'denied' ? 'denied' : call.state === 'failed' ? 'failed' : 'succeeded',
        ...{ denied: call.state === 'denied', undone_by: at < 0 ? null : `${run.id}/restore-${at}` },
      }
    }),
    said: run.messages
      .filter(({ author }) => author === 'person')
      .map(({ position, text }, at) => ({
        ...{ message_id: `${run.id}/${position}`, step_id: null, text, starts: at === 0, follows_agent: position > firstAgent },
        about: at === 0 ? null : aboutOf(aroundOf(run, position), run.workspace),
      })),
    restores: run.restores.map((_, at) => `${run.id}/restore-${at}`),
    edited_files: run.edited_files.map(({ path, before, after }) => {
      const known = new Set(before.split('\n'))
      return { path, added: after.split('\n').filter((line) => !known.has(line)) }
    }),
  }
}

function aroundOf({ calls, restores }: RecordedRun, at: number): Around {
  const last = calls.findLast(({ position }) => position < at)
  const [before, after] = [last, calls.find(({ position }) => position > at)].map(
    (call) => call && { tool: call.tool, arguments: JSON.stringify(call.arguments) },
  )
  return { before, after, restored: last !== undefined && restores.some(({ position }) => position > last.position && position < at) }
}

function linesOf<Line>(file: string): readonly Line[] {
  const text = readFileSync(new URL(`./evolution-history/${file}`, import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Of the parts whose sentences may be looked at. */
const tuned = ['tuning', 'held-out', 'third'] as const
const thresholds = Array.from({ length: 12 }, (_, at) => (4 + 2 * at) / 100)

export interface Rotated {
  readonly part: History
  /** Found with the other two parts. */
  readonly least: number
  readonly quality: EvolutionQuality
  /** Of the part, by threshold. */
  readonly all: readonly EvolutionQuality[]
}

/** What a part gives with the threshold that fits the other two best. Ten wrong runs weigh as much as a constraint. */
export async function rotated(embedder?: Embedder): Promise<readonly Rotated[]> {
  const measured = new Map<History, EvolutionQuality[]>()
  for (const part of tuned) {
    const all: EvolutionQuality[] = []
    for (const least of thresholds) all.push(await evolutionQuality(part, { ...(embedder && { embedder }), least }))
    measured.set(part, all)
  }
  const costOf = (part: History, at: number) => {
    const quality = measured.get(part)?.[at]
    return quality ? quality.wrongly_joined + 3 * quality.other_constraints - 10 * quality.joined : 0
  }
  return tuned.map((part) => {
    const others = tuned.filter((one) => one !== part)
    // With its neighbors: what only one threshold gives is chance.
    const cost = (at: number) =>
      [at - 1, at, at, at + 1].reduce(
        (sum, near) => sum + others.reduce((all, one) => all + costOf(one, Math.min(thresholds.length - 1, Math.max(0, near))), 0),
        0,
      )
    const costs = thresholds.map((_, at) => cost(at))
    const best = costs.indexOf(Math.min(...costs))
    const all = measured.get(part) ?? []
    const quality = all[best]
    if (!quality) throw new Error(`${part} was not measured`)
    return { part, least: thresholds[best] ?? 0, quality, all }
  })
}

/** The same text has the same vector: sweeping thresholds does not compute it again. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>()
  return {
    ...embedder,
    async embed(texts, signal) {
      const missing = texts.filter((text) => !known.has(text))
      const vectors = missing.length === 0 ? [] : await embedder.embed(missing, signal)
      for (const [at, text] of missing.entries()) known.set(text, vectors[at] ?? new Float32Array(0))
      return texts.map((text) => known.get(text) ?? new Float32Array(0))
    },
  }
}

function printed({ misses: _, ...figures }: EvolutionQuality): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name}: ${figure}\n`)
    .join('')
}

if (import.meta.main) {
  const [wanted, ...rest] = process.argv.slice(2)
  const history = histories.find((one) => one === wanted)
  if (!history && wanted !== 'rotated') throw new Error(`Give one of ${histories.join(', ')}, or rotated.`)
  const embedder = rest.includes('words') ? undefined : remembering(openBundledEmbedder(systemClock))
  if (history) {
    const quality = await evolutionQuality(history, { ...(embedder && { embedder }) })
    process.stdout.write(printed(quality))
    if (rest.includes('misses') && history !== 'fourth') process.stdout.write(`${quality.misses.join('\n')}\n`)
  } else {
    for (const { part, least, quality, all } of await rotated(embedder)) {
      process.stdout.write(`\n${part}, with the threshold ${least} of the others\n${printed(quality)}`)
      for (const [at, one] of all.entries())
        process.stdout.write(
          `  ${thresholds[at]}: ${one.joined} joined, ${one.wrongly_joined} wrong runs, ${one.other_constraints} others\n`,
        )
    }
  }
  await embedder?.stop()
}
