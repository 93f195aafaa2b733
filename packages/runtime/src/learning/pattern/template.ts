// Error texts without their variable parts, in the manner of Drain: a text is masked and split into tokens, texts with the same number of
// tokens and the same first ones share a bucket, and similar ones in a bucket share a template. Pure, and bounded for any input.
import { maskSecrets, secretMask } from '../../memory/rule/secret/secrets.ts'

/** A variable part. */
export const variable = '<*>'

const longestText = 1_000
const mostTokens = 60
const longestToken = 80
const longestQuote = 200
/** The share of tokens that must be equal. */
const lowestSimilarity = 0.6
/** How many first tokens a bucket has in common. */
const bucketDepth = 2

export type Tokens = readonly string[]

/** Without secrets, and cut before the word in which it gets too long. What is cut is not looked at. */
export function safeText(text: string, longest = longestText): string {
  return maskSecrets(cut(text, longest))
}

export function tokensOf(text: string): Tokens {
  return safeTokens(safeText(text))
}

/** Of a text in which secrets are already masked. */
export function safeTokens(text: string): Tokens {
  return textTokens(cut(text, longestText).replaceAll(secretMask, variable))
}

export function maskText(text: string): string {
  return tokensOf(text).join(' ')
}

export function templateText(template: Tokens): string {
  return template.join(' ')
}

export function templateTokens(text: string): Tokens {
  return text === '' ? [] : text.split(' ')
}

/** The place in the tree. Only texts in one bucket can share a template. */
export function bucketOf(tokens: Tokens): string {
  return [tokens.length, ...tokens.slice(0, bucketDepth)].join(' ')
}

export function matches(template: Tokens, tokens: Tokens): boolean {
  return template.length === tokens.length && template.every((token, at) => token === variable || token === tokens[at])
}

/** The index of the template that the text belongs to; -1 if it is none of them. */
export function mostSimilar(templates: readonly Tokens[], tokens: Tokens): number {
  let [best, highest] = [-1, 0]
  for (const [index, template] of templates.entries()) {
    const found = similarity(template, tokens)
    if (found > highest) [best, highest] = [index, found]
  }
  return highest >= lowestSimilarity ? best : -1
}

/** With a variable part wherever the text differs. */
export function generalized(template: Tokens, tokens: Tokens): Tokens {
  return template.map((token, at) => (token === tokens[at] ? token : variable))
}

/** From 0 to 1 for texts that differ, and more than 1 for a text that the template matches. */
function similarity(template: Tokens, tokens: Tokens): number {
  if (template.length !== tokens.length || bucketOf(template) !== bucketOf(tokens)) return 0
  if (template.length === 0) return 1
  const share = template.filter((token, at) => token === tokens[at]).length / template.length
  return matches(template, tokens) ? 1 + share : share
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const end = text.slice(0, longest - 1).search(/\s\S*$/)
  return end <= 0 ? '…' : `${text.slice(0, end)} …`
}

function textTokens(text: string): Tokens {
  const tokens: string[] = []
  let length = 0
  for (const word of withoutQuotes(text).split(/\s+/)) {
    const token = maskedWord(word)
    // A list of names is one variable part, however long it is.
    if (token === '' || (token === variable && tokens.at(-1) === variable)) continue
    length += token.length + 1
    if (tokens.length === mostTokens || length > longestText) break
    tokens.push(token)
  }
  return tokens
}

const quotes: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  '`': '`',
  '„': '“',
  '“': '”',
  '‚': '‘',
  '‘': '’',
  '\u00ab': '\u00bb',
  '\u00bb': '\u00ab',
}
const inWord = /[\p{L}\p{N}_]/u

const anyQuote = /['"`„“”‚‘’\u00ab\u00bb]/

/** Quoted names and texts are variable. An apostrophe within a word is not a quote; a quote without its other half is left out. */
function withoutQuotes(text: string): string {
  if (!anyQuote.test(text)) return text
  let masked = ''
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (!anyQuote.test(letter)) {
      masked += letter
      continue
    }
    const opens = !inWord.test(text.charAt(at - 1))
    const closing = quotes[letter]
    const end = closing && opens ? closingAt(text, at, closing) : -1
    if (end >= 0) {
      masked += variable
      at = end
    } else if (!opens && inWord.test(text.charAt(at + 1))) masked += letter
  }
  return masked
}

function closingAt(text: string, from: number, closing: string): number {
  const last = Math.min(text.length, from + longestQuote)
  for (let at = from + 1; at < last; at += 1) {
    if (text.charAt(at) === closing && !inWord.test(text.charAt(at + 1))) return at
  }
  return -1
}

const parts = /([=:,;|()[\]{}!?]+)/
const repeated = /<\*>(?:[=:,;|]*<\*>)+/g

function maskedWord(word: string): string {
  if (word.length > longestToken) return variable
  const end = endOfWord(word)
  const [core, after] = [word.slice(0, end), word.slice(end)]
  if (core.includes('/') || core.includes('\\')) return variable + after
  const masked = core
    .split(parts)
    .map((part, at) => (at % 2 === 0 && isVariable(part) ? variable : part))
    .join('')
    .replaceAll(repeated, variable)
  return masked.length + after.length > longestToken ? variable : masked + after
}

/** Where the punctuation begins that ends a sentence. */
function endOfWord(word: string): number {
  let end = word.length
  while (end > 0 && '.,;:!?…'.includes(word.charAt(end - 1))) end -= 1
  return end
}

/** Codes of compilers and package managers are the same in every run: E404, TS2307. */
const errorCode = /^[A-Z]{1,3}\d{3,5}$/
const exceptionName = /(?:Error|Exception|Warning|Interrupt)$/

/** Numbers, versions, dates, hashes and ids contain digits; names of files and hosts contain dots. */
function isVariable(part: string): boolean {
  if (part.includes(variable)) return true
  if (/\p{N}/u.test(part)) return !errorCode.test(part)
  if (part.includes('@') || part.startsWith('~')) return true
  return /[\p{L}_-]\.[\p{L}_-]/u.test(part) && !exceptionName.test(part)
}
