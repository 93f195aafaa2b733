// The commands to read what was mined from runs, and what is missing.
import type { CommandTable } from '../feature/command-table.ts'
import { type Paging, pageById } from '../feature/cursor.ts'
import type { Gaps } from './record/gaps.ts'
import type { Traces } from './record/traces.ts'

export function evolutionHandlers({ traces, gaps }: { readonly traces: Traces; readonly gaps: Gaps }): CommandTable {
  return {
    skill_list_behavior_traces: ({ limit, cursor, ...filter }) =>
      pageById('skill_list_behavior_traces', { limit, cursor } as Paging, (before, most) => traces.page(filter, before, most)),
    skill_list_gap_analyses: ({ limit, cursor, ...filter }) =>
      pageById('skill_list_gap_analyses', { limit, cursor } as Paging, (before, most) => gaps.page(filter, before, most)),
  }
}
