// Reads one word of shell text as bash would, if it is a literal. Independent of the grammar, so that both must agree.

export type WordLiteral = { readonly text: string; readonly glob: boolean } | { readonly reason: string }

export function readLiteral(source: string): WordLiteral {
  let text = ''
  let glob = false
  for (let at = 0; at < source.length; at++) {
    const letter = source.charAt(at)
    if (letter === "'") {
      const end = source.indexOf("'", at + 1)
      if (end < 0) return { reason: 'an unclosed quote' }
      text += source.slice(at + 1, end)
      at = end
    } else if (letter === '"') {
      const end = closing(source, at + 1)
      if (end < 0) return { reason: 'an unclosed quote' }
      const inside = unescaped(source.slice(at + 1, end))
      if (inside === null) return { reason: 'an expansion inside quotes' }
      text += inside
      at = end
    } else if (letter === '\\') {
      const next = source.charAt(at + 1)
      if (next === '' || next === '\n') return { reason: 'a line continuation' }
      text += next
      at++
    } else if (meaning[letter]) {
      return { reason: meaning[letter] }
    } else if (letter === '#' && at === 0) {
      return { reason: 'a comment' }
    } else if (letter === '~' && at === 0 && !/^~(?:\/|$)/.test(source)) {
      return { reason: "another user's home folder" }
    } else if (letter === '~' && '=:'.includes(source.charAt(at - 1)) && at > 0) {
      // Bash also expands a home folder here, if the word looks like an assignment.
      return { reason: 'a home folder inside a word' }
    } else {
      // A pattern at the beginning could expand to an option: a file may be called `-delete`.
      if ('*?['.includes(letter)) {
        if (at === 0) return { reason: 'a pattern at the beginning of a word' }
        glob = true
      }
      text += letter
    }
  }
  return { text, glob }
}

/** Characters that are not literal outside quotes. */
const meaning: Readonly<Record<string, string>> = {
  $: 'an expansion',
  '`': 'a command inside a command',
  '{': 'a brace expansion',
  '}': 'a brace expansion',
  '(': 'a subshell or a pattern',
  ')': 'a subshell or a pattern',
  '<': 'a redirection inside a word',
  '>': 'a redirection inside a word',
  '|': 'a pipe inside a word',
  '&': 'a command in the background',
  ';': 'a separator inside a word',
  ' ': 'a space inside a word',
  '\t': 'a space inside a word',
  '\n': 'a line break inside a word',
}

/** The end of the double quote that was opened before `from`. */
function closing(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '"') return at
  }
  return -1
}

/** Inside double quotes, a backslash escapes only these characters; before any other it is literal. */
function unescaped(inside: string): string | null {
  let text = ''
  for (let at = 0; at < inside.length; at++) {
    const letter = inside.charAt(at)
    if (letter === '$' || letter === '`') return null
    if (letter !== '\\') text += letter
    else {
      const next = inside.charAt(at + 1)
      if (next === '\n') return null
      text += '$`"\\'.includes(next) && next !== '' ? next : `\\${next}`
      at++
    }
  }
  return text
}
