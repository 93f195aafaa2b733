// What a person put into runs by hand: the files that they edited, and the words that they typed into the arguments of calls. What agents,
// tools and pages wrote is not among it.
import type { Store } from '../../store/store.ts'
import { isSafeWord } from '../rollout/rule/safe-values.ts'
import type { BehaviorFacts } from '../rule/behavior.ts'
import { readArguments, textsIn } from '../rule/call-shape.ts'
import type { TypedWord } from '../rule/gap-plan.ts'

export interface GapLiterals {
  /** One entry per run of the pattern, the latest first. */
  readonly run_ids: readonly string[]
  readonly said: readonly string[]
  readonly edited: readonly (readonly string[])[]
  readonly typed: readonly (readonly TypedWord[])[]
}

export interface RunLiterals {
  /** Of a run that is in the index. Replaces what was recorded of it before. */
  put(facts: Pick<BehaviorFacts, 'run_id' | 'calls' | 'edited_files'>): void
  of(signature: string): GapLiterals
}

const [mostOfRun, mostRuns] = [50, 50]

interface LiteralRow extends Record<string, unknown> {
  readonly run: number
  readonly kind: 'edited_file' | 'typed_word'
  readonly tool: string
  readonly text: string
}

export function openRunLiterals({ sql }: Pick<Store, 'sql'>): RunLiterals {
  return {
    put({ run_id, calls, edited_files }) {
      const run = sql.get<{ no: number }>`SELECT no FROM evolution_runs WHERE run_id = ${run_id}`?.no
      if (run === undefined) return
      sql.run`DELETE FROM evolution_run_literals WHERE run = ${run}`
      const literals = [
        ...edited_files.map(({ path }) => ({ kind: 'edited_file', tool: '', text: path })),
        ...calls.flatMap((call) => typedIn(call).map((text) => ({ kind: 'typed_word', tool: call.tool, text }))),
      ]
      for (const { kind, tool, text } of literals.slice(0, mostOfRun))
        sql.run`INSERT OR IGNORE INTO evolution_run_literals (run, kind, tool, text) VALUES (${run}, ${kind}, ${tool}, ${text})`
    },
    of(signature) {
      const runs = sql.all<{ run: number; run_id: string; words: string | null }>`
        SELECT m.run AS run, r.run_id AS run_id, m.words AS words FROM evolution_pattern_runs m
          JOIN evolution_patterns p ON p.no = m.pattern JOIN evolution_runs r ON r.no = m.run
        WHERE p.signature = ${signature} ORDER BY m.run DESC LIMIT ${mostRuns}`
      const numbers = JSON.stringify(runs.map(({ run }) => run))
      const rows = sql.all<LiteralRow>`SELECT * FROM evolution_run_literals WHERE run IN (SELECT value FROM json_each(${numbers}))`
      const ofRun = (run: number, kind: LiteralRow['kind']) => rows.filter((row) => row.run === run && row.kind === kind)
      return {
        run_ids: runs.map(({ run_id }) => run_id),
        said: runs.map(({ words }) => words ?? ''),
        edited: runs.map(({ run }) => ofRun(run, 'edited_file').map(({ text }) => text)),
        typed: runs.map(({ run }) => ofRun(run, 'typed_word').map(({ tool, text }) => ({ tool, word: text }))),
      }
    },
  }
}

/** The words that the user added when they changed a call. */
function typedIn({ proposed, arguments: args, denied }: BehaviorFacts['calls'][number]): readonly string[] {
  if (proposed === null || denied) return []
  const wordsOf = (json: string) => new Set(textsIn(readArguments(json)).flatMap((text) => text.split(/\s+/)))
  return [...wordsOf(args).difference(wordsOf(proposed))].filter(isSafeWord)
}
