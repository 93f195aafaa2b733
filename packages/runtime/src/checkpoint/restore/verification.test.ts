import { chmodSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  type CheckpointTestOptions,
  cursorAt,
  openCheckpointTest,
} from '../../../test/support/checkpoint/test-checkpoints.ts'
import type { CrashpointName } from '../crashpoint.ts'

let bench: CheckpointTestEnvironment | undefined
afterEach(() => bench?.close())

function open(options: CheckpointTestOptions = {}): CheckpointTestEnvironment {
  bench = openCheckpointTest(options)
  return bench
}

async function restore({ checkpoints, work }: CheckpointTestEnvironment, checkpoint_id: string) {
  const restored = await checkpoints.restore(checkpoint_id, 'stop', cursorAt(99, work))
  if (restored.outcome !== 'restored') throw new Error(restored.failure_contract.details.message)
  return restored
}

async function entries({ checkpoints }: CheckpointTestEnvironment, checkpoint_id: string) {
  const preview = await checkpoints.preview(checkpoint_id, {})
  if (preview.outcome !== 'previewed') throw new Error(preview.failure_contract.details.message)
  return preview.entries.items
}

/** Each changes `f` from "old" to "new" in place, so that its inode, size and modification time stay the same. */
const inPlace = [
  'printf new > g; touch -r f g; cp -p g f; rm g',
  'cp -p f ref; printf new | dd of=f conv=notrunc status=none; touch -r ref f; rm ref',
  'export SOURCE_DATE_EPOCH=$(stat -c %.9Y f); printf new > f; touch -d @$SOURCE_DATE_EPOCH f',
  'cp -p f ref; printf new > f; touch -r ref f; chmod 600 f; rm ref',
]

describe('a file changed in place that keeps its size and modification time', () => {
  test.each(inPlace)('is restored: %s', async (command) => {
    const here = open()
    const { work, shell } = here
    const file = join(work, 'f')
    writeFileSync(file, 'old')
    bash('touch -d "2024-01-01 10:00:00.123456789" f; chmod 644 f; sleep 0.1', work)
    const before = statSync(file)
    const id = await shell(command)
    const after = statSync(file)
    expect([readFileSync(file, 'utf8'), after.ino, after.size, after.mtimeMs]).toEqual(['new', before.ino, before.size, before.mtimeMs])
    const { counts, left_alone } = await restore(here, id)
    expect([counts, left_alone, readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([
      { created: 0, changed: 1, deleted: 0, conflict: 0, unrecoverable: 0 },
      [],
      'old',
      0o644,
    ])
  })

  test('is listed as unrecoverable when its content was not saved', async () => {
    const here = open()
    bash('truncate -s 65M huge; printf old > f; touch -d "2024-01-01" huge f; sleep 0.1', here.work)
    const id = await here.shell('printf new | dd of=huge conv=notrunc status=none; touch -d "2024-01-01" huge')
    const entry = {
      path: join(here.work, 'huge'),
      type: 'file',
      change: 'unrecoverable',
      reason: 'its content was not saved (68157440 bytes)',
    }
    expect(await entries(here, id)).toEqual([entry])
    const { counts, left_alone } = await restore(here, id)
    expect([counts, left_alone]).toEqual([{ created: 0, changed: 0, deleted: 0, conflict: 0, unrecoverable: 1 }, [entry]])
  })
})

/** What another program does to `work/f` after the restore wrote it and before the restore ends. */
const interference: readonly [string, (file: string) => void, string][] = [
  ['other content', (file) => writeFileSync(file, 'bad'), 'its content is different from what was saved'],
  ['other permissions', (file) => chmodSync(file, 0o600), 'its permissions are 600 and should be 644'],
  ['removed', unlinkSync, 'it is missing'],
  [
    'replaced by a link',
    (file) => {
      unlinkSync(file)
      symlinkSync('elsewhere', file)
    },
    'it is a link and should be a file',
  ],
]

describe('a path that is not as saved when the restore ends', () => {
  test.each(interference)('is reported as not restored: %s', async (_name, interfere, reason) => {
    let armed = false
    const crashpoint = (name: CrashpointName) => {
      if (armed && name === 'restore:applied') interfere(join(here.work, 'f'))
    }
    const here = open({ crashpoint })
    bash('printf old > f; printf old > g; chmod 644 f g', here.work)
    const id = await here.shell('printf newer > f; printf newer > g; printf made > made')
    armed = true
    const restored = await restore(here, id)
    const { counts, left_alone, restored_paths, failure_contract } = restored
    const path = join(here.work, 'f')
    expect([counts, left_alone, restored_paths]).toEqual([
      { created: 1, changed: 1, deleted: 0, conflict: 0, unrecoverable: 1 },
      [{ path, type: 'file', change: 'unrecoverable', reason }],
      2,
    ])
    expect(failure_contract?.details.facts?.[0]).toEqual({ name: 'not_restored', value: `${path}: ${reason}` })
  })

  test('is also reported for a link and for a folder', async () => {
    let armed = false
    const crashpoint = (name: CrashpointName) => {
      if (armed && name === 'restore:applied') bash('rm l; ln -s wrong l; chmod 711 d; touch made', here.work)
    }
    const here = open({ crashpoint })
    bash('mkdir d; chmod 755 d; ln -s right l', here.work)
    const id = await here.shell('rm -r d l; touch made')
    armed = true
    const { left_alone, restored_paths } = await restore(here, id)
    const at = (name: string) => join(here.work, name)
    expect([left_alone, restored_paths]).toEqual([
      [
        { path: at('d'), type: 'directory', change: 'unrecoverable', reason: 'its permissions are 711 and should be 755' },
        { path: at('l'), type: 'symlink', change: 'unrecoverable', reason: 'it points to wrong and should point to right' },
        { path: at('made'), type: 'file', change: 'unrecoverable', reason: 'it exists again' },
      ],
      0,
    ])
  })
})
