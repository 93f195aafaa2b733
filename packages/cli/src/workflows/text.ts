// How workflows and their runs are written in a terminal. Names, reasons and values are untrusted: every character of them is made visible.
import type { ListedWorkflow, WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'
import type { WorkflowRunState } from '@tandem/contract/workflow-run'
import { singleLine } from '../terminal/terminal-text.ts'

export function nameText({ name }: { readonly name: string }): string {
  return singleLine(name, 120)
}

export function approvalText({ is_approved, covers_calls }: Pick<ListedWorkflow, 'is_approved' | 'covers_calls'>): string {
  if (!is_approved) return 'not approved'
  return covers_calls ? 'approved with its calls' : 'approved'
}

export function runStateText({ state, reason }: { readonly state: WorkflowRunState; readonly reason: string | null }): string {
  return reason === null ? state : `${state} (${singleLine(reason, 200)})`
}

/** Rounds are counted from 1, as in the history. */
export function nodeText({ node_id, iteration }: Pick<WorkflowRunNode, 'node_id' | 'iteration'>): string {
  return iteration.length === 0 ? node_id : `${node_id} (round ${iteration.map((round) => round + 1).join('.')})`
}

/** How long it took; empty until it has ended. */
export function durationText({
  started_at,
  ended_at,
}: Pick<WorkflowSnapshot, 'ended_at'> & { readonly started_at: string | null }): string {
  if (started_at === null || ended_at === null) return ''
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1_000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Characters that a terminal does not show, or obeys; only texts in JSON contain them, except for the line breaks between its parts. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** JSON on several lines, still valid, with every character visible. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(unseen, (letter) =>
    [...letter].flatMap((one) => [...Array(one.length).keys()].map((at) => escaped(one.charCodeAt(at)))).join(''),
  )
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
