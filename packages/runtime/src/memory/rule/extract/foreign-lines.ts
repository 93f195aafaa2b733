// Lines of a message that are not the user's own words: quotes, code, terminal output, pasted passages. Pure.

export interface Line {
  readonly text: string
  readonly start: number
}

/** A passage of more lines than this was pasted. */
const longestOwnPassage = 10

const fence = /^\s{0,3}(```|~~~)/
const quote = /^\s{0,3}(?:>|\|\s)/
const indented = /^(?: {4,}|\t)\S/
const listItem = /^\s*(?:[-*•]|\d{1,2}[.)])\s/
const terminal =
  /^\s*(?:[$%#❯»]\s+[a-z./]|PS [A-Z]:\\|[\w.-]+@[\w.-]+:[^\s]*[$#]\s|>>>\s|at\s+\S+\s+\(.*:\d+:\d+\)|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}|(?:From|To|Cc|Subject|Sent|Date|Von|An):\s)/
const attribution = /^(?:on\b.{3,80}\bwrote|-{2,}\s?(?:original message|forwarded message|begin forwarded).{0,20}):?-*\s*$/i
const greeting = /^(?:dear|hello|hi|hey|good (?:morning|afternoon|evening)|to whom)\b[^.?!]{0,40}[,:!]\s*$|^dear \p{L}[^.?!,]{0,30},\s/iu
const announced = /(?::|\b(?:pasted?|below|as follows|attached|copied|verbatim))\s*$/i
const announcedHere =
  /\b(?:here(?:['’]s| is| are)|this is what|look at (?:this|what)|(?:got|received|just got) this|(?:sent|wrote|forwarded|replied|answered|says?|said)\b.{0,30})\b/i

/** "Here's what they sent as access:": what follows in the same paragraph is theirs. */
const theirs = /\b(?:they|he|she|who|\p{Lu}\p{L}+)\b.{0,20}\b(?:sent|wrote|forwarded|replied|answered|mailed|texted)\b[^.!?]*:\s*$/u

function linesOf(message: string): readonly Line[] {
  let at = 0
  return message.split('\n').map((text) => {
    const line = { text: text.replace(/\r$/, ''), start: at }
    at += text.length + 1
    return line
  })
}

export function ownLines(message: string): readonly Line[] {
  return withoutPasted(withoutTheirs(withoutQuotesAndCode(linesOf(message)))).filter(({ text }) => text.trim() !== '')
}

/** What was left out becomes an empty line, so that it still separates the lines around it. */
function withoutQuotesAndCode(lines: readonly Line[]): readonly Line[] {
  let open: string | null = null
  let blank = true
  let code = false
  return lines.map((line) => {
    const mark = fence.exec(line.text)?.[1] ?? null
    if (open !== null || mark !== null) {
      if (open === null) open = /^\s*(```|~~~).*\1\s*$/.test(line.text) && line.text.trim().length > 6 ? null : mark
      else if (mark === open) open = null
      return empty(line)
    }
    if (quote.test(line.text) || attribution.test(line.text.trim()) || terminal.test(line.text)) return empty(line)
    code = indented.test(line.text) && (blank || code) && !listItem.test(line.text)
    blank = line.text.trim() === ''
    return code ? empty(line) : line
  })
}

function withoutTheirs(lines: readonly Line[]): readonly Line[] {
  let isTheirs = false
  return lines.map((line) => {
    if (line.text.trim() === '') isTheirs = false
    if (isTheirs) return empty(line)
    isTheirs = theirs.test(line.text)
    return line
  })
}

/**
 * A passage is pasted if it has more than ten lines, or if it begins like a letter that the lines before it announce. The lines before
 * the passage are the user's own; those after it only if an empty line separates them from a passage without empty lines of its own.
 */
function withoutPasted(lines: readonly Line[]): readonly Line[] {
  const paragraphs = paragraphsOf(lines)
  const letter = paragraphs.findIndex(
    (one, index) => greeting.test(one[0]?.text.trim() ?? '') && one.length > 1 && index > 0 && isAnnounced(paragraphs[index - 1]),
  )
  const long = paragraphs.findIndex((one) => one.length > longestOwnPassage)
  const total = paragraphs.reduce((sum, one) => sum + one.length, 0)
  if (letter === -1 && long === -1) return total > longestOwnPassage + 2 && paragraphs.length > 1 ? (paragraphs[0] ?? []) : lines
  const first = letter === -1 ? long : long === -1 ? letter : Math.min(letter, long)
  const last = paragraphs.length - 1
  const after = last === first + 1 && (paragraphs[last]?.length ?? 0) <= 2 && long !== -1 ? (paragraphs[last] ?? []) : []
  const announcement = first === 0 ? announcementOf(paragraphs[0] ?? []) : paragraphs.slice(0, first).flat()
  return [...announcement, ...after]
}

/** "Here is the mail:" directly above the passage. */
function announcementOf(paragraph: readonly Line[]): readonly Line[] {
  const [line] = paragraph
  return line && announced.test(line.text) ? [line] : []
}

function isAnnounced(paragraph: readonly Line[] | undefined): boolean {
  const text = paragraph?.at(-1)?.text ?? ''
  return announced.test(text) || announcedHere.test(text)
}

function paragraphsOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const paragraphs: Line[][] = [[]]
  for (const line of lines) {
    if (line.text.trim() === '') paragraphs.push([])
    else paragraphs.at(-1)?.push(line)
  }
  return paragraphs.filter((one) => one.length > 0)
}

function empty(line: Line): Line {
  return { text: '', start: line.start }
}
