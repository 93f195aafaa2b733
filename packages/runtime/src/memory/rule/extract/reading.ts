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

const leadWords =
  /^(?:ok(?:ay)?|k|yes|yep|yeah|yup|no no|nope|no(?=[,.!])|nah|so(?! that\b)|and|also|but|plus|oh|ooh|ah|aha|hm+|um+|uh|well|actually|btw|by the way|thanks|thank you|thx|anyway|one more(?: thing| rule)?|one thing|another thing|another one|last (?:thing|one)|hold on|no wait|hey|hi(?: there)?|hello|honestly|seriously|oh well|in fact|to be honest|tbh|of course|exactly|indeed|ugh|argh|phew|bah|pff+|quick (?:one|note|thing)|heads[- ]up|small thing|minor thing|side note|ps|p\.s\.|\d+[.)]|fair enough|yes please|ta|cheers|basically|obviously|apparently|generally speaking|turns out)(?:[,:.!…]+\s*|\s+[-–—]\s+|\s+)/i
/** Words that begin a statement as well; a sign after them tells. */
const leadSigns =
  /^(?:right|great|good|nice|perfect|cool|fine|alright|all right|next|wait|morning|listen|look|sure|again|ha(?:ha)*|lol|then|rule(?: first| one| two| number \w+)?|lesson(?: learned)?|first|second|third|firstly|secondly|finally|fair|true|just|careful)(?:[,:.!…]+\s*|\s+[-–—]\s+)/i

const longQuote = /"[^"]{25,}"|“[^”]{25,}”|«[^»]{25,}»/gu

export function readingOf(sentence: string): Reading {
  const text = maskSecrets(sentence)
  let written = text.replace(longQuote, '""').replaceAll('’', "'").trim()
  written = written
    .replace(
      /(?<=[\p{L}]{2})'s (?=(?:a|an|the|on|in|at|now|called|due|changed|with|my|our|not|always|never|moved|gone|out|done|booked|\d+)\b)/gu,
      ' is ',
    )
    .replace(/\bis (?=changed\b|moved\b|gone back)/, 'has ')
  for (let count = 0; count < 6; count += 1) {
    const shorter = written.replace(leadWords, '').replace(leadSigns, '')
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
