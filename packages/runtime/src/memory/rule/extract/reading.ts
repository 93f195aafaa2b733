// A sentence as the signals see it: without lead-ins, quotations and secrets. Pure.
import { maskSecrets } from '../secret/secrets.ts'

export interface Reading {
  /** The words as written, without secrets. */
  readonly text: string
  /** In lower case, without what stands in quotation marks, without "ok, so" at the beginning. */
  readonly core: string
  /** The same with capitals. */
  readonly written: string
  readonly words: readonly string[]
  readonly asked: boolean
  /** "X:" at the beginning. */
  readonly label: string | null
  /** What the label is about. */
  readonly afterLabel: string
}

const leadIn =
  /^(?:ok(?:ay)?|k|yes|yep|yeah|yup|no no|nope|no(?=[,.!])|nah|right|so(?! that\b)|and|also|but|plus|oh|ooh|ah|aha|hm+|hmm+|um+|uh|well|actually|btw|by the way|great|good|nice|perfect|thanks|thank you|thx|cool|fine|alright|all right|anyway|one more(?: thing| rule)?|one thing|another thing|another one|last (?:thing|one)|next|hold on|wait|no wait|hey|hi(?: there)?|hello|morning|listen|look|honestly|seriously|oh well|in fact|to be honest|tbh|sure|of course|exactly|indeed|again|ugh|argh|phew|ha(?:ha)*|lol|bah|pff+|then|quick (?:one|note|thing)|heads[- ]up|small thing|minor thing|side note|rule(?: first| one| two| number \w+)?|lesson(?: learned)?|ps|p\.s\.|first|second|third|firstly|secondly|finally|\d+[.)]|fair enough|fair|true|yes please|ta|cheers|just|basically|obviously|apparently|generally speaking|careful)(?:[,:.!…]+\s*|\s+[-–—]\s+|\s+)/i

const longQuote = /"[^"]{25,}"|“[^”]{25,}”|«[^»]{25,}»/gu

export function readingOf(sentence: string): Reading {
  const text = maskSecrets(sentence)
  let written = text.replace(longQuote, '""').replaceAll('’', "'").trim()
  written = written.replace(/(?<=[\p{L}]{2})'s (?=(?:a|an|the|on|in|at|now|called|due|changed|with|my|our|not|always|never|moved|gone|out|done|booked|\d+)\b)/gu, ' is ').replace(/\bis (?=changed\b|moved\b|gone back)/, 'has ')
  for (let count = 0; count < 6; count += 1) {
    const shorter = written.replace(leadIn, '')
    if (shorter === written || shorter === '') break
    written = shorter
  }
  const core = written.toLowerCase()
  const found = /^([^:,.!?]{2,45}):\s+(\S.*)$/s.exec(written)
  const label = found?.[1] && found[1].split(/\s+/).length <= 7 ? found[1] : null
  return {
    text,
    core,
    written,
    words: core.match(/[\p{L}\p{N}][\p{L}\p{N}'_.:/-]*/gu) ?? [],
    asked: /\?["')\]]*\s*$/.test(text),
    label,
    afterLabel: label === null ? core : (found?.[2] ?? '').toLowerCase(),
  }
}
