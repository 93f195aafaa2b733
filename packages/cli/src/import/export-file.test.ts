import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { importLimits } from '@tandem/contract/import'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readExport } from './export-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-export-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Entry {
  readonly name: string
  readonly content: Buffer
  readonly method?: number
  /** What the directory says; the true size if absent. */
  readonly size?: number
  readonly packed?: number
  readonly flags?: number
}

/** A zip file as archivers write it: each entry, then the directory. */
function zipOf(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, method = 8, size = content.length, packed, flags = 0 } of entries) {
    const body = method === 8 ? deflateRawSync(content) : content
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(method, 10)
    central.writeUInt16LE(flags, 8)
    central.writeUInt32LE(packed ?? body.length, 20)
    central.writeUInt32LE(size, 24)
    central.writeUInt16LE(Buffer.byteLength(name), 28)
    central.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), body)
    directory.push(central, Buffer.from(name))
    at += local.length + Buffer.byteLength(name) + body.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

async function read(content: Buffer | string) {
  const path = join(folder, 'export')
  writeFileSync(path, content)
  const result = await readExport(path)
  return result.ok ? result.value : `${result.message.replaceAll(path, 'FILE')} | ${result.remedy}`
}

const list = Buffer.from('[{"title":"Bread"}]')
const conversations = (more: Partial<Entry> = {}): Entry => ({ name: 'conversations.json', content: list, ...more })

test.each([
  ['a list', list],
  ['a zip file', zipOf([{ name: 'user.json', content: Buffer.from('{}') }, conversations()])],
  ['a zip file with a folder', zipOf([conversations({ name: 'export/conversations.json' })])],
  ['a zip file that is not compressed', zipOf([conversations({ method: 0 })])],
])('%s is read', async (_name, content) => {
  expect(await read(content)).toEqual([{ title: 'Bread' }])
})

const whole = zipOf([conversations()])
const at = (offset: number, value: number, bytes: 2 | 4) => {
  const changed = Buffer.from(whole)
  if (bytes === 2) changed.writeUInt16LE(value, changed.length - 22 + offset)
  else changed.writeUInt32LE(value, changed.length - 22 + offset)
  return changed
}

test.each<[string, Buffer | string, string]>([
  ['text', 'hello', 'conversations.json is not JSON'],
  ['an empty file', '', 'conversations.json is not JSON'],
  ['text in a zip file', zipOf([conversations({ content: Buffer.from('hello') })]), 'conversations.json is not JSON'],
  ['an empty zip file', zipOf([]), 'the zip file has no conversations.json'],
  ['a zip file without the list', zipOf([{ name: 'user.json', content: list }]), 'the zip file has no conversations.json'],
  ['a name that leaves its folder', zipOf([conversations({ name: '../../conversations.json' })]), 'the zip file has no conversations.json'],
  ['an absolute name', zipOf([conversations({ name: '/conversations.json' })]), 'the zip file has no conversations.json'],
  ['two lists of one name', zipOf([conversations(), conversations({ content: Buffer.from('[]') })]), 'the zip file is damaged'],
  ['an unknown compression', zipOf([conversations({ method: 12 })]), 'compressed in a way that Tandem does not read'],
  ['a password', zipOf([conversations({ flags: 1 })]), 'protected with a password'],
  ['a size above the limit', zipOf([conversations({ size: importLimits.file_bytes + 1 })]), 'larger than'],
  ['a size that is too small', zipOf([conversations({ size: 5 })]), 'the zip file is damaged'],
  ['a size that is too large', zipOf([conversations({ size: 500 })]), 'the zip file is damaged'],
  ['a size of a stored entry', zipOf([conversations({ method: 0, size: 5 })]), 'the zip file is damaged'],
  ['a packed size beyond the end', zipOf([conversations({ packed: 100_000 })]), 'the zip file is damaged'],
  ['a packed size that cuts it off', zipOf([conversations({ packed: 5 })]), 'the zip file is damaged'],
  ['sizes of zip64', zipOf([conversations({ size: 0xffff_ffff, packed: 0xffff_ffff })]), 'compressed in a way'],
  ['a directory of zip64', at(16, 0xffff_ffff, 4), 'compressed in a way'],
  ['a number of entries that is wrong', at(10, 7, 2), 'the zip file is damaged'],
  ['a directory beyond the end', at(16, 1_000_000, 4), 'the zip file is damaged'],
  ['a directory of a gigabyte', at(12, 1_073_741_824, 4), 'the zip file is damaged'],
])('%s is refused, with what to do', async (_name, content, expected) => {
  const result = String(await read(content))
  expect(result).toContain(expected)
  expect(result).toMatch(/^FILE: .+ \| .+\.$/)
})

test('cut off anywhere or with any byte changed, a zip file is read as it was or refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (place, byte, isCut) => {
      const changed = isCut ? whole.subarray(0, place) : Buffer.from(whole)
      if (!isCut) changed[place] = byte
      const result = await read(changed)
      // One changed byte of the content may still be JSON.
      expect(Array.isArray(result) || /^FILE: .+ \| .+\.$/.test(String(result))).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('a bomb is not unpacked: its directory says that it is small', async () => {
  const bomb = zipOf([conversations({ content: Buffer.alloc(importLimits.file_bytes + 1_048_576), size: 20 })])
  expect(bomb.length).toBeLessThan(1_048_576 * 2)
  expect(await read(bomb)).toContain('the zip file is damaged')
})

test('a file above the limit, a folder and nothing at all are refused', async () => {
  const path = join(folder, 'large')
  writeFileSync(path, '')
  truncateSync(path, importLimits.file_bytes + 1)
  expect(await readExport(path)).toMatchObject({ ok: false, message: expect.stringContaining('larger than') })
  expect(await readExport(folder)).toMatchObject({ ok: false, message: expect.stringContaining('is not a file') })
  expect(await readExport(join(folder, 'none'))).toMatchObject({ ok: false, message: expect.stringContaining('cannot be read') })
})
