// The prompt sections of features, each within its limit.
import type { PromptSection } from '../../feature/feature.ts'
import { withTimeout } from '../../feature/timeout.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { DeviceOnlyFields } from '../../journal/step.ts'
import type { ContextSpace } from './compaction.ts'
import { tokensForSection, truncateTo } from './fit-context-window.ts'

export interface RenderedSections {
  /** The same in every turn. */
  readonly stable: readonly string[]
  readonly changing: readonly string[]
  /** Recorded with the model call. */
  readonly here: DeviceOnlyFields
}

/** A section that fails is left out and reported: a run does not stop for it. */
export async function renderSections(
  sections: readonly PromptSection[],
  run: RunRecord,
  window: ContextSpace,
  log: (line: string) => void,
): Promise<RenderedSections> {
  const told = await Promise.all(
    sections.map(async (section) => {
      const room = Math.min(section.max_tokens, tokensForSection(window, section))
      try {
        return {
          section,
          text: truncateTo(await withTimeout(section.text(run, room)), section.has_own_budget ? section.max_tokens : room),
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
