// The shapes of the calls of runs, by run and by shape. Only the latest runs are read, so the cost of a run does not grow.
import { ownSentences } from '../../memory/rule/extract/own-words.ts'
import { maskSecrets } from '../../memory/rule/secret/secrets.ts'
import type { Store } from '../../store/store.ts'
import { type BehaviorFacts, lineOf } from '../rule/behavior.ts'
import { callShapes, templateOf } from '../rule/call-shape.ts'
import type { ShapeSet, Window } from '../rule/sequence.ts'

export interface ShapedRun {
  readonly no: number
  /** In the order of the calls; a shape may occur several times. */
  readonly calls: readonly { readonly shape: string; readonly tool: string; readonly step_id: string }[]
  readonly shapes: ReadonlySet<string>
}

export interface ShapeIndex {
  /** Writes the shapes of a run, again if it is known. */
  put(facts: BehaviorFacts): ShapedRun
  window(no: number): Window
  /** Earlier runs in the window that share at least three of these shapes, latest first. */
  sharing(no: number, shapes: ReadonlySet<string>): readonly ShapeSet[]
  sets(runs: readonly number[]): readonly ShapeSet[]
  /** Of each shape of these runs: in how many it occurs, and with how many different texts. */
  sharedBy(runs: readonly number[]): readonly SharedShape[]
}

interface SharedShape {
  readonly shape: string
  readonly runs: number
  readonly templates: number
  readonly effectful: boolean
}

/** Older runs are not compared: what a user no longer does is no routine. */
const windowSize = 500
const [mostShapes, mostShared, leastShared] = [60, 200, 3]
const mostRemembered = 1_000

export function openShapeIndex({ sql }: Pick<Store, 'sql'>): ShapeIndex {
  const effects = new Map<string, boolean>()
  // Of runs that were mined before: they are compared again with each run, and do not change.
  const shared = new Map<string, readonly SharedShape[]>()
  let current = 0

  function numberOf(shape: string, effectful: boolean): number {
    sql.run`INSERT OR IGNORE INTO evolution_shapes (shape, effectful) VALUES (${shape}, ${effectful ? 1 : 0})`
    return sql.get<{ no: number }>`SELECT no FROM evolution_shapes WHERE shape = ${shape}`?.no ?? 0
  }

  function runNumber({ run_id, agent_id, day, said }: BehaviorFacts): number {
    // Without what was quoted or pasted: someone else wrote it. Masked one by one: joined, a code does not stand alone any more.
    const request = ownSentences(said.find(({ starts }) => starts)?.text ?? '').map(({ text }) => maskSecrets(text.trim()))
    const line = request.length === 0 ? null : lineOf(request.join(' '))
    sql.run`INSERT OR IGNORE INTO evolution_runs (run_id, agent_id, day, request) VALUES (${run_id}, ${agent_id}, ${day}, ${line})`
    const no = sql.get<{ no: number }>`SELECT no FROM evolution_runs WHERE run_id = ${run_id}`?.no ?? 0
    const { changes } = sql.run`DELETE FROM evolution_run_shapes WHERE run = ${no}`
    if (Number(changes) > 0 || shared.size >= mostRemembered) shared.clear()
    current = no
    return no
  }

  return {
    put(facts) {
      const no = runNumber(facts)
      const calls: ShapedRun['calls'][number][] = []
      const shapes = new Set<string>()
      for (const { tool, step_id, arguments: args, outcome, undone_by } of facts.calls) {
        // What did not happen, or was undone, is no step of a routine.
        if (!facts.asked_by_person || outcome === 'denied' || undone_by !== null) continue
        for (const { shape, effectful } of callShapes(tool, args, facts.workspace)) {
          if (!shapes.has(shape) && shapes.size >= mostShapes) continue
          calls.push({ shape, tool, step_id })
          if (shapes.has(shape)) continue
          shapes.add(shape)
          effects.set(shape, effectful)
          const template = templateOf(args, facts.workspace)
          sql.run`INSERT INTO evolution_run_shapes (run, shape, template) VALUES (${no}, ${numberOf(shape, effectful)}, ${template})`
        }
      }
      return { no, calls, shapes }
    },
    window(no) {
      const counts = new Map<string, number>()
      return {
        runs: Math.min(windowSize, no - 1),
        countOf(shape) {
          const known = counts.get(shape)
          if (known !== undefined) return known
          const count =
            sql.get<{ count: number }>`
              SELECT count(*) AS count FROM evolution_run_shapes
              WHERE shape = (SELECT no FROM evolution_shapes WHERE shape = ${shape}) AND run > ${no - 1 - windowSize} AND run < ${no}`
              ?.count ?? 0
          counts.set(shape, count)
          return count
        },
        isEffectful(shape) {
          const known = effects.get(shape)
          if (known !== undefined) return known
          const found = sql.get<{ effectful: number }>`SELECT effectful FROM evolution_shapes WHERE shape = ${shape}`?.effectful === 1
          effects.set(shape, found)
          return found
        },
      }
    },
    sharing(no, shapes) {
      const rows = sql.all<{ run: number; shapes: string }>`
        SELECT r.run AS run, json_group_array(s.shape) AS shapes FROM evolution_run_shapes r JOIN evolution_shapes s ON s.no = r.shape
        WHERE r.run > ${no - 1 - windowSize} AND r.run < ${no}
          AND r.shape IN (SELECT no FROM evolution_shapes WHERE shape IN (SELECT value FROM json_each(${JSON.stringify([...shapes])})))
        GROUP BY r.run HAVING count(*) >= ${leastShared} ORDER BY r.run DESC LIMIT ${mostShared}`
      return rows.map(toSet)
    },
    sets(runs) {
      return sql.all<{ run: number; shapes: string }>`
        SELECT r.run AS run, json_group_array(s.shape) AS shapes FROM evolution_run_shapes r JOIN evolution_shapes s ON s.no = r.shape
        WHERE r.run IN (SELECT value FROM json_each(${JSON.stringify(runs)})) GROUP BY r.run ORDER BY r.run`.map(toSet)
    },
    sharedBy(runs) {
      const key = JSON.stringify(runs)
      const known = shared.get(key)
      if (known) return known
      const rows = sql.all<{ shape: string; runs: number; templates: number; effectful: number }>`
        SELECT s.shape AS shape, count(*) AS runs, count(DISTINCT r.template) AS templates, s.effectful AS effectful
        FROM evolution_run_shapes r JOIN evolution_shapes s ON s.no = r.shape
        WHERE r.run IN (SELECT value FROM json_each(${key})) GROUP BY r.shape ORDER BY s.shape`
      const found = rows.map(({ effectful, ...row }) => ({ ...row, effectful: effectful === 1 }))
      // What is written of the current run may be rolled back, and its number given to another one.
      if (!runs.includes(current)) shared.set(key, found)
      return found
    },
  }
}

function toSet({ run, shapes }: { readonly run: number; readonly shapes: string }): ShapeSet {
  return { run, shapes: new Set<string>(JSON.parse(shapes)) }
}
