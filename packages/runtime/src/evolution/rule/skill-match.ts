// Whether a skill of the registry does what is repeated: by the words of its description. Pure.
import { conceptsOf } from './concepts.ts'
import { constraintsIn } from './constraint.ts'

export interface RegistrySkill {
  readonly name: string
  readonly description: string
}

/** A match shares so many words, and this share of the words of its description. */
const [fewestWords, leastShare] = [3, 0.3]

/** The best match, or null. `words`: the requests, and the parts of the shapes. */
export function matchingSkill(words: readonly string[], skills: readonly RegistrySkill[]): string | null {
  const known = knownIn(words)
  const scored = skills.map(({ name, description }) => {
    const wanted = conceptsOf(apart(`${name} ${description}`))
    const shared = wanted.filter((concept) => known.has(concept.name))
    return { name, shared: shared.length, share: wanted.length === 0 ? 0 : shared.length / wanted.length }
  })
  const [best] = scored
    .filter(({ shared, share }) => shared >= fewestWords && share >= leastShare)
    .toSorted((left, right) => right.share - left.share || (left.name < right.name ? -1 : 1))
  return best?.name ?? null
}

/** Without what is attached to a request: it has nothing to do with the routine. */
function knownIn(words: readonly string[]): ReadonlySet<string> {
  return new Set(
    words.flatMap((text) => {
      const attached = text.includes(' ') ? constraintsIn({ text, starts: true }) : []
      const own = attached.reduce((rest, one) => rest.replace(one.text, ' '), text)
      return conceptsOf(apart(own)).map(({ name }) => name)
    }),
  )
}

/** `browser.screenshot review/*.png` has three words. */
function apart(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ')
}
