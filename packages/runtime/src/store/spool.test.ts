import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSpool } from './spool.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-spool-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('keeps short output in memory only', () => {
  const spool = openSpool(folder, 'a')
  spool.write(Buffer.from('hel'))
  spool.write(Buffer.from('lo'))
  expect(spool.end()).toMatchObject({ head: 'hello', tail: '', bytes: 5, truncated: false, file: null })
  expect(existsSync(join(folder, 'a'))).toBe(false)
})

test('however it is split: short output is complete, long output has both ends, and the file has everything', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 8 }), (sizes) => {
      const pieces = sizes.map((size, index) => Buffer.alloc(size, 97 + index))
      const whole = Buffer.concat(pieces).toString()
      const spool = openSpool(folder, 'p')
      for (const piece of pieces) spool.write(piece)
      const { head, tail, bytes, truncated, file } = spool.end()
      expect(bytes).toBe(whole.length)
      if (!truncated) expect([head, tail, file]).toEqual([whole, '', null])
      else {
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
        expect(readFileSync(file ?? '', 'utf8')).toBe(whole)
        rmSync(file ?? '')
      }
    }),
    { numRuns: 50 },
  )
})

test('the file ends at its limit, and both ends are still shown', () => {
  const cap = 256 * 1024 * 1024
  const spool = openSpool(folder, 'big')
  const piece = Buffer.alloc(1024 * 1024, 'y')
  for (let index = 0; index < 300; index += 1) spool.write(piece)
  spool.write(Buffer.alloc(40_000, 'z'))
  const { bytes, truncated, file, file_bytes, head, tail } = spool.end()
  expect([bytes, truncated, file_bytes, head, tail]).toEqual([300 * 2 ** 20 + 40_000, true, cap, 'y'.repeat(32_768), 'z'.repeat(32_768)])
  expect(statSync(file ?? '').size).toBe(cap)
})

test('drops a character that was cut in half', () => {
  const spool = openSpool(folder, 'u')
  spool.write(Buffer.from('é'.repeat(40_000)))
  spool.write(Buffer.from('x'))
  const { head, tail } = spool.end()
  expect([head, tail].join('')).not.toContain('\uFFFD')
})
