import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeControls, singleLine, stripControls } from './terminal-text.ts'

test.each([
  ['colors', '\u001b[31mred\u001b[0m', 'red'],
  ['a cleared screen', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
  ['a window title', '\u001b]0;owned\u0007x', 'x'],
  ['a link', '\u001b]8;;http://evil.test\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['the clipboard', '\u001b]52;c;ZXZpbA==\u0007x', 'x'],
  ['the single-character CSI', '\u009b31mred', '31mred'],
  ['an overwritten line', 'rm -rf /\rls', 'rm -rf /ls'],
  ['backspaces', 'evil\b\b\b\bgood', 'evilgood'],
  ['a direction override', 'a\u202etxt.exe\u202c', 'atxt.exe'],
  ['zero-width characters', 'a\u200bb\ufeffc\u{e0041}', 'abc'],
  ['tabs, lines, accents and emoji', 'a\tb\n\u00e9\u{1f600}', 'a\tb\n\u00e9\u{1f600}'],
])('%s', (_what, text, expected) => {
  expect(stripControls(text)).toBe(expected)
})

const dangerous = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

test('nothing that controls a terminal gets through, however it is composed or split', () => {
  const letter = fc.constantFrom('\u001b', '[', ']', '0', ';', 'm', '\u0007', '\\', '\u009b', '\r', '\u202e', 'a', '\n', '\ud83d', '\ude00')
  const text = fc.string({ unit: letter, maxLength: 30 })
  fc.assert(
    fc.property(text, fc.nat(30), (whole, cut) => {
      expect(stripControls(whole)).not.toMatch(dangerous)
      expect(stripControls(whole.slice(0, cut)) + stripControls(whole.slice(cut))).not.toMatch(dangerous)
      expect(escapeControls(whole)).not.toMatch(dangerous)
    }),
  )
})

test('for an approval nothing is left out: two texts that differ look different', () => {
  expect(escapeControls('ls\u202e /pmt\r\u001b[2K')).toBe('ls\\u{202e} /pmt\\u{d}\\u{1b}[2K')
  expect(escapeControls('rm\ufe0f\u2800\u3164 x\u200d')).toBe('rm\\u{fe0f}\\u{2800}\\u{3164} x\\u{200d}')
  expect(singleLine('a\n  b\u0000', 20)).toBe('a b\\u{0}')
  expect(singleLine('abcdef', 4)).toBe('abc…')
})

test('a very long text is processed in time', () => {
  const flood = '\u001b]'.repeat(200_000)
  // CPU time: wall time depends on what else the machine does.
  const start = process.cpuUsage()
  stripControls(flood)
  stripControls(`\u001b[${'0;'.repeat(500_000)}`)
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000)
})
