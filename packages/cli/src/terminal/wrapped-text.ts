// Text that fits a terminal: broken between words, where the terminal would break it anywhere.

/** `[--model NAME]` stays together. */
const pieces = /\[[^[\]]*\](?:…|\.\.\.)?|\S+/g

/** A line that is too long continues below its beginning. */
export function wrapped(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (line.length <= columns ? line : wrappedLine(line, columns)))
    .join('\n')
}

function wrappedLine(line: string, columns: number): string {
  const [lead = ''] = /^ *(?:usage: )?/.exec(line) ?? []
  // What continues a command is not a command of its own.
  const below = ' '.repeat(lead.length + (/^tandem /.test(line.slice(lead.length)) ? 4 : 0))
  const lines: string[] = []
  let at = lead
  for (const piece of line.slice(lead.length).match(pieces) ?? []) {
    const isFirst = at.trim() === lead.trim() || at.trim() === ''
    if (!isFirst && at.length + 1 + piece.length > columns) {
      lines.push(at)
      at = `${below}${piece}`
    } else at = `${at}${isFirst ? '' : ' '}${piece}`
  }
  return [...lines, at].join('\n')
}
