// Words that end an earlier memory, and what they end. Pure.
import { stopWords } from './words.ts'

const thing = '([^,.;:!?()]{2,60}?)'
const until = String.raw`(?=[,.;:!?()]|\s(?:then|and|but|because|since|as|so|now|again|for|from|is|are|in favou?r|at all|altogether|we|i|it|they|you|he|she|this|please|there)\b|$)`

/** "No more mails", "no calls then": how something is said, not what ends. */
const sayings = new Set(['mail', 'mails', 'email', 'emails', 'call', 'calls', 'text', 'texts', 'message', 'messages'])

/** In each, the first group is what ends. */
const endings: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:scrap|ditch|drop|shelve|abandon|cancel|forget about|kill off|get rid of|throw out|stop using|stop with|give up on|gave up on|we scrap|call off|calling off|cancelling|canceling|scrapping|ditching|dropping|shelving|pulling out of|pulled out of|backed out of|backing out of|withdrew from|forget the)\s(?:the\s)?${thing}${until}`,
    'i',
  ),
  new RegExp(String.raw`\b(?:scrapped|ditched|dropped|shelved|abandoned|cancelled|canceled|called off)\s(?:the\s)?${thing}${until}`, 'i'),
  new RegExp(
    String.raw`(?:^|[,.;:]\s|\b(?:and|so|but)\s)(?:the\s)?${thing}(?:'s|\s(?:is|are|was(?! over)|were(?! over)|has been|have been|gets?))\s(?:now\s|officially\s|all\s)?(?:dead|out|gone|history|over|off|off the table|obsolete|cancelled|canceled|dropped|scrapped|shelved|a mistake|not happening|no more|void|finished|moot|done for|for the bin)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:no more|means no|no longer(?:\sa|\suse|\suses|\susing|\sthe)?|so no|enough of|instead of|in place of|rather than)\s(?:the\s)?${thing}${until}`,
    'i',
  ),
  new RegExp(
    String.raw`(?:^|[,.;:]\s|\b(?:and|so|but)\s)(?:the\s)?${thing}\s(?:isn't|aren't|is not|are not|won't be)\s(?:happening|going ahead|on)\b`,
    'i',
  ),
  new RegExp(String.raw`(?:^|[,.;:]\s|\b(?:and|so|but)\s)(?:the\s)?${thing}\s(?:stops?|ends?)(?:\stoo|\snow)?(?=[,.;!]|$)`, 'i'),
  new RegExp(
    String.raw`\b(?:scratch|forget|scrap|drop|ignore)\s(?:that|this)\s(?!and\b|one\b|please\b|for\b|now\b|then\b)${thing}(?:\sthing)?${until}`,
    'i',
  ),
  new RegExp(String.raw`\b(?:not|isn't|aren't|doesn't|don't|won't|can't)\s(?:use\s|the\s|a\s)?${thing}\sany\s?more\b`, 'i'),
  new RegExp(String.raw`\breplac(?:e|es|ed|ing)\s(?:the\s)?${thing}\s(?:with|by)\b`, 'i'),
  new RegExp(
    String.raw`\b(?:switch|switched|switching|move|moved|moving|migrate|migrated|migrating|change|changed|changing)\sfrom\s(?:the\s)?${thing}\sto\b`,
    'i',
  ),
  /\b([\w.@/-]{2,30})\sout,\s[\w.@/-]{2,30}\sin\b/i,
  new RegExp(String.raw`(?:^|[,.;:]\s|\band\s)(?:the\s)?(?!.{0,40}\bhow\b)${thing}\s(?:goes|has to go|must go)(?=[,.;!]|$)`, 'i'),
  new RegExp(String.raw`\b${thing}\s(?:isn't|is not|wasn't)\s(?:good\s)?enough\b`, 'i'),
  new RegExp(String.raw`\bback to\s(?:the\s)?${thing}${until}`, 'i'),
  new RegExp(
    String.raw`(?:^|[,.;:]\s)(?:the\s|my\s|our\s)?${thing}\s(?:moves?|moved|is moved|is postponed|slips|slipped|is pushed back|is now)\s(?:to|until|on|at)\b`,
    'i',
  ),
]
const condition = /\b(?:if|whenever|unless|in case)\b/iu
/** "Datasets go to the EIDC, not Zenodo": a name, so that what follows "not" is a thing. */
const notThis =
  /(?:^|[,;] |\b(?:so|and|but) )not (?:the |on |in |with |to )?(\p{Lu}[\p{L}\p{N}]+(?: \p{Lu}[\p{L}\p{N}]+)?)(?=[,.;!]| after all| any ?more|$)/u
/** "Watermarks: we dropped them", "Kysely: we're replacing it with …". */
const labelled =
  /\b(?:shelved|dropped|scrapped|ditched|cancell?ed|abandoned|killed|skip|skipped) (?:it|that|them|this)\b|\boff the table\b|\breplac(?:e|es|ed|ing) (?:it|that|them) (?:with|by)\b|^(?:and |so |ok,? )?[^:,.!?]{2,45}: (?:no|nope|not any more|gone|off|dead|cancell?ed|scrapped|dropped)(?=[,.!;]|$)/i
const label = /^(?:and |so |ok,? )?([^:,.!?]{2,45}):\s/i
const bare =
  /\b(?:scrap|forget|ignore|drop|undo|cancel) (?:that|it|this|what i said|the above)\b(?! (?!and|one|please|for|now|then|but|we|i)\p{L}+)|\bchanged my mind\b|\bchange of plans?\b|\bon second thou?ghts?\b|\bscratch that\b(?! (?!and|one|please|for|now|then|but|we|i)\p{L}+)/iu

/** `before` is what the user said just before: "scrap that" ends it. */
export function revocationOf(sentence: string, before: string): { readonly words: readonly string[] } | null {
  const ended = [...endings, notThis].flatMap((pattern) => {
    const found = pattern.exec(sentence)
    // "If there's no answer, the deposit's gone": nothing has changed.
    return found && !condition.test(sentence.slice(0, found.index)) ? (found[1] ?? []) : []
  })
  const words = [...new Set(ended.flatMap((one) => contentWords(one)))]
  if (words.some((word) => !sayings.has(word))) return { words: words.slice(0, 8) }
  const topic = labelled.test(sentence) ? contentWords((label.exec(sentence) ?? label.exec(before))?.[1] ?? '') : []
  if (topic.length > 0) return { words: topic }
  return bare.test(sentence)
    ? { words: [...new Set([...contentWords(before), ...contentWords(sentence.replace(bare, ''))])].slice(0, 8) }
    : null
}

export function contentWords(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}'_.:/@-]*/gu) ?? []
  return words.map((word) => word.replace(/'s$|[.:/'-]+$/g, '')).filter((word) => word.length > 1 && !stopWords.has(word))
}
