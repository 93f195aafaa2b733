// Finds secrets in what a user wrote, so that no memory contains one. Pure.

import { compileExpressions } from '../../../scheduler/compile-expressions.ts'
import type { SlicedWork } from '../../../scheduler/slices.ts'
import { accessCodes, accessPatterns } from './access-codes.ts'
import { anyForeignLabel, foreignLabelPatterns, foreignPasswords } from './foreign-labels.ts'
import { privateKeyFormats, tokenFormats } from './formats.ts'
import type { SecretKind } from './kinds.ts'
import {
  anyLabel,
  bareLabel,
  clauseLabel,
  distantLabel,
  drawnPhrase,
  loginPair,
  needsDigits,
  needsLetters,
  numberLabel,
  ordinaryWords,
  phraseLabel,
  plainCode,
  signedLabel,
  spokenLabel,
} from './labels.ts'
import { hasTopic, topicPatterns, valuesNearTopics } from './near-topic.ts'
import { oneTimeCodePatterns, oneTimeCodes } from './one-time-codes.ts'
import { passwordShapes } from './password-shape.ts'
import { randomStrings } from './randomness.ts'
import {
  afterValue,
  bracketed,
  commandOptions,
  drawnWords,
  givenAnswer,
  interrupted,
  memorable,
  networkKey,
  nextLine,
  numberedWords,
  passLabel,
  passwordCells,
  questionContext,
  securityAnswer,
  setTo,
} from './wordings.ts'

export type { SecretKind } from './kinds.ts'

export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: SecretKind
}

export const secretMask = '[secret]'

/** What every secret has: a digit, a long word, or a label; or its sentence has a topic. The other expressions take long to compile, and most texts need none of them. */
const possible =
  /\d|\S{16}|pass|pwd|\bpw\b|secret|token|key|code|\bpin\b|\bpuk\b|\botp\b|\bcv[vc]|credential|\bcreds?\b|comb(?:o|ination)|\bseed\b|memorable|phrase|\bwords\b|log[\s-]?in|user|account|maiden|question|wi-?fi|wlan|hotspot|ssid|\bjoin\b|2fa|rescue|first (?:pet|school|car|teacher|street)|answer|nickname|:\/\/|BEGIN/i

/** May be shown to everyone. */
const publicKey = /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[\w-]+|sk-ssh-[\w@.-]+)[ \t]+[A-Za-z0-9+/]+=*/g

/** In order, without overlaps. */
export function findSecrets(text: string): readonly SecretSpan[] {
  if (!possible.test(text) && !anyForeignLabel.test(text) && !hasTopic(text)) return []
  const spans = [
    ...privateKeys(text),
    ...tokens(text),
    ...urlPasswords(text),
    ...cards(text),
    ...labeled(text),
    ...worded(text),
    ...codes(text),
    ...random(text),
    ...[...foreignPasswords(text), ...valuesNearTopics(text)].map((span) => ({ ...span, kind: 'labeled' as const })),
  ]
  const open = spansOf(text, publicKey, 'token')
  const isOpen = (span: SecretSpan) => open.some(({ start, end }) => start <= span.start && span.end <= end)
  return joined(spans.filter((span) => span.end > span.start && text.slice(span.start, span.end) !== secretMask && !isOpen(span)))
}

export function maskSecrets(text: string): string {
  let [masked, at] = ['', 0]
  for (const { start, end } of findSecrets(text)) {
    masked += text.slice(at, start) + secretMask
    at = end
  }
  return masked + text.slice(at)
}

export function hasSecret(text: string): boolean {
  return findSecrets(text).length > 0
}

/** Before the first use, in slices. */
export function compileSecretPatterns(): SlicedWork<void> {
  const labels = [signedLabel, spokenLabel, bareLabel, numberLabel, distantLabel, clauseLabel, loginPair, phraseLabel, drawnPhrase]
  const worded = [
    afterValue,
    nextLine,
    passLabel,
    setTo,
    networkKey,
    securityAnswer,
    givenAnswer,
    memorable,
    drawnWords,
    numberedWords,
    ...commandOptions,
  ]
  return compileExpressions([
    ...labels,
    ...worded,
    ...accessPatterns,
    ...topicPatterns,
    anyForeignLabel,
    ...foreignLabelPatterns,
    ...oneTimeCodePatterns,
    ...tokenFormats.map((format) => format.pattern),
    ...privateKeyFormats,
  ])
}

function privateKeys(text: string): SecretSpan[] {
  return privateKeyFormats.flatMap((pattern) => spansOf(text, pattern, 'private_key'))
}

function tokens(text: string): SecretSpan[] {
  return tokenFormats.flatMap(({ pattern }) => spansOf(text, pattern, 'token'))
}

const userInfo = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:([^\s/]{1,200})@[^\s@]/dgi
const queryValue =
  /[?&#;](?:access_token|id_token|refresh_token|token|api_?key|key|sig|signature|secret|password|pwd|auth|code|sas)=([^\s&#"'<>]{6,})/dgi

function urlPasswords(text: string): SecretSpan[] {
  return [...groupsOf(text, userInfo), ...groupsOf(text, queryValue)].map((span) => ({ ...span, kind: 'url_password' }))
}

const cardNumber = /(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-])/g

/** Numbers of payment cards: their last digit checks the others. */
function cards(text: string): SecretSpan[] {
  return spansOf(text, cardNumber, 'card_number').filter(({ start, end }) => isCardNumber(text.slice(start, end).replace(/\D/g, '')))
}

function isCardNumber(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return isCardLength(digits) && sum % 10 === 0
}

/** The first digits belong to a brand, whose numbers have a length. An IMEI has fifteen digits as well. */
function isCardLength(digits: string): boolean {
  if (/^3[47]/.test(digits)) return digits.length === 15
  if (/^3[068]/.test(digits)) return digits.length === 14
  return /^(?:35|4|5[1-5]|2[2-7]|6)/.test(digits) && digits.length >= 16
}

function labeled(text: string): SecretSpan[] {
  if (!anyLabel.test(text)) return []
  const signed = groupsOf(text, signedLabel).filter((group) => !isOrdinary(group, text))
  const spoken = groupsOf(text, spokenLabel).filter(
    (group) => !isOrdinary(group, text) && !/\p{L}(?:ed|ing|able|ful|less)$/u.test(group.value),
  )
  const bare = [
    ...[...groupsOf(text, bareLabel), ...groupsOf(text, loginPair)].filter(({ value }) => isUnlikeWords(value)),
    ...groupsOf(text, bareLabel).filter(({ label, value }) => passwordName.test(label) && isNumbered(value)),
  ]
  const distant = [...groupsOf(text, distantLabel), ...groupsOf(text, clauseLabel)].filter(
    ({ value, label }) =>
      (/^\d[\d -]{2,18}$/.test(value) && digitsIn(value) >= (plainCode.test(label) ? 4 : 3) && !needsLetters.test(label)) ||
      isUnlikeWords(value),
  )
  const phrases = groupsOf(text, phraseLabel).filter(
    ({ label, value }) => /[:=]/.test(label) || !ordinaryWords.has(value.split(/\s/)[0]?.toLowerCase() ?? ''),
  )
  const drawn = groupsOf(text, drawnPhrase).filter(({ value }) => !value.split('-').some((part) => ordinaryWords.has(part.toLowerCase())))
  const numbers = groupsOf(text, numberLabel)
  return [...signed, ...spoken, ...bare, ...numbers, ...distant, ...phrases, ...drawn].map(({ start, end }) => ({
    start,
    end,
    kind: 'labeled',
  }))
}

/** Without a label directly in front. */
function worded(text: string): SecretSpan[] {
  const unlike = [...groupsOf(text, afterValue), ...groupsOf(text, nextLine), ...groupsOf(text, networkKey)].filter(
    ({ value }) => isUnlikeWords(value) || /^["'`“‘]/.test(value),
  )
  const plain = [
    ...[passLabel, bracketed, interrupted, setTo].flatMap((one) => groupsOf(text, one)),
    ...commandOptions.flatMap((option) => groupsOf(text, option)),
  ]
  const answers = questionContext.test(text) ? [securityAnswer, givenAnswer, memorable].flatMap((one) => groupsOf(text, one)) : []
  const drawn = groupsOf(text, drawnWords).filter(({ value }) => isDrawn(value.split(/\s+/)))
  const words = [...drawn, ...groupsOf(text, numberedWords)]
  const said = [...plain, ...answers].filter((group) => !isOrdinary(group, text))
  return [...unlike, ...said, ...words, ...passwordCells(text)].map(({ start, end }) => ({
    start,
    end,
    kind: 'labeled',
  }))
}

/** In a sentence, more of them would hold it together. */
function isDrawn(words: readonly string[]): boolean {
  return words.filter((word) => ordinaryWords.has(word)).length * 4 <= words.length
}

function codes(text: string): SecretSpan[] {
  const access = accessCodes(text, cards(text).length > 0).map((span) => ({ ...span, kind: 'labeled' as const }))
  return [...access, ...oneTimeCodes(text).map((span) => ({ ...span, kind: 'one_time_code' as const }))]
}

function random(text: string): SecretSpan[] {
  return [...randomStrings(text), ...passwordShapes(text)].map((span) => ({ ...span, kind: 'high_entropy' }))
}

const isRemoved = /^\[?(?:redacted|masked|hidden|removed|omitted)\b/i
/** An address, a variable, a row of asterisks, what is masked already. */
const isNoValue = /^["']?(?:https?:|\d[A-Z][a-z]+\.?$|\[secret\]?|\$\{|\$\(|\$[A-Z_]+\b|\{\{|%[A-Z_]+%|[*•.x_-]+["']?$)/
const counted = /^[ \t]?(?:%|percent|lines|files|years|months|days|hours|characters|chars|bytes|kb|mb|tests|times)/i

const digitsIn = (value: string): number => value.replace(/\D/g, '').length

function isOrdinary({ label, value, end }: Group, text: string): boolean {
  if (plainCode.test(label) && (digitsIn(value) < 4 || counted.test(text.slice(end)))) return true
  if (needsDigits.test(label) && !/\d/.test(value)) return true
  if (needsLetters.test(label) && /^[\d.,kKmM% ]+$/.test(value)) return true
  const words = value.replace(/^["'`“‘]|["'`”’]$/g, '').split(/\s/)
  const ordinary = words.filter((word) => ordinaryWords.has(word.toLowerCase().replace(/['’].*$|[.!?:]+$/gu, '')))
  return (
    (words.length <= 1 ? ordinary.length > 0 : words.length > 2 && ordinary.length * 2 >= words.length) ||
    isNoValue.test(value) ||
    isRemoved.test(value)
  )
}

/** A digit or a sign within: "hunter2", "Blue-Door!9", not "reset" or "manager". */
function isUnlikeWords(value: string): boolean {
  const bare = value.replace(/^["'`“]|["'`”]$/g, '')
  return (
    bare.length >= 6 &&
    /\p{L}/u.test(bare) &&
    /\d|[!@#$%^&*+=?]/.test(bare.slice(0, -1)) &&
    !/^v?\d+(?:\.\d+)+/.test(bare) &&
    !/^[\p{L}]+[’']/u.test(bare)
  )
}

const passwordName = /^(?:pass\s?word|passwd|passwort|pwd|pw|pass[\s-]?(?:phrase|code))\b/iu

/** "hunter2" behind "password"; "field2" is none. */
function isNumbered(value: string): boolean {
  const [, word = ''] = /^(\p{L}{4,})\d{1,6}[!?]?$/u.exec(value.replace(/^["'`“]|["'`”]$/g, '')) ?? []
  return word !== '' && !ordinaryWords.has(word.toLowerCase()) && !countedThing.test(word)
}

const countedThing =
  /^(?:version|step|level|part|test|phase|stage|release|draft|option|input|field|form|page|rule|hash|sha|argon|scrypt|user|question|round|tier|type|item|table|column|chapter|figure|version)s?$/i

interface Group {
  readonly start: number
  readonly end: number
  readonly label: string
  readonly value: string
}

/** The first group of each match, without the punctuation that ends the sentence. */
function groupsOf(text: string, pattern: RegExp): Group[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [start, end] = match.indices?.[1] ?? [0, 0]
    const value = (match[1] ?? '').replace(/(?<=.)[.,;:?…]+$/u, '')
    return value === '' ? [] : [{ start, end: Math.min(end, start + value.length), label: match[0], value }]
  })
}

function spansOf(text: string, pattern: RegExp, kind: SecretKind): SecretSpan[] {
  return [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length, kind }))
}

function joined(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const ordered = [...spans].sort((left, right) => left.start - right.start || right.end - left.end)
  const done: SecretSpan[] = []
  for (const span of ordered) {
    const last = done.at(-1)
    if (!last || span.start >= last.end) done.push(span)
    else if (span.end > last.end) done[done.length - 1] = { ...last, end: span.end }
  }
  return done
}
