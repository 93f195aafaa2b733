// Whether a text names only what the evidence names. Pure. A model's wording is used only if this holds, so that text which it read in a
// tool result cannot become advice.

const tokens = /[\p{L}\p{N}_@~.:/\\\-+*=$%&#?[\](){}<>|]+/gu
/** Quotes and code: each is a name or a command. */
const quoted = /`([^`]+)`|"([^"]+)"|“([^”]+)”|'([^']{2,})'|«([^»]+)»/g

/** The hosts, paths, commands, options, numbers and quoted words of a text. */
export function namesIn(text: string): readonly string[] {
  const inQuotes = [...text.matchAll(quoted)].map((match) => match.slice(1).find((group) => group !== undefined) ?? '')
  const words = (text.match(tokens) ?? []).map(trimmed).filter(isName)
  return [...new Set([...inQuotes, ...words].map((name) => name.trim().toLowerCase()).filter((name) => name !== ''))]
}

export type Grounding = { readonly ok: true } | { readonly ok: false; readonly name: string }

export function groundedIn(text: string, evidence: readonly string[]): Grounding {
  const known = evidence.join('\n').toLowerCase()
  const missing = namesIn(text).find((name) => !isNamed(name, known))
  return missing === undefined ? { ok: true } : { ok: false, name: missing }
}

/** Programs that a sentence could tell an agent to run without any other mark of a command. */
const programs =
  /\b(?:sudo|su|rm|rmdir|dd|mkfs|chmod|chown|kill|pkill|shutdown|reboot|curl|wget|ssh|scp|rsync|nc|bash|zsh|sh|powershell|python3?|node|npm|npx|pip|git|docker|kubectl|eval|exec|crontab)\b/gi

/** A program that the text names and the evidence does not; null if there is none. */
export function ungroundedProgram(text: string, evidence: readonly string[]): string | null {
  const known = new Set(
    evidence
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )
  return (text.match(programs) ?? []).find((word) => !known.has(word.toLowerCase())) ?? null
}

/** As a whole: "rm" is not named by "farm", and "1" not by "127". */
function isNamed(name: string, known: string): boolean {
  for (let at = known.indexOf(name); at !== -1; at = known.indexOf(name, at + 1)) {
    const [before, after] = [known[at - 1] ?? '', known[at + name.length] ?? '']
    if (!isWordPart(before) && !isWordPart(after)) return true
  }
  return false
}

function isWordPart(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character)
}

function trimmed(word: string): string {
  return word.replace(/^[([{<*:.?]+(?=[\p{L}\p{N}])|[)\]}>.,:;!?*]+$/gu, '')
}

/** Ordinary words are not names: what has a digit, a dot, a slash or another mark in it is. */
function isName(word: string): boolean {
  if (/\p{N}/u.test(word)) return true
  if (/[/\\@~=$%&#|<>*[\]{}_]/.test(word)) return true
  return /[.:]/.test(word.slice(0, -1)) || /^-+\p{L}/u.test(word)
}
