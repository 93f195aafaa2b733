// One-time codes that stand without a label: "493201 is the code", "enter 493 201 to sign in", or alone in a message. Pure.
import type { Span } from './span.ts'

const digits = String.raw`(?:\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|\d{6,8})`
const code = String.raw`(?<![\d.,:/€$£+#-]|\d )((?:[A-Z]-)?${digits})(?![\d%€$£:/]|[.,]\d|[ -]\d)`
/** What follows an amount is what was counted: "493201 messages". */
const noCount = String.raw`(?![ \t]+(?!to\b|for\b|from\b|before\b|and\b|but\b|is\b|was\b|it\b|now\b|quick|expires|as\b|in\b|on\b|again\b|please\b)\p{L})`

/** "493201 is my login code". */
const beforeName = new RegExp(
  String.raw`(?<![\d.,:/€$£+#-]|\d )(\d{4,8}|${digits})[ \t]+(?:is|was|should be|must be)[ \t]+(?:the|my|your|our|his|her)[ \t]+(?:(?!error|exit|status|post|postal|zip|area|country|source|product|response|discount|promo|voucher|item|order|customer|dress|tax)[\p{L}-]{1,20}[ \t]+){0,3}?(?:code|pin|passcode|otp|puk)\b`,
  'dgiu',
)
/** "the bank texted me 493201", "2FA says 493 201". */
const afterSender = new RegExp(
  String.raw`\b(?:sms|texted|text message|2fa|mfa|otp|two-factor|two-step|authenticator|verification|one-time)\b[^\n.!?\d]{0,60}?${code}${noCount}`,
  'dgiu',
)
/** "enter 493201 to sign in". */
const toSignIn = new RegExp(
  String.raw`\b(?:use|enter|type|type in|put in|try|paste)[ \t]+${code}[ \t]+(?:to|for)[ \t]+(?:the[ \t]+)?(?:log|sign|unlock|verify|verification|confirm|confirmation|authenticate|authentication|login|access|two-factor|2fa|register|pair)`,
  'dgiu',
)
/** A sentence of nothing else: what was asked for is not in it. */
const alone = new RegExp(
  String.raw`(?<=^|[.!?:\n][ \t]*)(?:(?:ok|okay|yes|sure|here|here it is|here you go|it's|it is|it was|it says|it said|got it|mine is|just came|just|this|now|and|use|try|enter)[,:]?[ \t]+){0,3}${code}(?=[ \t]*(?:[.!]?[ \t]*(?:$|\n)|[.!][ \t]))`,
  'dgiu',
)
const patterns = [beforeName, afterSender, toSignIn]

export const oneTimeCodePatterns: readonly RegExp[] = [...patterns, alone]

export function oneTimeCodes(text: string): readonly Span[] {
  const single = codesIn(text, alone)
  // Several different ones are a list of numbers.
  const isOne = new Set(single.map(({ start, end }) => text.slice(start, end))).size === 1
  return [...patterns.flatMap((pattern) => codesIn(text, pattern)), ...(isOne ? single : [])]
}

function codesIn(text: string, pattern: RegExp): readonly Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [start, end] = match.indices?.[1] ?? [0, 0]
    return isAmountOrDate(text.slice(start, end)) ? [] : [{ start, end }]
  })
}

/** "250 000", "20261119", "2025-2026". */
function isAmountOrDate(value: string): boolean {
  const plain = value.replace(/\D/g, '')
  return (
    /000$/.test(plain) ||
    /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(plain) ||
    /^(?:19|20)\d\d[ -](?:19|20)\d\d$/.test(value)
  )
}
