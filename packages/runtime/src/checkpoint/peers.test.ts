// Trees and habits with which other tools' undo lost work. Each is restored byte for byte, and nothing else changes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
} from '../../test/support/checkpoint/test-checkpoints.ts'
import { testClock } from '../../test/support/clock/test-clock.ts'

let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest()
})
afterEach(() => bench.close())

const at = (...parts: string[]) => join(bench.work, ...parts)
const same = { missing: [], surplus: [] }
const commit = 'git add -A && git -c user.name=T -c user.email=t@example.org commit -qm'
const library = `mkdir -p ../library && (cd ../library && git init -q . && echo l > l && ${commit} l)`

/** Title, the initial state, the command. */
test.each([
  [
    'a nested repository keeps its `.git`, under its own name',
    `git init -q . && mkdir inner && (cd inner && git init -q . && echo x > x && ${commit} inner); echo o > o; ${commit} outer`,
    'rm -rf inner/.git; mv inner renamed; echo broken > renamed/x',
  ],
  [
    'a submodule and its data in the parent repository',
    `${library}; git init -q . && git -c protocol.file.allow=always submodule --quiet add ../library sub; ${commit} one`,
    'git submodule deinit -qf sub; rm -rf .git/modules/sub; git rm -qf sub',
  ],
  [
    'a worktree, whose `.git` is a file with a path',
    `${library}; (cd ../library && git worktree add -q ${'"$OLDPWD"'}/tree -b side)`,
    'rm tree/.git; echo gitdir: nowhere > tree/.git; rm tree/l',
  ],
  [
    'an LFS pointer stays a pointer: no filters are applied',
    `git init -q . && echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes && printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 12345\\n' 7 > big.bin`,
    'head -c 5000 /dev/urandom > big.bin; rm .gitattributes',
  ],
  [
    'line ends stay the same, whatever git is configured to do',
    `git init -q . && git config core.autocrlf true && echo '* text=auto eol=crlf' > .gitattributes && printf 'a\\r\\nb\\nc\\r' > mixed && printf 'a\\r\\n' > crlf && printf 'a\\n' > lf`,
    `${commit} one; sed -i 's/\\r//' mixed crlf; rm lf; git checkout -q -- .`,
  ],
  [
    'byte order marks and other encodings',
    `printf '\\357\\273\\277text' > bom && printf '\\377\\376t\\0e\\0' > utf16 && printf 'caf\\351' > latin1`,
    'for f in bom utf16 latin1; do iconv -f latin1 -t utf8 $f > t; mv t $f; done',
  ],
  [
    'names that differ only in case',
    'echo a > readme && echo b > README && mkdir Src src && echo c > Src/x && echo d > src/X',
    'rm -rf README src; echo z > readme',
  ],
  [
    'a file replaced by a folder, and a folder replaced by a file',
    'echo f > was-file && mkdir -p was-folder/deep && echo d > was-folder/deep/d',
    'rm was-file; mkdir -p was-file/now; echo n > was-file/now/n; rm -rf was-folder; echo n > was-folder',
  ],
  [
    'untracked and ignored files',
    `git init -q . && printf '*.log\\nsecret/\\n' > .gitignore && ${commit} one && echo u > untracked && echo l > build.log && mkdir secret && echo s > secret/key`,
    'git clean -fdxq; git stash -uq',
  ],
  [
    'an ignored file after its ignore rule was removed',
    `git init -q . && echo '*.log' > .gitignore && ${commit} one && echo l > build.log`,
    'git rm -qf .gitignore; git clean -fdq',
  ],
  ['a repository without a user name', 'git init -q . && echo a > a && git add a', 'git rm -qf a; rm -rf .git'],
  ['a folder without a repository', 'mkdir plain && echo p > plain/p', 'rm -rf plain; git clean -fdxq'],
  [
    'a tracked file whose deletion was staged',
    `git init -q . && echo a > a && echo b > b && ${commit} one && git rm -q a`,
    'git reset -q --hard; echo x > b',
  ],
] as const)('%s', async (_title, before, command) => {
  bash(before, bench.work)
  const was = manifestOf(bench.work)
  const id = await bench.shell(command)
  expect(difference(was, manifestOf(bench.work))).not.toEqual(same)
  const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect([restored.outcome, difference(was, manifestOf(bench.work))]).toEqual(['restored', same])
})

test('a restore of one folder leaves uncommitted work of a sibling folder alone, in the same repository', async () => {
  mkdirSync(at('a'))
  mkdirSync(at('b'))
  bash(`git init -q . && echo 1 > a/f && echo 1 > b/f && ${commit} one`, bench.work)
  const id = await bench.shell('echo 2 > f', at('a'))
  writeFileSync(at('b', 'f'), 'a day of work\n')
  writeFileSync(at('b', 'new'), 'more of it\n')
  const others = manifestOf(at('b'))
  await bench.checkpoints.restore(id, 'overwrite', cursorAt(2, bench.work))
  expect([readFileSync(at('a', 'f'), 'utf8'), difference(others, manifestOf(at('b')))]).toEqual(['1\n', same])
})

test('a scan of a subfolder leaves nothing stale for a scan of its parent, nor vice versa', async () => {
  mkdirSync(at('sub'))
  for (const name of ['f', 'g']) writeFileSync(at('sub', name), 'one')
  await bench.shell('true', bench.work)
  writeFileSync(at('sub', 'f'), 'two')
  await bench.shell('true', at('sub'))
  writeFileSync(at('sub', 'g'), 'two')
  const above = await bench.shell('rm -rf sub', bench.work)
  await bench.checkpoints.restore(above, 'stop', cursorAt(4, bench.work))
  expect([readFileSync(at('sub', 'f'), 'utf8'), readFileSync(at('sub', 'g'), 'utf8')]).toEqual(['two', 'two'])
  writeFileSync(at('sub', 'f'), 'three')
  const below = await bench.shell('rm f g', at('sub'))
  await bench.checkpoints.restore(below, 'stop', cursorAt(6, bench.work))
  expect([readFileSync(at('sub', 'f'), 'utf8'), readFileSync(at('sub', 'g'), 'utf8')]).toEqual(['three', 'two'])
})

test('saves and restores everything without git on the machine', async () => {
  writeFileSync(at('f'), 'one')
  const { PATH } = process.env
  process.env.PATH = ''
  try {
    const id = await bench.take([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
    writeFileSync(at('f'), 'two')
    await bench.checkpoints.settle(id)
    const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    expect([restored.outcome, readFileSync(at('f'), 'utf8')]).toEqual(['restored', 'one'])
  } finally {
    process.env.PATH = PATH
  }
})

test('the very first checkpoint is not empty', async () => {
  writeFileSync(at('f'), 'first')
  const id = await bench.shell('rm f')
  const artifacts = await bench.checkpoints.artifacts(id, {})
  expect('items' in artifacts && artifacts.items.map(({ path, type }) => [path, type])).toEqual([
    [bench.work, 'directory'],
    [at('f'), 'file'],
  ])
})

test('writes nothing into the repository, its index or its refs', async () => {
  bash(`git init -q . && echo 1 > f && ${commit} one`, bench.work)
  const repository = manifestOf(at('.git'))
  const id = await bench.shell('echo 2 > f')
  await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect([difference(repository, manifestOf(at('.git'))), existsSync(at('.git_disabled'))]).toEqual([same, false])
})

test('does not read a folder of videos: it is reported in advance and uses no space, and the files next to it are restored', async () => {
  const read: string[] = []
  await bench.close()
  bench = openCheckpointTest({ crashpoint: (name) => void (name === 'take:file' && read.push(name)) })
  // Four gigabytes by size; the disk has none of it.
  bash('mkdir films && for i in $(seq 40); do truncate -s 100M films/$i.mov; done; echo one > notes; echo two > list', bench.work)
  const plan = await bench.plan([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
  expect([plan.kind, plan.files, plan.kept_files, plan.unprotected.map(({ cause }) => cause).sort()]).toEqual([
    'manifest_snapshot',
    42,
    2,
    ['outside', 'too_large'],
  ])
  const id = await bench.shell('find films -name 7.mov -delete; echo changed > notes; rm list')
  expect([read.length, packsOf(bench) < 1_000_000]).toEqual([2, true])
  const lost = { path: at('films/7.mov'), type: 'file', change: 'unrecoverable', reason: 'its content was not saved (104857600 bytes)' }
  expect(await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))).toMatchObject({ outcome: 'restored', left_alone: [lost] })
  expect([readFileSync(at('notes'), 'utf8'), readFileSync(at('list'), 'utf8'), existsSync(at('films/8.mov'))]).toEqual([
    'one\n',
    'two\n',
    true,
  ])
})

test('deletion needs no space of its own: there is never more than before', async () => {
  const used: number[] = []
  const clock = testClock(Date.now())
  await bench.close()
  bench = openCheckpointTest({ clock, crashpoint: (name) => void (name === 'sweep:removed' && used.push(packsOf(bench))) })
  for (let round = 0; round < 12; round += 1) await bench.shell('head -c 200000 /dev/urandom > noise')
  const before = packsOf(bench)
  clock.set(clock.now() + 15 * 86_400_000)
  const expired = await bench.checkpoints.retain()
  expect([expired.length, used.length > 0]).toEqual([7, true])
  expect(used).toEqual(used.toSorted((one, other) => other - one))
  expect([Math.max(...used) < before, before - packsOf(bench) > 6 * 200_000]).toEqual([true, true])
})

/** The bytes used by contents. */
function packsOf({ home }: CheckpointTestEnvironment): number {
  return Number(bash("find . -type f -not -name 'tandem.db*' -printf '%s\\n' | awk '{ sum += $1 } END { print sum + 0 }'", home))
}
