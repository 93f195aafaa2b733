// Names of people and things in a sentence, by their capitals. Pure.
import { roles } from './words.ts'

export interface Name {
  readonly text: string
  readonly start: number
  readonly end: number
}

const capital = String.raw`\p{Lu}[\p{Ll}'’]+(?:-\p{Lu}[\p{Ll}'’]+)*`
const particle = '(?:d[aeiou]s?|van|von|der|den|la|le|di|del|el|bin|al|y|e|of)'
const pattern = new RegExp(
  String.raw`(?<![\p{L}\p{N}@/._-])(?:${capital}|\p{Lu}\.)(?:\s(?:${particle}\s)?(?:${capital}|\p{Lu}\.(?=\s|$|,)))*`,
  'gu',
)

/** Capitalized words that name nobody. */
const common = new Set(
  (
    'I The A An And But So Or If It He She They We You My Our Your His Her Their This That These Those There Here When Where What Who Why How Which Please Also Yes No Not ' +
    'Ok Okay Never Always Every Each Only Just Now Then For From To In On At By With Without Before After Until Since Because As Let Lets Can Could Would Should Will Do Does ' +
    'Did Is Are Was Were Be Have Has Had Don Dont Use Keep Put Make Call Write Send Add Run Set Take Give Tell Show Nothing Everything Anything Something All Some Any More ' +
    'Most One Two Three Four Five Six Seven Eight Nine Ten First Second Last Next New Old Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays ' +
    'Wednesdays Thursdays Fridays Saturdays Sundays January February March April May June July August September October November December English German French Spanish ' +
    'Portuguese Italian Dutch British American European Thanks Hello Hi Hey Morning Good Great Nice Actually Anyway Well Remember Note Scrap Forget Instead Today Tomorrow ' +
    'Yesterday Tonight Re Mr Mrs Ms Dr Prof Nope Right Careful Maybe Perhaps Both Another Other Half'
  ).split(' '),
)

/** A capital at the beginning of a sentence says little: a single word there counts only if a verb of a person or a role follows. */
export function namesIn(text: string): readonly Name[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const words = match[0].split(' ')
    const lead = words.findIndex((word) => !common.has(word.replace(/['’].*$/, '')))
    if (lead === -1) return []
    const kept = words
      .slice(lead)
      .join(' ')
      .replace(/['’]s?$/, '')
    const start = match.index + words.slice(0, lead).join(' ').length + (lead > 0 ? 1 : 0)
    if (isAtBeginning(text, start) && !kept.includes(' ') && !isSubject(text.slice(start + kept.length))) return []
    return [{ text: kept, start, end: start + kept.length }]
  })
}

const role = roles.join('|')
const afterPerson =
  /^(?:['’]s\b|\s\((?:my|our|the|his|her)\b|,\s(?:my|our|the|his|her|who|a)\b|\s(?:is|was|has|had|wants?|will|isn't|doesn't|can't|won't|[a-z]+s|[a-z]+ed|took|left|quit|went|got|and)\b|['’]ll\b)/i
const roleBefore = new RegExp(String.raw`\b(?:${role})s?\b,?\s(?:is\s|called\s|named\s)?$`, 'i')
const ownsRole = new RegExp(String.raw`^['’]s (?:\w+ )?(?:${role})\b`, 'i')
const personAround = new RegExp(String.raw`\b(?:${role})s?\b`, 'i')

function isAtBeginning(text: string, at: number): boolean {
  return /(?:^|[.!?:…]\s+)["“'(]?$/.test(text.slice(0, at))
}

function isSubject(after: string): boolean {
  return afterPerson.test(after)
}

/** Names that the sentence treats as a person's: a role beside it, a verb of a person after it, two names in a row. */
export function peopleIn(text: string): readonly Name[] {
  return namesIn(text).filter(({ text: name, start, end }) => {
    const [before, after] = [text.slice(Math.max(0, start - 40), start), text.slice(end, end + 60)]
    if (/^\p{Lu}[\p{L}'’-]+ (?:\p{Lu}[\p{Ll}'’-]+|\p{Lu}\.)$/u.test(name) && !/\b(?:at|in|from|to|via)\s(?:the\s)?$/i.test(before))
      return true
    if (roleBefore.test(before)) return true
    if (/\b(?:with|ask|tell|told|asked|met|from|and|calls? (?:him|her|them)|called|named|call|remind|cc|copy|mail|ping)\s$/i.test(before))
      return true
    if (/^(?:,| \()\s?(?:my|our|the|his|her|their|a)\b/i.test(after) && personAround.test(after)) return true
    if (ownsRole.test(after)) return true
    return /^\s(?:is|was)\s(?:my|our|the|a|an|his|her)\b/i.test(after)
      ? personAround.test(after)
      : /^\s(?:says?|said|wants?|wanted|thinks|prefers|likes|hates|loves|called|asked|told|wrote|agreed|left|needs|knows|works|lives|leads|runs|owns|reads|does|only|never|always|and I)\b/i.test(
          after,
        )
  })
}
