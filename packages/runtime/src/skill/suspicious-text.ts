// What is suspicious in the Markdown of a skill. Examples are not: instructions for people and models are full of code and placeholders.
import type { InspectText, Suspicion } from '../policy/untrusted-text.ts'

/** Never part of an example: they hide text from the reader. */
const hidden: ReadonlySet<Suspicion['code']> = new Set(['invisible_letters', 'terminal_sequence'])

/** Hidden characters count everywhere; everything else only outside fenced code and placeholders. */
export function inspectMarkdown(inspect: InspectText): InspectText {
  return (where, text) => {
    const whole = inspect(where, text)
    if (whole.length === 0) return whole
    const prose = inspect(where, withoutPlaceholders(withoutFencedCode(text)))
    return [...whole.filter(({ code }) => hidden.has(code)), ...prose.filter(({ code }) => !hidden.has(code))]
  }
}

/** Blocks that are not closed are text. */
function withoutFencedCode(text: string): string {
  const kept: string[] = []
  let block: string[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const [, mark = '', rest = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence === null && mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) {
      fence = mark
      block = [line]
    } else if (fence === null) kept.push(line)
    else {
      block.push(line)
      if (mark.startsWith(fence) && rest.trim() === '') {
        fence = null
        kept.push('')
      }
    }
  }
  return [...kept, ...(fence === null ? [] : block)].join('\n')
}

/** `<user-id>` and `<instructions>` are placeholders if nothing closes them; `<system>…</system>` is markup. */
function withoutPlaceholders(text: string): string {
  const closed = new Set([...text.matchAll(/<\/([a-z][\w-]{0,64})\s{0,5}>/gi)].map(([, name = '']) => name.toLowerCase()))
  return text.replace(/<([a-z][\w-]{0,64})(?:[ \t][^<>\n]{0,100})?>/gi, (tag, name: string) => {
    return closed.has(name.toLowerCase()) ? tag : '<>'
  })
}
