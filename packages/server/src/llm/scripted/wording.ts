// Splits plain English: quotations stay whole, the rest is clauses that are executed one after the other.

export interface Clause {
  /** With a placeholder for each quotation. */
  readonly text: string
  /** Restores the quotations in a piece of `text`, and trims its punctuation. */
  plain(piece: string | undefined): string
}

const mark = /\uE000(\d+)\uE001/g
const quotations = [
  /```[^\n`]*\n([\s\S]*?)\n?```/g,
  /`([^`\n]+)`/g,
  /"([^"]*)"/g,
  /“([^”]*)”/g,
  /«([^»]*)»/g,
  /(?<=^|[\s(])'([^'\n]*)'(?=$|[\s.,;:!?)])/g,
]
const politeness =
  /^(?:(?:please|now|ok|okay|first|next|finally|and|also|hi|hello|hey|thanks)\b[,!.]?\s*|(?:can|could|would|will) you\s+(?:please\s+)?|i(?:'d| would) like you to\s+|i want you to\s+|let us\s+|let's\s+)+/i

export function clauses(request: string): Clause[] {
  const quoted: string[] = []
  let text = request
  for (const quotation of quotations) {
    text = text.replace(quotation, (_whole, inside: string) => {
      quoted.push(inside)
      return `\uE000${quoted.length - 1}\uE001`
    })
  }
  // A block of code on the next line belongs to the sentence before it.
  text = text.replace(/\s*\n\s*(?=\uE000)/g, ' ')
  const restore = (piece: string): string => piece.replace(mark, (_whole, index: string) => restore(quoted[Number(index)] ?? ''))
  const plain = (piece: string | undefined) => restore((piece ?? '').trim().replace(/[.,;:!?]+$/, ''))
  return text
    .split(/\s*(?:;|\n|,?\s+and\s+then\s+|,?\s+then\s+|(?<=[.!?])\s+(?=[A-Z])|^then\s+)\s*/i)
    .map((part) => part.trim())
    .map((part) => part.replace(politeness, '').trim() || part)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, plain }))
}
