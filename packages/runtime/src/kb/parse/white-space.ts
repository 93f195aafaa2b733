// Where text begins and ends between white space. Every function reads each character a constant number of times.

/** Where the next character that is not white space is; `text.length` if there is none. */
export function nextVisible(text: string, from: number): number {
  visible.lastIndex = from
  return visible.exec(text)?.index ?? text.length
}

const visible = /\S/g

/** The end of the text before `to`, without the white space at its end. */
export function trimmedEnd(text: string, from: number, to: number): number {
  let end = to
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1
  return end
}

/** The beginning of the line that contains `at`, but not before `from`. */
export function lineStart(text: string, at: number, from: number): number {
  return at === 0 ? from : Math.max(from, text.lastIndexOf('\n', at - 1) + 1)
}

/** The same characters as `\s`. */
export function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  if (code < 0x1680) return code === 0xa0
  return code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || others.includes(code)
}

const others: readonly number[] = [0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]
