// Whether a request asks for what earlier texts are about, by words and by meaning. Pure.
import { constraintsIn } from './constraint.ts'
import { likeness, type Meaning } from './same-demand.ts'

/** In units of the bundled embedder; determined as docs/decisions/0076 says. */
const [ofWords, least, leastWithoutMeaning] = [0.4, 0.3, 0.25]

/**
 * From 0 to 1; it matches from `threshold` on. `words`: the share of the words of the request that the texts have. The two nearest texts decide:
 * a recommendation is made from requests that have little in common.
 */
export function requestLikeness(request: Meaning | null, texts: readonly (Meaning | null)[], words: number, threshold: number): number {
  const score = (above: number) => Math.max(0, Math.min(1, threshold + above))
  if (!request) return score(words - leastWithoutMeaning)
  const near = texts
    .flatMap((text) => (text?.model === request.model ? [likeness(request, text)] : []))
    .toSorted((left, right) => right - left)
    .slice(0, 2)
  if (near.length === 0) return score(words - leastWithoutMeaning)
  const meaning = near.reduce((sum, one) => sum + one, 0) / near.length
  return score(meaning + ofWords * words - least)
}

/** Without what is attached to it, and without what differs each time: dates, versions and numbers. */
export function plainRequest(text: string): string {
  const own = constraintsIn({ text, starts: true }).reduce((rest, one) => rest.replace(one.text, ' '), text)
  const plain = own
    .replace(/\bv?\d[\d.:/-]*(?:-?w\d+)?\b/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return /\p{L}/u.test(plain) ? plain : text
}
