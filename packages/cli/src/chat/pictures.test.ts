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
  const [small, big] = [join(folder, 'small.png'), join(folder, 'big.png')]
  for (const path of [small, big]) writeFileSync(path, 'x')
  truncateSync(big, limits.attachment_bytes + 1)
  expect(picturesIn('small.png big.png and missing.png', folder)).toEqual({
    files: [{ name: 'small.png', bytes: Buffer.from('x') }],
    complaints: [`${big} is larger than 10 MiB, the limit for attachments.`],
  })
})
