// What the thread of a run shows about its team: one line per run that it started, messages, and merges.
import type { RunStep } from '@tandem/contract/run'
import type { RunJournal } from './journal.ts'

type StepOf<Kind extends RunStep['kind']> = Extract<RunStep, { kind: Kind }>

export type TeamNews =
  /** `end`: how the run ended; null until then. */
  | {
      readonly kind: 'member'
      readonly step: StepOf<'child.started'>
      readonly end: StepOf<'child.ended'> | null
      readonly set_aside: boolean
    }
  /** `is_last`: its sender had ended before. It is mostly a long report, written for the agent. */
  | { readonly kind: 'message'; readonly step: StepOf<'team.message'>; readonly is_last: boolean; readonly set_aside: boolean }
  | { readonly kind: 'merge'; readonly step: StepOf<'merge.applied'>; readonly set_aside: boolean }

interface TeamSteps {
  readonly news: readonly TeamNews[]
  /** The steps that need no line of their own. */
  readonly told: ReadonlySet<string>
}

/** Waits for runs are not shown: the lines of these runs show how they are. */
export function teamNews({ steps, lines }: Pick<RunJournal, 'steps' | 'lines'>): TeamSteps {
  const aside = new Set(lines.flatMap(({ step_id, set_aside }) => (set_aside ? [step_id] : [])))
  const told = new Set<string>()
  const news: TeamNews[] = []
  const started = new Set<string>()
  const ends = new Map<string, StepOf<'child.ended'>>()
  const waits = new Set<string>()
  const over = new Set<string>()
  for (const step of steps) if (step.kind === 'child.ended' && !aside.has(step.step_id)) ends.set(step.child_run_id, step)
  for (const step of steps) {
    const set_aside = aside.has(step.step_id)
    switch (step.kind) {
      case 'child.started':
        started.add(step.child_run_id)
        news.push({ kind: 'member', step, end: ends.get(step.child_run_id) ?? null, set_aside })
        break
      case 'child.ended':
        over.add(step.child_run_id)
        // Without its beginning it has a line of its own.
        if (!started.has(step.child_run_id)) continue
        break
      case 'team.message':
        news.push({ kind: 'message', step, is_last: over.has(step.from_run_id), set_aside })
        break
      case 'merge.applied':
        news.push({ kind: 'merge', step, set_aside })
        break
      case 'wait.started':
        // A run that waits for any of its members is the subject itself.
        if (step.for !== 'child' || !(started.has(step.subject_id ?? '') || (step.subject_id === step.run_id && started.size > 0))) continue
        waits.add(step.wait_id)
        break
      case 'wait.ended':
        if (!waits.has(step.wait_id)) continue
        break
      default:
        continue
    }
    told.add(step.step_id)
  }
  return { news, told }
}

/** Steps never change. */
export function isSameNews(before: TeamNews, after: TeamNews): boolean {
  const [first, second] = [before, after].map((news) => (news.kind === 'member' ? news.end : null))
  return before.step === after.step && before.set_aside === after.set_aside && first === second
}
