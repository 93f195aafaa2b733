import { chownSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bash, type CheckpointTestEnvironment, cursorAt, openCheckpointTest } from '../../../test/support/checkpoint/test-checkpoints.ts'
import { exactTime, lostAttributes, nanosecondsOf } from './attributes.ts'
import { extendedAttributesAt, noExtendedAttributes, setExtendedAttributes } from './extended-attributes.ts'
import { readManifest, type WrittenManifest } from './manifest.ts'
import { openPack, PackWriter } from './pack.ts'

let bench: CheckpointTestEnvironment
const at = (...parts: string[]) => join(bench.work, ...parts)

beforeEach(() => {
  bench = openCheckpointTest()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await bench.close()
})

const isRoot = process.geteuid?.() === 0
/** Another owner if the test may change ownership. */
const [uid, gid] = isRoot ? [1_234, 2_345] : [process.geteuid?.() ?? 0, process.getegid?.() ?? 0]

/** An access control list that lets user 1000 read, in the kernel's format: tag, permissions and id of each entry. */
function accessControlList(): string {
  const entries = [
    [0x01, 6, 0xffffffff],
    [0x02, 4, 1_000],
    [0x04, 4, 0xffffffff],
    [0x10, 4, 0xffffffff],
    [0x20, 0, 0xffffffff],
  ] as const
  const bytes = Buffer.alloc(4 + entries.length * 8)
  bytes.writeUInt32LE(2, 0)
  for (const [index, [tag, permissions, id]] of entries.entries()) {
    bytes.writeUInt16LE(tag, 4 + index * 8)
    bytes.writeUInt16LE(permissions, 6 + index * 8)
    bytes.writeUInt32LE(id, 8 + index * 8)
  }
  return bytes.toString('base64')
}

const note = ['user.note', Buffer.from('kept').toString('base64')] as const

interface Seen {
  readonly path: string
  readonly owner: readonly [number, number]
  readonly mode: string
  readonly mtime: bigint
  readonly xattrs: unknown
}

/** As reported by the system now. */
function seen(...names: string[]): Seen[] {
  return names.map((name) => {
    const stats = lstatSync(at(name), { bigint: true })
    const owner = [Number(stats.uid), Number(stats.gid)] as const
    const mode = (Number(stats.mode) & 0o7777).toString(8)
    return { path: name, owner, mode, mtime: stats.mtimeNs, xattrs: stats.isSymbolicLink() ? [] : extendedAttributesAt(at(name)) }
  })
}

const all = ['folder', 'folder/plain', 'folder/listed', 'folder/link'] as const

function makeTree(): void {
  mkdirSync(at('folder'))
  writeFileSync(at('folder/plain'), 'plain')
  writeFileSync(at('folder/listed'), 'listed')
  bash('ln -s plain folder/link', bench.work)
  for (const name of all) lchownSync(at(name), uid, gid)
  setExtendedAttributes(at('folder/plain'), [note])
  setExtendedAttributes(at('folder/listed'), [['system.posix_acl_access', accessControlList()], note])
  setExtendedAttributes(at('folder'), [['system.posix_acl_default', accessControlList()], note])
  bash(
    'chmod 4750 folder/plain; touch -hd @1700000001.123456789 folder/link folder/plain; touch -d @1700000002.999999999 folder/listed',
    bench.work,
  )
  bash('touch -d @1700000003.000000001 folder', bench.work)
}

async function restored(id: string) {
  const outcome = await bench.checkpoints.restore(id, 'stop', cursorAt(9, bench.work))
  if (outcome.outcome !== 'restored') throw new Error(JSON.stringify(outcome))
  return outcome
}

describe('owner, group, access control lists, extended attributes and nanoseconds', () => {
  test('exist in the test tree', () => {
    makeTree()
    expect(seen('folder/plain', 'folder/listed')).toMatchObject([
      { owner: [uid, gid], mode: '4750', mtime: 1_700_000_001_123_456_789n, xattrs: [note] },
      { owner: [uid, gid], mtime: 1_700_000_002_999_999_999n, xattrs: [['system.posix_acl_access', accessControlList()], note] },
    ])
  })

  test.each([
    ['deleted', 'rm -r folder'],
    ['overwritten', 'echo changed > folder/plain; echo changed > folder/listed; ln -sfn listed folder/link'],
    [
      'replaced',
      'mv folder old; mkdir folder; cp -r old/. folder; echo more >> folder/plain; echo more >> folder/listed; ln -sfn listed folder/link; rm -r old',
    ],
  ])('are restored after %s, and the restore can be undone', async (_what, command) => {
    makeTree()
    // A restore does not restore the modification time of a folder that was not deleted.
    const names = command.startsWith('echo') ? all.slice(1) : all
    const before = seen(...names)
    const id = await bench.shell(command)
    const preview = await bench.checkpoints.preview(id, {})
    expect(preview.outcome === 'previewed' && preview.entries.items.filter((one) => 'lost' in one)).toEqual([])
    const after = command.startsWith('rm') ? null : seen('folder/plain', 'folder/listed')
    const { safety_checkpoint_id, left_alone } = await restored(id)
    expect([seen(...names), left_alone]).toEqual([before, []])
    await restored(safety_checkpoint_id)
    if (after) expect(seen('folder/plain', 'folder/listed')).toEqual(after)
  })

  test('are restored if nothing else changed, and added ones are removed', async () => {
    makeTree()
    const before = seen('folder/plain', 'folder/listed')
    const id = await bench.take([{ does: 'execute', command: 'setfattr', cwd: bench.work, language: 'shell' }])
    setExtendedAttributes(at('folder/plain'), [['user.other', 'AAAA']])
    setExtendedAttributes(at('folder/listed'), [note])
    if (isRoot) chownSync(at('folder/plain'), 0, 0)
    await bench.checkpoints.settle(id)
    const preview = await bench.checkpoints.preview(id, {})
    expect(preview.outcome === 'previewed' && preview.entries.items.map(({ path, change }) => [path, change])).toEqual([
      [at('folder/listed'), 'changed'],
      [at('folder/plain'), 'changed'],
    ])
    const inodes = () => ['folder/plain', 'folder/listed'].map((name) => statSync(at(name)).ino)
    const ones = inodes()
    await restored(id)
    // Changing the owner clears the set-user-id bit, so the mode is set afterwards.
    expect([seen('folder/plain', 'folder/listed'), inodes()]).toEqual([before, ones])
  })

  test('a file whose parent has a default list gets its own list, or none', async () => {
    mkdirSync(at('folder'))
    setExtendedAttributes(at('folder'), [['system.posix_acl_default', accessControlList()]])
    writeFileSync(at('elsewhere'), 'no list')
    renameSync(at('elsewhere'), at('folder/none'))
    const before = seen('folder/none')
    const id = await bench.shell('rm folder/none')
    await restored(id)
    expect([before[0]?.xattrs, seen('folder/none')]).toEqual([[], before])
  })

  test('without root, the preview lists what only root can restore, and the content is restored', async () => {
    writeFileSync(at('file'), 'content')
    const id = await bench.shell('rm file')
    const pack = 'user 4321, group 4321'
    rewrite(id, ([path, type, ...row]) =>
      path === 'file'
        ? withColumns(
            [path, type, ...row],
            [
              4_321,
              4_321,
              5,
              [
                ['trusted.x', 'AAAA'],
                ['user.y', null],
              ],
            ],
          )
        : [path, type, ...row],
    )
    vi.spyOn(process, 'geteuid').mockReturnValue(1_000)
    const preview = await bench.checkpoints.preview(id, {})
    const lost = [
      `its owner (${pack}): only root can restore it`,
      'its extended attributes user.y: they could not be saved',
      'its extended attributes trusted.x: only root can restore them',
    ]
    const entry = { path: at('file'), type: 'file', change: 'deleted', lost }
    expect(preview.outcome === 'previewed' && preview.entries.items).toEqual([entry])
    const { left_alone, restored_paths } = await restored(id)
    expect([left_alone, restored_paths, readFileSync(at('file'), 'utf8')]).toEqual([[entry], 1, 'content'])
  })
})

describe('a recovery point of an earlier version', () => {
  test('has no attributes, can be restored anyway, and the preview lists what was not saved', async () => {
    makeTree()
    const id = await bench.shell('rm -r folder')
    rewrite(id, (row) => row.slice(0, row[1] === 'f' ? 13 : 4))
    const preview = await bench.checkpoints.preview(id, {})
    const lost = ['its access control list and extended attributes: they were not saved']
    expect(preview.outcome === 'previewed' && preview.entries.items).toEqual([
      { path: at('folder'), type: 'directory', change: 'deleted' },
      { path: at('folder/link'), type: 'symlink', change: 'deleted', lost },
      { path: at('folder/listed'), type: 'file', change: 'deleted', lost },
      { path: at('folder/plain'), type: 'file', change: 'deleted', lost },
    ])
    await restored(id)
    expect([readFileSync(at('folder/plain'), 'utf8'), seen('folder/plain')[0]?.mode]).toEqual(['plain', '4750'])
  })

  test('does not prevent the next point from saving them', async () => {
    makeTree()
    bash('touch -d "1 hour ago" folder/plain; sleep 0.1', bench.work)
    const first = await bench.shell('true')
    rewrite(first, (row) => row.slice(0, row[1] === 'f' ? 13 : 4))
    const before = seen('folder', 'folder/plain')
    const second = await bench.shell('rm -r folder')
    await restored(second)
    expect(seen('folder', 'folder/plain')).toEqual(before)
  })

  test('is read as it was written', () => {
    const written = {
      ...{
        root: '/w',
        kind: 'filesystem_snapshot',
        coverage: { trees: ['/w'], paths: [], children: [], blind: [] },
        unprotected: [],
        gone: [],
      },
      rows: [
        ['', 'd', 0o755, 1.5],
        ['f', 'f', 0o644, 3, 2.5, 3.5, 7, 1, 1.5, 'ab', 'pack', 0, 0],
        ['l', 'l', 'f', 4.5],
      ],
    } as const satisfies WrittenManifest
    expect([...readManifest(written, null).images]).toEqual([
      ['/w', { type: 'directory', mode: 0o755, mtime: 1.5 }],
      [
        '/w/f',
        {
          ...{ type: 'file', mode: 0o644, size: 3, mtime: 2.5, ctime: 3.5, ino: 7, links: 1, born: 1.5, sha256: 'ab' },
          ...{ content: { pack: 'pack', start: 0 }, racy: false },
        },
      ],
      ['/w/l', { type: 'symlink', link_target: 'f', mtime: 4.5 }],
    ])
  })
})

test('milliseconds and nanoseconds together give the exact time', () => {
  const second = 1_000_000_000n
  fc.assert(
    fc.property(fc.bigInt({ min: -2_000_000_000n, max: 8_000_000_000n }), fc.bigInt({ min: 0n, max: second - 1n }), (seconds, rest) => {
      const mtimeNs = seconds * second + rest
      // As the system call returns it.
      const mtime = Number(seconds) * 1_000 + Number(rest) / 1e6
      expect(exactTime(mtime, nanosecondsOf({ mtimeNs }))).toBe(mtimeNs)
    }),
  )
})

test('the preview reports a system that does not support reading them', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')
  vi.resetModules()
  Object.defineProperty(process, 'platform', { value: 'freebsd' })
  try {
    const apart = await import('./attributes.ts')
    const file = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0, mtime: 1.000_001, mtime_ns: 1 }
    expect(apart.lostAttributes(file)).toEqual([
      'its access control list and extended attributes: they were not saved',
      'the nanoseconds of its modification time: they cannot be restored on this system',
    ])
    expect(lostAttributes({ ...file, xattrs: noExtendedAttributes })).toEqual([])
  } finally {
    if (platform) Object.defineProperty(process, 'platform', platform)
  }
})

type AttributeCase = readonly unknown[]

/** Replaces the attributes at the end of a row. */
function withColumns(row: AttributeCase, columns: AttributeCase): AttributeCase {
  return [...row.slice(0, row[1] === 'f' ? 13 : row[1] === 'd' ? 5 : 4), ...columns]
}

/** Rewrites the packs of a point with other rows and the same contents. */
function rewrite(checkpoint_id: string, change: (row: AttributeCase) => AttributeCase): void {
  const blobs = join(bench.home, 'blobs')
  for (const name of readdirSync(blobs).filter((one) => one.startsWith(checkpoint_id))) {
    const pack = openPack(blobs, name)
    const written = pack.manifest() as WrittenManifest
    const writer = new PackWriter(blobs, name)
    for (const [sha256, start, size] of pack.table.contents) {
      const content = writer.content()
      for (const part of pack.read(start, size)) content.write(part)
      content.end(sha256)
    }
    writer.finish(pack.meta, { ...written, rows: written.rows.map(change) }, () => undefined)
    pack.close()
  }
  const { folder } = bench
  bench.store.close()
  bench = openCheckpointTest({ folder })
}
