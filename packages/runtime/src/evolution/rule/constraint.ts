// The sentences of a person that may hold beyond the request they come with: how to work, not what to do. Pure.
//
// One sentence alone rarely shows it ("Use ISO dates." and "Add a dark theme." have the same form). So every sentence that can be one is a
// demand, and it asks if its grammar says so; whether it holds is decided by how often it is said (`evolution/sayings.ts`).
import { ownSentences } from '../../memory/rule/extract/own-words.ts'
import { type Concept, conceptsOf } from './concepts.ts'

export interface Demand {
  readonly text: string
  /** Its grammar asks for a way of working: a negation, a limit, a custom, a wish, or something that is said during the work. */
  readonly asks: boolean
  /** It forbids something, at a place or by a name that a policy can express. */
  readonly forbids: boolean
}

export interface Constraint extends Demand {
  readonly concepts: readonly Concept[]
}

export interface SaidText {
  readonly text: string
  /** It started the run: its main sentence is the request. */
  readonly starts: boolean
}

const longestDemand = 240

/** In their order. */
export function demandsIn({ text, starts }: SaidText): readonly Demand[] {
  const sentences = ownSentences(text).map((sentence) => sentence.text.trim())
  return sentences
    .flatMap((sentence) => partsOf(sentence, starts, sentences.length === 1))
    .filter((part) => part.length <= longestDemand && !isBare(part))
    .map((part) => ({ text: part, asks: !starts || isAsking(part), forbids: isForbidding(part) }))
    .filter(({ text: part, asks }) => asks || !states.test(part))
}

/** Only those that ask, with what they are about. */
export function constraintsIn(said: SaidText): readonly Constraint[] {
  return demandsIn(said).flatMap((demand) => {
    const concepts = conceptsOf(demand.text)
    return demand.asks && concepts.length > 0 ? [{ ...demand, concepts }] : []
  })
}

/** A request of one sentence can hold only what is attached to it. Otherwise a sentence counts whole, unless two things are in it. */
function partsOf(sentence: string, starts: boolean, alone: boolean): readonly string[] {
  if (!starts) return sentence.endsWith('?') ? [] : [sentence]
  const found = attached.exec(sentence) ?? (alone ? attachedToRequest.exec(sentence) : null)
  const clause = found?.[1]?.replace(/\?$/, '')
  const main = found ? sentence.slice(0, found.index) : sentence
  if (clause === undefined || isBare(clause)) return alone || sentence.endsWith('?') ? [] : [sentence]
  if (alone) return [clause]
  // "I only have a minute, so be brief." is one demand.
  if (isAsking(main)) return sentence.endsWith('?') ? [] : [sentence]
  return sentence.endsWith('?') ? [clause] : [main, clause]
}

const attached =
  /(?:,|\s[-–—])\s+((?:and|und|but|aber|with|mit|without|ohne|in|auf|using|as|jeweils|please|bitte)\s[^,]*|[^,]*(?<!\p{L})(?:dabei|jeweils)(?!\p{L})[^,]*)$/iu
/** More is attached to a request than to other sentences: the person ("the commit is mine") and what the answer is like ("answer in two, three lines"). */
const attachedToRequest =
  /,\s+([^,]*(?<!\p{L})(?:bitte|please|ich|i|mir|me|mine)(?!\p{L})[^,]*|\p{L}+ (?:in|on|auf|mit|with) [^,]*(?:,[^,]*)?)$/iu

/** Nothing but politeness and "as usual". */
function isBare(part: string): boolean {
  return !/[\p{L}\p{N}]/u.test(
    part.replace(/(?<!\p{L})(?:please|bitte|pls|danke|thanks|wie|immer|as|usual|the|way|always|und|and|dann|then|also|so)(?!\p{L})/giu, ''),
  )
}

/** It tells what is the case. */
const states =
  /^(?:the|there|an?|this|that|these|those|it|my|two|three|he|she|they|you|some|der|die|das|den|dem|eine?|es|dies\p{L}*|mein\p{L}*|zwei|drei|im|am|in der|seit|heute|gestern)\s/iu

const words = (list: string) => new RegExp(String.raw`(?<![\p{L}-])(?:${list.trim().replaceAll(/\s*\n\s*/g, '|')})(?![\p{L}-])`, 'iu')

/** Closed classes of words in both languages: negation, limits, frequency, modality, keeping and avoiding. */
const asking = words(String.raw`
  not|never|no|none|nothing|neither|without|only|(?:do|does|did|is|are|was|ca|wo|would|should)n['’]?t|instead|rather|unless|until|except|at (?:most|least)|no more than|as \p{L}+ as
  always|every|each|all|any|whatever|wherever|whenever|everything|anything|everywhere|from now on|first|before
  must|should|(?:have|has) to|need|want|would like|prefer|may|i will|i['’]ll|myself|mine|enough
  stays?|keep|leave|stick|remain|avoid|skip|make sure|ensure
  nicht|nie|niemals|kein\p{L}*|nichts|ohne|nur|statt|sondern|lieber|bis|solange|bevor|vorher|höchstens|mindestens|maximal|möglichst|so \p{L}+ wie
  immer|stets|jede\p{L}?|jeweils|alle[ns]?|alles|überall|künftig|ab jetzt|zuerst|erst
  muss|müssen|soll\p{L}*|brauche|will|möchte|hätten?|gern|darfst?|dürfen|selbst|selber|reicht|reichen|genügt|genügen
  bleib\p{L}*|lass\p{L}*|halte?|vermeid\p{L}*|achte|sonst|verzicht\p{L}*|dabei|finger weg|tabu`)

/** What is the custom here, and how the person wants to be answered. */
const custom = words(String.raw`
  me|we|our|in my|here|use|answer|reply|respond|speak|cite
  mir|wir|unsere?\p{L}?|bei (?:mir|uns)|hier|nimm|benutz\p{L}*|verwend\p{L}*|antwort\p{L}*|erklär\p{L}*|rede\p{L}*|sprich`)

export function isInstruction(sentence: string): boolean {
  return asking.test(sentence)
}

function isAsking(sentence: string): boolean {
  return isInstruction(sentence) || custom.test(sentence)
}

const forbidding = words(
  String.raw`no|not|kein\p{L}*|never|don['’]t|do not|without|leave|hands off|stays?|untouched|off limits|nicht|nie|niemals|nichts|ohne|finger weg|tabu|bleib\p{L}*`,
)
/** A place on disk, a host, a branch or a program: what a policy of tools can name. */
const place =
  /[\w-]+\/|\b[\w-]+\.[a-z]{2,4}\b|\b(?:folder|directory|branch|server|database|production|network|internet|ordner|verzeichnis|zweig|datenbank|produktion|netz)\b|\b(?:touch|delete|push|install|deploy|commit|anfass\p{L}*|anzufassen|lösch\p{L}*|installier\p{L}*)\b/iu

function isForbidding(sentence: string): boolean {
  return forbidding.test(sentence) && place.test(sentence)
}
