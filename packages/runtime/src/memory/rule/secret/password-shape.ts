// Values that only a password looks like: "Blue-Door9!", "x9$kQ2~m". Pure.
import { keyboardShortcut, type Span } from './span.ts'

/** Between spaces, quotes, brackets and commas. */
const candidate = /(?<![^\s"'`“”‘’([{,;:=|])[^\s"'`“”‘’<>()[\]{},;|=]{8,64}(?![^\s"'`“”‘’<>()[\]{},;|=])/g
/** Words of messages in which a password is likely. */
const context =
  /pass|\bpw\b|\bpwd\b|log(?:s|ged|ging)?[\s-]?in|login|sign(?:s|ed|ing)?[\s-]?in|account|credential|portal|wi-?fi|router|admin|unlock|\bid one\b/i
const sign = /[!#$%^&*~?+@]/u
/** "a1&&b", "user?.id2", "C++17", "x=>y1". */
const code = /\?\.|!\.|&&|\|\||\+\+|\$\{|=>|::|->|^\$|^--?\p{L}|^[#@]|^(?:os|process|env)\.|^(?:sha\d+|md5)-/u
const mail = /^[^@]+@[^@]+\.[a-z]{2,}$/i
const file = /\.[a-z][a-z0-9]{1,4}$|_(?:v|hdr|final|signed)/i
/** "US$1200", "Block#12A", "owner#1234". */
const amount = /^[A-Z]{0,3}[$€£]\d|^[\p{L}-]+[#+]\d+\p{L}?$/u

export function passwordShapes(text: string): readonly Span[] {
  const isLikely = context.test(text)
  return [...text.matchAll(candidate)].flatMap(({ 0: found, index }) => {
    const value = found.replace(isLikely ? /[.:]+$/ : /[.:?!]+$/, '')
    return isPassword(value, isLikely) ? [{ start: index, end: index + value.length }] : []
  })
}

function isPassword(value: string, isLikely: boolean): boolean {
  if (value.length < 8 || value.includes('/') || value.includes('\\') || code.test(value) || mail.test(value)) return false
  if (keyboardShortcut.test(value) || file.test(value) || amount.test(value) || isFormula(value)) return false
  const plain = value.replace(/%[0-9A-F]{2}/g, '')
  if (!/\p{L}/u.test(plain) || !/\d/.test(plain) || !sign.test(plain)) return false
  return isLikely || (/\p{Lu}/u.test(plain) && /\p{Ll}/u.test(plain) && sign.test(plain.slice(1, -1)))
}

/** "2x^2+3x-1": short parts between signs of arithmetic. */
function isFormula(value: string): boolean {
  return /[+*^%]/.test(value) && value.split(/[+*^%-]/).every((part) => part.length <= 3)
}
