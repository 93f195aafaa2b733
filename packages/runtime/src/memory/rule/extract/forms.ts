// What a sentence does other than state something: ask, suppose, request, joke. Pure.
import type { Reading } from './reading.ts'
import { requestVerbs } from './words.ts'

const openQuestion = /^(?:what|whats|what's|how|how's|who|who's|whose|whom|where|where's|why|which)\b/
const invertedQuestion =
  /^(?:is|are|am|was|were|do|does|did|can|could|would|will|should|shall|may|might|have|has|had|isn't|aren't|don't (?:you|we|i|they)\b|doesn't|didn't|can't|couldn't|wouldn't|won't|shouldn't|haven't|hasn't)\s+(?:i|you|u|ya|we|he|she|it|they|there|this|that|these|those|the|a|an|my|our|your|his|her|their|anyone|someone|any|people)\b/
const tagQuestion =
  /,\s*(?:right|no|ok|okay|yes|correct|isn't it|don't you|do you|can you|could you|is it|doesn't it|aren't they|eh|huh)\?$/

export function isQuestion({ core, asked, words }: Reading): boolean {
  if (openQuestion.test(core) && !/^(?:what|how|which|who|where)\b[^,]*\b(?:is|are|matters|counts)\b[^,]*\b(?:that|is|to)\b/.test(core))
    return true
  if (/^(?:any|anything|anyone|got|know|think|possible|worth)\b/.test(core) && asked) return true
  if (asked && tagQuestion.test(core) && words.length > 5) return false
  return (
    asked ||
    invertedQuestion.test(core) ||
    /\b(?:what do you think|do you think|any ideas?|i wonder|wondering|no idea|not sure|don't know|dunno|who knows|or not)\b/.test(core)
  )
}

/** A question in form that asks for something again and again: "can you send me a summary every Monday?". */
export function asksForHabit({ core }: Reading): boolean {
  return (
    /^(?:can|could|would|will) you\b/.test(core) &&
    /\b(?:always|every (?!thing)|each |from now on|in future|in the future|going forward|whenever|weekly|daily|monthly|never|stop)\b/.test(
      core,
    )
  )
}

const hypothetical =
  /\b(?:what if|suppose|supposing|imagine|hypothetical(?:ly)?|if i (?:were|was|had|lived|could|ever)|if we (?:were|had|ever|could)|i'd (?:have|be|go|eat|need)\b.*\bif|would(?:n't)? (?:it|that|we|you|they|be|have)|could (?:we|i)|might|maybe|perhaps|possibly|tempted|thinking (?:about|of|aloud|out loud)|toying|playing with the idea|considering|not decided|undecided|haven't decided|just curious|one day|some ?day|we'll see|who knows|in theory|theoretically|in an ideal world|dream|wish|wonder|not sure|i guess|i suppose|probably|let's see|would be (?:nice|cool|fun|great)|no idea|kidding|joking|just a joke|jk)\b/

export function isHypothetical({ core }: Reading): boolean {
  return hypothetical.test(core)
}

const polite =
  /^(?:please |pls |kindly |now |then |quickly |go ahead and |let me know|(?:can|could|would|will) you (?:please )?|i (?:need|want|would like|'d like) you to |i'd like you to |help me |you can |you may |you could )/

/** The verb of a request, or null: "rename this", "please send it". */
export function requestOf({ core }: Pick<Reading, 'core'>): string | null {
  const rest = core.replace(polite, '')
  const verb = /^([a-z]+)\b/.exec(rest)?.[1] ?? ''
  if (!requestVerbs.has(verb)) return null
  const next = /^[a-z]+(?:\s+([^\s]+))?/.exec(rest)?.[1] ?? ''
  // "Search on the site is", "Work starts at": a noun that is spelled like a verb.
  if (
    /^[a-z]+:/.test(rest) ||
    /^(?:is|are|was|were|will|stays?|goes|must|should|has|have|needs?|can|of|starts?|ends?|gets?|comes|runs|may|always|never|only|went|had|did|failed|[a-z]{3,}ed)$/.test(
      next,
    )
  )
    return null
  if (
    /^[a-z]+ (?:\S+ ){1,4}(?:finished|failed|went|took|ran|worked|started|happened|was|were|ended|passed|opened|closed)\b/.test(rest) &&
    !/\b(?:that|which|where|what|if|who|how|it|the|a|an|my|our)\b/.test(
      rest.split(/\b(?:finished|failed|went|took|ran|worked|started|happened|was|were|ended|passed|opened|closed)\b/)[0] ?? '',
    )
  )
    return null
  if (/^[a-z]+ \S+ (?:can't|cannot|can|don't|won't)\b/.test(rest)) return null
  if (
    /^[a-z]+ (?:[a-z]+ ){1,4}(?:is|are|was|stays?|goes|must|should|has to|have to|needs? to|gets?|will be|moves?) /.test(rest) &&
    !/\b(?:that|which|where|what|if|whether|who|how|while|it|this)\b/.test(
      rest.split(/\b(?:is|are|was|stays?|goes|must|should|has|have|needs?|gets?|will|moves?)\b/)[0] ?? '',
    )
  )
    return /^(?:tests?|search|work|plan|book|report|review|design|release|label|log|paint|order|mail|post|file|map|test|build|deploy|backup|back|support|access|time|name|call|plot|figure|record|data|store|stage|place|group|lead|host|import|export|queue)\b/.test(
      rest,
    )
      ? null
      : verb
  return verb
}

const chatter =
  /\b(?:lol|haha+|hehe|lmao|rofl|omg|wtf|good (?:night|morning|evening)|happy (?:birthday|easter|christmas|new year|holidays)|see you|bye|ciao|cheers|thank you|thanks|thx|congrats|congratulations|sorry|my bad|no worries|never mind|nevermind|love it|well done|good job|great job|nice one|told you|don't laugh|don't answer|guess what)\b/

export function isChatter({ core, words }: Reading): boolean {
  return chatter.test(core) && words.length <= 9
}

/** "He said that we should": someone else's wish, not the user's. */
export function isReported({ core }: Reading): boolean {
  return (
    /(?<!\b(?:i|we|stop|keep|you) )\b(?:asked|asks|wonders|suggested|suggests|claims|claimed|joked|thinks|hopes|hoped) (?:if|whether|that|we|about|to|for|me)\b/.test(
      core,
    ) || /^["“]/.test(core)
  )
}
