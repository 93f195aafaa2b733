// Reads a scripted month, with the secrets put together.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MemoryKind } from '@tandem/contract/memory'

const months: readonly string[] = ['tuning', 'tuning-2', 'held-out', 'fourth', 'fifth', 'sixth']
/** Of these, only figures are printed. */
export const unreadMonths: readonly string[] = ['fifth', 'sixth']

export function isMonth(name: string | undefined): name is string {
  return name !== undefined && months.includes(name)
}

export interface MonthMessage {
  readonly id: string
  readonly conversation: string
  readonly agent: string
  readonly workspace: string | null
  readonly at: string
  readonly author: 'person' | 'agent' | 'tool'
  readonly text: string
}

export interface MonthRequest {
  readonly id: string
  readonly agent: string
  readonly request: string
  readonly right: readonly string[]
  readonly wrong: readonly string[]
}

/** What a careful assistant would keep. */
export interface ExpectedItem {
  readonly id: string
  readonly kind: MemoryKind
  readonly about: string
  readonly statement: string
  readonly contains: readonly string[]
  readonly messages: readonly string[]
  readonly optional?: boolean
  readonly from: string
  readonly until: string | null
  readonly replaced_by: string | null
  readonly change: 'replaced' | 'revoked' | null
}

/** What must not be kept. */
export interface ForbiddenItem {
  readonly message: string
  readonly why: string
  readonly text: string
}

export interface Month {
  readonly messages: readonly MonthMessage[]
  readonly requests: readonly MonthRequest[]
  readonly expected: readonly ExpectedItem[]
  readonly forbidden: readonly ForbiddenItem[]
  readonly secrets: readonly string[]
}

export function loadMonth(half: string): Month {
  const rows = <Row>(file: string): readonly Row[] =>
    readFileSync(join(import.meta.dirname, 'memory-month', half, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  const secrets = new Map(rows<{ id: string; parts: string[] }>('secrets.jsonl').map(({ id, parts }) => [id, parts.join('')]))
  const filled = <Row extends { readonly text: string }>(row: Row): Row => ({
    ...row,
    text: row.text.replace(/\{\{(s\d+)\}\}/g, (whole, id: string) => secrets.get(id) ?? whole),
  })
  return {
    messages: rows<MonthMessage>('messages.jsonl').map(filled),
    requests: rows('requests.jsonl'),
    expected: rows('expected.jsonl'),
    forbidden: rows<ForbiddenItem>('forbidden.jsonl').map(filled),
    secrets: [...secrets.values()],
  }
}
