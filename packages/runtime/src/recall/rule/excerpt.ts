// The part of a text that shows why it was found. Pure.

const longest = 280

/** `marks` are where matched words begin and end, in order. */
export function excerptOf(text: string, marks: readonly (readonly [number, number])[]): string {
  const flat = (piece: string) => piece.replace(/\s+/g, ' ').trim()
  if (text.length <= longest) return flat(text)
  const begin = densest(text.length, marks)
  const from = begin === 0 ? 0 : wordStart(text, begin)
  const to = Math.min(text.length, from + longest)
  const end = to === text.length ? to : Math.max(from + 1, text.lastIndexOf(' ', to) > from ? text.lastIndexOf(' ', to) : to)
  return `${from > 0 ? '…' : ''}${flat(text.slice(from, whole(text, end)))}${end < text.length ? '…' : ''}`
}

/** Where the window with the most matches begins; a little before its first match. */
function densest(length: number, marks: readonly (readonly [number, number])[]): number {
  let [best, most, end] = [0, 0, 0]
  marks.forEach(([start], index) => {
    while (end < marks.length && (marks[end]?.[1] ?? 0) <= start + longest - 40) end += 1
    if (end - index > most) [best, most] = [start, end - index]
  })
  return Math.max(0, Math.min(best - 40, length - longest))
}

function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at)
  return whole(text, space === -1 || space > at + 30 ? at : space + 1)
}

/** Never between the two halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
