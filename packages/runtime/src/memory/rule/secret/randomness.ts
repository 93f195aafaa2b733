// Whether a string looks as if a machine had drawn it: long, with no words in it.
import type { Span } from './span.ts'

const candidate = /[A-Za-z0-9+_=~$!%^&*-][A-Za-z0-9+/_=.~$!%^&*-]{14,}[A-Za-z0-9+/_=~$!%^&*-]/dg

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const hex = /^(?:0x)?[0-9a-f]+$/i
const hashName =
  /\b(?:sha-?\d{0,3}(?:sum)?|md5(?:sum)?|check-?sums?|digests?|hash(?:es)?|integrity|commits?|revisions?|rev|tree|blob|fingerprint|etag|blake\w*)\b/i
const digestPrefix = /(?:sha\d{1,3}|md5|blake\w{0,4})[-:]$/i
const file = /\.(?:jpe?g|png|gif|heic|webp|mp4|mov|mp3|wav|pdf|docx?|xlsx?|csv|json|ya?ml|txt|md|zip|gz|tar|log|tsx?|jsx?|py|html|svg)$/i
/** How far before a string its name may be. */
const nameReach = 60
const gitHash = 40

export function randomStrings(text: string): readonly Span[] {
  return [...text.matchAll(candidate)].flatMap((match) => {
    const value = match[0].replace(/[.!]+$/, '')
    const start = match.index
    const before = text.slice(Math.max(0, start - nameReach), start)
    const isCopy = /^\(\d+\)\.\w{2,4}/.test(text.slice(start + value.length))
    return !isCopy && isRandom(value, before) ? [{ start, end: start + value.length }] : []
  })
}

function isRandom(value: string, before: string): boolean {
  if (uuid.test(value) || file.test(value) || digestPrefix.test(before) || /^(?:sha\d{1,3}|md5)-|^v?\d+\.\d+\b/i.test(value)) return false
  if (hex.test(value))
    return /[a-f]/i.test(value) && /\d/.test(value) && value.length >= 32 && value.length !== gitHash && !hashName.test(before)
  if (/:\/\/\S*$/.test(before) || value.startsWith('www.')) return isRandomPath(value)
  return value.includes('/') ? isRandomPath(value) && !isPath(value) : isDrawn(value)
}

/** In an address or a path, a part of it may be a key. */
function isRandomPath(value: string): boolean {
  return (
    value.split(/[/.&=]/).some((part) => part.length >= 24 && !uuid.test(part) && !hex.test(part) && isDrawn(part)) ||
    isDrawnWithSlash(value)
  )
}

function isPath(value: string): boolean {
  const parts = value.split('/').filter((part) => part !== '')
  return parts.filter((part) => wordShare(part) >= 0.5).length * 2 >= parts.length
}

/** Base64 contains slashes at random. */
function isDrawnWithSlash(value: string): boolean {
  return value.length >= 32 && isDrawn(value.replaceAll('/', ''))
}

/** Three kinds of characters that alternate, and hardly a word in it. */
function isDrawn(value: string): boolean {
  if (value.length < 16) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length
  const share = wordShare(value)
  if (kinds === 3) return share < (value.length >= 24 ? 0.5 : 0.4) && entropy(value) >= 3
  if (kinds === 2)
    return value.length >= 20 && share < 0.3 && entropy(value) >= 3.2 && (/\d/.test(value) || /[a-z][A-Z].*[a-z][A-Z]/.test(value))
  return false
}

/** The share of characters that belong to pieces which look like words, numbers or versions. */
function wordShare(value: string): number {
  const pieces = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^A-Za-z\d]+/g) ?? []
  const known = pieces.filter((piece) => isWord(piece)).reduce((sum, piece) => sum + piece.length, 0)
  return value === '' ? 0 : known / value.length
}

function isWord(piece: string): boolean {
  if (!/^[A-Za-z]+$/.test(piece)) return false
  return piece.length >= 4 && /[aeiouy]/i.test(piece) && !/[bcdfghjklmnpqrstvwxz]{5}|[aeiou]{4}/i.test(piece)
}

/** Bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / value.length) * Math.log2(count / value.length), 0)
}
