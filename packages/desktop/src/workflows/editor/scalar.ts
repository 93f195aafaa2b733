// A value that is written on one line.

/** Without its quotes and a comment after it. */
export function scalarValue(value: string): string {
  const quote = quoteOf(value)
  if (quote !== '') return value.slice(1, closingQuote(value, quote) ?? value.length)
  return value.replace(/(?:^|\s)#.*$/, '').trim()
}

/** Whether nothing can be added to it: its quote is closed, or a comment follows. */
export function isClosed(value: string): boolean {
  const quote = quoteOf(value)
  return quote === '' ? /(?:^|\s)#/.test(value) : closingQuote(value, quote) !== null
}

function quoteOf(value: string): '' | '"' | "'" {
  return value.startsWith('"') ? '"' : value.startsWith("'") ? "'" : ''
}

function closingQuote(value: string, quote: '"' | "'"): number | null {
  for (let at = 1; at < value.length; at += 1) {
    if (quote === '"' && value[at] === '\\') at += 1
    else if (value[at] === quote) {
      if (quote === '"' || value[at + 1] !== quote) return at
      at += 1
    }
  }
  return null
}
