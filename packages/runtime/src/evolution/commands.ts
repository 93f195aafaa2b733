// The commands to read what was mined from runs, and what is missing.
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, type Page, type Paging, pageOf, positionOf } from '../feature/cursor.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Gaps } from './record/gaps.ts'
import type { Traces } from './record/traces.ts'

export function evolutionHandlers({ traces, gaps }: { readonly traces: Traces; readonly gaps: Gaps }): CommandTable {
  function paged<Item extends { readonly id: string }>(
    list: string,
    paging: Paging,
    read: (before: string | null, limit: number) => readonly Item[],
  ): Outcome<Page<Item>> {
    const from = positionOf(list, paging, ['string'])
    if (!from.ok) return from
    const found = read(from.value === null ? null : String(from.value[0]), limitOf(paging) + 1)
    return { ok: true, value: pageOf(list, found, ({ id }) => [id], paging) }
  }

  return {
    skill_list_behavior_traces: ({ limit, cursor, ...filter }) =>
      paged('skill_list_behavior_traces', { limit, cursor } as Paging, (before, most) => traces.page(filter, before, most)),
    skill_list_gap_analyses: ({ limit, cursor, ...filter }) =>
      paged('skill_list_gap_analyses', { limit, cursor } as Paging, (before, most) => gaps.page(filter, before, most)),
  }
}
