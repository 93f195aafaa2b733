import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@tandem/contract/limits'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { picturesIn } from './pictures.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-pictures-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a picture that is too large is named with the limit, and one that does not exist is only a word', () => {
  const big = join(folder, 'big.png')
  for (const name of ['small.png', 'big.png']) writeFileSync(join(folder, name), 'x')
  truncateSync(big, limits.attachment_bytes + 1)
  expect(picturesIn('small.png big.png and missing.png', folder)).toEqual({
    files: [{ name: 'small.png', bytes: Buffer.from('x') }],
    complaints: [`Not attached: ${big} is larger than 10 MiB, the limit for attachments.`],
  })
})

test('a picture that the model is not shown is attached, and named with the limit', () => {
  writeFileSync(join(folder, 'photo.png'), '')
  truncateSync(join(folder, 'photo.png'), limits.image_bytes + 1)
  const { files, complaints } = picturesIn('photo.png', folder)
  expect(files.map(({ name }) => name)).toEqual(['photo.png'])
  expect(complaints).toEqual(['photo.png is larger than 5 MiB: it is attached, but the model cannot see it.'])
})
