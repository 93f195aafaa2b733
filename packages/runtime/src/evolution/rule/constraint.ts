// The instructions of a person that hold beyond the request they come with. Pure.
import { ownSentences } from '../../memory/rule/extract/own-words.ts'
import { type Concept, conceptsOf } from './concepts.ts'

export interface Constraint {
  readonly text: string
  readonly concepts: readonly Concept[]
  /** It forbids something, at a place or by a name that a policy can express. */
  readonly forbids: boolean
}

export interface SaidText {
  readonly text: string
  /** It started the run: its main sentence is the request. */
  readonly starts: boolean
}

const longestConstraint = 240

/** In their order. */
export function constraintsIn({ text, starts }: SaidText): readonly Constraint[] {
  const sentences = ownSentences(text).map((sentence) => sentence.text.trim())
  const [only] = sentences
  // One sentence is the request; only what is attached to it can hold beyond it.
  const said = starts && sentences.length === 1 && only !== undefined ? clauseOf(only) : sentences
  return said.flatMap((sentence) => {
    if (sentence.length > longestConstraint || sentence.endsWith('?') || !(isInstruction(sentence) || isCustom(sentence))) return []
    const concepts = conceptsOf(sentence)
    return concepts.length === 0 ? [] : [{ text: sentence, concepts, forbids: isForbidding(sentence) }]
  })
}

const attached =
  /,\s+((?:and|und|but|aber|with|mit|without|ohne|und zwar|in|auf|using|dabei|jedoch|as|wie)\s.*|[^,]*\b(?:dabei|bitte|please)\b[^,]*)$/iu

function clauseOf(sentence: string): readonly string[] {
  const clause = attached.exec(sentence)?.[1]
  return clause === undefined ? [] : [clause.replace(/\?$/, '')]
}

const restricts =
  /\b(?:not|never|no|none|without|only|don['’]t|do not|must|should|always|every|each|wherever|whenever|instead|rather|stays?|leave|keep|hands off|use|reply|replies|answer|respond|report|write|format|in (?:german|english|french)|like \d|have to|nicht|nie|niemals|kein\p{L}*|nichts|ohne|nur|immer|jede\p{L}*|stets|sondern|statt|bleib\p{L}*|lass\p{L}*|finger weg|tabu|antwort\p{L}*|schreib\p{L}*|nimm|verwend\p{L}*|benutz\p{L}*|nutz\p{L}*|auf (?:deutsch|englisch)|deutsch|german|form|zuerst|first|wie \d|nach iso|muss|müssen|soll\p{L}*|bevor|before|avoid|skip|spare|prefer|make sure|ensure|from now on|in future|stick to|unless|until|would like|vermeid\p{L}*|verzicht\p{L}*|spar\p{L}*|lieber|besser|am besten|achte|beacht\p{L}*|denk\p{L}*|sorg\p{L}*|künftig|ab jetzt|in zukunft|halt\p{L}* dich|solange|bis|erst|möchte|hätte gern\p{L}*|gehör\p{L}*|darfst?|dürfen)\b/iu

export function isInstruction(sentence: string): boolean {
  return restricts.test(sentence)
}

/** How it is done here, always: "We install with uv here", "Bei mir läuft alles über uv". */
const custom =
  /\b(?:here|around here|in (?:all|any|every|each) (?:of )?(?:my|our)|we (?:use|do|write|install|work|have|keep|call)|everything|all of (?:it|them)|at most|at the most|no more than|if you (?:need|have to|must|can)|through|with \p{L}+\s*$|hier|bei (?:mir|uns)|alles|wird|werden|höchstens|maximal|nicht mehr als|mit \p{L}+\s*$|über \p{L}+\s*$|fass dich|das wichtigste|version|please|bitte)(?!\p{L})/iu

function isCustom(sentence: string): boolean {
  return custom.test(sentence.replace(/[.!]+$/, ''))
}

const forbidding =
  /\b(?:no|not|kein\p{L}*|never|don['’]t|do not|without|leave|hands off|stays?|untouched|off limits|nicht|nie|niemals|nichts|ohne|finger weg|tabu|bleib\p{L}*)\b/iu
/** A place on disk, a host, a branch or a program: what a policy of tools can name. */
const place =
  /[\w-]+\/|\b[\w-]+\.[a-z]{2,4}\b|\b(?:folder|directory|branch|server|database|production|network|internet|ordner|verzeichnis|zweig|datenbank|produktion|netz)\b|\b(?:touch|delete|push|install|deploy|commit|anfass\p{L}*|anzufassen|lösch\p{L}*|installier\p{L}*)\b/iu

function isForbidding(sentence: string): boolean {
  return forbidding.test(sentence) && place.test(sentence)
}
