// Makes a sentence readable alone: a pronoun becomes the name it certainly means, otherwise the earlier sentence comes along. Pure.
import { maskSecrets, secretMask } from '../secret/secrets.ts'
import { beginsWithPronoun, leansBack } from './leaning.ts'
import { namesIn, peopleIn } from './names.ts'

const person = /\b(?:he|she|him|her|his|hers|he's|she's|he'll|she'll)\b/i
/** `near` are the user's own sentences before it in the same message, `earlier` those of the messages before; the latest last. */
export function standalone(sentence: string, near: readonly string[], earlier: readonly string[]): string {
  const before = [...earlier, ...near]
  const own = maskSecrets(sentence).trim()
  const previous = near.at(-1) ?? (beginsWithPronoun(own) ? earlier.at(-1) : undefined)
  if (person.test(own) && !hasAntecedent(own)) {
    const named = certainName(before)
    const resolved = named === null ? null : withName(own, named)
    if (resolved !== null) return finished(resolved)
    return finished(joined(sinceName(before), own))
  }
  return finished(leansBack(own) && previous !== undefined ? joined([previous], own) : own)
}

/** A person is named before the pronoun. */
function hasAntecedent(sentence: string): boolean {
  const at = person.exec(sentence)?.index ?? 0
  return namesIn(sentence).some(({ start }) => start < at)
}

/** The person named last, if one person only is named there. */
function certainName(before: readonly string[]): string | null {
  for (const sentence of before.slice(-3).reverse()) {
    const names = [...new Set(peopleIn(sentence).map(({ text }) => text))]
    if (names.length > 0) return names.length === 1 ? (names[0] ?? null) : null
  }
  return null
}

/** From the last sentence that names a person on. */
function sinceName(before: readonly string[]): readonly string[] {
  const recent = before.slice(-3)
  const at = recent.findLastIndex((sentence) => peopleIn(sentence).length > 0)
  return at === -1 ? [] : recent.slice(at)
}

/** Only a pronoun in the place of the subject, which has one reading. */
function withName(sentence: string, name: string): string | null {
  const lead = /^((?:and|but|so|also|ok|yes|well|actually|oh)[,\s]+)*/i.exec(sentence)?.[0] ?? ''
  const rest = sentence.slice(lead.length)
  const found = /^(he|she)('s|'ll|’s|’ll)?\b/i.exec(rest)
  if (!found) return null
  const verb = found[2] === undefined ? '' : /ll/.test(found[2]) ? ' will' : ' is'
  return `${name}${verb}${rest.slice(found[0].length)}`
}

function joined(before: readonly string[], sentence: string): string {
  const safe = before.map((one) => maskSecrets(one)).filter((one) => !one.includes(secretMask))
  return [...safe, sentence].map(ended).join(' ')
}

function ended(sentence: string): string {
  const trimmed = sentence.trim()
  return /[.!?…:]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

function finished(sentence: string): string {
  const text = ended(sentence.replace(/^(?:(?:and|also|so|ok|okay|yes|yep|oh|ah|well|btw|by the way|good|great|nice)[,.\s]+)+(?=\S)/i, ''))
  return text.charAt(0).toUpperCase() + text.slice(1)
}
