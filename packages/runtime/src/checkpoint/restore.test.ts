// What a restore must never do; each case was once a bug in some tool.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
} from '../../test/support/checkpoint/test-checkpoints.ts'
import type { RestoreOutcome } from './restore/restore-files.ts'

let bench: CheckpointTestEnvironment
const at = (...parts: string[]) => join(bench.work, ...parts)
const read = (...parts: string[]) => readFileSync(at(...parts), 'utf8')
const same = { missing: [], surplus: [] }

beforeEach(() => {
  bench = openCheckpointTest()
})
afterEach(() => bench.close())

async function restore(
  checkpoint_id: string,
  on_conflict: 'stop' | 'keep' | 'overwrite' = 'stop',
): Promise<Extract<RestoreOutcome, { outcome: 'restored' }>> {
  const restored = await bench.checkpoints.restore(checkpoint_id, on_conflict, cursorAt(99, bench.work))
  if (restored.outcome !== 'restored') throw new Error(restored.failure_contract.details.message)
  return restored
}

async function entries(checkpoint_id: string): Promise<unknown[]> {
  const preview = await bench.checkpoints.preview(checkpoint_id, { limit: 100 })
  if (preview.outcome !== 'previewed') throw new Error(preview.failure_contract.details.message)
  return preview.entries.items.map(({ path, ...entry }) => ({ ...entry, path: path.replace(`${bench.work}/`, '') }))
}

describe('files of others', () => {
  test('neither lists nor removes what a user created after the call', async () => {
    const id = await bench.shell('echo agent > made')
    writeFileSync(at('mine'), 'mine')
    mkdirSync(at('folder'))
    expect(await entries(id)).toEqual([{ change: 'created', type: 'file', path: 'made' }])
    await restore(id)
    expect([existsSync(at('made')), read('mine'), existsSync(at('folder'))]).toEqual([false, 'mine', true])
  })

  test('a folder that the run created stays while it contains something of a user', async () => {
    const id = await bench.shell('mkdir -p made/deep && echo x > made/deep/x')
    writeFileSync(at('made', 'mine'), 'mine')
    const restored = await restore(id)
    expect([restored.left_alone, read('made', 'mine'), existsSync(at('made', 'deep'))]).toEqual([
      [
        {
          path: at('made'),
          type: 'directory',
          change: 'unrecoverable',
          reason: `it contains something that does not belong to the run: ${at('made', 'mine')}`,
        },
      ],
      'mine',
      false,
    ])
  })

  test('files that are ignored again after `.gitignore` is restored stay', async () => {
    bash('git init -q . && echo "*.log" > .gitignore && echo old > old.log', bench.work)
    const id = await bench.shell('echo "" > .gitignore')
    writeFileSync(at('new.log'), 'new')
    await restore(id)
    expect([read('.gitignore'), read('old.log'), read('new.log')]).toEqual(['*.log\n', 'old\n', 'new'])
  })

  test('a later edit is a conflict: stop changes nothing, keep keeps it, overwrite saves it in the safety rollback point', async () => {
    writeFileSync(at('f'), 'one')
    writeFileSync(at('g'), 'one')
    const id = await bench.shell('echo two > f; echo two > g')
    writeFileSync(at('f'), 'mine')
    const stopped = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    expect([stopped.outcome === 'failed' && stopped.code, read('f'), read('g')]).toEqual(['restore_conflict', 'mine', 'two\n'])
    await restore(id, 'keep')
    expect([read('f'), read('g')]).toEqual(['mine', 'one'])
    const { safety_checkpoint_id } = await restore(id, 'overwrite')
    expect(read('f')).toBe('one')
    await restore(safety_checkpoint_id)
    expect(read('f')).toBe('mine')
  })

  test('an edit between two calls is a conflict for the first and the restored state for the second', async () => {
    writeFileSync(at('f'), 'one')
    const first = await bench.shell('echo two > f')
    writeFileSync(at('f'), 'mine')
    const second = await bench.shell('echo three > f')
    expect(await entries(first)).toEqual([
      { change: 'conflict', type: 'file', path: 'f', reason: 'it was changed outside this run, between two of its calls' },
    ])
    await restore(second)
    expect(read('f')).toBe('mine')
  })

  test('an edit before the run first changed the file is restored with the file', async () => {
    writeFileSync(at('f'), 'one')
    const first = await bench.shell('echo other > g')
    writeFileSync(at('f'), 'mine')
    await bench.shell('echo two > f')
    await restore(first)
    expect([read('f'), existsSync(at('g'))]).toEqual(['mine', false])
  })

  test('an edit of a file that the run never changed is left alone, even with overwrite', async () => {
    writeFileSync(at('f'), 'one')
    const id = await bench.shell('echo agent > g')
    writeFileSync(at('f'), 'mine')
    await restore(id, 'overwrite')
    expect(read('f')).toBe('mine')
  })

  test('does not remove a file that was moved in from an unscanned folder', async () => {
    writeFileSync(join(bench.folder, 'outside'), 'precious')
    bash('touch -d "1 hour ago" ../outside && sleep 2.1', bench.work)
    const source = join(bench.folder, 'outside')
    const id = await bench.take([{ does: 'execute', command: 'python3 move.py', cwd: bench.work, language: 'shell' }])
    renameSync(source, at('inside'))
    await bench.checkpoints.settle(id)
    const restored = await restore(id)
    expect([read('inside'), restored.left_alone.map(({ change }) => change)]).toEqual(['precious', ['unrecoverable']])
  })
})

describe('everything a command can do', () => {
  test('detects a deletion by a shell command', async () => {
    mkdirSync(at('a', 'b'), { recursive: true })
    writeFileSync(at('a', 'b', 'c'), 'c')
    const before = manifestOf(bench.work)
    const id = await bench.shell('rm -rf a')
    expect(await entries(id)).toEqual([
      { change: 'deleted', type: 'directory', path: 'a' },
      { change: 'deleted', type: 'directory', path: 'a/b' },
      { change: 'deleted', type: 'file', path: 'a/b/c' },
    ])
    await restore(id)
    expect(difference(before, manifestOf(bench.work))).toEqual(same)
  })

  test('what did not exist at the checkpoint does not exist afterwards', async () => {
    bash(
      'git init -q . && echo x > tracked && git add tracked && git -c user.name=T -c user.email=t@e commit -qm x && git rm -q tracked',
      bench.work,
    )
    const before = manifestOf(bench.work)
    const id = await bench.shell('git checkout -q HEAD -- tracked; echo y > untracked')
    await restore(id)
    expect(difference(before, manifestOf(bench.work))).toEqual(same)
  })

  test('does not write through a link that replaced a folder', async () => {
    mkdirSync(join(bench.folder, 'outside'))
    writeFileSync(join(bench.folder, 'outside', 'f'), 'theirs')
    mkdirSync(at('d'))
    writeFileSync(at('d', 'f'), 'mine')
    const id = await bench.shell('rm -rf d && ln -s ../outside d')
    await restore(id)
    expect([lstatSync(at('d')).isDirectory(), read('d', 'f'), readFileSync(join(bench.folder, 'outside', 'f'), 'utf8')]).toEqual([
      true,
      'mine',
      'theirs',
    ])
  })

  test('a link that a user put there keeps the files below it from being restored', async () => {
    mkdirSync(join(bench.folder, 'outside'))
    mkdirSync(at('d'))
    writeFileSync(at('d', 'f'), 'mine')
    const id = await bench.shell('rm d/f')
    rmSync(at('d'), { recursive: true })
    symlinkSync('../outside', at('d'))
    const restored = await restore(id, 'overwrite')
    expect([restored.left_alone.length, readlinkSync(at('d')), existsSync(join(bench.folder, 'outside', 'f'))]).toEqual([
      1,
      '../outside',
      false,
    ])
  })

  test('sparse files stay sparse, modes and times are restored, pipes and hard links are reported', async () => {
    bash(
      'truncate -s 8M sparse; echo end >> sparse; echo x > run.sh; chmod 755 run.sh; touch -d "2020-01-02 03:04:05" run.sh; mkfifo pipe; echo h > h1; ln h1 h2',
      bench.work,
    )
    const plan = await bench.plan([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
    expect(plan.unprotected.map(({ cause, count }) => [cause, count]).sort()).toEqual([
      ['hard_link', 2],
      ['outside', 1],
      ['special', 1],
    ])
    const id = await bench.shell('rm -f sparse run.sh pipe')
    const restored = await restore(id)
    const sparse = statSync(at('sparse'))
    expect([sparse.size, sparse.blocks < 2_000, statSync(at('run.sh')).mode & 0o777, statSync(at('run.sh')).mtime.getFullYear()]).toEqual([
      8 * 1024 * 1024 + 4,
      true,
      0o755,
      2020,
    ])
    expect(restored.left_alone).toEqual([
      { path: at('pipe'), type: 'file', change: 'unrecoverable', reason: 'pipes, sockets and devices are not saved' },
    ])
  })

  test('undoes `chmod -R 000` for a user who is not root', async () => {
    bash('mkdir -p a/b && echo x > a/b/c && echo y > a/d && chmod 755 a a/b && chmod 640 a/d', bench.work)
    const before = manifestOf(bench.work)
    bash('chown -R 65534:65534 ..', bench.work)
    const id = await bench.take([{ does: 'execute', command: 'chmod -R 000 a; rm -f x', cwd: bench.work, language: 'shell' }])
    bash('chmod -R 000 a', bench.work)
    process.setegid?.(65_534)
    process.seteuid?.(65_534)
    try {
      await bench.checkpoints.settle(id)
      await restore(id)
    } finally {
      process.seteuid?.(0)
      process.setegid?.(0)
    }
    expect(difference(before, manifestOf(bench.work))).toEqual(same)
  })
})

describe('repositories', () => {
  const commit = 'git -c user.name=T -c user.email=t@example.org commit -q'
  beforeEach(() => {
    bash(`git init -q . && echo one > f && git add f && ${commit} -m one`, bench.work)
  })
  const isSound = () => bash('git fsck --full --strict 2>&1; git log --oneline | wc -l', bench.work).trim().split('\n').at(-1)

  test('undoes a commit of the run as a whole', async () => {
    const before = manifestOf(bench.work)
    const id = await bench.shell(`echo two > f && ${commit} -am two`)
    await restore(id)
    expect([difference(before, manifestOf(bench.work)), bash('git status --porcelain', bench.work)]).toEqual([same, ''])
  })

  test.each(['keep', 'overwrite'] as const)('with a commit of a user on top, the repository stays intact: %s', async (choice) => {
    const id = await bench.shell(`echo two > f && ${commit} -am two`)
    bash(`git checkout -q -b mine && echo three > g && git add g && ${commit} -m three`, bench.work)
    const stopped = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    expect(stopped.outcome === 'failed' && stopped.code).toBe('restore_conflict')
    await restore(id, choice)
    const broken = bash(
      'git fsck --full 2>&1 | grep -v dangling | grep -v "^Checking" | grep -v "^notice" | grep -v unreachable',
      bench.work,
    )
    expect([broken, read('g'), bash('git log --oneline mine | wc -l', bench.work).trim(), isSound() !== undefined]).toEqual([
      '',
      'three\n',
      '3',
      true,
    ])
  })
})

describe('file tools', () => {
  test('removes a new file with the folders created for it', async () => {
    const id = await bench.take([{ does: 'write', path: 'a/b/c.txt' }], 'fs.write')
    bash('mkdir -p a/b && echo x > a/b/c.txt', bench.work)
    await bench.checkpoints.settle(id)
    const restored = await restore(id)
    expect([existsSync(at('a')), restored.failure_contract]).toEqual([false, undefined])
  })

  test('restores a folder that was replaced by a move, and a deleted folder', async () => {
    bash('mkdir -p from/x to && echo 1 > from/x/1 && echo 2 > to/2 && mkdir gone && echo 3 > gone/3 && echo 4 > by', bench.work)
    const before = manifestOf(bench.work)
    const id = await bench.take(
      [
        { does: 'write', path: 'from' },
        { does: 'write', path: 'to' },
        { does: 'delete', path: 'gone' },
      ],
      'fs.move',
    )
    bash('rm -rf to gone && mv from to', bench.work)
    await bench.checkpoints.settle(id)
    writeFileSync(at('by'), 'mine')
    await restore(id)
    writeFileSync(at('by'), '4\n')
    expect(difference(before, manifestOf(bench.work))).toEqual(same)
  })

  test('restores the target of a link that was written through', async () => {
    bash('echo one > real && ln -s real link', bench.work)
    const id = await bench.take([{ does: 'write', path: 'link' }], 'fs.write')
    writeFileSync(at('link'), 'two')
    await bench.checkpoints.settle(id)
    await restore(id)
    expect(read('real')).toBe('one\n')
  })
})

test('a closed folder that replaced a file or a link does not pass its permissions to either', async () => {
  const outside = join(bench.folder, 'outside')
  mkdirSync(outside, { mode: 0o755 })
  writeFileSync(at('file'), 'one', { mode: 0o644 })
  symlinkSync(outside, at('link'))
  const before = manifestOf(bench.work)
  const id = await bench.shell('for n in file link; do rm $n; mkdir $n; echo new > $n/inside; chmod 000 $n; done')
  const { left_alone } = await restore(id)
  expect([left_alone, difference(before, manifestOf(bench.work)), statSync(outside).mode & 0o777]).toEqual([[], same, 0o755])
})

test('a restore over a command is reported as degraded, and marks the checkpoint', async () => {
  const id = await bench.shell('echo x > x')
  const restored = await restore(id)
  expect(restored.failure_contract).toEqual({
    taxonomy: 'degraded_recovery',
    stage: 'restore',
    source: 'checkpoint',
    reason_code: 'opaque_restore',
    recoverability: 'user_action',
    details: {
      message: 'A command may have had effects that could not be tracked. Saved files were restored; other effects remain.',
      subject: bench.work,
      remedy: 'Check what the command may have done outside its folder.',
      facts: [{ name: 'unprotected', value: `Changes that the command makes outside ${bench.work}` }],
    },
  })
  const checkpoint = bench.checkpoints.get(id)
  expect([checkpoint?.restored, checkpoint?.taxonomy]).toEqual([true, 'degraded_recovery'])
})

test('refuses a damaged pack before anything is changed', async () => {
  writeFileSync(at('f'), 'one')
  const id = await bench.shell('echo two > f')
  const pack = join(bench.home, 'blobs', `${id}.before`)
  const bytes = readFileSync(pack)
  bytes[bytes.length - 60] = (bytes[bytes.length - 60] ?? 0) ^ 0xff
  chmodSync(pack, 0o600)
  writeFileSync(pack, bytes)
  const again = openAgain()
  const restored = await again.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect([restored.outcome === 'failed' && restored.failure_contract.reason_code, read('f')]).toEqual(['pack_damaged', 'two\n'])
})

/** The same folders, with nothing in memory. */
function openAgain(): CheckpointTestEnvironment {
  bench.store.close()
  bench = openCheckpointTest({ folder: bench.folder })
  return bench
}
