// Source code: a block is a declaration, with the comments above it. Lines that are indented belong to the line above them.
import { rangeBlocks } from './blocks.ts'
import type { Block } from './parsed.ts'
import { type LineBreak, ranges } from './plain-text.ts'

export function codeBlocks(text: string): readonly Block[] {
  return rangeBlocks(
    text,
    ranges(text, (between) => isDeclarationNext(text, between)),
    'code',
  )
}

/** After a blank line, anything that is not indented begins a block, unless it closes one; otherwise only what follows a closing line. */
function isDeclarationNext(text: string, { before, after, isBlank }: LineBreak): boolean {
  const isIndented = text[after - 1] !== '\n'
  if (isIndented || closes(text, after)) return false
  return isBlank || (text[before - 1] === '\n' && closes(text, before))
}

function closes(text: string, at: number): boolean {
  closing.lastIndex = at
  return closing.test(text)
}

const closing = /[\])}]|(?:end|else|elif|except|finally|catch|rescue|ensure|then|do|done|fi|esac)\b/y
