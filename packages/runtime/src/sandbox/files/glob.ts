// Path patterns, matched without exponential backtracking: a pattern from a model cannot make it slow.
// `*` and `?` match inside a segment, `**` matches any number of segments, `[a-z]`, `[!a-z]`, `{a,b}`, `\` escapes the next character.
// A dot is an ordinary character: a scope with `**` includes dot files.
import type { Glob } from '../../call/files.ts'

/** No legitimate pattern has more alternatives. */
const mostAlternatives = 256

/** `null` if the braces expand to too many alternatives; the caller decides what is safe then. */
export function compileGlob(pattern: string): Glob | null {
  const alternatives = expandBraces(pattern)
  if (!alternatives) return null
  const compiled = alternatives.map((text) => segmentsOf(text).map(compileSegment))
  return {
    matches: (path) => compiled.some((steps) => walk(steps, segmentsOf(path)).has(steps.length)),
    mayMatchBelow: (path) =>
      compiled.some((steps) => {
        const reached = walk(steps, segmentsOf(path))
        return [...reached].some((state) => state < steps.length)
      }),
  }
}

type Step = 'any depth' | ((segment: readonly string[]) => boolean)

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.')
}

/** The states after the whole path, as in a nondeterministic automaton. */
function walk(steps: readonly Step[], path: readonly string[]): Set<number> {
  let states = settle(steps, [0])
  for (const segment of path) {
    const letters = [...segment]
    const next: number[] = []
    for (const state of states) {
      const step = steps[state]
      if (step === 'any depth') next.push(state)
      else if (step?.(letters)) next.push(state + 1)
    }
    states = settle(steps, next)
  }
  return states
}

/** `**` may also match nothing. */
function settle(steps: readonly Step[], states: readonly number[]): Set<number> {
  const settled = new Set<number>()
  for (const state of states) {
    let at = state
    settled.add(at)
    while (steps[at] === 'any depth') settled.add(++at)
  }
  return settled
}

type Token =
  | 'star'
  | 'one'
  | { readonly letter: string }
  | { readonly among: readonly (readonly [string, string])[]; readonly not: boolean }

function compileSegment(text: string): Step {
  if (text === '**') return 'any depth'
  const tokens = tokenize([...text])
  return (letters) => matchLetters(tokens, letters)
}

function tokenize(text: readonly string[]): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (letter === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star')
    } else if (letter === '?') tokens.push('one')
    else if (letter === '\\' && at + 1 < text.length) tokens.push({ letter: text[++at] ?? '' })
    else {
      const set = letter === '[' ? readSet(text, at) : null
      tokens.push(set ? set.token : { letter })
      at = set ? set.end : at
    }
  }
  return tokens
}

/** A `[` without a `]` is a literal character. */
function readSet(text: readonly string[], start: number): { token: Token; end: number } | null {
  const not = text[start + 1] === '!' || text[start + 1] === '^'
  const first = start + (not ? 2 : 1)
  const end = text.indexOf(']', first + 1)
  if (end < 0) return null
  const among: [string, string][] = []
  for (let at = first; at < end; at++) {
    const low = text[at] ?? ''
    const ranged = text[at + 1] === '-' && at + 2 < end
    among.push([low, ranged ? (text[at + 2] ?? '') : low])
    if (ranged) at += 2
  }
  return { token: { among, not }, end }
}

/** Backtracks only to the last star, so the work is at most pattern times text. */
function matchLetters(tokens: readonly Token[], letters: readonly string[]): boolean {
  let token = 0
  let letter = 0
  let star = -1
  let resume = 0
  while (letter < letters.length) {
    if (tokens[token] === 'star') {
      star = token++
      resume = letter
    } else if (fits(tokens[token], letters[letter] ?? '')) {
      token++
      letter++
    } else if (star >= 0) {
      token = star + 1
      letter = ++resume
    } else return false
  }
  while (tokens[token] === 'star') token++
  return token === tokens.length
}

function fits(token: Token | undefined, letter: string): boolean {
  if (token === undefined || token === 'star') return false
  if (token === 'one') return true
  if ('letter' in token) return token.letter === letter
  return token.among.some(([low, high]) => low <= letter && letter <= high) !== token.not
}

function expandBraces(pattern: string): string[] | null {
  const done: string[] = []
  const open = [pattern]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const brace = findBrace(text)
    if (!brace) done.push(text)
    else for (const choice of brace.choices) open.push(text.slice(0, brace.start) + choice + text.slice(brace.end + 1))
    if (done.length + open.length > mostAlternatives) return null
  }
  return done.reverse()
}

/** The first `{…}` that is closed and has a comma at its own depth. */
function findBrace(text: string): { start: number; end: number; choices: string[] } | null {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    if (text[start - 1] === '\\') continue
    const choices: string[] = []
    let depth = 0
    let from = start + 1
    for (let at = start; at < text.length; at++) {
      if (text[at] === '\\') at++
      else if (text[at] === '{') depth++
      else if (text[at] === ',' && depth === 1) {
        choices.push(text.slice(from, at))
        from = at + 1
      } else if (text[at] === '}' && --depth === 0) {
        if (choices.length > 0) return { start, end: at, choices: [...choices, text.slice(from, at)] }
        break
      }
    }
  }
  return null
}
