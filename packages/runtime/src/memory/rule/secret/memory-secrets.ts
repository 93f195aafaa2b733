// Whether any text of a memory contains a secret: all that reaches a prompt, the graph, an index or an export. Pure.
import type { Memory, MemoryQuote } from '@tandem/contract/memory'
import { hasSecret } from './secrets.ts'

export interface MemoryTexts {
  readonly content?: string | undefined
  readonly subject?: string | undefined
  readonly slot?: string | null
  readonly tags?: readonly string[] | undefined
  readonly quotes?: readonly MemoryQuote[]
  readonly procedure?: Memory['procedure']
}

export function hasSecretIn({ quotes = [], ...memory }: MemoryTexts): boolean {
  return [...ownTextsOf(memory), ...quotes.map(({ excerpt }) => excerpt)].some(hasSecret)
}

/** Everything but the words it quotes: what may reach a prompt. */
export function ownTextsOf({ content = '', subject = '', slot, tags = [], procedure }: Omit<MemoryTexts, 'quotes'>): readonly string[] {
  return [
    content,
    nameIn(subject),
    slot ?? '',
    ...tags,
    ...(procedure?.steps.flatMap(({ tool, shape, command }) => [tool.replaceAll('.', ' '), shape, command ?? '']) ?? []),
    procedure?.fallback_reason ?? '',
  ]
}

/** `entity:` and `workspace:` are labels of ours: what follows them is checked as it was written. */
function nameIn(subject: string): string {
  return subject.replace(/^(?:entity|workspace):/, '')
}
