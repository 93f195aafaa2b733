// Splits a shell command into simple commands and their words, with quotes removed. Nothing is expanded.

export interface ShellWord {
  readonly text: string
  /** `written`: after `>`. `read`: after `<`. */
  readonly role: 'word' | 'written' | 'read'
}

/** A simple command, or the start or end of a subshell. */
export type ShellPart = readonly ShellWord[] | '(' | ')'

export function shellParts(command: string): ShellPart[] {
  const parts: ShellPart[] = []
  let words: ShellWord[] = []
  let text = ''
  let started = false
  let role: ShellWord['role'] = 'word'
  const hereDocuments: string[] = []
  let awaitsDelimiter = false

  const endWord = () => {
    if (started && awaitsDelimiter) hereDocuments.push(text)
    else if (started) words.push({ text, role })
    if (started) {
      role = 'word'
      awaitsDelimiter = false
    }
    text = ''
    started = false
  }
  const endCommand = () => {
    endWord()
    role = 'word'
    if (words.length > 0) parts.push(words)
    words = []
  }

  for (let at = 0; at < command.length; at += 1) {
    const letter = command.charAt(at)
    const next = command.charAt(at + 1)
    if (letter === "'") {
      const close = command.indexOf("'", at + 1)
      text += command.slice(at + 1, close < 0 ? undefined : close)
      started = true
      at = close < 0 ? command.length : close
    } else if (letter === '"') {
      started = true
      for (at += 1; at < command.length && command.charAt(at) !== '"'; at += 1) {
        if (command.charAt(at) === '\\' && '"\\$`'.includes(command.charAt(at + 1))) at += 1
        text += command.charAt(at)
      }
    } else if (letter === '\\') {
      at += 1
      if (next !== '\n') text += next
      started = true
    } else if (letter === '#' && !started) {
      const line = command.indexOf('\n', at)
      at = line < 0 ? command.length : line - 1
    } else if (letter === '>' || letter === '<') {
      // A number before a redirection is a descriptor, not a word.
      if (/^\d+$|^&$/.test(text)) {
        text = ''
        started = false
      }
      endWord()
      if (letter === '<' && command.startsWith('<<', at) && !command.startsWith('<<<', at)) {
        at += command.charAt(at + 2) === '-' ? 2 : 1
        awaitsDelimiter = true
        continue
      }
      while ('><|'.includes(command.charAt(at + 1)) && at + 1 < command.length) at += 1
      role = letter === '>' ? 'written' : 'read'
    } else if (letter === '&' && next === '>') endWord()
    else if (letter === '&' && '<>'.includes(command.charAt(at - 1)) && at > 0) {
      text += letter
      started = true
    } else if (letter === '(' || letter === ')') {
      endCommand()
      parts.push(letter)
    } else if (letter === '\n') {
      endCommand()
      for (const delimiter of hereDocuments.splice(0)) at = endOfDocument(command, at, delimiter)
    } else if (';&|'.includes(letter)) endCommand()
    else if (/\s/.test(letter)) endWord()
    else {
      text += letter
      started = true
    }
  }
  endCommand()
  return parts
}

/** The line end before the first line after the here-document. */
function endOfDocument(command: string, lineEnd: number, delimiter: string): number {
  for (let at = lineEnd; at >= 0 && at < command.length; ) {
    const next = command.indexOf('\n', at + 1)
    const line = command.slice(at + 1, next < 0 ? undefined : next)
    if (line.replace(/^\t+/, '') === delimiter) return next < 0 ? command.length : next
    if (next < 0) return command.length
    at = next
  }
  return command.length
}
