import { expect, test } from 'vitest'
import { exactly } from './exact-length.ts'

async function read(chunks: string[], length: number): Promise<string> {
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const parts: Uint8Array[] = []
  for await (const part of exactly(source(), length)) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('the promised number of bytes passes; fewer or more abort', async () => {
  expect([await read(['ab', 'c'], 3), await read([], 0)]).toEqual(['abc', ''])
  await expect(read(['ab'], 3)).rejects.toMatchObject({ code: 'storage_unavailable' })
  await expect(read(['ab', 'cd'], 3)).rejects.toMatchObject({ code: 'storage_unavailable' })
  await expect(read([], 1)).rejects.toMatchObject({ code: 'storage_unavailable' })
})
