import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visibleInTerminal, visibleText } from './index.ts'

test.each([
  ['a direction override', 'invoice\u202efdp.exe', 'invoice⟨U+202E⟩fdp.exe'],
  ['direction marks', 'a\u200eb\u200fc\u061cd', 'a⟨U+200E⟩b⟨U+200F⟩c⟨U+061C⟩d'],
  ['isolates', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
  ['a null', 'a\u0000b', 'a⟨U+0000⟩b'],
  ['a soft hyphen', 'rm\u00ad -rf', 'rm⟨U+00AD⟩ -rf'],
  ['zero-width spaces', 'a\u200bb\u2060c\ufeffd', 'a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩d'],
  ['invisible operators', 'f\u2061x\u2062y\u2063z\u2064', 'f⟨U+2061⟩x⟨U+2062⟩y⟨U+2063⟩z⟨U+2064⟩'],
  ['tags, which can encode a whole sentence', 'ok\u{e0068}\u{e0069}', 'ok⟨U+E0068⟩⟨U+E0069⟩'],
  ['line separators', 'a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
  ['fillers', 'a\u3164b\u115fc\uffa0d\u034fe', 'a⟨U+3164⟩b⟨U+115F⟩c⟨U+FFA0⟩d⟨U+034F⟩e'],
  ['half a character', 'a\ud800b', 'a⟨U+D800⟩b'],
  ['joiners between Latin letters', 'su\u200ddo r\u200cm', 'su⟨U+200D⟩do r⟨U+200C⟩m'],
  ['variation selectors', 'rm\ufe0f -rf\ufe00 \u{e0100}x', 'rm⟨U+FE0F⟩ -rf⟨U+FE00⟩ ⟨U+E0100⟩x'],
  ['the blank Braille pattern', 'notes\u2800.md', 'notes⟨U+2800⟩.md'],
  ['a joiner with nothing to join', '👩\u200d.\u200d', '👩⟨U+200D⟩.⟨U+200D⟩'],
])('%s', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test.each([
  ['lines and tabs', 'línea\n\tשלום\r\n'],
  ['a person at a computer', '👩\u200d💻'],
  ['with a skin tone', '👩🏽\u200d💻'],
  ['a rainbow flag', '🏳\ufe0f\u200d🌈'],
  ['a heart on fire', '❤\ufe0f\u200d🔥'],
  ['Persian, which needs the non-joiner', 'می\u200cخواهم'],
  ['a conjunct that is split', 'क्\u200cष'],
  ['Sinhala, which needs the joiner', 'ශ්\u200dරී'],
])('what belongs to the script is unchanged: %s', (_, text) => {
  expect(visibleText(text)).toBe(text)
})

test('in a terminal the parts of an emoji are shown as well', () => {
  expect(visibleInTerminal('❤\ufe0f\u200d🔥\n\t')).toBe('❤⟨U+FE0F⟩⟨U+200D⟩🔥\n\t')
})

test('nothing is lost: the original text can be reconstructed from what is shown', () => {
  const read = (shown: string) =>
    shown.replace(/⟨U\+([0-9A-F]+)⟩/g, (_, number: string) => String.fromCodePoint(Number.parseInt(number, 16)))
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(0x10ffff), fc.nat(0x7f), fc.integer({ min: 0x2000, max: 0x206f }))), (points) => {
      const text = String.fromCodePoint(...points)
      expect(read(visibleText(text))).toBe(text)
    }),
  )
})
