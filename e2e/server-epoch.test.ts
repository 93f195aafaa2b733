// After a backup is restored, the epoch is renewed by hand, and every device is notified.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startServer } from '../packages/server/src/main.ts'
import { createUserWithData } from '../packages/server/test/support/user-with-data.ts'

const bin = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))

test('tandem renew-epoch changes the epoch that devices see, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-epoch-'))
  const env = { BAAS_URL: `embedded:${folder}`, PORT: '0' }
  const pulled = async () => {
    const start = await startServer({ ...env, LOG_LEVEL: 'error' })
    if (!start.ok) throw new Error(start.problems.join('\n'))
    return start.server
  }
  try {
    const first = await pulled()
    const resident = await createUserWithData(first.url)
    const before = (await resident.call('sync_pull')).body
    await first.stop()

    const renewed = spawnSync(process.execPath, [bin, 'renew-epoch'], { encoding: 'utf8', env: { ...process.env, ...env } })
    expect([renewed.status, renewed.stderr]).toEqual([0, ''])

    const second = await pulled()
    const reply = await fetch(`${second.url}/api/v1/sync/pull`, { headers: { authorization: `Bearer ${resident.token}` } })
    const after = (await reply.json()) as typeof before
    await second.stop()
    expect(after.epoch).not.toBe(before.epoch)
    expect(renewed.stdout).toContain(after.epoch)
    expect(after.changes).toEqual(before.changes)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
