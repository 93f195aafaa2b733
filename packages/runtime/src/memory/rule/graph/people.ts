// Names of people and organisations in a text. A capitalised word alone is no evidence: products and places have capitals too. Pure.
import { afterPerson, beforePerson, notNames, organisationWords } from './mention-words.ts'

export interface NamedSpan {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly ontology_domain: 'person' | 'organization'
}

/** A capitalised word or an initial, as a regular expression. */
export const capitalised = String.raw`(?!I(?![\p{L}\p{M}]))\p{Lu}(?:[\p{L}\p{M}]+(?:['’-](?!s(?!\p{L}))\p{Lu}?[\p{L}\p{M}]+)*|\.(?= |$)|(?=[ ,.;:)]|$))`
/** What may stand between the words of a name. */
export const particle = '(?:d[aeo]s?|di|del|della|van|von|der|den|la|le|el|bin|of|of the)'

/** One or more capitalised words, with particles between them. */
export const names = new RegExp(String.raw`(?<![\p{L}\p{N}_@/.-])${capitalised}(?: (?:${particle} )?${capitalised})*`, 'gu')

export function peopleIn(text: string): readonly NamedSpan[] {
  const found: NamedSpan[] = []
  for (const match of text.matchAll(names)) {
    const span = trimmed(match[0], match.index)
    if (!span) continue
    const ontology_domain = domainOf(text, span, found)
    if (ontology_domain) found.push({ ...span, ontology_domain })
  }
  return found
}

/** Without words that are no names at either end: "When Ana", "Ana Friday". */
function trimmed(matched: string, at: number): { name: string; start: number; end: number } | undefined {
  let [name, start] = [matched, at]
  for (let first = name.split(' ')[0]; first && (notNames.has(first) || openings.has(first.toLowerCase())); first = name.split(' ')[0]) {
    const rest = name.slice(first.length).trimStart()
    start += name.length - rest.length
    name = rest
  }
  while (notNames.has(name.split(' ').at(-1) ?? '')) name = name.slice(0, Math.max(0, name.lastIndexOf(' ')))
  const isInitials = name.split(' ').every((part) => part.replace('.', '').length < 2)
  return name === '' || isInitials ? undefined : { name, start, end: start + name.length }
}

const openings = new Set(
  'the a an this that these those my our your his her its their when while if as after before since because for with without and or but so then also only not no never always every each all any some most what who where why how there here it he she they we you yes ok okay oh well actually please let in on at by from to until both either mail mails send tell ask call write email message remind contact ping meet keep use put add make show give release releases invoices handouts nothing everything anything'.split(
    ' ',
  ),
)

function domainOf(
  text: string,
  span: { name: string; start: number; end: number },
  found: readonly NamedSpan[],
): NamedSpan['ontology_domain'] | undefined {
  const [before, after] = [text.slice(Math.max(0, span.start - 40), span.start), text.slice(span.end, span.end + 40)]
  if (organisationWords.test(span.name)) return 'organization'
  if (/["“`]$/.test(before)) return undefined
  if (/\bat (?:the )?$/.test(before)) return 'organization'
  if (/\b(?:client|customer|company|employer|agency|supplier)s?,? (?:is |called |named )?$/i.test(before)) return 'organization'
  if (/\b(?:the|a|an)\s$/i.test(before)) return undefined
  if (/^[\p{Lu}\p{N}]+$/u.test(span.name)) return undefined
  if (beforePerson.test(before) || afterPerson.test(after)) return 'person'
  const previous = found.at(-1)
  const isJoined = previous?.ontology_domain === 'person' && /^(?:,| and|, and) $/.test(text.slice(previous.end, span.start))
  return isJoined || found.some(({ name }) => name === span.name) ? 'person' : undefined
}
