// Reads a half of the scripted months, with the secrets put together.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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

export function loadMonth(half: string): { readonly messages: readonly MonthMessage[]; readonly requests: readonly MonthRequest[] } {
  const rows = <Row>(file: string): readonly Row[] =>
    readFileSync(join(import.meta.dirname, 'memory-month', half, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  const secrets = new Map(rows<{ id: string; parts: string[] }>('secrets.jsonl').map(({ id, parts }) => [id, parts.join('')]))
  const filled = (text: string) => text.replace(/\{\{(s\d+)\}\}/g, (whole, id: string) => secrets.get(id) ?? whole)
  return {
    messages: rows<MonthMessage>('messages.jsonl').map((message) => ({ ...message, text: filled(message.text) })),
    requests: rows<MonthRequest>('requests.jsonl'),
  }
}
