// The prompt sections of features, each within its limit.
import type { PromptSection } from '../../feature/feature.ts'
import { inTime } from '../../feature/patience.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { Here } from '../../journal/step.ts'
import type { Window } from './compaction.ts'
import { cutTo, roomFor } from './small-window.ts'

export interface ToldSections {
  /** The same in every turn. */
  readonly stable: readonly string[]
  readonly changing: readonly string[]
  /** Recorded with the model call. */
  readonly here: Here
}

/** A section that fails is left out and reported: a run does not stop for it. */
export async function tellSections(
  sections: readonly PromptSection[],
  run: RunRecord,
  window: Window,
  log: (line: string) => void,
): Promise<ToldSections> {
  const told = await Promise.all(
    sections.map(async (section) => {
      const room = Math.min(section.max_tokens, roomFor(window, section))
      try {
        return {
          section,
          text: cutTo(await inTime(section.text(run, room)), section.has_own_budget ? section.max_tokens : room),
          here: section.record?.(run) ?? {},
        }
      } catch (error) {
        log(`a part of the prompt of run ${run.run_id} is missing: ${String(error)}`)
        return { section, text: '', here: {} }
      }
    }),
  )
  const texts = (stable: boolean) => told.filter(({ section }) => section.stable === stable).map(({ text }) => text)
  return { stable: texts(true), changing: texts(false), here: Object.assign({}, ...told.map(({ here }) => here)) }
}
