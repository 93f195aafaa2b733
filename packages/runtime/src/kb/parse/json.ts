// JSON and JSON Lines. The text is the file itself; a block is a value that fits into a passage, however deeply it is nested.
import { rangeBlocks, type TextRange } from './blocks.ts'
import type { Block } from './parsed.ts'

export function jsonBlocks(text: string): readonly Block[] {
  return rangeBlocks(text, smallValues(text), 'code')
}

/** Whether the text is one object or array. The parser of V8 does not recurse, so nesting costs memory only. */
export function isJson(text: string): boolean {
  const first = /^\s*([[{])/.exec(text.slice(0, 10_000))
  if (!first) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    // It is not JSON.
    return false
  }
}

/** About as long as a passage. */
const smallValue = 1_000

/** The outermost elements and members that are small, each with its comma. */
function smallValues(text: string): readonly TextRange[] {
  const found: TextRange[] = []
  /** Where the current element of each open object or array begins. */
  const open: number[] = []
  function endElement(to: number): void {
    const from = open.at(-1)
    if (from === undefined || to - from > smallValue || to <= from) return
    while ((found.at(-1)?.from ?? -1) >= from) found.pop()
    found.push({ from, to })
  }
  structure.lastIndex = 0
  for (let match = structure.exec(text); match; match = structure.exec(text)) {
    const mark = match[0]
    const at = match.index
    if (mark === '"') structure.lastIndex = stringEnd(text, at + 1)
    else if (mark === '{' || mark === '[') open.push(at + 1)
    else if (mark === ',') {
      endElement(at + 1)
      open[open.length - 1] = at + 1
    } else {
      endElement(at)
      open.pop()
    }
  }
  return found
}

const structure = /["{}[\],]/g

function stringEnd(text: string, from: number): number {
  stringPart.lastIndex = from
  for (let match = stringPart.exec(text); match; match = stringPart.exec(text)) {
    if (match[0] === '"') return stringPart.lastIndex
  }
  return text.length
}

const stringPart = /\\[\s\S]|"/g
